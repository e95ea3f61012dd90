//! Backward propagation of list types: where a list is made, neither the types of its future items
//! nor whether it will be mutated are known.
//!
//! A typing function that needs a list to have another type *wishes* for it. A wish is propagated
//! backwards from the value to where it is made, through block arguments, items and calls, and
//! there the list gets the wished type. The analysis then restarts, so that all names of a list
//! agree on its type.

mod items;
mod makers;

use crate::{
    inference::{
        emit::{Emit, Wish},
        families::{lists, overloads, structures, tables},
        functions::KEPT_RESULTS,
        issue::Typing,
        program::{
            environment::{Environment, Slot, key},
            flow::Flow,
            uses::{Clash, Demand, Use},
        },
        val::Val,
    },
    infra::{BlockExt, OperationExt, ValueExt, ops::py},
    py::edges::Edge,
    types::{
        containers,
        join::{self, has_other_items, is_other_container, join_types},
        lists::{list_item, list_of},
        optional::value_type,
        sequences,
        tables::Table,
        tuples::elements,
    },
};
use melior::ir::{OperationRef, Type, Value};
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
        let item = list_item(wanted);
        // The items have other names, which would not see changes of copies.
        if e.is_emitting() && item.is_some_and(|item| has_other_items(ty, item)) {
            return Err(lists::refuse_sharing(ty, wanted));
        }
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

/// The way of a wish from a use back to what is used.
struct Walk<'c> {
    /// The use.
    cause: Use<'c>,
    /// Whether it asks for what the value can't be, only to find out why.
    clashes: bool,
    /// What was found that the use disagrees with.
    clash: Option<Clash<'c>>,
    /// The values that were passed.
    seen: HashSet<usize>,
}

/// What a method is bound to; other types as they are.
fn receiver(ty: Type<'_>) -> Type<'_> {
    match TypedType::from(ty) {
        TypedType::Method(receiver, _) => receiver,
        _ => ty,
    }
}

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Follows all wishes.
    pub(super) fn refine_all(&mut self, e: &mut Emit<'_, 'c, 'a>) {
        for wish in std::mem::take(&mut e.wishes) {
            self.follow(e, wish);
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
            self.unify(e, operand, given, wanted);
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
        self.unify(e, value, given, declared.or(joined));
    }

    /// Wishes for a value of another type of container where paths meet.
    fn unify(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        given: Option<Type<'c>>,
        wanted: Option<Type<'c>>,
    ) {
        // None may come along another path.
        if let (Some(given), Some(ty)) = (given, wanted.and_then(value_type))
            && is_other_container(given, ty)
        {
            self.follow(e, Wish::new(value, ty, e.location));
        }
    }

    fn refine_to(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        given: Option<Type<'c>>,
        wanted: Option<Type<'c>>,
        walk: &mut Walk<'c>,
    ) {
        if let (Some(given), Some(wanted)) = (given, wanted)
            && is_other_container(given, wanted)
        {
            self.refine(e, value, wanted, walk);
        }
    }

    fn follow(&mut self, e: &mut Emit<'_, 'c, 'a>, wish: Wish<'c, 'a>) {
        let mut walk = Walk {
            cause: Use {
                at: e.location,
                ..wish.cause
            },
            clashes: wish.clashes,
            clash: None,
            seen: HashSet::new(),
        };
        self.refine(e, wish.value, wish.ty, &mut walk);
        e.program.clashes.extend(walk.clash);
    }

    fn refine(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        if !walk.seen.insert(key(value)) {
            return;
        }
        match value.defining_op() {
            Some(made) => self.refine_result(e, made, value, ty, walk),
            None => self.refine_argument(e, value, ty, walk),
        }
    }

    /// Propagates a wish from a block argument to the values passed along the edges; from a
    /// parameter to the callers.
    fn refine_argument(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        argument: Value<'c, 'a>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let block = argument.defining_block();
        let arguments = block.argument_values();
        let Some(index) = arguments.iter().position(|other| *other == argument) else {
            return;
        };
        if self.position(block) == 0 {
            let Walk { cause, clashes, .. } = *walk;
            let demand = Demand {
                index,
                ty,
                cause,
                clashes,
            };
            return e.program.demand_argument(e.specialization, demand);
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
                    Some(index) => self.refine(e, edge.passed(terminator)[index], ty, walk),
                    None => {
                        if let Some(header) = py::ForIter::of(terminator) {
                            self.refine_items(e, header.iterator(), ty, walk);
                        }
                    }
                }
            }
        }
    }

    /// Whether a call gives a table of results, whose type is that of its argument.
    fn is_kept_results(&self, call: py::Call<'c, 'a>) -> bool {
        let callee = self.environment.slot(call.callee()).fact.ty;
        callee.is_some_and(|ty| TypedType::from(ty) == TypedType::Named(KEPT_RESULTS))
    }

    fn refine_result(
        &mut self,
        e: &mut Emit<'_, 'c, 'a>,
        made: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let known = |flow: &Self, value| flow.environment.slot(value).fact;
        let Some(made) = py::Op::of(made) else {
            return;
        };
        match made {
            py::Op::BuildList(list) => {
                self.want(e, value, ty, walk);
                for item in list.elements() {
                    let given = known(self, item).ty;
                    self.refine_to(e, item, given, list_item(ty), walk);
                }
            }
            py::Op::BuildMap(map) => {
                self.want(e, value, ty, walk);
                let of = Table::of(ty).and_then(|table| table.value);
                for value in map.elements().into_iter().skip(1).step_by(2) {
                    let given = known(self, value).ty;
                    self.refine_to(e, value, given, of, walk);
                }
            }
            py::Op::BuildSet(_) => self.want(e, value, ty, walk),
            py::Op::Binary(binary) => {
                self.want(e, value, ty, walk);
                self.refine_shared(e, &[binary.lhs(), binary.rhs()], ty, walk);
            }
            py::Op::UnpackEx(unpacking) if is_rest(unpacking, value) => {
                self.want(e, value, ty, walk);
                self.refine_shared(e, &[unpacking.sequence()], ty, walk);
            }
            py::Op::BuildTuple(tuple) => {
                let types = elements(ty).unwrap_or_default();
                for (item, wanted) in tuple.elements().into_iter().zip(types) {
                    let given = known(self, item).ty;
                    self.refine_to(e, item, given, Some(wanted), walk);
                }
            }
            py::Op::MakeFunction(maker) => {
                // The values of its free variables.
                if let (Some(values), TypedType::Sequence(types, _)) =
                    (maker.parts().first(), TypedType::from(ty))
                {
                    self.refine(e, *values, types, walk);
                }
            }
            py::Op::Inplace(inplace) => self.refine(e, inplace.lhs(), ty, walk),
            py::Op::NewReference(same) => self.refine(e, same.value(), ty, walk),
            py::Op::CheckBound(check) => self.refine(e, check.value(), ty, walk),
            py::Op::GetAttr(get) => {
                let is_method = known(self, value)
                    .ty
                    .is_some_and(|ty| matches!(TypedType::from(ty), TypedType::Method(..)));
                if is_method {
                    self.refine(e, get.object(), ty, walk);
                }
            }
            py::Op::GetItem(get) => {
                let index = known(self, get.index());
                let is_slice = index
                    .ty
                    .is_some_and(|ty| matches!(TypedType::from(ty), TypedType::Slice(_)));
                match is_slice {
                    true => {
                        self.want(e, value, ty, walk);
                        self.refine_shared(e, &[get.object()], ty, walk);
                    }
                    false => {
                        let of = known(self, get.object()).ty.zip(index.ty);
                        if let Some((container, index)) = of
                            && let Some(closed) = overloads::closed_by_item(e, container, index, ty)
                        {
                            return self.refine(e, get.object(), closed, walk);
                        }
                        let index = index
                            .literal
                            .and_then(crate::infra::AttributeExt::integer_value);
                        self.refine_container(e, get.object(), ty, index, walk);
                    }
                }
            }
            py::Op::Unpack(unpacking) => {
                let items = unpacking.items();
                let index = items.iter().position(|item| *item == value);
                let index = index.map(|index| index as i64);
                self.refine_container(e, unpacking.sequence(), ty, index, walk);
            }
            py::Op::Call(call) if self.is_kept_results(call) => {
                for fresh in call.args() {
                    self.refine(e, fresh, ty, walk);
                }
            }
            py::Op::Call(call) => {
                self.want(e, value, ty, walk);
                let operands = call.operand_values();
                if let Some(get) = py::GetAttr::defining(call.callee())
                    && matches!(get.name(), "get" | "pop" | "setdefault")
                    && let Some(table) = known(self, get.object()).ty.and_then(Table::of)
                {
                    if !table.is_empty() {
                        self.refine_container(e, get.object(), ty, None, walk);
                    }
                    // The default.
                    for operand in operands.iter().skip(2) {
                        let given = known(self, *operand).ty;
                        self.refine_to(e, *operand, given, Some(ty), walk);
                    }
                }
                if let Some(&callee) = self.callees.get(&key(value))
                    && (list_item(ty).is_some_and(containers::is_changeable)
                        || join::holds_closure(ty))
                {
                    e.program.demand_return(callee, ty);
                }
                self.refine_arguments(e, &operands, ty, walk);
                // The values of `dict(name=value)`.
                let callee = known(self, call.callee()).ty.map(TypedType::from);
                if let (Some(TypedType::Named("builtins.dict")), Some(value)) =
                    (callee, Table::of(ty).and_then(|table| table.value))
                {
                    for operand in operands.iter().skip(1) {
                        let given = known(self, *operand).ty;
                        let given = given.filter(|given| join::becomes(e.context(), *given, value));
                        self.refine_to(e, *operand, given, Some(value), walk);
                    }
                }
                // The result may alias one of the lists that are passed.
                for operand in operands {
                    let passed = known(self, operand).ty.map(receiver);
                    if let Some(passed) = passed.filter(|ty| sequences::is_list(*ty))
                        && let Some(item) = join::item_of(e.context(), passed)
                    {
                        self.refine(e, operand, list_of(e.context(), item), walk);
                    }
                }
            }
            _ => {}
        }
    }
}
