//! A walk over a function in the order of execution, with the equations that hold at each point.

use crate::{
    analysis::{
        effects::Footprint,
        shape::rank,
        sizes::{Derivation, Size, Write, selection},
    },
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value};

/// How often an operation may be visited, on average, while looking for loop invariants.
const TRIES: usize = 8;

/// The client of the walk.
pub(super) trait Visitor<'c, 'a> {
    /// Before a region is entered.
    fn enter(&mut self);
    /// After a region is left.
    fn leave(&mut self);
    /// Before the operations of a block are visited.
    fn block(&mut self, known: &mut Derivation<'c, 'a>, block: BlockRef<'c, 'a>);
    /// Before the effects of an operation are learnt; returns whether the operation still exists.
    fn before(&mut self, known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool;
    /// Before the equation of two sizes is added.
    fn equate(&mut self, known: &mut Derivation<'c, 'a>, a: &Size, b: &Size);
    /// After an operation and its regions.
    fn after(&mut self, known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>);
}

/// Looks only.
struct Look;

impl<'c: 'a, 'a> Visitor<'c, 'a> for Look {
    fn enter(&mut self) {}
    fn leave(&mut self) {}
    fn block(&mut self, _: &mut Derivation<'c, 'a>, _: BlockRef<'c, 'a>) {}
    fn before(&mut self, _: &mut Derivation<'c, 'a>, _: OperationRef<'c, 'a>) -> bool {
        true
    }
    fn equate(&mut self, known: &mut Derivation<'c, 'a>, a: &Size, b: &Size) {
        known.sizes.equate(a, b);
    }
    fn after(&mut self, _: &mut Derivation<'c, 'a>, _: OperationRef<'c, 'a>) {}
}

/// A dimension of a loop-carried array, and its size before the loop.
#[derive(Clone, Debug)]
struct Carried<'c, 'a> {
    argument: Value<'c, 'a>,
    position: usize,
    dimension: usize,
    size: Size,
}

/// The walk.
pub(super) struct Walk<'c, 'a> {
    /// What is known.
    pub known: Derivation<'c, 'a>,
    /// Whether writes have to be tracked: only the sizes of masked selections depend on them.
    has_masks: bool,
    /// The remaining budget of operations to look at without visiting them.
    budget: usize,
}

impl<'c: 'a, 'a> Walk<'c, 'a> {
    /// Prepares for the operations of a function.
    pub fn new(operations: &[OperationRef<'c, 'a>]) -> Self {
        Self {
            known: Derivation::default(),
            has_masks: operations.iter().any(|one| selection(*one).is_some()),
            budget: operations.len() * TRIES,
        }
    }

    /// Walks over regions, none of which sees the equations of the others.
    pub fn regions(&mut self, visitor: &mut impl Visitor<'c, 'a>, operation: OperationRef<'c, 'a>) {
        for block in operation.nested_blocks() {
            self.scoped(visitor, |walk, visitor| walk.block(visitor, block));
        }
    }

    /// Walks and then undoes what was learnt.
    fn scoped<V: Visitor<'c, 'a>, R>(
        &mut self,
        visitor: &mut V,
        inside: impl FnOnce(&mut Self, &mut V) -> R,
    ) -> R {
        let mark = self.known.sizes.mark();
        visitor.enter();
        let result = inside(self, visitor);
        visitor.leave();
        if self.known.sizes.mark() > mark {
            self.known.sizes.undo(mark);
            self.known.forget();
        }
        result
    }

    fn block(&mut self, visitor: &mut impl Visitor<'c, 'a>, block: BlockRef<'c, 'a>) {
        visitor.block(&mut self.known, block);
        for operation in block.operation_list() {
            self.operation(visitor, operation);
        }
    }

    fn operation(&mut self, visitor: &mut impl Visitor<'c, 'a>, operation: OperationRef<'c, 'a>) {
        self.budget = self.budget.saturating_sub(1);
        if !visitor.before(&mut self.known, operation) {
            return;
        }
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::RaiseIf(check)) => {
                self.learn(visitor, check.condition(), false);
            }
            AnyOp::Typed(typed::Op::RequireEqual(check)) => {
                let [a, b] = [check.lhs(), check.rhs()].map(|size| self.known.value(size));
                visitor.equate(&mut self.known, &a, &b);
            }
            AnyOp::Scf(scf::Op::If(_) | scf::Op::IndexSwitch(_)) => self.branch(visitor, operation),
            AnyOp::Scf(scf::Op::For(each)) => {
                self.write_all(operation);
                self.counted_loop(visitor, each);
                self.write_all(operation);
            }
            AnyOp::Scf(scf::Op::While(again)) => {
                self.write_all(operation);
                self.open_loop(visitor, again);
                self.write_all(operation);
            }
            // The region of an array expression handles elements, not arrays.
            AnyOp::Typed(typed::Op::ArrayExpr(_)) => {}
            _ if operation.region_list().is_empty() => self.effects(operation),
            _ => {
                self.write_all(operation);
                self.regions(visitor, operation);
                self.write_all(operation);
            }
        }
        visitor.after(&mut self.known, operation);
    }

    /// Adds the equations that a condition implies.
    fn learn(&mut self, visitor: &mut impl Visitor<'c, 'a>, condition: Value<'c, 'a>, holds: bool) {
        for (a, b) in self.known.equalities(condition, holds) {
            visitor.equate(&mut self.known, &a, &b);
        }
    }

    /// Records the writes and the masked selections of an operation without regions.
    fn effects(&mut self, operation: OperationRef<'c, 'a>) {
        if !self.has_masks {
            return;
        }
        if let Some((call, mask)) = selection(operation) {
            return self.known.select(call, mask);
        }
        self.write(&Footprint::of(operation));
    }

    /// Records all writes in an operation's regions, which may be executed repeatedly.
    fn write_all(&mut self, operation: OperationRef<'c, 'a>) {
        if self.has_masks {
            let mut footprint = Footprint::default();
            for inner in operation.pre_order() {
                if inner.region_list().is_empty() && selection(inner).is_none() {
                    footprint.add(inner);
                }
            }
            self.write(&footprint);
        }
    }

    fn write(&mut self, footprint: &Footprint<'c, 'a>) {
        if footprint.unknown {
            self.known.write(Write::Anywhere);
        }
        for array in &footprint.writes {
            self.known.write(Write::To(*array));
        }
    }

    /// `scf.if` and `scf.index_switch`: a result has the size that all branches yield.
    fn branch(&mut self, visitor: &mut impl Visitor<'c, 'a>, operation: OperationRef<'c, 'a>) {
        let results = dimensions(operation.result_values());
        let mut agreed: Option<Vec<Option<Size>>> = None;
        for (index, region) in operation.region_list().into_iter().enumerate() {
            let Some(block) = region.entry() else {
                continue;
            };
            let yielded = self.scoped(visitor, |walk, visitor| {
                if let Some(branch) = scf::If::of(operation) {
                    walk.learn(visitor, branch.condition(), index == 0);
                }
                walk.block(visitor, block);
                let end = block.terminator_op();
                results
                    .iter()
                    .map(|(result, dimension)| {
                        let value = end?.operand_value(result.position());
                        Some(walk.known.dimension(value, *dimension))
                    })
                    .collect::<Vec<_>>()
            });
            agreed = Some(match agreed {
                None => yielded,
                Some(before) => before
                    .into_iter()
                    .zip(yielded)
                    .map(|(one, other)| one.filter(|one| other.as_ref() == Some(one)))
                    .collect(),
            });
        }
        for ((result, dimension), size) in results.into_iter().zip(agreed.unwrap_or_default()) {
            self.give(result, dimension, size);
        }
    }

    /// Sets the size of a dimension, or makes it an atom.
    fn give(&mut self, array: Value<'c, 'a>, dimension: usize, size: Option<Size>) {
        let size = size.unwrap_or_else(|| self.known.unknown(array, dimension));
        self.known.give(array, dimension, size);
    }

    /// `scf.for`: a loop-carried array keeps the sizes that every iteration preserves.
    fn counted_loop(&mut self, visitor: &mut impl Visitor<'c, 'a>, each: scf::For<'c, 'a>) {
        let Some(body) = each.region().entry() else {
            return;
        };
        let arguments = body.argument_values()[1..].to_vec();
        let carried = self.carried(&arguments, &each.init_args());
        let kept = self.kept(carried, |walk, carried| {
            walk.scoped(&mut Look, |walk, look| {
                walk.block(look, body);
                walk.handed_on(body, carried)
            })
        });
        self.scoped(visitor, |walk, visitor| walk.block(visitor, body));
        for (result, dimension) in dimensions(each.results()) {
            let size = kept
                .iter()
                .find(|one| one.position == result.position() && one.dimension == dimension);
            self.give(result, dimension, size.map(|one| one.size.clone()));
        }
    }

    /// `scf.while`: the same for a loop with two regions.
    fn open_loop(&mut self, visitor: &mut impl Visitor<'c, 'a>, again: scf::While<'c, 'a>) {
        let (Some(first), Some(second)) = (again.before().entry(), again.after().entry()) else {
            return;
        };
        let carried = self.carried(&first.argument_values(), &again.inits());
        let kept = self.kept(carried, |walk, carried| {
            walk.scoped(&mut Look, |walk, look| {
                walk.block(look, first);
                walk.pass_on(first, second);
                walk.block(look, second);
                walk.handed_on(second, carried)
            })
        });
        let passed = self.scoped(visitor, |walk, visitor| {
            walk.block(visitor, first);
            let passed = walk.pass_on(first, second);
            walk.block(visitor, second);
            passed
        });
        for (result, dimension) in dimensions(again.results()) {
            let source = passed.get(result.position());
            let size = kept
                .iter()
                .find(|one| Some(&one.argument) == source && one.dimension == dimension);
            self.give(result, dimension, size.map(|one| one.size.clone()));
        }
    }

    /// The arguments of the second region take the sizes of the values passed by the first one,
    /// which are returned.
    fn pass_on(&mut self, first: BlockRef<'c, 'a>, second: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let Some(end) = first.terminator_op().and_then(scf::Condition::of) else {
            return Vec::new();
        };
        let passed = end.args();
        for (argument, dimension) in dimensions(second.argument_values()) {
            let size = self.known.dimension(passed[argument.position()], dimension);
            self.known.give(argument, dimension, size);
        }
        passed
    }

    fn carried(
        &mut self,
        arguments: &[Value<'c, 'a>],
        inits: &[Value<'c, 'a>],
    ) -> Vec<Carried<'c, 'a>> {
        let mut carried = Vec::new();
        for (position, (argument, init)) in arguments.iter().zip(inits).enumerate() {
            for dimension in 0..rank(*argument) {
                carried.push(Carried {
                    argument: *argument,
                    position,
                    dimension,
                    size: self.known.dimension(*init, dimension),
                });
            }
        }
        carried
    }

    /// Finds the loop-invariant sizes among the loop-carried dimensions, as a greatest fixed point:
    /// all are assumed to be invariant; then `next` returns of each whether the body preserves it.
    fn kept(
        &mut self,
        mut carried: Vec<Carried<'c, 'a>>,
        mut next: impl FnMut(&mut Self, &[Carried<'c, 'a>]) -> Vec<bool>,
    ) -> Vec<Carried<'c, 'a>> {
        let all = carried.clone();
        while !carried.is_empty() {
            if self.budget == 0 {
                carried.clear();
            }
            self.assume(&all, &carried);
            if carried.is_empty() {
                break;
            }
            let stays = next(self, &carried);
            if stays.iter().all(|stays| *stays) {
                break;
            }
            let mut stays = stays.into_iter();
            carried.retain(|_| stays.next() == Some(true));
            // What was derived for the body rests on a wrong assumption.
            self.known.forget();
            self.assume(&all, &carried);
        }
        carried
    }

    fn assume(&mut self, all: &[Carried<'c, 'a>], kept: &[Carried<'c, 'a>]) {
        for one in all {
            self.give(one.argument, one.dimension, None);
        }
        for one in kept {
            self.known
                .give(one.argument, one.dimension, one.size.clone());
        }
    }

    /// Whether a body preserves the sizes of loop-carried dimensions from before the loop.
    fn handed_on(&mut self, body: BlockRef<'c, 'a>, carried: &[Carried<'c, 'a>]) -> Vec<bool> {
        let Some(end) = body.terminator_op() else {
            return vec![false; carried.len()];
        };
        carried
            .iter()
            .map(|one| {
                let value = end.operand_value(one.position);
                let size = self.known.dimension(value, one.dimension);
                self.known.sizes.equal(&size, &one.size)
            })
            .collect()
    }
}

/// All dimensions of those values that are arrays.
fn dimensions<'c: 'a, 'a>(values: Vec<Value<'c, 'a>>) -> Vec<(Value<'c, 'a>, usize)> {
    let all = values.into_iter();
    all.flat_map(|value| (0..rank(value)).map(move |dimension| (value, dimension)))
        .collect()
}
