//! Wishes for items: of lists, dicts and tuples, and of what goes through them.

use super::{Walk, receiver};
use crate::{
    inference::{emit::Emit, program::flow::Flow},
    infra::{OperationExt, ops::py},
    types::{
        join::{becomes, has_other_items, is_other_container},
        lists::{is_any_list, list_item, list_of},
        tables::{Table, part_of_view},
        tuples::elements,
    },
};
use melior::{
    Context,
    ir::{Type, Value, r#type::TupleType},
};
use pyopt_dialects::typed::TypedType;

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

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Wishes that the items of an iterable are lists.
    pub(super) fn refine_items(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        iterator: Value<'c, 'a>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let Some(made) = py::GetIter::defining(iterator) else {
            return;
        };
        let known = self.environment.slot(made.iterable()).fact.ty;
        match known.map(TypedType::from) {
            Some(TypedType::Generator(resume, _)) => e.program.demand_yield(resume, ty),
            _ => self.refine_container(e, made.iterable(), ty, None, walk),
        }
    }

    /// Wishes that lists have the items that a list has which is made of theirs.
    pub(super) fn refine_shared(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        operands: &[Value<'c, 'a>],
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let Some(item) = list_item(ty) else {
            return;
        };
        for operand in operands {
            let known = self.environment.slot(*operand).fact.ty;
            if known.is_some_and(|known| has_other_items(known, item)) {
                self.refine(e, *operand, ty, walk);
            }
        }
    }

    /// Wishes that what is passed to a function has the items that its result has, where these may be the same:
    /// where nothing is known of what they hold.
    pub(super) fn refine_arguments(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        operands: &[Value<'c, 'a>],
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let context = e.context();
        let item = match (list_item(ty), Table::of(ty)) {
            (Some(item), _) => item,
            (None, Some(table)) => match table.value {
                Some(value) => TupleType::new(context, &[table.key, value]).into(),
                None => return,
            },
            (None, None) => return,
        };
        let is_to_become = |given: Type<'c>, wanted: Type<'c>| {
            is_other_container(given, wanted) && becomes(context, given, wanted)
        };
        let callee = operands
            .first()
            .and_then(|callee| self.environment.slot(*callee).fact.ty);
        let is_next =
            callee.is_some_and(|ty| TypedType::from(ty) == TypedType::Named("builtins.next"));
        for operand in operands {
            let known = self.environment.slot(*operand).fact.ty.map(receiver);
            let Some(known) = known else {
                continue;
            };
            if let TypedType::Generator(resume, of) = TypedType::from(known) {
                // `next` gives an item, other functions put them into what they give.
                let wanted = if is_next { ty } else { item };
                if is_to_become(of, wanted) {
                    e.program.demand_yield(resume, wanted);
                }
            } else if let TypedType::DictView(..) = TypedType::from(known) {
                self.refine_container(e, *operand, item, None, walk);
            } else if Table::of(known).is_some_and(|table| !table.is_empty()) {
                if is_to_become(known, ty) {
                    self.refine(e, *operand, ty, walk);
                }
            } else if has_other_items(known, item)
                && becomes(context, known, list_of(context, item))
            {
                self.refine(e, *operand, list_of(context, item), walk);
            }
        }
    }

    /// Wishes that the items of a list or tuple, or the one at an index, are lists.
    pub(super) fn refine_container(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        container: Value<'c, 'a>,
        ty: Type<'c>,
        index: Option<i64>,
        walk: &mut Walk<'c>,
    ) {
        let known = self.environment.slot(container).fact.ty;
        if known.is_some_and(is_any_list) {
            return self.refine(e, container, list_of(e.context(), ty), walk);
        }
        if let Some(TypedType::Iter(iterable)) = known.map(TypedType::from)
            && let Some(call) = py::Call::defining(container)
        {
            return self.refine_combined(e, &call.operand_values()[1..], iterable, ty, walk);
        }
        if let Some(TypedType::DictView(dict, part)) = known.map(TypedType::from) {
            let value = match part_of_view(part) {
                "values" => Some(ty),
                "items" => elements(ty).and_then(|entry| entry.get(1).copied()),
                _ => None,
            };
            return self.refine_viewed(e, container, Table::of(dict), value, walk);
        }
        if let Some(table) = known.and_then(Table::of)
            && table.value.is_some()
        {
            let wanted = Table {
                value: Some(ty),
                ..table
            };
            return self.refine(e, container, wanted.to_type(e.context()), walk);
        }
        if let Some(tuple) = py::BuildTuple::defining(container) {
            let items = tuple.elements();
            match index.and_then(|index| usize::try_from(index).ok()) {
                Some(index) if index < items.len() => self.refine(e, items[index], ty, walk),
                _ => items
                    .into_iter()
                    .for_each(|item| self.refine(e, item, ty, walk)),
            }
        } else if let Some(wanted) =
            known.and_then(|tuple| with_element(e.context(), tuple, index, ty))
        {
            self.refine(e, container, wanted, walk);
        }
    }

    /// Wishes that the items are lists of what `enumerate`, `reversed` and `zip` go through.
    fn refine_combined(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        arguments: &[Value<'c, 'a>],
        iterator: Type<'c>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let items = elements(ty).unwrap_or_default();
        let wanted = match TypedType::from(iterator) {
            TypedType::Reversed(_) => vec![ty],
            TypedType::Enumerate(_) => items.into_iter().skip(1).collect(),
            TypedType::Zip(_) => items,
            _ => return,
        };
        for (argument, ty) in arguments.iter().zip(wanted) {
            let known = self.environment.slot(*argument).fact.ty;
            let goes_through_others = known.is_some_and(|known| match TypedType::from(known) {
                TypedType::Iter(_) => true,
                TypedType::Other(_) if !is_any_list(known) => {
                    let items = elements(known).unwrap_or_default().into_iter();
                    items.into_iter().any(|item| is_other_container(item, ty))
                }
                _ => has_other_items(known, ty),
            });
            if goes_through_others {
                self.refine_container(e, *argument, ty, None, walk);
            }
        }
    }

    /// Wishes that the values of the dict that a view is of have a type.
    fn refine_viewed(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        view: Value<'c, 'a>,
        table: Option<Table<'c>>,
        value: Option<Type<'c>>,
        walk: &mut Walk<'c>,
    ) {
        let viewed = py::Call::defining(view)
            .and_then(|call| py::GetAttr::defining(call.callee()))
            .map(py::GetAttr::object);
        if let (Some(dict), Some(table), Some(_)) = (viewed, table, value) {
            let wanted = Table { value, ..table };
            self.refine(e, dict, wanted.to_type(e.context()), walk);
        }
    }
}
