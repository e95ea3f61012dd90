//! Does several iterations of a loop at once in the loop inside of it.
//!
//! `for j: s = 0; for k: s += a[i, k] * b[k, j]; out[i, j] = s` waits for one sum after the other, and
//! walks down columns. Sixteen `j` at once are sixteen independent sums over rows, which LLVM makes
//! vectors of. Each sum keeps the order of its terms, so that no result changes.

use super::{
    copies::{Mapping, copy},
    linear::counts_with,
};
use crate::{
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
    },
    parfor::{
        effects::{Footprint, Raises, any_alias},
        emit::mapped,
    },
};
use melior::ir::{BlockRef, OperationRef, Region, TypeLike, Value};
use pyopt_dialects::typed::{Layout, array_type};

/// The `typed-unroll-and-jam` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop without carried values, with a step of one and one loop in it that \
        carries floats, whose bounds don't depend on the outer position. Nothing else may be in it \
        but what is pure, loads, and behind the inner loop stores to arrays that share no memory \
        with those that are loaded from. Where elements next to each other are loaded for positions \
        next to each other, eight or sixteen iterations are done at once, depending on the size of \
        the inner loop. What is left is done one by one.",
    anchor: "func.func",
    dialects: &["arith", "scf"],
    statistics: &[StatisticSpec::new(
        "jammed",
        "loops whose iterations are done several at once",
    )],
    ..PassSpec::new(
        "typed-unroll-and-jam",
        "unroll loops and jam the loops that are in them",
        run,
    )
};

/// An inner loop of so many operations is worth the most copies.
const SMALL: usize = 8;
/// And of more than so many none.
const LARGE: usize = 24;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for outer in function.nested("scf.for") {
        if let Some(nest) = Nest::of(outer) {
            nest.jam(&builder);
            cx.bump("jammed", 1);
        }
    }
    Ok(())
}

/// A loop to unroll, and the loop in it.
pub(super) struct Nest<'c, 'a> {
    pub(super) outer: OperationRef<'c, 'a>,
    pub(super) body: BlockRef<'c, 'a>,
    pub(super) before: Vec<OperationRef<'c, 'a>>,
    pub(super) inner: OperationRef<'c, 'a>,
    pub(super) inner_body: BlockRef<'c, 'a>,
    pub(super) after: Vec<OperationRef<'c, 'a>>,
    /// The values that differ from one outer iteration to the next.
    pub(super) varying: Vec<Value<'c, 'a>>,
    copies: usize,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// The nest that starts with a loop, if its iterations may be done at once and that pays.
    pub(super) fn of(outer: OperationRef<'c, 'a>) -> Option<Self> {
        let body = outer.region_at(0).entry()?;
        let inner = only_loop(body)?;
        let inner_body = inner.region_at(0).entry()?;
        if !outer.result_values().is_empty()
            || !is_one(outer.operand_value(2))
            || !body.argument_value(0).ty().is_index()
            || !carries_floats(inner)
        {
            return None;
        }
        let mut before = body.operation_list();
        before.pop();
        let at = before.iter().position(|operation| *operation == inner)?;
        let after = before.split_off(at + 1);
        before.pop();
        let inside = inner_body.operation_list();
        if inside
            .iter()
            .any(|operation| !operation.region_list().is_empty())
            || !is_independent(&before, inner, &after)
        {
            return None;
        }
        let varying = varying(body, inner_body);
        if inner.operand_values()[..3]
            .iter()
            .any(|bound| varying.contains(bound))
        {
            return None;
        }
        let position = body.argument_value(0);
        if !inside
            .iter()
            .any(|load| runs_along_a_row(*load, position, &varying))
        {
            return None;
        }
        let copies = match inside.len() {
            ..=SMALL => 16,
            size if size <= LARGE => 8,
            _ => return None,
        };
        Some(Self {
            outer,
            body,
            before,
            inner,
            inner_body,
            after,
            varying,
            copies,
        })
    }

    /// Puts a loop over groups of iterations before the loop, and leaves it the rest.
    fn jam(&self, builder: &Builder<'c, 'a>) {
        builder.before(self.outer);
        let bounds = self.outer.operand_values();
        let (lower, upper) = (bounds[0], bounds[1]);
        let count = builder.bin("arith.subi", upper, lower);
        let count = builder.bin("arith.maxsi", count, builder.index(0));
        let group = builder.index(self.copies as i64);
        let rest = builder.bin("arith.remui", count, group);
        let middle = builder.bin("arith.addi", lower, builder.bin("arith.subi", count, rest));

        let groups = builder.op_with("scf.for", &[lower, middle, group], &[], &[], |operation| {
            operation.add_regions([Region::new()])
        });
        let block = builder.append_block(groups.region_at(0), &[builder.index_type()]);
        self.fill(builder, block.argument_value(0));
        builder.op("scf.yield", &[], &[], &[]);
        self.outer.set_operand_value(0, middle);
    }

    /// The body for several positions from one on.
    fn fill(&self, builder: &Builder<'c, 'a>, first: Value<'c, 'a>) {
        let mut mappings: Vec<Mapping> = Vec::new();
        for copy in 0..self.copies {
            let offset = builder.index(copy as i64);
            let position = builder.bin("arith.addi", first, offset);
            mappings.push(vec![(self.body.argument_value(0), position)]);
        }
        self.copy_all(builder, &self.before, &mut mappings);
        self.jam_inner(builder, &mut mappings);
        // One position after the other, as stores may be to one place.
        for mapping in &mut mappings {
            for operation in &self.after {
                copy(builder, *operation, mapping);
            }
        }
    }

    /// The inner loop, with the carried values of all copies.
    fn jam_inner(&self, builder: &Builder<'c, 'a>, mappings: &mut [Mapping<'c, 'a>]) {
        let operands = self.inner.operand_values();
        let mut inits: Vec<_> = operands[..3]
            .iter()
            .map(|bound| mapped(&mappings[0], *bound))
            .collect();
        for mapping in &*mappings {
            inits.extend(operands[3..].iter().map(|init| mapped(mapping, *init)));
        }
        let types: Vec<_> = inits[3..].iter().map(|init| init.ty()).collect();
        let jammed = builder.op_with("scf.for", &inits, &types, &[], |operation| {
            operation.add_regions([Region::new()])
        });
        let arguments: Vec<_> = [builder.index_type()].into_iter().chain(types).collect();
        let block = builder.append_block(jammed.region_at(0), &arguments);
        let arguments = block.argument_values();
        let old = self.inner_body.argument_values();
        let carried = old.len() - 1;
        for (copy, mapping) in mappings.iter_mut().enumerate() {
            mapping.push((old[0], arguments[0]));
            let start = 1 + copy * carried;
            let new = &arguments[start..start + carried];
            mapping.extend(old[1..].iter().copied().zip(new.iter().copied()));
        }

        let operations = self.inner_body.operation_list();
        let (end, operations) = operations.split_last().expect("a loop has a terminator");
        self.copy_all(builder, operations, mappings);
        let mut yielded = Vec::new();
        for mapping in &*mappings {
            yielded.extend(
                end.operand_values()
                    .iter()
                    .map(|value| mapped(mapping, *value)),
            );
        }
        builder.op("scf.yield", &yielded, &[], &[]);
        builder.after(jammed);

        let results = jammed.result_values();
        for (copy, mapping) in mappings.iter_mut().enumerate() {
            let new = &results[copy * carried..(copy + 1) * carried];
            mapping.extend(
                self.inner
                    .result_values()
                    .into_iter()
                    .zip(new.iter().copied()),
            );
        }
    }

    /// Copies operations: once what is the same for all positions, else once for each.
    fn copy_all(
        &self,
        builder: &Builder<'c, 'a>,
        operations: &[OperationRef<'c, 'a>],
        mappings: &mut [Mapping<'c, 'a>],
    ) {
        for operation in operations {
            let results = operation.result_values();
            if results.iter().any(|result| self.varying.contains(result)) {
                for mapping in &mut *mappings {
                    copy(builder, *operation, mapping);
                }
            } else {
                let (first, others) = mappings.split_first_mut().expect("there are copies");
                let before = first.len();
                copy(builder, *operation, first);
                for mapping in others {
                    mapping.extend_from_slice(&first[before..]);
                }
            }
        }
    }
}

/// The loop of a block, if nothing else in it has blocks.
fn only_loop<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let operations = block.operation_list().into_iter();
    let mut nested = operations.filter(|operation| !operation.region_list().is_empty());
    let inner = nested.next().filter(|inner| inner.is("scf.for"))?;
    nested.next().is_none().then_some(inner)
}

fn is_one(value: Value) -> bool {
    value
        .defining_op()
        .is_some_and(|operation| operation.int_attr("value") == Some(1))
}

fn carries_floats(inner: OperationRef) -> bool {
    let types = inner.result_types();
    !types.is_empty()
        && types
            .iter()
            .all(|r#type| r#type.is_f64() || r#type.is_f32())
}

/// Whether the iterations of a loop may be done in any order up to what is behind the inner loop.
fn is_independent<'c: 'a, 'a>(
    before: &[OperationRef<'c, 'a>],
    inner: OperationRef<'c, 'a>,
    after: &[OperationRef<'c, 'a>],
) -> bool {
    let mut early = Footprint::of(inner);
    before.iter().for_each(|operation| early.add(*operation));
    let mut late = Footprint::default();
    after.iter().for_each(|operation| late.add(*operation));
    early.raises.max(late.raises) == Raises::Nothing
        && !early.writes_anything()
        && !late.unknown
        && !any_alias(&late.writes, &early.reads)
        && !any_alias(&late.writes, &late.reads)
}

/// What is computed from the outer position or from carried values.
fn varying<'c: 'a, 'a>(body: BlockRef<'c, 'a>, inner: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut varying = vec![body.argument_value(0)];
    varying.extend(inner.argument_values().into_iter().skip(1));
    for block in [body, inner] {
        for operation in block.operation_list() {
            let operands = operation.operand_values();
            if operands.iter().any(|operand| varying.contains(operand)) {
                varying.extend(operation.result_values());
            }
        }
    }
    varying
}

/// Whether an operation loads elements next to each other for positions next to each other.
fn runs_along_a_row<'c: 'a, 'a>(
    load: OperationRef<'c, 'a>,
    position: Value<'c, 'a>,
    varying: &[Value<'c, 'a>],
) -> bool {
    if !load.is("typed.load") {
        return false;
    }
    let operands = load.operand_values();
    let Some((last, others)) = operands[1..].split_last() else {
        return false;
    };
    array_type(operands[0].ty()).is_some_and(|array| array.layout == Layout::C)
        && counts_with(*last, position, &|value| !varying.contains(&value))
        && !others.iter().any(|index| varying.contains(index))
}
