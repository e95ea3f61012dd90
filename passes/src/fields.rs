//! Values of a dialect's types whose fields are known: those that Python has given a model
//! (`pyopt.extending.models.DialectModel`).
//!
//! Between functions such a value is its fields, a sequence of the Python class. Code that an extension writes has it
//! as a value of the dialect's type, which a cast makes of the sequence, or a sequence of it. These casts go
//! when the extension lowers its operations.

use crate::{
    infra::{
        Builder, OperationExt, ValueExt,
        ops::{builtin, typed},
    },
    types::layout::parts_of,
};
use melior::ir::Value;
use pyopt_dialects::typed::TypedType;

/// The fields of a value of a dialect's type, where the builder stands; `None` for one that isn't made of fields.
pub fn fields_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    let cast = builtin::UnrealizedConversionCast::defining(value)?;
    let [sequence] = cast.operand_values()[..] else {
        return None;
    };
    if let Some(made) = typed::AsSequence::defining(sequence)
        && let Some(tuple) = typed::Tuple::defining(made.operand_value(0))
    {
        return Some(tuple.elements());
    }
    let TypedType::Sequence(items, _) = TypedType::from(sequence.ty()) else {
        return None;
    };
    let tuple = typed::AsTuple::create(builder, sequence).result();
    let fields = parts_of(items)?.into_iter().enumerate();
    let field = |(at, field)| typed::TupleGet::create(builder, tuple, at as i64, field).result();
    Some(fields.map(field).collect())
}

/// Replaces a value of a dialect's type by its fields, where the builder stands: in all casts to a sequence. What
/// else uses it must be lowered before; whether nothing else does.
pub fn replace_by_fields<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    fields: &[Value<'c, 'a>],
) -> bool {
    for user in value.distinct_users() {
        if !user.isa::<builtin::UnrealizedConversionCast<'c, 'a>>() {
            continue;
        }
        let sequence = user.result_value(0);
        if let TypedType::Sequence(items, _) = TypedType::from(sequence.ty()) {
            let tuple = typed::Tuple::create(builder, fields, items).result();
            let made = typed::AsSequence::create(builder, tuple, sequence.ty()).result();
            builder.replace_op(user, &[made]);
        }
    }
    !value.has_uses()
}
