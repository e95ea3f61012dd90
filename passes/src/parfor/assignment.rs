//! Assignments to whole arrays and slices, whichever statement they come from.

use super::conversion::{Conversion, is_left_to_assignment, yielded};
use crate::{
    analysis::{
        effects::may_alias,
        nest::NestBuilder,
        shape::{rank, storage, unshaped},
    },
    infra::{
        BlockExt, CmpInt, OperationExt, RegionExt, ValueExt,
        emit::{Emit, element_type, mapped},
        ops::typed,
    },
    typed::array_expr::{can_move, is_scalar},
};
use melior::ir::Value;
use pyopt_dialects::{
    enums::PatternKind,
    parfor::Pattern,
    typed::{Layout, array_type},
};

/// Whether an expression has no other use than one assignment, and may be computed there.
pub(super) fn is_assigned_directly<'c: 'a, 'a>(expression: typed::ArrayExpr<'c, 'a>) -> bool {
    let value = expression.result();
    let [only] = value.uses()[..] else {
        return false;
    };
    let Some(assign) = typed::Assign::of(only.user) else {
        return false;
    };
    only.operand == typed::Assign::VALUE_OPERAND
        && rank(value) <= rank(assign.target())
        && is_scalar(*expression)
        && can_move(*expression, *assign)
}

impl<'c: 'a, 'a> Conversion<'c, 'a, '_> {
    /// Replaces a `typed.assign`.
    pub(super) fn assign(&mut self, operation: typed::Assign<'c, 'a>) {
        let builder = self.builder;
        let (value, target) = (operation.value(), operation.target());
        let element = element_type(target);
        let expression = typed::ArrayExpr::defining(value);
        let expression = expression.filter(|one| is_left_to_assignment(**one));
        let extents = self.sizes.all(builder, target);
        let inputs = match expression {
            Some(expression) => expression.inputs(),
            None => vec![value],
        };
        // All sizes are checked before anything is copied.
        let inputs: Vec<_> = inputs
            .into_iter()
            .map(|input| {
                let input = self.drop_leading(input, &extents);
                (input, self.broadcast(input, &extents))
            })
            .collect();
        let inputs: Vec<_> = inputs
            .into_iter()
            .map(|(input, mut operand)| {
                let scalar = array_type(input.ty()).is_none();
                let same = unshaped(input) == unshaped(target);
                if !scalar && !same && may_alias(input, target) {
                    operand.value = self.unless_overlapping(operand.value, target);
                }
                operand
            })
            .collect();

        let body = |indices: &[Value<'c, 'a>]| {
            let mut elements = inputs.iter().map(|input| self.element(input, indices));
            let value = match expression {
                Some(expression) => {
                    let block = expression.body().entry().expect("an expression has a body");
                    let mut mapping: Vec<_> =
                        block.argument_values().into_iter().zip(elements).collect();
                    builder.copy_block(block, &mut mapping);
                    mapped(&mapping, yielded(block))
                }
                None => elements.next_back().expect("an assignment has a value"),
            };
            builder.store(builder.cast(value, element), target, indices);
            vec![]
        };
        if extents.is_empty() {
            body(&[]);
        } else {
            let mut nest = NestBuilder::new(&extents, PatternKind::Setitem);
            nest.serial = self.serial;
            let merged = expression.map(|_| Pattern::from(PatternKind::ArrayExpr));
            nest.fused.extend(merged);
            nest.build(builder, body);
        }
        builder.erase_op(*operation);
        if let Some(expression) = expression {
            builder.erase_op(*expression);
        }
    }

    /// An array, or a copy of it where it overlaps the target of an assignment.
    fn unless_overlapping(&mut self, array: Value<'c, 'a>, target: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let overlaps = typed::Overlaps::create(builder, array, target).result();
        let extents = self.sizes.all(builder, array);
        let location = builder.location();
        let (branch, copied, same) = builder.scf_if(overlaps, &[array.ty()]);
        builder.at_end(copied);
        let is_rare = storage(array) != storage(target);
        let copy = self.copy(array, &extents, is_rare);
        builder.at(location).at_end(copied);
        builder.scf_yield(&[builder.as_array_type(copy, array.ty())]);
        builder.at_end(same);
        builder.scf_yield(&[array]);
        builder.after(branch);
        branch.result_value(0)
    }

    /// Drops the leading dimensions that a source has more than its target, of these extents; they
    /// must be 1.
    fn drop_leading(&mut self, array: Value<'c, 'a>, extents: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let builder = self.builder;
        let wanted = extents.len();
        let Some(surplus) = rank(array)
            .checked_sub(wanted)
            .filter(|surplus| *surplus > 0)
        else {
            return array;
        };
        let one = builder.index(1);
        let leading = (0..surplus).map(|at| self.sizes.of(builder, array, at));
        let wrong = leading.map(|size| builder.cmpi(CmpInt::Ne, size, one));
        let wrong = wrong.reduce(|a, b| builder.or(a, b));
        let sizes = self.sizes.all(builder, array);
        builder.raise_for_shapes(wrong.expect("there is a surplus"), extents, &sizes);
        let subscripts = vec![builder.index(0); surplus];
        let mut view = array_type(array.ty()).expect("the source is an array");
        view.rank = wanted;
        // Whatever lies behind dimensions of size 1 keeps its layout in row order only.
        if view.layout == Layout::F {
            view.layout = Layout::A;
        }
        let view = view.to_type(builder.context());
        typed::View::create(builder, array, &subscripts, view).result()
    }

    /// A fresh array with the same elements. Different arrays rarely overlap, so that their copies aren't
    /// worth vectors.
    fn copy(
        &self,
        array: Value<'c, 'a>,
        extents: &[Value<'c, 'a>],
        is_rare: bool,
    ) -> Value<'c, 'a> {
        let builder = self.builder;
        let mut fresh = array_type(array.ty()).expect("only arrays are copied");
        fresh.readonly = false;
        if !fresh.layout.is_contiguous() {
            fresh.layout = Layout::C;
        }
        let fresh = fresh.to_type(builder.context());
        if extents.is_empty() {
            let copy = builder.empty(&[], fresh);
            builder.store(builder.load(array, &[]), copy, &[]);
            return copy;
        }
        let mut nest = NestBuilder::new(extents, PatternKind::Copy).fresh(fresh);
        // Overlapping is the exception: not worth code for threads.
        nest.serial = true;
        nest.rare = is_rare;
        let nest = nest.build(builder, |indices| vec![builder.load(array, indices)]);
        nest.fresh()[0]
    }
}
