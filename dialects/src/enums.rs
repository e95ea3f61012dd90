//! The enum attributes of the dialects.

pub use crate::ops::{
    arith::{FastMathFlags, IntegerOverflowFlags},
    llvm::FastmathFlags,
    parfor::{CombineKind, LibraryRole, PatternKind, Schedule},
    py::{
        BinaryKind as PyBinaryKind, CompareKind as PyCompareKind, ExtendKind, FunctionKind,
        UnaryKind as PyUnaryKind,
    },
    typed::{BinaryKind, CompareKind, ReduceKind, TableNumber, UnaryKind},
};

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, ir::Attribute};

    /// A context with all dialects.
    fn context() -> Context {
        let registry = melior::dialect::DialectRegistry::new();
        crate::register(&registry);
        melior::utility::register_all_dialects(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        context
    }

    /// A set of flags means the same in assembly and in Rust.
    #[test]
    fn flags_are_those_of_the_td() {
        let context = context();
        macro_rules! check {
            ($($name:ident = $prefix:literal,)*) => {$(
                for (keyword, flags) in $name::ALL.iter().copied() {
                    let text = format!("#{}<{keyword}>", $prefix);
                    let parsed = Attribute::parse(&context, &text).expect("a keyword of the flags");
                    assert_eq!(parsed, flags.to_attribute(&context), "{text}");
                    assert_eq!($name::from_attribute(parsed), Some(flags), "{text}");
                    assert_eq!($name::from_name(keyword), Some(flags));
                }
            )*};
        }
        check! {
            FastMathFlags = "arith.fastmath",
            IntegerOverflowFlags = "arith.overflow",
            FastmathFlags = "llvm.fastmath",
        }
        let both = IntegerOverflowFlags::NSW | IntegerOverflowFlags::NUW;
        let parsed = Attribute::parse(&context, "#arith.overflow<nsw, nuw>");
        assert_eq!(parsed, Some(both.to_attribute(&context)));
        assert!(both.contains(IntegerOverflowFlags::NUW));
        assert!(!IntegerOverflowFlags::NSW.contains(both));
        let other = FastMathFlags::FAST.to_attribute(&context);
        assert_eq!(FastmathFlags::from_attribute(other), None);
    }

    /// Each keyword means the same case in assembly and in Rust.
    #[test]
    fn cases_are_those_of_the_td() {
        let context = context();
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
            TableNumber = "typed<table_number",
            CombineKind = "parfor<combine_kind",
            LibraryRole = "parfor<library_role",
            PatternKind = "parfor<pattern_kind",
            Schedule = "parfor<schedule",
        }
    }
}
