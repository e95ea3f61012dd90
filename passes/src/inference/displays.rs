//! Lists as CPython builds them step by step: `[1, 2, 3]` is an empty list that a constant extends,
//! `(*a, b)` a list that becomes a tuple.
//!
//! A value of the analysis doesn't change. So a list that is extended is known where its parts are:
//! right away if all are constants, else only as the tuple that is made of it.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{lists, objects, tables},
        issue::{Stop, Typing, stop},
        program::environment::{Environment, key},
        rules, transfer,
        val::Val,
    },
    infra::{AttributeExt, OperationExt, ValueExt, ops::py},
    types::{
        display::display, join::join_types, lists::list_item, number::Number, tuples::elements,
    },
};
use melior::ir::{Attribute, OperationRef, Value};
use pyopt_dialects::{enums::ExtendKind, py::PyAttribute, typed::TypedType};
use pyopt_library as library;
use std::cmp::Ordering;

/// The list that an operation builds or extends.
struct Display<'c, 'a> {
    /// The parts in order, and whether all items of one are meant.
    parts: Vec<(Value<'c, 'a>, bool)>,
    /// Whether it does nothing but become a tuple.
    is_tuple: bool,
}

impl<'c: 'a, 'a> Display<'c, 'a> {
    /// The display of a list that is complete before anything else uses it.
    fn of(list: Value<'c, 'a>) -> Option<Self> {
        let built = py::BuildList::defining(list)?;
        let (mut extensions, others): (Vec<_>, Vec<_>) =
            list.users().into_iter().partition(|user| {
                py::Extend::of(*user).is_some_and(|extension| extension.container() == list)
            });
        let is_here = |user: &OperationRef<'c, 'a>| user.parent_block() == built.parent_block();
        if !extensions.iter().all(is_here) {
            return None;
        }
        extensions.sort_by(|a, b| match a {
            a if a == b => Ordering::Equal,
            a if a.is_before(*b) => Ordering::Less,
            _ => Ordering::Greater,
        });
        let is_early = |user: &OperationRef<'c, 'a>| {
            is_here(user)
                && extensions
                    .last()
                    .is_some_and(|last| user != last && user.is_before(*last))
        };
        if others.iter().any(is_early) {
            return None;
        }
        let mut parts: Vec<_> = built
            .elements()
            .into_iter()
            .map(|item| (item, false))
            .collect();
        for extension in extensions.into_iter().filter_map(py::Extend::of) {
            parts.push((extension.item(), extension.kind() == ExtendKind::ListExtend));
        }
        Some(Self {
            parts,
            is_tuple: others.iter().all(|user| user.isa::<py::ListToTuple>()),
        })
    }

    /// Whether all that it is extended by is constant.
    fn is_constant(&self, built: py::BuildList<'c, 'a>) -> bool {
        self.parts
            .iter()
            .skip(built.elements().len())
            .all(|(part, _)| py::Constant::defining(*part).is_some())
    }

    /// A list of the items, if it isn't known how many there are.
    fn joined(
        &self,
        e: &mut Emit<'_, 'c, 'a>,
        environment: &Environment<'c, 'a>,
    ) -> Typing<Option<Val<'c, 'a>>> {
        let mut parts = Vec::new();
        let mut is_counted = true;
        for &(part, all) in &self.parts {
            let value = match py::Constant::defining(part) {
                Some(constant) => rules::constant(e, constant.value())?,
                None => environment.val(part)?,
            };
            if all {
                is_counted &= TypedType::from(value.ty) == TypedType::Str
                    && value.literal.is_some()
                    || e.unpack(value).is_some();
                parts.push(value);
            } else {
                parts.push(e.tuple(&[value]));
            }
        }
        if is_counted {
            return Ok(None);
        }
        let source = library::find("builtins.list.joined").ok_or(Stop::Unknown)?;
        let list = rules::call_library(e, source, &Arguments::new(&parts, None))?;
        check_numbers(&parts, list)?;
        Ok(Some(list))
    }

    fn items(
        &self,
        e: &mut Emit<'_, 'c, 'a>,
        environment: &Environment<'c, 'a>,
    ) -> Typing<Vec<Val<'c, 'a>>> {
        let mut items = Vec::new();
        for &(part, all) in &self.parts {
            let constant = py::Constant::defining(part).map(|constant| constant.value());
            if let Some(characters) = constant.filter(|_| all).and_then(|text| spell(e, text)) {
                items.extend(characters);
                continue;
            }
            let value = match constant {
                Some(constant) => rules::constant(e, constant)?,
                None => environment.val(part)?,
            };
            if !all {
                items.push(value);
                continue;
            }
            let Some(inner) = e.unpack(value) else {
                return Err(Stop::issue(format!(
                    "the items of {} can't be put into a list or tuple",
                    display(value.ty)
                ))
                .hint("the number of items must be known: unpack a tuple"));
            };
            items.extend(inner);
        }
        (items.iter()).try_for_each(|item| objects::check_kept(item.ty))?;
        Ok(items)
    }
}

/// Refuses ints among floats, which would be floats in the list.
fn check_numbers<'c>(parts: &[Val<'c, '_>], list: Val<'c, '_>) -> Typing<()> {
    let number = list_item(list.ty).and_then(Number::of);
    let is_other = |ty| Number::of(ty).is_some() && Number::of(ty) != number;
    let differs = parts.iter().any(|part| match elements(part.ty) {
        Some(items) => items.into_iter().any(is_other),
        None => list_item(part.ty).is_some_and(is_other),
    });
    match differs {
        true => Err(Stop::issue(
            "the items of a tuple of unknown length have several types of numbers",
        )
        .hint("convert them to one type")),
        false => Ok(()),
    }
}

/// The items of a constant text or of constant bytes.
fn spell<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, constant: Attribute<'c>) -> Option<Vec<Val<'c, 'a>>> {
    if let PyAttribute::Bytes(bytes) = PyAttribute::from(constant) {
        return Some(bytes.iter().map(|byte| e.int(i64::from(*byte))).collect());
    }
    let text = constant.string_value()?;
    let characters = text.chars();
    Some((characters.map(|one| e.string(one.encode_utf8(&mut [0; 4])))).collect())
}

/// `py.build_list`: the list, or nothing where only a tuple is made of it.
pub(super) fn build<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    built: py::BuildList<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    match Display::of(built.result()) {
        Some(display) if display.is_constant(built) => {
            let items = display.items(e, environment)?;
            let wanted = environment.wanted.get(&key(built.result())).copied();
            let list = e.list(&items);
            // A list that changes has its items from the begin: they may have other names.
            let item = wanted
                .and_then(|wanted| join_types(e.context(), wanted, list.ty))
                .and_then(list_item);
            Ok(Some(match item {
                Some(item) => lists::make(e, item, &items)?,
                None => list,
            }))
        }
        Some(display) if display.is_tuple => Ok(None),
        _ => {
            let wanted = environment.wanted.get(&key(built.result())).copied();
            let items = built
                .elements()
                .into_iter()
                .map(|item| environment.val(item))
                .collect::<Typing<Vec<_>>>()?;
            (items.iter()).try_for_each(|item| objects::check_kept(item.ty))?;
            Ok(Some(lists::begin(e, wanted, &items)?))
        }
    }
}

/// `py.extend` of a list that is used before it is complete, or that is extended by what has no
/// known number of items.
pub(super) fn grow<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    extension: py::Extend<'c, 'a>,
) -> Typing<()> {
    let container = environment.val(extension.container())?;
    let item = environment.val(extension.item())?;
    match extension.kind() {
        ExtendKind::ListAppend => lists::append(e, container, item).map(drop),
        ExtendKind::ListExtend => {
            let arguments = Arguments::new(&[item], None);
            lists::call_method(e, container, "extend", &arguments).map(drop)
        }
        ExtendKind::SetAdd => {
            let arguments = Arguments::new(&[item], None);
            tables::call_method(e, container, "add", &arguments).map(drop)
        }
        ExtendKind::SetUpdate => {
            let items = match e.unpack(item) {
                // Each may have a type of its own.
                Some(items) => items,
                None => {
                    let arguments = Arguments::new(&[item], None);
                    return tables::call_method(e, container, "update", &arguments).map(drop);
                }
            };
            for item in items {
                let container = environment.val(extension.container())?;
                let arguments = Arguments::new(&[item], None);
                tables::call_method(e, container, "add", &arguments)?;
            }
            Ok(())
        }
        ExtendKind::DictUpdate => {
            let arguments = Arguments::new(&[item], None);
            tables::call_method(e, container, "update", &arguments).map(drop)
        }
        _ => Err(transfer::unsupported(*extension)),
    }
}

/// Whether `py.extend` belongs to a display whose items are known where it is made.
pub(super) fn extends<'c, 'a>(
    environment: &Environment<'c, 'a>,
    extension: py::Extend<'c, 'a>,
) -> bool {
    let list = extension.container();
    environment.is_known_display(list, || {
        let built = py::BuildList::defining(list);
        Display::of(list)
            .zip(built)
            .is_some_and(|(display, built)| display.is_constant(built) || display.is_tuple)
    })
}

/// `py.list_to_tuple`.
pub(super) fn tuple<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    made: py::ListToTuple<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let Some(display) = Display::of(made.list()) else {
        return stop("a list that grows can't become a tuple");
    };
    if let Some(list) = display.joined(e, environment)? {
        // What calls take is gone through at once.
        let is_passed = made
            .result()
            .users()
            .iter()
            .all(|user| user.isa::<py::CallEx>());
        if is_passed {
            return Ok(list);
        }
        let tuple = e.singleton(TypedType::Named("builtins.tuple"));
        return rules::call(e, tuple, Arguments::new(&[list], None));
    }
    let items = display.items(e, environment)?;
    Ok(e.tuple(&items))
}
