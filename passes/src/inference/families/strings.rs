//! Strings: length, items, membership of characters.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::display::display,
};

/// `len` of a string or range.
pub(crate) fn length<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Val<'c, 'a> {
    if let Some(text) = operand.literal_str() {
        return e.int(text.chars().count() as i64);
    }
    let si64 = e.si64();
    e.op(si64, |b| typed::Len::create(b, operand.ir(), si64))
}

/// `operand[index]` of a string or range: raises IndexError outside.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    index: Val<'c, 'a>,
    item: melior::ir::Type<'c>,
    message: &str,
) -> Typing<Val<'c, 'a>> {
    if !e.is_int(index.ty) {
        return Err(Stop::issue(format!(
            "{} can't be indexed by {}",
            display(operand.ty),
            display(index.ty)
        ))
        .hint("use an integer"));
    }
    let length = length(e, operand);
    let position = e.wrap_index(index, length, message)?;
    Ok(item_inside(e, operand, position, item))
}

/// `operand[index]` for an index that is not negative and below the length.
pub(crate) fn item_inside<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    index: Val<'c, 'a>,
    item: melior::ir::Type<'c>,
) -> Val<'c, 'a> {
    e.op(item, |b| {
        typed::Item::create(b, operand.ir(), index.ir(), item)
    })
}
