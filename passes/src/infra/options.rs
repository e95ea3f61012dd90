//! Options of passes and pipelines: their table and their values.
//!
//! A pass or a pipeline declares its options as [`OptionSpec`]s. [`Options`] holds one run's
//! values, read from the command line, from a textual pipeline or set from Rust.

mod text;

use super::ffi::{
    self, RawOptionSpec, owned_str, pyoptOptionInteger, pyoptOptionIntegerAt,
    pyoptOptionIntegerCount, pyoptOptionText, pyoptOptionTextAt, pyoptOptionTextCount,
};
use std::{ffi::c_void, ptr};

/// An option and its default.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name as written on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub description: &'static str,
    /// The default, which also says what kind of value the option takes.
    pub default: OptionDefault,
}

/// The default of an option.
#[derive(Clone, Copy, Debug)]
pub enum OptionDefault {
    /// A truth value.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// A string.
    Text(&'static str),
    /// A comma-separated list of integers.
    Ints(&'static [i64]),
    /// A comma-separated list of strings.
    Texts(&'static [&'static str]),
}

/// The option of passes that say on request what they did to loops.
pub const REMARKS: OptionSpec =
    OptionSpec::bool("remarks", "say of each loop what was done to it", false);

impl OptionSpec {
    /// Declares a truth value.
    pub const fn bool(name: &'static str, description: &'static str, default: bool) -> Self {
        Self::new(name, description, OptionDefault::Bool(default))
    }

    /// Declares an integer.
    pub const fn int(name: &'static str, description: &'static str, default: i64) -> Self {
        Self::new(name, description, OptionDefault::Int(default))
    }

    /// Declares a string.
    pub const fn text(
        name: &'static str,
        description: &'static str,
        default: &'static str,
    ) -> Self {
        Self::new(name, description, OptionDefault::Text(default))
    }

    /// Declares a list of integers.
    pub const fn ints(
        name: &'static str,
        description: &'static str,
        default: &'static [i64],
    ) -> Self {
        Self::new(name, description, OptionDefault::Ints(default))
    }

    /// Declares a list of strings.
    pub const fn texts(
        name: &'static str,
        description: &'static str,
        default: &'static [&'static str],
    ) -> Self {
        Self::new(name, description, OptionDefault::Texts(default))
    }

    const fn new(name: &'static str, description: &'static str, default: OptionDefault) -> Self {
        Self {
            name,
            description,
            default,
        }
    }

    /// Describes the option to the glue. The result points into memory that is never freed.
    pub(super) fn to_raw(self) -> RawOptionSpec {
        let mut raw = RawOptionSpec {
            name: ffi::raw_str(self.name),
            description: ffi::raw_str(self.description),
            kind: 0,
            integer: 0,
            text: ffi::raw_str(""),
            integers: ptr::null(),
            texts: ptr::null(),
            count: 0,
        };

        match self.default {
            OptionDefault::Bool(value) => raw.integer = value.into(),
            OptionDefault::Int(value) => {
                raw.kind = 1;
                raw.integer = value;
            }
            OptionDefault::Text(value) => {
                raw.kind = 2;
                raw.text = ffi::raw_str(value);
            }
            OptionDefault::Ints(values) => {
                raw.kind = 3;
                raw.integers = values.as_ptr();
                raw.count = values.len() as isize;
            }
            OptionDefault::Texts(values) => {
                let texts = values.iter().map(|text| ffi::raw_str(text)).collect();
                raw.kind = 4;
                raw.texts = Vec::leak(texts).as_ptr();
                raw.count = values.len() as isize;
            }
        }

        raw
    }
}

/// The value of an option.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    Ints(Vec<i64>),
    Texts(Vec<String>),
}

impl Value {
    fn from_default(default: OptionDefault) -> Self {
        match default {
            OptionDefault::Bool(value) => Self::Bool(value),
            OptionDefault::Int(value) => Self::Int(value),
            OptionDefault::Text(value) => Self::Text(value.into()),
            OptionDefault::Ints(values) => Self::Ints(values.into()),
            OptionDefault::Texts(values) => {
                Self::Texts(values.iter().map(|&text| text.into()).collect())
            }
        }
    }
}

/// The values of the options of one pass or pipeline.
///
/// Asking for an option that the table doesn't declare, or as another kind, is a mistake in the
/// pass and panics; the pass then fails with a diagnostic.
#[derive(Clone, Debug)]
pub struct Options {
    specs: &'static [OptionSpec],
    values: Vec<Value>,
}

impl Options {
    /// Makes the defaults of a table.
    pub fn new(specs: &'static [OptionSpec]) -> Self {
        Self {
            specs,
            values: specs
                .iter()
                .map(|spec| Value::from_default(spec.default))
                .collect(),
        }
    }

    /// Reads the values that MLIR parsed.
    ///
    /// # Safety
    ///
    /// `raw` must be the option set that the glue made for the same table.
    pub(super) unsafe fn read(specs: &'static [OptionSpec], raw: *const c_void) -> Self {
        let read = |index: usize, default| {
            let index = index as isize;
            // SAFETY: the caller says that `raw` has this option, and of this kind.
            unsafe {
                match default {
                    OptionDefault::Bool(_) => Value::Bool(pyoptOptionInteger(raw, index) != 0),
                    OptionDefault::Int(_) => Value::Int(pyoptOptionInteger(raw, index)),
                    OptionDefault::Text(_) => Value::Text(owned_str(pyoptOptionText(raw, index))),
                    OptionDefault::Ints(_) => Value::Ints(
                        (0..pyoptOptionIntegerCount(raw, index))
                            .map(|position| pyoptOptionIntegerAt(raw, index, position))
                            .collect(),
                    ),
                    OptionDefault::Texts(_) => Value::Texts(
                        (0..pyoptOptionTextCount(raw, index))
                            .map(|position| owned_str(pyoptOptionTextAt(raw, index, position)))
                            .collect(),
                    ),
                }
            }
        };

        Self {
            specs,
            values: specs
                .iter()
                .enumerate()
                .map(|(index, spec)| read(index, spec.default))
                .collect(),
        }
    }

    /// Returns a truth value.
    pub fn bool(&self, name: &str) -> bool {
        match self.value(name) {
            Value::Bool(value) => *value,
            other => wrong_kind(name, "a truth value", other),
        }
    }

    /// Returns an integer.
    pub fn int(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Int(value) => *value,
            other => wrong_kind(name, "an integer", other),
        }
    }

    /// Returns a string.
    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Value::Text(value) => value,
            other => wrong_kind(name, "a string", other),
        }
    }

    /// Returns a list of integers.
    pub fn ints(&self, name: &str) -> &[i64] {
        match self.value(name) {
            Value::Ints(values) => values,
            other => wrong_kind(name, "a list of integers", other),
        }
    }

    /// Returns a list of strings.
    pub fn texts(&self, name: &str) -> &[String] {
        match self.value(name) {
            Value::Texts(values) => values,
            other => wrong_kind(name, "a list of strings", other),
        }
    }

    /// Sets a truth value.
    pub fn set_bool(&mut self, name: &str, value: bool) -> &mut Self {
        self.set(name, Value::Bool(value))
    }

    /// Sets an integer.
    pub fn set_int(&mut self, name: &str, value: i64) -> &mut Self {
        self.set(name, Value::Int(value))
    }

    /// Sets a string.
    pub fn set_text(&mut self, name: &str, value: &str) -> &mut Self {
        self.set(name, Value::Text(value.into()))
    }

    /// Sets a list of strings.
    pub fn set_texts(&mut self, name: &str, values: &[&str]) -> &mut Self {
        self.set(
            name,
            Value::Texts(values.iter().map(|&text| text.into()).collect()),
        )
    }

    /// Whether an option is true, not zero or not empty.
    pub fn is_on(&self, name: &str) -> bool {
        match self.value(name) {
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Text(value) => !value.is_empty(),
            Value::Ints(values) => !values.is_empty(),
            Value::Texts(values) => !values.is_empty(),
        }
    }

    fn set(&mut self, name: &str, value: Value) -> &mut Self {
        let index = self.index(name);
        let old = &self.values[index];
        assert!(
            std::mem::discriminant(old) == std::mem::discriminant(&value),
            "option '{name}' holds {old:?}, not {value:?}",
        );
        self.values[index] = value;
        self
    }

    fn value(&self, name: &str) -> &Value {
        &self.values[self.index(name)]
    }

    fn index(&self, name: &str) -> usize {
        self.specs
            .iter()
            .position(|spec| spec.name == name)
            .unwrap_or_else(|| panic!("option '{name}' is not declared"))
    }
}

fn wrong_kind(name: &str, expected: &str, value: &Value) -> ! {
    panic!("option '{name}' is not {expected} but {value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPECS: &[OptionSpec] = &[OptionSpec::bool("fast", "be fast", false)];

    #[test]
    #[should_panic(expected = "option 'speed' is not declared")]
    fn undeclared_option() {
        Options::new(SPECS).bool("speed");
    }
}
