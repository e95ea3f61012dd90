//! Pairs of nested loops whose iterations may be reordered.

use super::{
    alias_scopes::accessed,
    copies::{Mapping, copy},
    linear::counts_with,
    ownership::owns,
};
use crate::{
    infra::{BlockExt, Builder, OperationAttributes, OperationExt, RegionExt, ValueExt},
    parfor::{effects::may_alias, emit::Emit},
};
use melior::ir::{Attribute, BlockRef, OperationRef, Value};
use pyopt_dialects::typed::{Layout, array_type};

/// Marks loops whose order has been decided.
pub(super) const SETTLED: &str = "pyopt.settled";

/// A load or store, and its array.
pub(super) type Access<'c, 'a> = (OperationRef<'c, 'a>, Value<'c, 'a>);

/// A loop nest of depth 2 that may be interchanged or tiled. The inner loop is the last operation
/// of the outer body; neither loop carries values; the bodies hold loads, stores, conditionals and
/// pure operations alone. Each store writes either a different element in each iteration of the
/// nest, or a different one in each iteration of the outer loop, and then all accesses to its array
/// are in the inner loop.
pub(super) struct Pair<'c, 'a> {
    /// The outer loop.
    pub outer: OperationRef<'c, 'a>,
    /// The inner loop.
    pub inner: OperationRef<'c, 'a>,
    /// The operations before the inner loop that are invariant in the outer one.
    pub invariant: Vec<OperationRef<'c, 'a>>,
    /// The other operations before the inner loop.
    pub before: Vec<OperationRef<'c, 'a>>,
    /// How many stores have a large stride in the inner loop.
    pub far_stores: usize,
    /// The accessed arrays, without duplicates.
    pub arrays: Vec<Value<'c, 'a>>,
    /// Pairs of arrays that must be disjoint; tested at run time.
    pub disjoint: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Pair<'c, 'a> {
    /// The nest that starts with a loop, if reordering its iterations is legal and profitable.
    pub fn of(
        outer: OperationRef<'c, 'a>,
        pays: impl Fn(&Nest<'_, 'c, 'a>, &[Access<'c, 'a>]) -> bool,
    ) -> Option<Self> {
        if outer.flag_attr(SETTLED) {
            return None;
        }
        let body = outer.region_at(0).entry()?;
        let mut operations = body.operation_list();
        operations.pop();
        let inner = operations.pop().filter(|inner| inner.is("scf.for"))?;
        let inner_body = inner.region_at(0).entry()?;
        let mut inside = inner.pre_order();
        inside.remove(0);
        // After reordering, the operations of the outer body run once per inner iteration: those
        // with regions must be pure.
        let is_repeatable =
            |one: &OperationRef<'c, 'a>| one.region_list().is_empty() || one.is_pure();
        if !outer.result_values().is_empty()
            || !inner.result_values().is_empty()
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
            .filter_map(|access| Some((access, accessed(access)?)))
            .collect();
        let disjoint = nest.conflicts(&accesses)?;
        let stores: Vec<_> = (accesses.iter().copied())
            .filter(|(access, _)| access.is("typed.store"))
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
            .map(|r#loop| r#loop.region_at(0).entry().expect("a loop has a body"));
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
        builder.before(self.outer);
        let overlaps = |(one, other): &(_, _)| {
            builder.value("typed.overlaps", &[*one, *other], builder.i(1), &[])
        };
        let overlap = self.disjoint.iter().map(overlaps);
        let overlap = overlap.reduce(|one, other| builder.or(one, other));
        let stays = match (overlap, condition) {
            (None, None) => {
                make();
                builder.erase_op(self.outer);
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
        builder.move_before(self.outer, end);
        self.outer
            .set_attr(SETTLED, Attribute::unit(builder.context()));
        builder.after(branch);
    }
}

/// The nest, as far as the analysis of accesses needs it.
pub(super) struct Nest<'n, 'c, 'a> {
    outer: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    inner_body: BlockRef<'c, 'a>,
    /// Values of the outer body that are invariant in the outer loop.
    fixed: &'n [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Nest<'_, 'c, 'a> {
    fn is_outside(&self, value: Value<'c, 'a>) -> bool {
        !value.is_inside(self.outer)
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
    fn conflicts(
        &self,
        accesses: &[(OperationRef<'c, 'a>, Value<'c, 'a>)],
    ) -> Option<Vec<(Value<'c, 'a>, Value<'c, 'a>)>> {
        let mut pairs = Vec::new();
        for (store, target) in accesses {
            if !store.is("typed.store") {
                continue;
            }
            if !self.is_fixed(*target)
                || !self.is_outside(*target)
                || !(self.is_own(*store) || self.is_sum(*store, accesses))
            {
                return None;
            }
            for (other, array) in accesses {
                if array == target {
                    if indices(*other) != indices(*store) {
                        return None;
                    }
                } else if may_alias(*array, *target) {
                    if !self.is_outside(*array) {
                        return None;
                    }
                    let pair = (*target, *array);
                    if !pairs.contains(&pair) && !pairs.contains(&(pair.1, pair.0)) {
                        pairs.push(pair);
                    }
                }
            }
        }
        Some(pairs)
    }

    /// Whether a store writes a different element in each iteration of the nest.
    fn is_own(&self, store: OperationRef<'c, 'a>) -> bool {
        let array = array_type(store.operand_value(1).ty());
        let is_contiguous =
            array.is_some_and(|array| matches!(array.layout, Layout::C | Layout::F));
        let positions = [self.body, self.inner_body].map(|body| body.argument_value(0));
        let counted = |position| {
            indices(store)
                .iter()
                .any(|index| self.counts(*index, position))
        };
        is_contiguous && !store.flag_attr("wraparound") && positions.into_iter().all(counted)
    }

    /// Whether a store in the inner loop writes a different element in each iteration of the outer
    /// loop, and the array is accessed in the inner loop alone: `out[i, j] += …` in a loop over `k`
    /// that is in one over `j`. Interchange then keeps the order of the terms of each sum.
    fn is_sum(
        &self,
        store: OperationRef<'c, 'a>,
        accesses: &[(OperationRef<'c, 'a>, Value<'c, 'a>)],
    ) -> bool {
        let target = store.operand_value(1);
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
            && !store.flag_attr("wraparound")
            && indices(store).iter().all(is_plain)
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
        let indices = indices(access);
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
fn indices<'c: 'a, 'a>(access: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let first = if access.is("typed.store") { 2 } else { 1 };
    access.operand_values().split_off(first)
}

/// Whether an operation may be in a nest whose iterations are reordered.
fn is_allowed(operation: OperationRef) -> bool {
    match operation.full_name() {
        "typed.load" | "typed.store" | "scf.if" | "scf.yield" => true,
        _ => {
            let views = operation.result_types().into_iter().any(owns);
            operation.is_pure() && operation.region_list().is_empty() && !views
        }
    }
}
