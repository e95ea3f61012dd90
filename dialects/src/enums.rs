//! The enum attributes of the dialects as Rust enums.

use crate::ffi;
use melior::{
    Context,
    ir::{Attribute, AttributeLike},
};

/// Declares the Rust side of an enum attribute: cases in the order of the
/// `.td`, each with its keyword. A test compares both sides.
macro_rules! enum_attribute {
    ($(#[$doc:meta])* $name:ident = $which:literal, $prefix:literal { $($case:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        #[allow(missing_docs)]
        pub enum $name { $($case,)* }

        impl $name {
            /// Every case.
            pub const ALL: &[Self] = &[$(Self::$case,)*];

            /// The keyword in assembly.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$case => $text,)* }
            }

            /// The case of a keyword.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$case),)* _ => None }
            }

            /// The MLIR attribute.
            pub fn to_attribute<'c>(self, context: &'c Context) -> Attribute<'c> {
                // SAFETY: the value is a case of the enum with this number.
                unsafe {
                    Attribute::from_raw(ffi::pyoptEnumGet(context.to_raw(), $which, self as u32))
                }
            }

            /// The case of an MLIR attribute, `None` for an attribute of another kind.
            pub fn from_attribute(attribute: Attribute) -> Option<Self> {
                // SAFETY: any attribute may be asked.
                let value = unsafe { ffi::pyoptEnumValue(attribute.to_raw(), $which) };
                Self::ALL.get(usize::try_from(value).ok()?).copied()
            }

            #[cfg(test)]
            const ASSEMBLY_PREFIX: &'static str = $prefix;
        }
    };
}

enum_attribute! {
    /// A unary operator of Python.
    PyUnaryKind = 0, "#py<unary_kind " {
        Neg = "neg",
        Pos = "pos",
        Invert = "invert",
        Not = "not",
    }
}

enum_attribute! {
    /// A binary operator of Python.
    PyBinaryKind = 1, "#py<binary_kind " {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        TrueDiv = "truediv",
        FloorDiv = "floordiv",
        Mod = "mod",
        Pow = "pow",
        MatMul = "matmul",
        And = "and",
        Or = "or",
        Xor = "xor",
        LShift = "lshift",
        RShift = "rshift",
    }
}

enum_attribute! {
    /// A rich comparison of Python.
    PyCompareKind = 2, "#py<compare_kind " {
        Lt = "lt",
        Le = "le",
        Eq = "eq",
        Ne = "ne",
        Gt = "gt",
        Ge = "ge",
    }
}

enum_attribute! {
    /// How a container that is being built grows.
    ExtendKind = 3, "#py<extend_kind " {
        ListAppend = "list_append",
        ListExtend = "list_extend",
        SetAdd = "set_add",
        SetUpdate = "set_update",
        DictUpdate = "dict_update",
        DictMerge = "dict_merge",
    }
}

enum_attribute! {
    /// A unary operator or elementary function on numbers.
    UnaryKind = 4, "#typed<unary_kind " {
        Neg = "neg",
        Invert = "invert",
        Abs = "abs",
        Sqrt = "sqrt",
        Exp = "exp",
        Log = "log",
        Sin = "sin",
        Cos = "cos",
        Tan = "tan",
        Asin = "asin",
        Acos = "acos",
        Atan = "atan",
        Sinh = "sinh",
        Cosh = "cosh",
        Tanh = "tanh",
        Asinh = "asinh",
        Acosh = "acosh",
        Atanh = "atanh",
        Log2 = "log2",
        Log10 = "log10",
        Log1p = "log1p",
        Expm1 = "expm1",
        Exp2 = "exp2",
        Cbrt = "cbrt",
        Floor = "floor",
        Ceil = "ceil",
        Trunc = "trunc",
        Rint = "rint",
        Erf = "erf",
        Erfc = "erfc",
        IsNan = "isnan",
        IsInf = "isinf",
        IsFinite = "isfinite",
        Real = "real",
        Imag = "imag",
        Conj = "conj",
        Sign = "sign",
        Gamma = "gamma",
        LogGamma = "lgamma",
    }
}

enum_attribute! {
    /// An arithmetic operator or function of two numbers.
    BinaryKind = 5, "#typed<binary_kind " {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        TrueDiv = "truediv",
        FloorDiv = "floordiv",
        Mod = "mod",
        Pow = "pow",
        And = "and",
        Or = "or",
        Xor = "xor",
        LShift = "lshift",
        RShift = "rshift",
        Min = "min",
        Max = "max",
        Atan2 = "atan2",
        Hypot = "hypot",
        CopySign = "copysign",
        Fmod = "fmod",
        NextAfter = "nextafter",
    }
}

enum_attribute! {
    /// A comparison of numbers.
    CompareKind = 6, "#typed<compare_kind " {
        Lt = "lt",
        Le = "le",
        Eq = "eq",
        Ne = "ne",
        Gt = "gt",
        Ge = "ge",
    }
}

enum_attribute! {
    /// A reduction of an array.
    ReduceKind = 7, "#typed<reduce_kind " {
        Sum = "sum",
        Prod = "prod",
        Min = "min",
        Max = "max",
        Any = "any",
        All = "all",
        And = "and",
        Or = "or",
        Xor = "xor",
    }
}

enum_attribute! {
    /// What a call of a Python function makes.
    FunctionKind = 8, "#py<function_kind " {
        Function = "function",
        Generator = "generator",
        Coroutine = "coroutine",
        AsyncGenerator = "async_generator",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each keyword means the same case in the `.td` and here.
    #[test]
    fn cases_are_those_of_the_td() {
        let registry = melior::dialect::DialectRegistry::new();
        crate::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        macro_rules! check {
            ($($name:ident)*) => {$(
                for case in $name::ALL.iter().copied() {
                    let text = format!("{}{}>", $name::ASSEMBLY_PREFIX, case.name());
                    let parsed = Attribute::parse(&context, &text).expect("a keyword of the enum");
                    assert_eq!(parsed, case.to_attribute(&context), "{text}");
                    assert_eq!($name::from_attribute(parsed), Some(case), "{text}");
                    assert_eq!($name::from_name(case.name()), Some(case));
                }
            )*};
        }
        check!(PyUnaryKind PyBinaryKind PyCompareKind ExtendKind UnaryKind BinaryKind CompareKind ReduceKind FunctionKind);
    }
}
