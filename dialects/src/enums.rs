//! The enum attributes of the dialects.

pub use crate::ops::{
    py::{
        BinaryKind as PyBinaryKind, CompareKind as PyCompareKind, ExtendKind, FunctionKind,
        UnaryKind as PyUnaryKind,
    },
    typed::{BinaryKind, CompareKind, ReduceKind, UnaryKind},
};

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, ir::Attribute};

    /// Each keyword means the same case in assembly and in Rust.
    #[test]
    fn cases_are_those_of_the_td() {
        let registry = melior::dialect::DialectRegistry::new();
        crate::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        macro_rules! check {
            ($($name:ident = $prefix:literal,)*) => {$(
                for case in $name::ALL.iter().copied() {
                    let text = format!("#{} {}>", $prefix, case.name());
                    let parsed = Attribute::parse(&context, &text).expect("a keyword of the enum");
                    assert_eq!(parsed, case.to_attribute(&context), "{text}");
                    assert_eq!($name::from_attribute(parsed), Some(case), "{text}");
                    assert_eq!($name::from_name(case.name()), Some(case));
                }
            )*};
        }
        check! {
            PyUnaryKind = "py<unary_kind",
            PyBinaryKind = "py<binary_kind",
            PyCompareKind = "py<compare_kind",
            ExtendKind = "py<extend_kind",
            FunctionKind = "py<function_kind",
            UnaryKind = "typed<unary_kind",
            BinaryKind = "typed<binary_kind",
            CompareKind = "typed<compare_kind",
            ReduceKind = "typed<reduce_kind",
        }
    }
}
