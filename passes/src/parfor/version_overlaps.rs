//! Asks at run time what keeps loops over arguments apart.
//!
//! Arguments may share memory and have any sizes, so that of `x[:] = a + b` and `y[:] = a - b` neither may
//! the loops be merged, nor the operands be read in place. Nearly always the arrays are different ones of
//! one shape. Where a group of statements could be one loop if that were known, there are two versions of
//! it, one for arrays that were compared, and the other for any.

mod group;

use crate::{
    analysis::{shape::rank, sizes::Derivation},
    infra::{
        BlockExt, Builder, CmpInt, Identity, OperationExt, PassContext, PassResult, PassSpec,
        REMARKS, StatisticSpec, ValueExt,
        emit::{Emit, mapped},
        ops::{func, parfor, typed},
    },
};
use group::{Group, groups};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use std::collections::HashSet;

/// The `parfor-version-overlaps` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Assignments to arrays, expressions and parallel loops that follow each other and could be \
                  merged if their arrays shared no memory and had one shape get a version for that, which \
                  `typed.apart` and the condition describe to the passes behind. Statements that touch \
                  different parts of one array, go over spaces that look different, or have effects \
                  between them are left alone, and so are those that can be merged anyway.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "scf", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "versioned",
        "statements that a version for apart arrays can merge with those before",
    )],
    ..PassSpec::new(
        "parfor-version-overlaps",
        "compare arrays at run time so that loops over them can be merged",
        run,
    )
};

/// What is said of each statement that a version of a group merges with those before it.
const VERSIONED: &str = "there is a version for arrays of one shape that share no memory";

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // The bodies of expressions and loops go with these.
    let is_body = |operation: &OperationRef<'c, 'a>| {
        operation.isa::<typed::ArrayExpr>() || operation.isa::<parfor::Loop>()
    };
    let is_inside = |operation: &OperationRef<'c, 'a>| {
        operation.ancestor::<typed::ArrayExpr>().is_some()
            || operation.ancestor::<parfor::Loop>().is_some()
    };
    let holders = function.pre_order().into_iter();
    let holders = holders.filter(|holder| !is_body(holder) && !is_inside(holder));
    let blocks: Vec<_> = holders.flat_map(|holder| holder.nested_blocks()).collect();
    for block in blocks {
        // What later groups use may be made by earlier ones.
        for group in groups(block).into_iter().rev() {
            let Some(segment) = Segment::of(&group, block) else {
                continue;
            };
            for member in &group.members[1..] {
                cx.transformed("versioned", member.operation().location(), VERSIONED);
            }
            segment.version(&builder, &group);
        }
    }
    Ok(())
}

/// The operations of a group with those between them.
struct Segment<'c, 'a> {
    /// What goes before the group: it computes sizes and views.
    early: Vec<OperationRef<'c, 'a>>,
    operations: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Segment<'c, 'a> {
    /// Takes the operations of a group from its block; `None` if others have to stay between them, or the
    /// arrays aren't there before it.
    fn of(group: &Group<'c, 'a>, block: BlockRef<'c, 'a>) -> Option<Self> {
        let members: HashSet<_> = group
            .operations()
            .map(|operation| operation.key())
            .collect();
        let all = block.operation_list();
        let is_member = |operation: &OperationRef| members.contains(&operation.key());
        let first = all.iter().position(is_member)?;
        let last = all.iter().rposition(is_member)?;
        let mut segment = Self {
            early: Vec::new(),
            operations: Vec::new(),
        };
        let mut inside = HashSet::new();
        for operation in &all[first..=last] {
            let is_simple = operation.is_pure() && operation.region_list().is_empty();
            let depends = operation
                .operand_values()
                .iter()
                .any(|operand| inside.contains(&operand.key()));
            match (is_member(operation), is_simple) {
                (false, false) => return None,
                (false, true) if !depends => segment.early.push(*operation),
                _ => {
                    inside.extend(operation.result_values().iter().map(|result| result.key()));
                    segment.operations.push(*operation);
                }
            }
        }
        let mut arrays = group.compared();
        arrays
            .all(|array| !inside.contains(&array.key()))
            .then_some(segment)
    }

    /// Makes the two versions.
    fn version(&self, builder: &Builder<'c, 'a>, group: &Group<'c, 'a>) {
        let first = self.operations[0];
        for operation in &self.early {
            builder.move_before(*operation, first);
        }
        builder.before(first).at(first.location());
        let conditions = [same_shapes(builder, group), no_overlaps(builder, group)].concat();
        let Some(condition) = conditions
            .into_iter()
            .reduce(|one, other| builder.and(one, other))
        else {
            return;
        };
        let results: Vec<_> = self
            .operations
            .iter()
            .flat_map(|one| one.result_values())
            .collect();
        let used: Vec<_> = results
            .into_iter()
            .filter(|result| {
                let mut users = result.users().into_iter();
                users.any(|user| !self.operations.iter().any(|one| user.is_within(*one)))
            })
            .collect();
        let types: Vec<_> = used.iter().map(|value| value.ty()).collect();
        let (branch, apart, other) = builder.scf_if(condition, &types);
        builder.at_end(apart);
        let known = group
            .written
            .iter()
            .filter(|(_, others)| !others.is_empty());
        let known: Vec<_> = known
            .map(|(array, others)| {
                let apart = typed::Apart::create(builder, *array, others);
                (*array, apart.result())
            })
            .collect();
        self.copy(builder, known, &used);
        builder.at_end(other);
        self.copy(builder, Vec::new(), &used);
        for (before, after) in used.iter().zip(branch.result_values()) {
            before.replace_all_uses(after);
        }
        for operation in self.operations.iter().rev() {
            builder.erase_op(*operation);
        }
    }

    /// Copies the operations to the insertion point.
    fn copy(
        &self,
        builder: &Builder<'c, 'a>,
        mut mapping: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
        used: &[Value<'c, 'a>],
    ) {
        let location = builder.location();
        for operation in &self.operations {
            let copy = builder.clone_op(*operation, &mapping);
            let results = operation.result_values().into_iter();
            mapping.extend(results.zip(copy.result_values()));
        }
        let used: Vec<_> = used.iter().map(|value| mapped(&mapping, *value)).collect();
        builder.at(location).scf_yield(&used);
    }
}

/// The conditions that all arrays of a group have the shape of the first one, or its last dimensions.
fn same_shapes<'c: 'a, 'a>(builder: &Builder<'c, 'a>, group: &Group<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some(reference) = group.space() else {
        return Vec::new();
    };
    let mut known = Derivation::default();
    let mut conditions = Vec::new();
    for array in group.shaped() {
        let surplus = rank(reference) - rank(array);
        for dimension in 0..rank(array) {
            let wanted = dimension + surplus;
            if known.dimension(array, dimension) != known.dimension(reference, wanted) {
                let sizes = [
                    builder.dim(array, dimension),
                    builder.dim(reference, wanted),
                ];
                conditions.push(builder.cmpi(CmpInt::Eq, sizes[0], sizes[1]));
            }
        }
    }
    conditions
}

/// The conditions that no written array overlaps another one.
fn no_overlaps<'c: 'a, 'a>(builder: &Builder<'c, 'a>, group: &Group<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let pairs = group
        .written
        .iter()
        .flat_map(|(array, others)| others.iter().map(|other| (*array, *other)));
    pairs
        .map(|(array, other)| {
            let overlap = typed::Overlaps::create(builder, array, other).result();
            builder.not(overlap)
        })
        .collect()
}
