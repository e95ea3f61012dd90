//! Enum attributes.

use crate::model::{Case, Enum, Storage, snake};
use std::fmt::{self, Write};

/// Writes an enum and how it is an attribute.
pub fn write(text: &mut String, dialect: &str, one: &Enum) -> fmt::Result {
    match one.is_set {
        true => write_set(text, one)?,
        false => write_cases(text, one)?,
    }
    let name = &one.name;
    write!(
        text,
        r#"
impl {name} {{
    /// The MLIR attribute.
    pub fn to_attribute<'c>(self, context: &'c v::Context) -> v::Attribute<'c> {{
        v::ToAttribute::to_attribute(self, context)
    }}
    /// What an MLIR attribute stands for, `None` for an attribute of another kind.
    pub fn from_attribute(attribute: v::Attribute) -> Option<Self> {{
        v::FromAttribute::from_attribute(attribute)
    }}
}}
"#
    )?;
    write_attribute(text, dialect, one)
}

/// Writes an enum.
fn write_cases(text: &mut String, one: &Enum) -> fmt::Result {
    let Enum { name, cases, .. } = one;
    let list = |write: &dyn Fn(&Case) -> String| -> String { cases.iter().map(write).collect() };
    let declared = list(&|case| format!("{} = {},\n", case.name, case.value));
    let all = list(&|case| format!("Self::{}, ", case.name));
    let names = list(&|case| format!("Self::{} => {:?},\n", case.name, case.keyword));
    let from_names = list(&|case| format!("{:?} => Self::{},\n", case.keyword, case.name));
    let from_values = list(&|case| format!("{} => Self::{},\n", case.value, case.name));
    let summary = summary(one);
    write!(
        text,
        r#"
#[doc = {summary:?}]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum {name} {{
{declared}}}
impl {name} {{
    /// Every case.
    pub const ALL: &'static [Self] = &[{all}];
    /// The keyword in assembly.
    pub const fn name(self) -> &'static str {{
        match self {{ {names} }}
    }}
    /// The case of a keyword.
    pub fn from_name(name: &str) -> Option<Self> {{
        Some(match name {{ {from_names} _ => return None }})
    }}
    /// The case of a number.
    pub(crate) fn from_value(value: i64) -> Option<Self> {{
        Some(match value {{ {from_values} _ => return None }})
    }}
    fn value(self) -> i64 {{ self as i64 }}
}}
"#
    )
}

/// Writes a set of flags.
fn write_set(text: &mut String, one: &Enum) -> fmt::Result {
    let Enum { name, cases, .. } = one;
    let summary = summary(one);
    let mut constants = String::new();
    let mut all = String::new();
    for Case {
        name: case,
        keyword,
        value,
    } in cases
    {
        let constant = snake(case).to_uppercase();
        writeln!(
            constants,
            "/// `{keyword}`.\npub const {constant}: Self = Self({value});"
        )?;
        write!(all, "({keyword:?}, Self::{constant}), ")?;
    }
    write!(
        text,
        r#"
#[doc = {summary:?}]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct {name}(u32);
impl {name} {{
    {constants}
    /// Every flag, and the names of several together, by their keywords in assembly.
    pub const ALL: &'static [(&'static str, Self)] = &[{all}];
    /// The flags of a keyword.
    pub fn from_name(name: &str) -> Option<Self> {{
        let found = Self::ALL.iter().find(|(keyword, _)| *keyword == name);
        found.map(|(_, flags)| *flags)
    }}
    /// Whether all of some flags are set.
    pub const fn contains(self, other: Self) -> bool {{ self.0 & other.0 == other.0 }}
    fn from_value(value: i64) -> Option<Self> {{ u32::try_from(value).ok().map(Self) }}
    fn value(self) -> i64 {{ self.0.into() }}
}}
/// The flags of any of the two.
impl ::std::ops::BitOr for {name} {{
    type Output = Self;
    fn bitor(self, other: Self) -> Self {{ Self(self.0 | other.0) }}
}}
/// The flags of both.
impl ::std::ops::BitAnd for {name} {{
    type Output = Self;
    fn bitand(self, other: Self) -> Self {{ Self(self.0 & other.0) }}
}}
"#
    )
}

fn summary(one: &Enum) -> String {
    one.summary.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes how an enum is an attribute.
fn write_attribute(text: &mut String, dialect: &str, one: &Enum) -> fmt::Result {
    let name = &one.name;
    match &one.storage {
        Storage::Integer(width) => write!(
            text,
            r#"
impl<'c> v::ToAttribute<'c> for {name} {{
    fn to_attribute(self, context: &'c v::Context) -> v::Attribute<'c> {{
        v::Integer(self.value(), {width}).to_attribute(context)
    }}
}}
impl<'c> v::FromAttribute<'c> for {name} {{
    fn from_attribute(attribute: v::Attribute<'c>) -> Option<Self> {{
        Self::from_value(i64::from_attribute(attribute)?)
    }}
}}
"#
        ),
        Storage::Own(_) => write!(
            text,
            r#"
const _: () = {{
    unsafe extern "C" {{
        #[link_name = "pyoptEnumGet_{dialect}_{name}"]
        fn get(context: v::MlirContext, value: i64) -> v::MlirAttribute;
        #[link_name = "pyoptEnumValue_{dialect}_{name}"]
        fn value(attribute: v::MlirAttribute) -> i64;
    }}
    impl<'c> v::ToAttribute<'c> for {name} {{
        fn to_attribute(self, context: &'c v::Context) -> v::Attribute<'c> {{
            // SAFETY: the value is that of a case of the enum, or of some.
            unsafe {{ v::Attribute::from_raw(get(context.to_raw(), self.value())) }}
        }}
    }}
    impl<'c> v::FromAttribute<'c> for {name} {{
        fn from_attribute(attribute: v::Attribute<'c>) -> Option<Self> {{
            // SAFETY: any attribute may be asked.
            Self::from_value(unsafe {{ value(v::AttributeLike::to_raw(&attribute)) }})
        }}
    }}
}};
"#
        ),
    }
}
