//! Takes no reference of an item or field that its container or structure keeps meanwhile.

use crate::{
    analysis::{
        container_changes::callee,
        ownership::{BORROWED, owns},
        sizes::library_role,
    },
    infra::{
        Access, OperationAttributes, OperationExt, OperationInterfaces, PassContext, PassResult,
        PassSpec, RegionExt, StatisticSpec, ValueExt,
        ops::{func, marks, typed},
    },
    types::containers::{held_types, is_changeable, is_opaque},
};
use melior::ir::{
    Attribute, OperationRef, Type, Value, operation::OperationLike, r#type::FunctionType,
};
use pyopt_dialects::{enums::LibraryRole, typed::TypedType};
use std::collections::HashMap;

/// Runtime functions whose names begin so read lists and change none, and run no code of the program.
const READING: &str = "pyopt_text_";

/// Marks reads of items as borrowing.
pub static PASS: PassSpec = PassSpec {
    description: "An item that `typed.list_get`, `typed.table_key`, `typed.table_value` or `typed.field_get` takes out of a \
        container or structure comes with a reference of its own, and is released behind its last use. Where nothing \
        in between may take it out of the container, or release that, the container's reference keeps it \
        alive: the read is marked as borrowing, and the release goes. Calls are known by what their \
        callees do: they may drop items of the types of containers that they replace, remove or truncate \
        items of. Runs behind `typed-insert-ownership`, where each release has its place.",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "items",
        "items lent by their containers",
    )],
    ..PassSpec::new(
        "typed-lend-items",
        "take no references of items that their containers keep",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let mut drops = Drops::default();
    // Backwards: what an item of a lent container needs is asked while the container's release is there.
    for operation in module.pre_order().into_iter().rev() {
        let Some(taken) = Taken::of(operation) else {
            continue;
        };
        let Some((release, between)) = taken.release(&mut drops) else {
            continue;
        };
        for operation in between {
            for inner in operation.pre_order() {
                inner.retain_released(|value| value != taken.item);
            }
        }
        release.erase();
        operation.set_attr(BORROWED, Attribute::unit(cx.context()));
        cx.bump("items", 1);
    }
    Ok(())
}

/// An item with a reference of its own, and the container that it was taken out of.
struct Taken<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    container: Value<'c, 'a>,
    item: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Taken<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let container = match typed::Op::of(operation)? {
            typed::Op::ListGet(get) => get.list(),
            typed::Op::TableKey(key) => key.table(),
            typed::Op::TableValue(value) => value.table(),
            typed::Op::FieldGet(get) => get.structure(),
            _ => return None,
        };
        let item = operation.result_value(0);
        let counts = owns(item.ty()) && !operation.flag_attr(BORROWED);
        // Of what is opaque the type doesn't tell which other containers it may be.
        (counts && !is_opaque(container.ty())).then_some(Self {
            operation,
            container,
            item,
        })
    }

    /// The release of the item, if its container keeps it until then, and the operations in between.
    fn release(
        &self,
        drops: &mut Drops<'c>,
    ) -> Option<(typed::Release<'c, 'a>, Vec<OperationRef<'c, 'a>>)> {
        let mut releases = self.item.uses().into_iter().filter_map(|one| {
            let release = typed::Release::of(one.user)?;
            (release.parent_block() == self.operation.parent_block()).then_some(release)
        });
        let release = releases.next()?;
        if releases.next().is_some() {
            return None;
        }
        let between = self.until(*release)?;
        let is_kept = between.iter().all(|operation| {
            leaves_references(*operation) && !drops.may_drop(*operation, self.container.ty())
        });
        is_kept.then_some((release, between))
    }

    /// The operations of the block between the read and the release.
    fn until(&self, release: OperationRef<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
        let mut between = Vec::new();
        let mut next = self.operation.next_in_block();
        while let Some(operation) = next {
            if operation == release {
                return Some(between);
            }
            between.push(operation);
            next = operation.next_in_block();
        }
        None
    }
}

/// Whether an operation neither releases nor consumes what may be, or hold, a container of its block: one
/// of texts or arrays, which hold none, is all the same.
fn leaves_references(operation: OperationRef) -> bool {
    let holds_none = |value: Value| {
        !owns(value.ty())
            || matches!(
                TypedType::from(value.ty()),
                TypedType::Str | TypedType::Bytes | TypedType::Array(_)
            )
    };
    let is_release = operation.isa::<typed::Release>();
    let operands = operation.operand_values().into_iter().enumerate();
    operands
        .filter(|(at, _)| is_release || operation.consumes_operand(*at))
        .all(|(_, operand)| holds_none(operand))
}

/// The types of the containers that functions may drop items of, by their symbols; `None` for any.
#[derive(Default)]
struct Drops<'c>(HashMap<&'c str, Option<Vec<Type<'c>>>>);

impl<'c> Drops<'c> {
    /// Whether an operation, or one inside of it, may drop items of a container of a type.
    fn may_drop<'a>(&mut self, operation: OperationRef<'c, 'a>, container: Type<'c>) -> bool
    where
        'c: 'a,
    {
        self.of(operation)
            .is_none_or(|types| types.into_iter().any(|ty| ty == container || is_opaque(ty)))
    }

    fn of<'a>(&mut self, operation: OperationRef<'c, 'a>) -> Option<Vec<Type<'c>>>
    where
        'c: 'a,
    {
        let mut types = Vec::new();
        for inner in operation.pre_order() {
            let role = typed::Call::of(inner).and_then(library_role);
            match callee(inner) {
                Some(_) if role == Some(LibraryRole::Slots) => {}
                Some(symbol) => types.extend(self.of_callee(inner, symbol)?),
                None => types.extend(dropped(inner)?),
            }
        }
        Some(types)
    }

    fn of_callee<'a>(
        &mut self,
        caller: OperationRef<'c, 'a>,
        symbol: &'c str,
    ) -> Option<Vec<Type<'c>>>
    where
        'c: 'a,
    {
        if let Some(known) = self.0.get(symbol) {
            return known.clone();
        }
        let function = func::Func::of(caller.lookup_symbol(symbol)?)?;
        // A function that calls itself is taken for the worst there.
        self.0.insert(symbol, None);
        let types = match function.body().entry() {
            Some(_) => self.of(*function),
            None if function.attr(marks::LINKED).is_some() => {
                // Its code knows no containers but those that it is passed.
                let ty = FunctionType::try_from(function.function_type()).ok()?;
                let mut passed = Vec::new();
                for at in 0..ty.input_count() {
                    add_containers(ty.input(at).ok()?, &mut passed);
                }
                Some(passed)
            }
            None => {
                let native = function.str_attr(marks::NATIVE);
                native
                    .is_some_and(|name| name.starts_with(READING))
                    .then(Vec::new)
            }
        };
        self.0.insert(symbol, types.clone());
        types
    }
}

/// Adds the types of the containers that a value of a type is or holds.
fn add_containers<'c>(ty: Type<'c>, found: &mut Vec<Type<'c>>) {
    if is_changeable(ty) {
        found.push(ty);
    }
    for held in held_types(ty) {
        add_containers(held, found);
    }
}

/// The type of the container that an operation, those inside of it aside, may drop items of; `None` if
/// that may be any.
fn dropped<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Option<Type<'c>>> {
    let (container, items) = match typed::Op::of(operation) {
        Some(typed::Op::Release(release)) => {
            // The container that keeps the item is kept by another reference.
            return runs_nothing(release.value().ty()).then_some(None);
        }
        Some(
            typed::Op::Acquire(_)
            | typed::Op::RaiseIf(_)
            | typed::Op::RaiseValueIf(_)
            | typed::Op::ListReserve(_)
            | typed::Op::ListPush(_)
            | typed::Op::ListGrow(_)
            | typed::Op::TableGrow(_)
            | typed::Op::TableCopy(_)
            | typed::Op::TablePush(_)
            | typed::Op::TableSetSlot(_),
        ) => return Some(None),
        Some(typed::Op::ListSet(set)) => (set.list(), vec![set.item().ty()]),
        Some(typed::Op::ListTruncate(truncate)) => {
            (truncate.list(), held_types(truncate.list().ty()))
        }
        Some(typed::Op::FieldSet(set)) => (set.structure(), vec![set.value().ty()]),
        Some(typed::Op::TableSetValue(set)) => (set.table(), vec![set.value().ty()]),
        Some(typed::Op::TableRemove(remove)) => (remove.table(), held_types(remove.table().ty())),
        Some(typed::Op::TableClear(clear)) => (clear.table(), held_types(clear.table().ty())),
        _ => return only_reads(operation).then_some(None),
    };
    let mut owning = items.into_iter().filter(|item| owns(*item)).peekable();
    match owning.peek() {
        Some(_) => owning.all(runs_nothing).then(|| Some(container.ty())),
        None => Some(None),
    }
}

/// Whether an operation, those inside of it aside, writes numbers of arrays at most.
fn only_reads(operation: OperationRef) -> bool {
    if !operation.region_list().is_empty() || operation.is_terminator() {
        return true;
    }
    operation.effects().is_some_and(|effects| {
        effects.into_iter().all(|effect| match effect.access {
            Access::Read | Access::Allocate => true,
            Access::Write | Access::Free => {
                effect.memory && effect.value.is_some_and(|value| !is_changeable(value.ty()))
            }
        })
    })
}

/// Whether giving up a value runs no code of the host's: arrays may be objects, whose destructors change
/// what they like.
fn runs_nothing(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Str | TypedType::Bytes | TypedType::Exception => true,
        _ if !owns(ty) => true,
        TypedType::Array(_) => false,
        _ => {
            let held = held_types(ty);
            !is_opaque(ty) && !held.is_empty() && held.into_iter().all(runs_nothing)
        }
    }
}
