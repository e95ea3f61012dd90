//! Backward propagation of list types: where a list is made, neither the types of its future items
//! nor whether it will be mutated are known.
//!
//! A typing function that needs a list to have another type *wishes* for it. A wish is propagated
//! backwards from the value to where it is made, through block arguments, items and calls, and
//! there the list gets the wished type. The analysis then restarts, so that all names of a list
//! agree on its type.

use crate::{
    inference::{
        emit::Emit,
        families::{lists, overloads, structures, tables},
        issue::Typing,
        program::{
            environment::{Environment, Slot, key},
            flow::Flow,
        },
        val::Val,
    },
    infra::{BlockExt, OperationExt, ValueExt, ops::py},
    py::edges::Edge,
    types::{
        join::{self, join_types},
        lists::{is_any_list, list_item, list_of},
        sequences,
        tables::{Table, part_of_view},
        tuples::elements,
    },
};
use melior::{
    Context,
    ir::{OperationRef, Type, Value, r#type::TupleType},
};
use pyopt_dialects::typed::TypedType;
use std::collections::HashSet;

/// Gives a new value the type of list that is wished for it.
pub(super) fn settle<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    result: Value<'c, 'a>,
    slot: &mut Slot<'c, 'a>,
) -> Typing<()> {
    let Some(&wanted) = environment.wanted.get(&key(result)) else {
        return Ok(());
    };
    let Some(ty) = slot.fact.ty else {
        return Ok(());
    };
    // The wish may be older than what is known of the items by now.
    let wanted = join_types(e.context(), wanted, ty).unwrap_or(wanted);
    if ty == wanted {
        return Ok(());
    }
    let made = Val::new(ty, slot.value);
    if sequences::is_list(ty) {
        *slot = e.coerce(made, wanted)?.into();
    } else if list_item(ty).is_some() && is_new(environment, result) {
        *slot = lists::converted(e, made, wanted)?.into();
    } else if Table::of(ty).is_some() && is_new(environment, result) {
        *slot = tables::converted(e, made, wanted)?.into();
    } else if sequences::is_open_container(ty) && sequences::is_structure(wanted) {
        *slot = structures::new_container(e, made, wanted)?.into();
    }
    Ok(())
}

/// The type of a tuple that has an element of another type at an index, or all of them.
fn with_element<'c>(
    context: &'c Context,
    tuple: Type<'c>,
    index: Option<i64>,
    element: Type<'c>,
) -> Option<Type<'c>> {
    let mut types = TupleType::try_from(tuple)
        .ok()
        .and_then(|_| elements(tuple))?;
    match index {
        Some(index) => *types.get_mut(usize::try_from(index).ok()?)? = element,
        None => types.fill(element),
    }
    Some(TupleType::new(context, &types).into())
}

/// Whether a value is what a starred target gets.
fn is_rest<'c: 'a, 'a>(unpacking: py::UnpackEx<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let before = usize::try_from(unpacking.before());
    before.is_ok_and(|before| unpacking.items().get(before) == Some(&value))
}

/// Whether a list is new, and not an alias of an existing one.
fn is_new<'c: 'a, 'a>(environment: &Environment<'c, 'a>, list: Value<'c, 'a>) -> bool {
    let Some(made) = list.defining_op() else {
        return false;
    };
    let known = |value| environment.slot(value).fact.ty;
    match py::Op::of(made) {
        Some(py::Op::Binary(_)) => true,
        Some(py::Op::UnpackEx(unpacking)) => is_rest(unpacking, list),
        Some(py::Op::GetItem(get)) => known(get.index())
            .is_some_and(|index| matches!(TypedType::from(index), TypedType::Slice(_))),
        Some(py::Op::Call(call)) => known(call.callee()).is_some_and(|callee| {
            matches!(
                TypedType::from(callee),
                TypedType::Named(_) | TypedType::Method(_, "copy")
            )
        }),
        _ => false,
    }
}

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Follows all wishes.
    pub(super) fn refine_all(&mut self, e: &mut Emit<'_, 'c, 'a>) {
        for (value, ty) in std::mem::take(&mut e.wishes) {
            self.refine(e, value, ty, &mut HashSet::new());
        }
    }

    /// Wishes that a value passed along an edge is the type of list that the block argument is.
    pub(super) fn refine_passed(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        terminator: OperationRef<'c, 'a>,
        edge: &Edge<'c, 'a>,
    ) {
        let arguments = edge.target.argument_values().into_iter();
        let passed = edge.passed(terminator).into_iter();
        for (operand, argument) in passed.zip(arguments.skip(edge.produced)) {
            let (given, wanted) = [operand, argument]
                .map(|value| self.environment.slot(value).fact.ty)
                .into();
            self.refine_to(e, operand, given, wanted);
        }
    }

    /// Wishes that a returned value is the type of list that is declared, or returned on other paths.
    pub(super) fn refine_return(&mut self, e: &mut Emit<'_, 'c, 'a>, value: Value<'c, 'a>) {
        let given = self.environment.slot(value).fact.ty;
        let joined = match (self.returned, given) {
            (Some(before), Some(given)) => join_types(e.context(), before, given),
            (before, given) => before.or(given),
        };
        if self.returned != joined {
            self.grew |= self.returned.is_some() && joined.is_some();
            self.returned = joined;
        }
        let declared = e.program.specializations[e.specialization].wanted;
        self.refine_to(e, value, given, declared.or(joined));
    }

    fn refine_to(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        given: Option<Type<'c>>,
        wanted: Option<Type<'c>>,
    ) {
        if let (Some(given), Some(wanted)) = (given, wanted)
            && given != wanted
            && (is_any_list(given) && list_item(wanted).is_some()
                || Table::of(given).is_some() && Table::of(wanted).is_some())
        {
            self.refine(e, value, wanted, &mut HashSet::new());
        }
    }

    fn refine(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        seen: &mut HashSet<usize>,
    ) {
        if !seen.insert(key(value)) {
            return;
        }
        match value.defining_op() {
            Some(made) => self.refine_result(e, made, value, ty, seen),
            None => self.refine_argument(e, value, ty, seen),
        }
    }

    /// Propagates a wish from a block argument to the values passed along the edges; from a
    /// parameter to the callers.
    fn refine_argument(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        argument: Value<'c, 'a>,
        ty: Type<'c>,
        seen: &mut HashSet<usize>,
    ) {
        let block = argument.defining_block();
        let arguments = block.argument_values();
        let Some(index) = arguments.iter().position(|other| *other == argument) else {
            return;
        };
        if self.position(block) == 0 {
            return e.program.demand_argument(e.specialization, index, ty);
        }
        for terminator in block.predecessor_blocks() {
            let Some(terminator) = terminator.terminator_op() else {
                continue;
            };
            for edge in Edge::of(terminator) {
                if edge.target != block {
                    continue;
                }
                match index.checked_sub(edge.produced) {
                    Some(index) => self.refine(e, edge.passed(terminator)[index], ty, seen),
                    None => {
                        if let Some(header) = py::ForIter::of(terminator) {
                            self.refine_items(e, header.iterator(), ty, seen);
                        }
                    }
                }
            }
        }
    }

    /// Wishes that the items of an iterable are lists.
    fn refine_items(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        iterator: Value<'c, 'a>,
        ty: Type<'c>,
        seen: &mut HashSet<usize>,
    ) {
        if let Some(made) = py::GetIter::defining(iterator) {
            self.refine_container(e, made.iterable(), ty, None, seen);
        }
    }

    fn refine_result(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        made: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        seen: &mut HashSet<usize>,
    ) {
        let known = |flow: &Self, value| flow.environment.slot(value).fact;
        let Some(made) = py::Op::of(made) else {
            return;
        };
        match made {
            py::Op::BuildList(_)
            | py::Op::BuildMap(_)
            | py::Op::BuildSet(_)
            | py::Op::Binary(_) => self.want(e, value, ty),
            py::Op::UnpackEx(unpacking) if is_rest(unpacking, value) => self.want(e, value, ty),
            py::Op::BuildTuple(tuple) => {
                let types = elements(ty).unwrap_or_default();
                for (item, wanted) in tuple.elements().into_iter().zip(types) {
                    let given = known(self, item).ty;
                    self.refine_to(e, item, given, Some(wanted));
                }
            }
            py::Op::Inplace(inplace) => self.refine(e, inplace.lhs(), ty, seen),
            py::Op::NewReference(same) => self.refine(e, same.value(), ty, seen),
            py::Op::CheckBound(check) => self.refine(e, check.value(), ty, seen),
            py::Op::GetAttr(get) => {
                let is_method = known(self, value)
                    .ty
                    .is_some_and(|ty| matches!(TypedType::from(ty), TypedType::Method(..)));
                if is_method {
                    self.refine(e, get.object(), ty, seen);
                }
            }
            py::Op::GetItem(get) => {
                let index = known(self, get.index());
                let is_slice = index
                    .ty
                    .is_some_and(|ty| matches!(TypedType::from(ty), TypedType::Slice(_)));
                match is_slice {
                    true => self.want(e, value, ty),
                    false => {
                        let of = known(self, get.object()).ty.zip(index.ty);
                        if let Some((container, index)) = of
                            && let Some(closed) = overloads::closed_by_item(e, container, index, ty)
                        {
                            return self.refine(e, get.object(), closed, seen);
                        }
                        let index = index
                            .literal
                            .and_then(crate::infra::AttributeExt::integer_value);
                        self.refine_container(e, get.object(), ty, index, seen);
                    }
                }
            }
            py::Op::Unpack(unpacking) => {
                let items = unpacking.items();
                let index = items.iter().position(|item| *item == value);
                let index = index.map(|index| index as i64);
                self.refine_container(e, unpacking.sequence(), ty, index, seen);
            }
            py::Op::Call(call) => {
                self.want(e, value, ty);
                if let Some(get) = py::GetAttr::defining(call.callee())
                    && matches!(get.name(), "get" | "pop" | "setdefault")
                    && known(self, get.object())
                        .ty
                        .is_some_and(|ty| Table::of(ty).is_some())
                {
                    self.refine_container(e, get.object(), ty, None, seen);
                }
                // The result may alias one of the lists that are passed.
                for operand in call.operand_values() {
                    let passed = known(self, operand).ty.map(|ty| match TypedType::from(ty) {
                        TypedType::Method(receiver, _) => receiver,
                        _ => ty,
                    });
                    if let Some(passed) = passed.filter(|ty| sequences::is_list(*ty))
                        && let Some(item) = join::item_of(e.context(), passed)
                    {
                        self.refine(e, operand, list_of(e.context(), item), seen);
                    }
                }
            }
            _ => {}
        }
    }

    /// Wishes that the items of a list or tuple, or the one at an index, are lists.
    fn refine_container(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        container: Value<'c, 'a>,
        ty: Type<'c>,
        index: Option<i64>,
        seen: &mut HashSet<usize>,
    ) {
        let known = self.environment.slot(container).fact.ty;
        if known.is_some_and(is_any_list) {
            return self.refine(e, container, list_of(e.context(), ty), seen);
        }
        if let Some(TypedType::DictView(dict, part)) = known.map(TypedType::from) {
            let value = match part_of_view(part) {
                "values" => Some(ty),
                "items" => elements(ty).and_then(|entry| entry.get(1).copied()),
                _ => None,
            };
            return self.refine_viewed(e, container, Table::of(dict), value, seen);
        }
        if let Some(table) = known.and_then(Table::of)
            && table.value.is_some()
        {
            let wanted = Table {
                value: Some(ty),
                ..table
            };
            return self.refine(e, container, wanted.to_type(e.context()), seen);
        }
        if let Some(tuple) = py::BuildTuple::defining(container) {
            let items = tuple.elements();
            match index.and_then(|index| usize::try_from(index).ok()) {
                Some(index) if index < items.len() => self.refine(e, items[index], ty, seen),
                _ => items
                    .into_iter()
                    .for_each(|item| self.refine(e, item, ty, seen)),
            }
        } else if container.defining_op().is_none()
            && let Some(wanted) =
                known.and_then(|tuple| with_element(e.context(), tuple, index, ty))
        {
            self.refine(e, container, wanted, seen);
        }
    }

    /// Wishes that the values of the dict that a view is of have a type.
    fn refine_viewed(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        view: Value<'c, 'a>,
        table: Option<Table<'c>>,
        value: Option<Type<'c>>,
        seen: &mut HashSet<usize>,
    ) {
        let viewed = py::Call::defining(view)
            .and_then(|call| py::GetAttr::defining(call.callee()))
            .map(py::GetAttr::object);
        if let (Some(dict), Some(table), Some(_)) = (viewed, table, value) {
            let wanted = Table { value, ..table };
            self.refine(e, dict, wanted.to_type(e.context()), seen);
        }
    }

    /// Records the type that a value is to have where it is made.
    fn want(&mut self, e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>, ty: Type<'c>) {
        let before = self.environment.wanted.get(&key(value)).copied();
        let joined = match before {
            Some(before) => join_types(e.context(), before, ty),
            None => Some(ty),
        };
        if let Some(joined) = joined.filter(|joined| Some(*joined) != before) {
            self.environment.wanted.insert(key(value), joined);
            self.grew = true;
        }
    }
}
