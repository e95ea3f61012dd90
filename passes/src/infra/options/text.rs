//! Options as they are written in pipelines: `a=1 b={two words}`.

use super::{OptionDefault, OptionSpec, Options, Value};
use std::fmt::{self, Display, Formatter, Write};

/// The value as it is written in a pipeline.
impl Display for Value {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(formatter),
            Self::Int(value) => value.fmt(formatter),
            Self::Text(value) if value.contains(' ') => write!(formatter, "{{{value}}}"),
            Self::Text(value) => formatter.write_str(value),
            Self::Ints(values) => {
                let values: Vec<_> = values.iter().map(i64::to_string).collect();
                formatter.write_str(&values.join(","))
            }
            Self::Texts(values) => formatter.write_str(&values.join(",")),
        }
    }
}

/// The default as it is written in a pipeline.
impl Display for OptionDefault {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        Value::from_default(*self).fmt(formatter)
    }
}

impl Options {
    /// Writes the options that differ from their defaults as `{a=1 b=x}`, or nothing, so that a
    /// pipeline can hand them to a pass or be printed.
    pub fn to_pipeline_text(&self) -> String {
        let mut text = String::new();

        for (spec, value) in self.specs.iter().zip(&self.values) {
            if *value == Value::from_default(spec.default) {
                continue;
            }
            let separator = if text.is_empty() { '{' } else { ' ' };
            let _ = write!(text, "{separator}{}={value}", spec.name);
        }

        if !text.is_empty() {
            text.push('}');
        }
        text
    }

    /// Reads options as they are written in a pipeline: `a=1 b={two words} c`, where `c` is a truth
    /// value.
    pub fn parse(specs: &'static [OptionSpec], text: &str) -> Result<Self, String> {
        let mut options = Self::new(specs);
        for setting in split_settings(text) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            options.set_from_text(name, value)?;
        }
        Ok(options)
    }

    /// Sets an option to what stands in a pipeline.
    pub fn set_from_text(&mut self, name: &str, text: &str) -> Result<(), String> {
        let Some(index) = self.specs.iter().position(|spec| spec.name == name) else {
            let names: Vec<_> = self.specs.iter().map(|spec| spec.name).collect();
            return Err(format!(
                "there is no option '{name}'; there are {}",
                names.join(", ")
            ));
        };
        let unbraced = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let text = unbraced.unwrap_or(text);
        let items = || text.split(',').filter(|item| !item.is_empty());
        let integer = |text: &str| {
            let wrong = |_| format!("option '{name}' takes integers, not '{text}'");
            text.parse().map_err(wrong)
        };
        self.values[index] = match self.specs[index].default {
            OptionDefault::Bool(_) => match text {
                "" | "true" | "1" => Value::Bool(true),
                "false" | "0" => Value::Bool(false),
                _ => return Err(format!("option '{name}' is true or false, not '{text}'")),
            },
            OptionDefault::Int(_) => Value::Int(integer(text)?),
            OptionDefault::Text(_) => Value::Text(text.into()),
            OptionDefault::Ints(_) => Value::Ints(items().map(integer).collect::<Result<_, _>>()?),
            OptionDefault::Texts(_) => Value::Texts(items().map(str::to_owned).collect()),
        };
        Ok(())
    }

    /// Takes the values of the options that have the same name.
    pub(in crate::infra) fn take_from(&mut self, other: &Self) {
        for (spec, value) in other.specs.iter().zip(&other.values) {
            if self.specs.iter().any(|own| own.name == spec.name)
                && let Err(message) = self.set_from_text(spec.name, &value.to_string())
            {
                panic!("{message}");
            }
        }
    }

    /// Returns a value as it is written in a pipeline.
    pub fn value_text(&self, name: &str) -> String {
        self.value(name).to_string()
    }
}

/// Splits `a=1 b={two words}` at the blanks outside braces.
fn split_settings(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let parts = text.split(move |character: char| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        depth == 0 && character.is_whitespace()
    });
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPECS: &[OptionSpec] = &[
        OptionSpec::bool("fast", "be fast", false),
        OptionSpec::text("target", "what for", "cpu"),
        OptionSpec::texts("passes", "which", &["a"]),
    ];

    #[test]
    fn pipeline_text_leaves_defaults_out() {
        let mut options = Options::new(SPECS);
        assert_eq!(options.to_pipeline_text(), "");

        options
            .set_bool("fast", true)
            .set_texts("passes", &["a", "b"]);
        assert_eq!(options.to_pipeline_text(), "{fast=true passes=a,b}");
    }

    #[test]
    fn what_is_written_is_read() {
        for text in ["", "{fast=true}", "{target={two words} passes=a,b}"] {
            let inner = text.trim_start_matches('{');
            let inner = inner.strip_suffix('}').unwrap_or(inner);
            let options = Options::parse(SPECS, inner).unwrap();
            assert_eq!(options.to_pipeline_text(), text);
        }
        assert!(Options::parse(SPECS, "fast").unwrap().bool("fast"));
        assert!(!Options::parse(SPECS, "passes=").unwrap().is_on("passes"));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let error = |text| Options::parse(SPECS, text).unwrap_err();
        assert_eq!(
            error("slow=true"),
            "there is no option 'slow'; there are fast, target, passes"
        );
        assert_eq!(
            error("fast=perhaps"),
            "option 'fast' is true or false, not 'perhaps'"
        );
    }
}
