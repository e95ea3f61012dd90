//! Enum attributes.

use crate::model::{Enum, Storage};
use std::fmt::{self, Write};

/// Writes an enum and how it is an attribute.
pub fn write(text: &mut String, dialect: &str, one: &Enum) -> fmt::Result {
    let Enum { name, cases, .. } = one;
    let list = |write: &dyn Fn(&crate::model::Case) -> String| -> String {
        cases.iter().map(write).collect()
    };
    let declared = list(&|case| format!("{} = {},\n", case.name, case.value));
    let all = list(&|case| format!("Self::{}, ", case.name));
    let names = list(&|case| format!("Self::{} => {:?},\n", case.name, case.keyword));
    let from_names = list(&|case| format!("{:?} => Self::{},\n", case.keyword, case.name));
    let from_values = list(&|case| format!("{} => Self::{},\n", case.value, case.name));
    let summary = one.summary.split_whitespace().collect::<Vec<_>>().join(" ");
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
    fn from_value(value: i64) -> Option<Self> {{
        Some(match value {{ {from_values} _ => return None }})
    }}
    /// The MLIR attribute.
    pub fn to_attribute<'c>(self, context: &'c v::Context) -> v::Attribute<'c> {{
        v::ToAttribute::to_attribute(self, context)
    }}
    /// The case of an MLIR attribute, `None` for an attribute of another kind.
    pub fn from_attribute(attribute: v::Attribute) -> Option<Self> {{
        v::FromAttribute::from_attribute(attribute)
    }}
}}
"#
    )?;
    match &one.storage {
        Storage::Integer(width) => write!(
            text,
            r#"
impl<'c> v::ToAttribute<'c> for {name} {{
    fn to_attribute(self, context: &'c v::Context) -> v::Attribute<'c> {{
        v::Integer(self as i64, {width}).to_attribute(context)
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
            // SAFETY: the value is a case of the enum with this number.
            unsafe {{ v::Attribute::from_raw(get(context.to_raw(), self as i64)) }}
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
