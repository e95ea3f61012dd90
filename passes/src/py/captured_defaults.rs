//! The defaults of inner functions that are passed on: constants, and values that are captured like those of
//! free variables, as `lambda x, k=k: x * k` has one in each turn of a loop.

use super::{
    function::PyFunction,
    function_object::{FunctionObject, constant},
    inlining,
};
use crate::infra::{
    AttributeExt, OperationExt,
    ops::{marks, py},
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, Value,
        attribute::{DenseI64ArrayAttribute, DictionaryAttribute, StringAttribute},
    },
};
use pyopt_dialects::py::PyAttribute;

/// The defaults of a function's parameters.
#[derive(Default)]
pub(super) struct Defaults<'c, 'a> {
    /// Those of the last positional parameters, with None for what is no constant.
    positional: Option<Vec<Attribute<'c>>>,
    keyword_only: Option<Attribute<'c>>,
    /// Those that are no constants.
    pub values: Vec<CapturedDefault<'c, 'a>>,
}

/// A default that is no constant.
pub(super) struct CapturedDefault<'c, 'a> {
    /// The position of the parameter among those that the program has written.
    parameter: usize,
    /// What the value is called: no name of the program's.
    pub name: &'c str,
    pub value: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Defaults<'c, 'a> {
    /// The defaults of a function object; `None` where they aren't known.
    pub fn of(
        context: &'c Context,
        maker: py::MakeFunction<'c, 'a>,
        function: &PyFunction<'c, 'a>,
    ) -> Option<Self> {
        let object = FunctionObject::of(maker)?;
        let parameters = &function.parameters[function.captures..];
        let named = function.defaults.len() - function.captures;
        let captured = |parameter: usize, value| {
            let name = format!(".{}", parameters[parameter]);
            let name: Attribute = StringAttribute::new(context, &name).into();
            let name = name.string_value().unwrap_or_default();
            CapturedDefault {
                parameter,
                name,
                value,
            }
        };
        let mut made = Self::default();
        if let Some(defaults) = object.defaults {
            let first = (named - function.keyword_only).checked_sub(defaults.len())?;
            let mut items = Vec::new();
            for (parameter, default) in (first..).zip(defaults) {
                items.push(match as_constant(default) {
                    Ok(constant) => constant,
                    Err(value) => {
                        made.values.push(captured(parameter, value));
                        PyAttribute::None.to_attribute(context)
                    }
                });
            }
            made.positional = Some(items);
        }
        if let Some(defaults) = object.keyword_defaults {
            let mut entries = Vec::new();
            for (name, value) in defaults {
                match constant(value) {
                    Some(constant) => entries.push((Identifier::new(context, name), constant)),
                    None => {
                        let parameter = parameters.iter().position(|one| *one == name)?;
                        made.values.push(captured(parameter, value));
                    }
                }
            }
            made.keyword_only = Some(DictionaryAttribute::new(context, &entries).into());
        }
        Some(made)
    }

    /// Whether a function has got these constants.
    pub fn are_of(&self, function: py::Func<'c, 'a>) -> bool {
        function.defaults() == self.positional && function.kwdefaults() == self.keyword_only
    }

    /// Gives a function its defaults. The last of its captured parameters are those that are no constants.
    pub fn enter(&self, context: &'c Context, function: py::Func<'c, 'a>) {
        if !self.values.is_empty() {
            let parameters = self.values.iter().map(|one| one.parameter as i64);
            let parameters: Vec<_> = parameters.collect();
            let parameters = DenseI64ArrayAttribute::new(context, &parameters);
            function.set_attr(marks::CAPTURED_DEFAULTS, parameters);
        }
        if let Some(defaults) = &self.positional {
            function.set_defaults(Some(defaults));
        }
        if let Some(defaults) = self.keyword_only {
            function.set_kwdefaults(Some(defaults));
        }
    }
}

/// Whether a function object has a default that is no constant.
pub(super) fn has_values<'c: 'a, 'a>(maker: py::MakeFunction<'c, 'a>) -> bool {
    let Some(object) = FunctionObject::of(maker) else {
        return false;
    };
    let mut positional = object.defaults.into_iter().flatten();
    let mut keyword_only = object.keyword_defaults.into_iter().flatten();
    positional.any(|default| as_constant(default).is_err())
        || keyword_only.any(|(_, value)| constant(value).is_none())
}

/// The constant that a default is, or else its value.
fn as_constant<'c, 'a>(default: inlining::Default<'c, 'a>) -> Result<Attribute<'c>, Value<'c, 'a>> {
    match default {
        inlining::Default::Constant(constant) => Ok(constant),
        inlining::Default::Value(value) => constant(value).ok_or(value),
    }
}
