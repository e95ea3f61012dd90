//! Pairs of nested loops whose iterations may be reordered.

use crate::{
    analysis::{
        affine::counts_with, effects::may_alias, element_access::ElementAccess, ownership::owns,
    },
    infra::{
        Access as MemoryAccess, BlockExt, Builder, OperationAttributes, OperationExt,
        OperationInterfaces, Raises, RegionExt, ValueExt,
        copies::{Mapping, copy},
        disjoint::Disjoint,
        emit::Emit,
        ops::{AnyOp, marks, scf, typed},
    },
};
use melior::ir::{Attribute, BlockRef, OperationRef, Value};
use pyopt_dialects::typed::{Layout, array_type};

/// A load, a store or another operation that reads arrays, and one of its arrays.
pub(crate) type Access<'c, 'a> = (OperationRef<'c, 'a>, Value<'c, 'a>);

/// A loop nest of depth 2 that may be interchanged or tiled. The inner loop is the last operation
/// of the outer body; neither loop carries values; the bodies hold stores, conditionals, what only
/// reads arrays and pure operations alone. Each store writes either a different element in each iteration of the
/// nest, or a different one in each iteration of the outer loop, and then all accesses to its array
/// are in the inner loop.
pub(crate) struct Pair<'c, 'a> {
    /// The outer loop.
    pub outer: scf::For<'c, 'a>,
    /// The inner loop.
    pub inner: scf::For<'c, 'a>,
    /// The operations before the inner loop that are invariant in the outer one.
    pub invariant: Vec<OperationRef<'c, 'a>>,
    /// The other operations before the inner loop.
    pub before: Vec<OperationRef<'c, 'a>>,
    /// How many stores have a large stride in the inner loop.
    pub far_stores: usize,
    /// The accessed arrays, without duplicates.
    pub arrays: Vec<Value<'c, 'a>>,
    /// Pairs of arrays that must be disjoint; tested at run time.
    pub disjoint: Disjoint<'c, 'a>,
}

impl<'c: 'a, 'a> Pair<'c, 'a> {
    /// The nest that starts with a loop, if reordering its iterations is legal and profitable.
    pub fn of(
        outer: scf::For<'c, 'a>,
        pays: impl Fn(&Nest<'_, 'c, 'a>, &[Access<'c, 'a>]) -> bool,
    ) -> Option<Self> {
        if outer.flag_attr(marks::SETTLED) {
            return None;
        }
        let body = outer.region().entry()?;
        let mut operations = body.operation_list();
        operations.pop();
        let inner = scf::For::of(operations.pop()?)?;
        let inner_body = inner.region().entry()?;
        let mut inside = inner.pre_order();
        inside.remove(0);
        // After reordering, the operations of the outer body run once per inner iteration: they
        // must be pure, or access one element.
        let is_repeatable = |one: &OperationRef<'c, 'a>| indices(*one).is_some() || one.is_pure();
        if !outer.results().is_empty()
            || !inner.results().is_empty()
            || !operations.iter().all(is_repeatable)
            || !operations.iter().chain(&inside).all(|one| is_allowed(*one))
        {
            return None;
        }

        let mut fixed: Vec<Value> = Vec::new();
        let (mut invariant, mut before) = (Vec::new(), Vec::new());
        let mut nest = Nest {
            outer,
            body,
            inner_body,
            fixed: &[],
        };
        for operation in operations {
            let operands = operation.operand_values();
            let is_fixed = |value: &Value<'c, 'a>| fixed.contains(value) || nest.is_outside(*value);
            if operation.is_pure() && operands.iter().all(is_fixed) {
                fixed.extend(operation.result_values());
                invariant.push(operation);
            } else {
                before.push(operation);
            }
        }
        nest.fixed = &fixed;
        if !(inner.operand_values().into_iter()).all(|bound| nest.is_fixed(bound)) {
            return None;
        }
        let accesses: Vec<_> = (before.iter().chain(&inside).copied())
            .flat_map(|access| {
                let arrays = accessed_arrays(access).into_iter();
                arrays.map(move |array| (access, array))
            })
            .collect();
        let disjoint = nest.conflicts(&accesses)?;
        let stores: Vec<_> = (accesses.iter().copied())
            .filter(|(access, _)| access.isa::<typed::Store>())
            .collect();
        let [_, far_stores] = nest.jumps(&stores);
        let mut arrays: Vec<Value> = Vec::new();
        for (_, array) in &accesses {
            if !arrays.contains(array) {
                arrays.push(*array);
            }
        }
        pays(&nest, &accesses).then_some(Self {
            outer,
            inner,
            invariant,
            before,
            far_stores,
            arrays,
            disjoint,
        })
    }

    /// Clones the body of the nest at the insertion point, for given values of the outer and the
    /// inner induction variable.
    pub fn copy_body(
        &self,
        builder: &Builder<'c, 'a>,
        mapping: &mut Mapping<'c, 'a>,
        positions: [Value<'c, 'a>; 2],
    ) {
        let [outer, inner] = [self.outer, self.inner]
            .map(|r#loop| r#loop.region().entry().expect("a loop has a body"));
        mapping.push((outer.argument_value(0), positions[0]));
        mapping.push((inner.argument_value(0), positions[1]));
        for operation in &self.before {
            copy(builder, *operation, mapping);
        }
        builder.copy_block(inner, mapping);
    }

    /// Replaces the nest by another version, made by `make`. Where arrays may overlap, or where
    /// `condition` is false, the original nest is kept as the other branch.
    pub fn replace(
        &self,
        builder: &Builder<'c, 'a>,
        condition: Option<Value<'c, 'a>>,
        make: impl FnOnce(),
    ) {
        builder.before(*self.outer);
        let overlap = self.disjoint.overlap(builder);
        let stays = match (overlap, condition) {
            (None, None) => {
                make();
                builder.erase_op(*self.outer);
                return;
            }
            (Some(overlap), None) => overlap,
            (overlap, Some(condition)) => {
                let not = builder.not(condition);
                overlap.map_or(not, |overlap| builder.or(overlap, not))
            }
        };
        let (branch, yes, no) = builder.scf_if(stays, &[]);
        builder.at_end(no);
        make();
        builder.scf_yield(&[]);
        builder.at_end(yes);
        builder.scf_yield(&[]);
        let end = yes.terminator_op().expect("the branch has an end");
        builder.move_before(*self.outer, end);
        self.outer
            .set_attr(marks::SETTLED, Attribute::unit(builder.context()));
        builder.after(branch);
    }
}

/// The nest, as far as the analysis of accesses needs it.
pub(crate) struct Nest<'n, 'c, 'a> {
    outer: scf::For<'c, 'a>,
    body: BlockRef<'c, 'a>,
    inner_body: BlockRef<'c, 'a>,
    /// Values of the outer body that are invariant in the outer loop.
    fixed: &'n [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Nest<'_, 'c, 'a> {
    fn is_outside(&self, value: Value<'c, 'a>) -> bool {
        !value.is_inside(*self.outer)
    }

    fn is_fixed(&self, value: Value<'c, 'a>) -> bool {
        self.fixed.contains(&value) || self.is_outside(value)
    }

    /// Whether an index is the induction variable plus an invariant value (its coefficient is 1).
    fn counts(&self, index: Value<'c, 'a>, position: Value<'c, 'a>) -> bool {
        counts_with(index, position, &|value| self.is_fixed(value))
    }

    /// The pairs of arrays that must be disjoint for the iterations to be permutable; `None` if
    /// they aren't in any case.
    fn conflicts(&self, accesses: &[Access<'c, 'a>]) -> Option<Disjoint<'c, 'a>> {
        let mut pairs = Disjoint::default();
        for (access, target) in accesses {
            let Some(store) = typed::Store::of(*access) else {
                continue;
            };
            if !self.is_fixed(*target)
                || !self.is_outside(*target)
                || !(self.is_own(store) || self.is_sum(store, accesses))
            {
                return None;
            }
            for (other, array) in accesses {
                if array == target {
                    if indices(*other) != Some(store.indices()) {
                        return None;
                    }
                } else if may_alias(*array, *target) {
                    if !self.is_outside(*array) {
                        return None;
                    }
                    pairs.require(*target, *array);
                }
            }
        }
        Some(pairs)
    }

    /// Whether a store writes a different element in each iteration of the nest.
    fn is_own(&self, store: typed::Store<'c, 'a>) -> bool {
        let array = array_type(store.array().ty());
        let is_contiguous =
            array.is_some_and(|array| matches!(array.layout, Layout::C | Layout::F));
        let positions = [self.body, self.inner_body].map(|body| body.argument_value(0));
        let indices = store.indices();
        let counted = |position| indices.iter().any(|index| self.counts(*index, position));
        is_contiguous && !store.wraparound() && positions.into_iter().all(counted)
    }

    /// Whether a store in the inner loop writes a different element in each iteration of the outer
    /// loop, and the array is accessed in the inner loop alone: `out[i, j] += …` in a loop over `k`
    /// that is in one over `j`. Interchange then keeps the order of the terms of each sum.
    fn is_sum(&self, store: typed::Store<'c, 'a>, accesses: &[Access<'c, 'a>]) -> bool {
        let target = store.array();
        let layout = array_type(target.ty()).map(|array| array.layout);
        let position = self.body.argument_value(0);
        let mut counted = false;
        let is_plain = |index: &Value<'c, 'a>| {
            let counts = self.counts(*index, position);
            counted |= counts;
            counts || self.is_fixed(*index)
        };
        let is_inside = |(access, array): &(OperationRef<'c, 'a>, _)| {
            *array != target || access.parent_block() != Some(self.body)
        };
        matches!(layout, Some(Layout::C | Layout::F))
            && !store.wraparound()
            && store.indices().iter().all(is_plain)
            && counted
            && accesses.iter().all(is_inside)
    }

    /// How many accesses have a large stride in the outer loop, and how many in the inner one.
    pub fn jumps(&self, accesses: &[Access<'c, 'a>]) -> [usize; 2] {
        [self.body, self.inner_body].map(|body| {
            let position = body.argument_value(0);
            let jumping = accesses
                .iter()
                .filter(|(access, array)| self.is_far(*access, *array, position));
            jumping.count()
        })
    }

    /// Whether consecutive values of an induction variable access elements that aren't adjacent.
    fn is_far(
        &self,
        access: OperationRef<'c, 'a>,
        array: Value<'c, 'a>,
        position: Value<'c, 'a>,
    ) -> bool {
        let indices = indices(access).unwrap_or_default();
        let near = match array_type(array.ty()).map(|array| array.layout) {
            Some(Layout::C) => indices.len().checked_sub(1),
            Some(Layout::F) => Some(0),
            _ => None,
        };
        let counting = |at: usize| self.counts(indices[at], position);
        (0..indices.len()).any(|at| Some(at) != near && counting(at))
    }
}

/// The indices of a load or store.
fn indices<'c: 'a, 'a>(access: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    ElementAccess::of(access).map(ElementAccess::indices)
}

/// The arrays that an operation accesses.
pub(crate) fn accessed_arrays<'c: 'a, 'a>(access: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    match ElementAccess::of(access) {
        Some(element) => vec![element.array()],
        None => read_arrays(access).unwrap_or_default(),
    }
}

/// The arrays that an operation reads, if it does nothing else and raises nothing; `None` also for
/// one that reads none.
pub(crate) fn read_arrays<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    let effects = operation.effects().filter(|effects| !effects.is_empty())?;
    if operation.raises() != Raises::Nothing || !operation.region_list().is_empty() {
        return None;
    }
    let arrays = effects.into_iter().map(|effect| {
        let reads = effect.access == MemoryAccess::Read && effect.memory;
        let array = effect.value.filter(|_| reads)?;
        array_type(array.ty()).map(|_| array)
    });
    arrays.collect()
}

/// Whether an operation may be in a nest whose iterations are reordered.
fn is_allowed(operation: OperationRef) -> bool {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Load(_) | typed::Op::Store(_))
        | AnyOp::Scf(scf::Op::If(_) | scf::Op::Yield(_)) => true,
        _ => {
            let is_plain = operation.is_pure() && operation.region_list().is_empty();
            let views = operation.result_types().into_iter().any(owns);
            (is_plain || read_arrays(operation).is_some()) && !views
        }
    }
}
