//! The arguments of a call of a known function.

use crate::{
    inference::{
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::AttributeExt,
    types::{display::display_list, names::last_part},
};
use melior::ir::Attribute;

/// The arguments of a call.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'c, 'a> {
    /// The function's name, for messages.
    pub function: &'c str,
    /// Those passed by position.
    pub positional: Vec<Val<'c, 'a>>,
    /// Those passed by keyword.
    pub keywords: Vec<(&'c str, Val<'c, 'a>)>,
    /// Whether a Python function is compiled for the values that are known of them.
    pub of_literals: bool,
    /// The function object that the first ones, the values of its free variables, are of.
    pub closure: Option<Val<'c, 'a>>,
}

impl<'c, 'a> Arguments<'c, 'a> {
    /// Arguments of which the last ones have these names.
    pub fn new(values: &[Val<'c, 'a>], keywords: Option<Vec<Attribute<'c>>>) -> Self {
        let names: Vec<_> = keywords
            .unwrap_or_default()
            .into_iter()
            .filter_map(AttributeExt::string_value)
            .collect();
        let (positional, named) = values.split_at(values.len() - names.len());
        Self {
            function: "",
            positional: positional.to_vec(),
            keywords: names.into_iter().zip(named.iter().copied()).collect(),
            of_literals: false,
            closure: None,
        }
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &Val<'c, 'a>> {
        let keywords = self.keywords.iter().map(|(_, value)| value);
        self.positional.iter().chain(keywords)
    }

    /// All values, to be exchanged.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Val<'c, 'a>> {
        let keywords = self.keywords.iter_mut().map(|(_, value)| value);
        self.positional.iter_mut().chain(keywords)
    }

    /// Sorts the arguments by the function's parameters, of which the first ones are required.
    pub fn bind<const N: usize>(
        &self,
        parameters: [&str; N],
        required: usize,
    ) -> Typing<[Option<Val<'c, 'a>>; N]> {
        let name = last_part(self.function);
        if self.positional.len() > N {
            return stop(format!(
                "{name}() takes at most {N} arguments ({} given)",
                self.positional.len()
            ));
        }
        let mut bound = [None; N];
        for (slot, value) in bound.iter_mut().zip(&self.positional) {
            *slot = Some(*value);
        }
        for &(keyword, value) in &self.keywords {
            let Some(position) = parameters
                .iter()
                .position(|parameter| *parameter == keyword)
            else {
                return stop(format!(
                    "{name}() got an unexpected or unsupported keyword argument '{keyword}'"
                ));
            };
            if bound[position].replace(value).is_some() {
                return stop(format!(
                    "{name}() got multiple values for argument '{keyword}'"
                ));
            }
        }
        if let Some(position) = bound[..required].iter().position(Option::is_none) {
            return stop(format!(
                "{name}() missing required argument: '{}'",
                parameters[position]
            ));
        }
        Ok(bound)
    }

    /// The one argument of a function that takes no keywords.
    pub fn one(&self) -> Typing<Val<'c, 'a>> {
        match (self.positional.as_slice(), self.keywords.as_slice()) {
            (&[value], []) => Ok(value),
            _ => Err(self.wrong_count("one argument")),
        }
    }

    /// The two arguments of a function that takes no keywords.
    pub fn two(&self) -> Typing<[Val<'c, 'a>; 2]> {
        match (self.positional.as_slice(), self.keywords.as_slice()) {
            (&[a, b], []) => Ok([a, b]),
            _ => Err(self.wrong_count("two arguments")),
        }
    }

    /// The call has not as many arguments as the function takes.
    pub fn wrong_count(&self, expected: &str) -> Stop {
        let given = self.positional.len() + self.keywords.len();
        Stop::issue(format!(
            "{}() takes {expected} ({given} given)",
            last_part(self.function)
        ))
    }

    /// The function isn't defined for these types.
    pub fn no_implementation(&self) -> Stop {
        let types = self.values().map(|value| value.ty);
        Stop::issue(format!(
            "no implementation of {} for ({})",
            self.function
                .strip_prefix("builtins.")
                .unwrap_or(self.function),
            display_list(types)
        ))
    }
}
