//! Records: elements of structured dtypes, and their fields.
//!
//! A record is the view of rank 0 of an array of them, so it refers to the array's memory, as NumPy's
//! do; a field is a view of the same rank, with the dimensions of the field behind, or the number
//! itself where that leaves none. A text or bytes of one record is copied out of and into its units, which
//! are a view of one dimension.

use super::assignment;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{elements, objects, texts},
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{AttributeExt, ops::typed},
    types::{
        display::display,
        records::{Field, fields},
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::PyCompareKind,
    records::Record,
    typed::{ArrayType, TypedType, array_type},
};

/// The type of records that a value is of, or its elements are.
pub(crate) fn of<'c>(value: Val<'c, '_>) -> Option<Record<'c>> {
    Record::of(array_type(value.ty)?.element)
}

/// Whether records have a field of this name.
pub(crate) fn has_field(value: Val, name: &str) -> bool {
    of(value).is_some_and(|record| {
        fields(record)
            .iter()
            .any(|(field, _)| field.is_called(name))
    })
}

/// A field by its name.
fn find<'c>(records: Val<'c, '_>, name: &str) -> Typing<(Field<'c>, Vec<i64>)> {
    let fields = fields(of(records).ok_or(Stop::Unknown)?);
    let names: Vec<_> = fields.iter().map(|(field, _)| field.name).collect();
    let names = names.join(", ");
    let mut fields = fields.into_iter();
    fields
        .find(|(field, _)| field.is_called(name))
        .ok_or_else(|| {
            Stop::issue(format!("{} has no field '{name}'", display(records.ty)))
                .hint(format!("its fields are {names}"))
        })
}

/// A field as a view; that of a text or bytes is one of its units.
fn view<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, records: Val<'c, 'a>, name: &str) -> Typing<Val<'c, 'a>> {
    let source = array_type(records.ty).ok_or(Stop::Unknown)?;
    let (field, sizes) = find(records, name)?;
    if TypedType::from(field.element) == TypedType::None {
        return Err(Stop::issue(format!(
            "the field '{name}' holds what compiled code doesn't: arrays of texts, objects or another byte order"
        ))
        .hint("pass it as another argument"));
    }
    let element = match field.units() {
        Some(units) => units.to_type(e.context()),
        None => field.element,
    };
    let result = ArrayType {
        rank: source.rank + sizes.len(),
        element,
        ..source
    };
    let ty = result.to_type(e.context());
    Ok(e.op(ty, |b| {
        let view = typed::Reinterpret::create(b, records.ir(), ty);
        view.set_offset(field.offset);
        if !sizes.is_empty() {
            view.set_sizes(Some(&sizes));
        }
        view
    }))
}

/// The units of a text or bytes in one record, and the type of what they are; nothing for other fields.
fn text_units<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    records: Val<'c, 'a>,
    name: &str,
) -> Typing<Option<(Val<'c, 'a>, Type<'c>)>> {
    let (field, _) = find(records, name)?;
    if field.units().is_none() {
        return Ok(None);
    }
    if array_type(records.ty).is_some_and(|array| array.rank > 0) {
        return Err(Stop::issue(format!(
            "the field '{name}' of an array of records would be an array of texts"
        ))
        .hint("use the field of one record"));
    }
    let units = view(e, records, name)?;
    Ok(Some((units, field.element)))
}

/// `records.name` and `records["name"]`.
pub(crate) fn field<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    records: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    if let Some((units, text)) = text_units(e, records, name)? {
        return Ok(objects::call_native(
            e,
            "pyopt_text_of_field",
            &[units],
            text,
        ));
    }
    let view = view(e, records, name)?;
    Ok(match array_type(view.ty) {
        Some(array) if array.rank == 0 && of(view).is_none() => elements::load(e, view, &[]),
        _ => view,
    })
}

/// `records.name = value` and `records["name"] = value`.
pub(crate) fn set_field<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    records: Val<'c, 'a>,
    name: &str,
    value: Val<'c, 'a>,
) -> Typing<()> {
    elements::require_writable(records)?;
    if let Some((units, text)) = text_units(e, records, name)? {
        // NumPy takes one for the other, if it is ASCII.
        let value = match (TypedType::from(value.ty), TypedType::from(text)) {
            (given, wanted) if given == wanted => value,
            (TypedType::Str, TypedType::Bytes) => recoded(e, value, "encode")?,
            (TypedType::Bytes, TypedType::Str) => recoded(e, value, "decode")?,
            _ => {
                let (given, wanted) = (display(value.ty), display(text));
                return stop(format!("the field '{name}' takes {wanted}, not {given}"));
            }
        };
        let si64 = e.si64();
        objects::call_native(e, "pyopt_text_to_field", &[value, units], si64);
        return Ok(());
    }
    let target = view(e, records, name)?;
    assign(e, target, value)
}

/// The ASCII bytes of a text, or the text of bytes.
fn recoded<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    method: &str,
) -> Typing<Val<'c, 'a>> {
    let codec = e.string("ascii");
    texts::call_method(e, value, method, &Arguments::new(&[codec], None))
}

/// The name that an index of records is: a constant text, or the number of a field.
pub(crate) fn name_of<'c>(records: Val<'c, '_>, index: Val<'c, '_>) -> Option<&'c str> {
    if let Some(name) = index.literal_str() {
        return Some(name);
    }
    let is_one = array_type(records.ty).is_some_and(|array| array.rank == 0);
    let number = index.literal.filter(|_| is_one)?.integer_value()?;
    let fields = fields(of(records)?);
    let count = fields.len() as i64;
    let number = if number < 0 { number + count } else { number };
    let (field, _) = fields.get(usize::try_from(number).ok()?)?;
    Some(field.name)
}

/// Assigns to all elements: records of the same type or a tuple field by field, anything else as to
/// other arrays.
pub(crate) fn assign<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    target: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let Some(record) = of(target) else {
        return assignment::assign(e, target, value);
    };
    let fields = fields(record);
    let items = e.unpack(value);
    let fits = match &items {
        Some(items) => items.len() == fields.len(),
        None => of(value) == Some(record),
    };
    if !fits {
        return stop(format!(
            "can't assign {} to {}",
            display(value.ty),
            display(target.ty)
        ));
    }
    for (position, (field, _)) in fields.iter().enumerate() {
        match &items {
            Some(items) => set_field(e, target, field.name, items[position])?,
            None => {
                let [target, part] = [view(e, target, field.name)?, view(e, value, field.name)?];
                assign(e, target, part)?;
            }
        }
    }
    Ok(())
}

/// Whether two records of a type are equal, field by field; nothing where the operands aren't such. Fields
/// that compiled code doesn't have can't be compared.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let is_one = |value: Val| array_type(value.ty).is_some_and(|array| array.rank == 0);
    let record = of(lhs).filter(|record| of(rhs) == Some(*record))?;
    let is_equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    if !is_equality || !is_one(lhs) || !is_one(rhs) {
        return None;
    }
    Some(equal(e, record, lhs, rhs).map(|equal| e.equality(kind, equal)))
}

fn equal<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    record: Record<'c>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut equal = e.bool(true);
    for (part, _) in fields(record) {
        let [a, b] = [field(e, lhs, part.name)?, field(e, rhs, part.name)?];
        let mut same = rules::compare(e, PyCompareKind::Eq, a, b)?;
        if array_type(same.ty).is_some() {
            same = rules::call_named(e, "numpy.all", &Arguments::new(&[same], None))?;
        }
        equal = e.and(equal, same);
    }
    Ok(equal)
}

/// A fresh array of the same records.
pub(crate) fn copy<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, records: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let Some(source) = array_type(records.ty) else {
        return Err(Stop::Unknown);
    };
    let sizes = elements::dimensions(e, records);
    let fresh = ArrayType {
        readonly: false,
        ..source
    };
    let fresh = elements::empty(e, &sizes, fresh, true);
    assign(e, fresh, records)?;
    Ok(fresh)
}
