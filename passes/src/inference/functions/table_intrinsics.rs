//! What the library does dicts and sets with: see `python/pyopt/library/tables.py`.

use super::table::Table as Functions;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{objects, overloads, wrappers},
        issue::Typing,
        val::Val,
    },
    infra::ops::typed,
    types::{number::Number, sequences::is_list, tables::Table, tuples::elements},
};
use melior::ir::Type;
use pyopt_dialects::{enums::TableNumber, typed::TypedType};

/// A number, or a tuple of what can be, as a key of a type; whether it equals that is another question.
fn as_key<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, key: Val<'c, 'a>, ty: Type<'c>) -> Option<Val<'c, 'a>> {
    if key.ty == ty {
        return Some(key);
    }
    if let (Some(types), Some(items)) = (elements(ty), elements(key.ty)) {
        if types.len() != items.len() || is_list(key.ty) {
            return None;
        }
        if let TypedType::Sequence(items, class) = TypedType::from(ty) {
            let items = as_key(e, key, items)?;
            return Some(e.of_class(items, class));
        }
        let parts = types.into_iter().enumerate().map(|(at, ty)| {
            let item = e.tuple_get(key, at);
            as_key(e, item, ty)
        });
        let parts: Vec<_> = parts.collect::<Option<_>>()?;
        return Some(e.tuple(&parts));
    }
    let key = wrappers::held(e, key);
    if key.ty == ty {
        return Some(key);
    }
    Number::of(ty).zip(key.number()).map(|_| e.cast(key, ty))
}

/// What is said where memory is short.
const NO_ROOM: &str = "unable to make room in a table";

/// The functions; their meaning is written in `python/pyopt/library/intrinsics.py`.
pub(super) const FUNCTIONS: Functions = &[
    ("pyopt.library.intrinsics.new_table", |e, arguments| {
        let ty = arguments.one()?.ty;
        Ok(e.op(ty, |b| typed::TableNew::create(b, ty)))
    }),
    ("pyopt.library.intrinsics.is_key", |e, arguments| {
        let [table, key] = arguments.two()?;
        let is_key = of(arguments, table)?.key == key.ty;
        Ok(e.bool(is_key))
    }),
    ("pyopt.library.intrinsics.as_key", |e, arguments| {
        let [table, key] = arguments.two()?;
        let ty = of(arguments, table)?.key;
        as_key(e, key, ty).ok_or_else(|| arguments.no_implementation())
    }),
    ("pyopt.library.intrinsics.plain_key", |e, arguments| {
        let key = arguments.one()?;
        match overloads::hash_of_named(e, key)? {
            Some(hash) => Ok(hash),
            None => Ok(wrappers::plain_key(e, key)),
        }
    }),
    ("pyopt.library.intrinsics.table_get", get),
    ("pyopt.library.intrinsics.table_grow", |e, arguments| {
        let [table, more] = arguments.two()?;
        let failed = e.op(e.i1(), |b| {
            typed::TableGrow::create(b, table.ir(), more.ir())
        });
        e.raise_if(failed, "MemoryError", Some(NO_ROOM));
        Ok(e.none())
    }),
    ("pyopt.library.intrinsics.table_copy", |e, arguments| {
        let [table, made] = arguments.two()?;
        let failed = e.op(e.i1(), |b| {
            typed::TableCopy::create(b, table.ir(), made.ir())
        });
        e.raise_if(failed, "MemoryError", Some(NO_ROOM));
        Ok(e.none())
    }),
    ("pyopt.library.intrinsics.table_slot", |e, arguments| {
        let [table, at] = arguments.two()?;
        let ui64 = Number::Int {
            width: 64,
            signed: false,
        };
        let ty = ui64.to_type(e.context());
        Ok(e.op(ty, |b| typed::TableSlot::create(b, table.ir(), at.ir())))
    }),
    ("pyopt.library.intrinsics.table_set_slot", |e, arguments| {
        let &[table, at, slot] = arguments.positional.as_slice() else {
            return Err(arguments.wrong_count("three arguments"));
        };
        e.effect(|b| typed::TableSetSlot::create(b, slot.ir(), table.ir(), at.ir()));
        Ok(e.none())
    }),
    ("pyopt.library.intrinsics.table_first", |e, arguments| {
        let table = arguments.one()?;
        let si64 = e.si64();
        Ok(objects::call_native(e, "pyopt_table_first", &[table], si64))
    }),
    ("pyopt.library.intrinsics.table_has", |e, arguments| {
        let [table, entry] = arguments.two()?;
        Ok(e.op(e.i1(), |b| {
            typed::TableHas::create(b, table.ir(), entry.ir())
        }))
    }),
    ("pyopt.library.intrinsics.table_key", |e, arguments| {
        let [table, entry] = arguments.two()?;
        let ty = of(arguments, table)?.key;
        Ok(e.op(ty, |b| typed::TableKey::create(b, table.ir(), entry.ir())))
    }),
    ("pyopt.library.intrinsics.table_value", |e, arguments| {
        let [table, entry] = arguments.two()?;
        let value = of(arguments, table)?.value;
        let ty = value.ok_or_else(|| arguments.no_implementation())?;
        Ok(e.op(ty, |b| typed::TableValue::create(b, table.ir(), entry.ir())))
    }),
    (
        "pyopt.library.intrinsics.table_set_value",
        |e, arguments| {
            let &[table, entry, value] = arguments.positional.as_slice() else {
                return Err(arguments.wrong_count("three arguments"));
            };
            e.effect(|b| typed::TableSetValue::create(b, value.ir(), table.ir(), entry.ir()));
            Ok(e.none())
        },
    ),
    ("pyopt.library.intrinsics.table_push", |e, arguments| {
        let [table, parts @ ..] = arguments.positional.as_slice() else {
            return Err(arguments.wrong_count("an argument or more"));
        };
        e.effect(|b| {
            let parts: Vec<_> = parts.iter().map(|part| part.ir()).collect();
            typed::TablePush::create(b, table.ir(), &parts)
        });
        Ok(e.none())
    }),
    ("pyopt.library.intrinsics.table_remove", |e, arguments| {
        let [table, entry] = arguments.two()?;
        e.effect(|b| typed::TableRemove::create(b, table.ir(), entry.ir()));
        Ok(e.none())
    }),
    ("pyopt.library.intrinsics.table_clear", |e, arguments| {
        let table = arguments.one()?;
        e.effect(|b| typed::TableClear::create(b, table.ir()));
        Ok(e.none())
    }),
];

fn of<'c>(arguments: &Arguments<'c, '_>, table: Val<'c, '_>) -> Typing<Table<'c>> {
    Table::of(table.ty).ok_or_else(|| arguments.no_implementation())
}

fn get<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [number, table] = arguments.two()?;
    let number = number
        .literal_str()
        .and_then(TableNumber::from_name)
        .ok_or_else(|| arguments.no_implementation())?;
    let si64 = e.si64();
    Ok(e.op(si64, |b| typed::TableGet::create(b, number, table.ir())))
}
