//! What is in a jammed loop: the operations of its body for all copies, one copy after the other.
//!
//! A check in it doesn't raise. Each copy carries whether one of its checks has failed; if one has, the
//! iterations of the group are done again one by one behind the loop. A branch becomes selects, or one branch
//! that is taken if one copy takes it.

use super::jammable::{Merging, Nest};
use crate::infra::{
    BlockExt, Builder, OperationExt, RegionExt, ValueExt,
    copies::{Mapping, copy},
    emit::{Emit, mapped},
    loop_annotations::{PLAIN, STREAM, annotate_loop},
    ops::{arith, scf, typed},
    types_of,
};
use melior::ir::{BlockRef, OperationRef, Value};

/// The copies of what is in a loop of a nest.
pub(super) struct Copies<'n, 'c, 'a> {
    nest: &'n Nest<'c, 'a>,
    builder: &'n Builder<'c, 'a>,
    /// What stands for the values of the body in each copy.
    pub(super) mappings: Vec<Mapping<'c, 'a>>,
    /// Whether a check of each copy has failed; empty in a loop without checks.
    failed: Vec<Value<'c, 'a>>,
    /// Whether each copy takes the arm of the branch that is copied; empty outside of branches.
    taken: Vec<Value<'c, 'a>>,
}

impl<'n, 'c: 'a, 'a> Copies<'n, 'c, 'a> {
    pub(super) fn new(
        nest: &'n Nest<'c, 'a>,
        builder: &'n Builder<'c, 'a>,
        mappings: Vec<Mapping<'c, 'a>>,
        has_checks: bool,
    ) -> Self {
        let failed = match has_checks {
            true => vec![builder.bool(false); mappings.len()],
            false => Vec::new(),
        };
        Self {
            nest,
            builder,
            mappings,
            failed,
            taken: Vec::new(),
        }
    }

    /// Emits whether a check of any copy has failed; nothing if there are no checks.
    pub(super) fn failed(&self) -> Option<Value<'c, 'a>> {
        let failed = self.failed.iter().copied();
        failed.reduce(|one, other| self.builder.or(one, other))
    }

    /// Emits the jammed loop, and those in it, with the loop-carried values of all copies.
    pub(super) fn jam_loop(&mut self, inner: scf::For<'c, 'a>) {
        let builder = self.builder;
        let body = inner.region().entry().expect("a loop has a body");
        let [lower, upper, step] = [inner.lower_bound(), inner.upper_bound(), inner.step()]
            .map(|bound| mapped(&self.mappings[0], bound));
        let inits = [self.all(&inner.init_args()), self.failed.clone()].concat();
        let types = types_of(&inits);
        let jammed = scf::For::create(builder, lower, upper, step, &inits, &types);
        let arguments: Vec<_> = [builder.index_type()].into_iter().chain(types).collect();
        let block = builder.append_block(jammed.region(), &arguments);
        let arguments = block.argument_values();
        let old = body.argument_values();
        for mapping in &mut self.mappings {
            mapping.push((old[0], arguments[0]));
        }
        self.set_all(&old[1..], &arguments[1..]);
        self.fill(body);
        let end = body.terminator_op().expect("a loop has a terminator");
        let yielded = [self.all(&end.operand_values()), self.failed.clone()].concat();
        builder.scf_yield(&yielded);
        builder.after(*jammed);
        annotate(builder, jammed, true);
        self.set_all(&inner.results(), &jammed.results());
    }

    /// What stands for values in each copy, one copy after the other.
    fn all(&self, values: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let copies = self.mappings.iter();
        copies
            .flat_map(|mapping| values.iter().map(move |value| mapped(mapping, *value)))
            .collect()
    }

    /// Has values stand for others in each copy, and the last ones say what has failed.
    fn set_all(&mut self, old: &[Value<'c, 'a>], new: &[Value<'c, 'a>]) {
        let (new, failed) = new.split_at(old.len() * self.mappings.len());
        for (copy, mapping) in self.mappings.iter_mut().enumerate() {
            let new = &new[copy * old.len()..];
            mapping.extend(old.iter().copied().zip(new.iter().copied()));
        }
        self.failed = failed.to_vec();
    }

    /// Emits a block but for its terminator.
    fn fill(&mut self, block: BlockRef<'c, 'a>) {
        let mut operations = block.operation_list();
        operations.pop();
        let mut straight = Vec::new();
        for operation in operations {
            let (inner, branch) = (scf::For::of(operation), scf::If::of(operation));
            let check = typed::RaiseIf::of(operation);
            if inner.is_none() && branch.is_none() && check.is_none() {
                straight.push(operation);
                continue;
            }
            self.copy_straight(&mut straight);
            inner.into_iter().for_each(|inner| self.jam_loop(inner));
            branch.into_iter().for_each(|branch| self.merge(branch));
            check.into_iter().for_each(|check| self.defer(check));
        }
        self.copy_straight(&mut straight);
    }

    fn copy_straight(&mut self, operations: &mut Vec<OperationRef<'c, 'a>>) {
        let operations = std::mem::take(operations);
        copy_all(self.nest, self.builder, &operations, &mut self.mappings);
    }

    /// Takes note of whether a check fails.
    fn defer(&mut self, check: typed::RaiseIf<'c, 'a>) {
        let mut conditions = self.all(&[check.condition()]);
        if !self.taken.is_empty() {
            let both = conditions.iter().zip(&self.taken);
            conditions = both
                .map(|(fails, taken)| self.builder.and(*fails, *taken))
                .collect();
        } else if conditions.iter().all(|one| *one == conditions[0]) {
            conditions.truncate(1);
        }
        for (failed, fails) in self.failed.iter_mut().zip(conditions) {
            *failed = self.builder.or(*failed, fails);
        }
    }

    /// Emits a branch.
    fn merge(&mut self, branch: scf::If<'c, 'a>) {
        let builder = self.builder;
        let merging = self.nest.merging(branch);
        let [yes, no] = [branch.then_region(), branch.else_region()].map(RegionExt::entry);
        let yes = yes.expect("a branch has an arm");
        let conditions = self.all(&[branch.condition()]);
        if merging == Merging::Selects {
            self.fill_arm(yes, Some(conditions.clone()));
            if let Some(no) = no {
                let otherwise = conditions.iter().map(|one| builder.not(*one)).collect();
                self.fill_arm(no, Some(otherwise));
            }
            let chosen = self.chosen(yes, no, &conditions);
            self.set_all(&branch.results(), &[chosen, self.failed.clone()].concat());
            return;
        }
        let unchanged = [self.yielded(no), self.failed.clone()].concat();
        let is_same = merging == Merging::Same;
        let any = match is_same {
            true => conditions[0],
            false => {
                let conditions = conditions.iter().copied();
                let any = conditions.reduce(|one, other| builder.or(one, other));
                any.expect("there are copies")
            }
        };
        let (merged, taken, otherwise) = builder.scf_if(any, &types_of(&unchanged));
        builder.at_end(otherwise);
        builder.scf_yield(&unchanged);
        builder.at_end(taken);
        let kept: Vec<_> = self.mappings.iter().map(Vec::len).collect();
        self.fill_arm(yes, (!is_same).then(|| conditions.clone()));
        let chosen = match is_same {
            true => self.yielded(Some(yes)),
            false => self.chosen(yes, no, &conditions),
        };
        builder.scf_yield(&[chosen, self.failed.clone()].concat());
        builder.after(merged);
        for (mapping, kept) in self.mappings.iter_mut().zip(kept) {
            mapping.truncate(kept);
        }
        self.set_all(&branch.results(), &merged.result_values());
    }

    /// Emits an arm. `conditions` says of each copy whether it takes it, unless all copies do.
    fn fill_arm(&mut self, arm: BlockRef<'c, 'a>, conditions: Option<Vec<Value<'c, 'a>>>) {
        let outer = self.taken.clone();
        if let Some(conditions) = conditions {
            let around = outer.iter().map(Some).chain(std::iter::repeat(None));
            let both = conditions
                .into_iter()
                .zip(around)
                .map(|(taken, around)| match around {
                    Some(around) => self.builder.and(*around, taken),
                    None => taken,
                });
            self.taken = both.collect();
        }
        self.fill(arm);
        self.taken = outer;
    }

    /// What an arm yields in each copy.
    fn yielded(&self, arm: Option<BlockRef<'c, 'a>>) -> Vec<Value<'c, 'a>> {
        let end = arm.and_then(BlockExt::terminator_op);
        self.all(&end.map_or_else(Vec::new, |end| end.operand_values()))
    }

    /// What each copy has behind a branch of which both arms are there.
    fn chosen(
        &self,
        yes: BlockRef<'c, 'a>,
        no: Option<BlockRef<'c, 'a>>,
        conditions: &[Value<'c, 'a>],
    ) -> Vec<Value<'c, 'a>> {
        let (yes, no) = (self.yielded(Some(yes)), self.yielded(no));
        let results = yes.len() / conditions.len();
        let both = yes.into_iter().zip(no).enumerate();
        both.map(|(at, (yes, no))| {
            arith::Select::create(self.builder, conditions[at / results], yes, no).result()
        })
        .collect()
    }
}

/// Clones operations: once if they are invariant in the outer loop, otherwise once for each
/// copy, one copy after the other.
pub(super) fn copy_all<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operations: &[OperationRef<'c, 'a>],
    mappings: &mut [Mapping<'c, 'a>],
) {
    let (varying, fixed): (Vec<_>, Vec<_>) = operations
        .iter()
        .partition(|operation| nest.varies(**operation));
    let (first, others) = mappings.split_first_mut().expect("there are copies");
    let before = first.len();
    for operation in fixed {
        copy(builder, operation, first);
    }
    for mapping in others {
        mapping.extend_from_slice(&first[before..]);
    }
    for mapping in mappings {
        for operation in &varying {
            copy(builder, *operation, mapping);
        }
    }
}

/// Spares LLVM, and those who wait for it, to make other forms of an inner loop: one that adds to an element
/// or to what it carries is done in order, and one that adds to a row is bound by memory.
pub(super) fn annotate<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    inner: scf::For<'c, 'a>,
    is_ordered: bool,
) {
    let is_in_row = |store: typed::Store<'c, 'a>| {
        let mut indices = store.indices().into_iter();
        indices.any(|index| index.is_inside(*inner))
    };
    let stores = inner.nested_ops::<typed::Store>();
    let carries = !inner.results().is_empty();
    // To ask LLVM for vectors lets it reorder sums, so nothing may be added up in the loop.
    if !carries && stores.into_iter().all(is_in_row) {
        annotate_loop(builder, *inner, STREAM);
    } else if !carries || is_ordered {
        annotate_loop(builder, *inner, PLAIN);
    }
}
