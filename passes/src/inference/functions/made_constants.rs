//! Constants that are made when compiled code first asks for them: the runtime keeps them, by a key of two ints.

use super::table::Table;
use crate::inference::{
    arguments::Arguments, emit::Emit, families::objects, issue::Typing, rules, val::Val,
};
use pyopt_dialects::typed::TypedType;

/// The functions; their meaning is written in `python/pyopt/global_containers.py`.
pub(super) const FUNCTIONS: Table = &[
    ("pyopt.constant_is_made", |e, arguments| {
        let key: [_; 2] = arguments.two()?;
        let i1 = e.i1();
        Ok(objects::call_native(e, "pyopt_constant_is_made", &key, i1))
    }),
    ("pyopt.made_constant", made_constant),
    ("pyopt.keep_constant", |e, arguments| {
        let kept: [_; 3] = three(arguments)?;
        let none = e.type_of(TypedType::None);
        Ok(objects::call_native(e, "pyopt_keep_constant", &kept, none))
    }),
];

fn three<'c, 'a>(arguments: &Arguments<'c, 'a>) -> Typing<[Val<'c, 'a>; 3]> {
    let found = <[_; 3]>::try_from(arguments.positional.as_slice());
    found.map_err(|_| arguments.wrong_count("three arguments"))
}

/// Gives a constant, whose type is that of what its maker gives.
fn made_constant<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [high, low, maker] = three(arguments)?;
    let builder = e.builder.take();
    let made = rules::call(e, maker, Arguments::new(&[], None));
    e.builder = builder;
    let ty = made?.ty;
    Ok(objects::call_native(
        e,
        "pyopt_made_constant",
        &[high, low],
        ty,
    ))
}
