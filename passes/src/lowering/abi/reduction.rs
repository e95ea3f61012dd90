//! Reductions of parallel launches.

use crate::lowering::{
    emit::Emit,
    operations::create_complex,
    types::{complex_part, convert, is_float, is_unsigned},
};
use melior::ir::{Type, Value, r#type::IntegerType};

/// A reduction: how its parts are combined, and its typed type.
pub(super) struct Reduction<'c> {
    pub kind: &'c str,
    pub r#type: Type<'c>,
}

/// The value that changes nothing: with it every part begins.
pub(super) fn identity<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    reduction: &Reduction<'c>,
) -> Option<Value<'c, 'a>> {
    let r#type = *convert(e.context(), reduction.r#type)?.first()?;
    if let Some(part) = complex_part(r#type) {
        let re = match reduction.kind {
            "add" => -0.0,
            "mul" => 1.0,
            _ => return None,
        };
        let im = if reduction.kind == "add" { -0.0 } else { 0.0 };
        return Some(create_complex(
            e,
            r#type,
            e.float(part, re),
            e.float(part, im),
        ));
    }
    if is_float(r#type) {
        // Not 0: that would turn a sum of negative zeros positive.
        return Some(e.float(
            r#type,
            match reduction.kind {
                "add" => -0.0,
                "mul" => 1.0,
                "min" | "npmin" => f64::INFINITY,
                "max" | "npmax" => f64::NEG_INFINITY,
                _ => return None,
            },
        ));
    }

    let width = IntegerType::try_from(r#type).map_or(64, |integer| integer.width());
    let unsigned = is_unsigned(reduction.r#type);
    let (smallest, largest) = if unsigned {
        (0, -1)
    } else {
        (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
    };
    Some(e.int(
        r#type,
        match reduction.kind {
            "add" | "or" | "xor" => 0,
            "mul" => 1,
            "and" => -1,
            "min" | "npmin" => largest,
            "max" | "npmax" => smallest,
            _ => return None,
        },
    ))
}
