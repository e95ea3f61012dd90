//! Types as Numba's users write them: `float64`, `int32[:, ::1]`, `UniTuple(float64, 2)`,
//! `optional(int64)`.

use crate::types::{lists::list_of, number::Number};
use melior::{
    Context,
    ir::{Type, r#type::TupleType},
};
use pyopt_dialects::{
    times::{Time, Unit},
    typed::{ArrayType, Layout, MAX_RANK, TypedType},
};

/// Reads a type; `None` for what is none.
pub(super) fn parse<'c>(context: &'c Context, text: &str) -> Option<Type<'c>> {
    let mut parser = Parser {
        context,
        rest: text.trim(),
    };
    let found = parser.any()?;
    parser.rest.is_empty().then_some(found)
}

struct Parser<'c, 't> {
    context: &'c Context,
    rest: &'t str,
}

impl<'c> Parser<'c, '_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    fn word(&mut self) -> &str {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let end = self.rest.find(|character| !is_part(character));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        word
    }

    fn any(&mut self) -> Option<Type<'c>> {
        let name = self.word().to_owned();
        match name.as_str() {
            "types" if self.eat(".") => self.any(),
            "Tuple" => self.tuple(),
            "UniTuple" => self.uniform_tuple(),
            "Array" => self.array_call(),
            "List" => self.list(),
            "optional" | "Optional" => {
                let inner = self.wrapped(Self::any)?;
                Some(optional(self.context, inner))
            }
            "none" | "void" | "NoneType" => Some(TypedType::None.to_type(self.context)),
            "unicode_type" | "string" => Some(TypedType::Str.to_type(self.context)),
            "bytes" => Some(TypedType::Bytes.to_type(self.context)),
            name => {
                let element = self.element(name)?;
                match self.eat("[") {
                    true => self.array(element),
                    false => Some(element),
                }
            }
        }
    }

    /// What is in round brackets.
    fn wrapped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if !self.eat("(") {
            return None;
        }
        let inner = inner(self)?;
        self.eat(")").then_some(inner)
    }

    /// A number, or a time such as `NPDatetime('D')`.
    fn element(&mut self, name: &str) -> Option<Type<'c>> {
        let is_delta = match name {
            "NPDatetime" => false,
            "NPTimedelta" => true,
            name => return Some(number(name)?.to_type(self.context)),
        };
        let unit = self.wrapped(Self::text)?;
        let unit = Unit::from_name(&unit)?;
        Some(Time { is_delta, unit }.to_type(self.context))
    }

    /// A word in quotes.
    fn text(&mut self) -> Option<String> {
        let quote = ["'", "\""].into_iter().find(|quote| self.eat(quote))?;
        let word = self.word().to_owned();
        self.eat(quote).then_some(word)
    }

    /// `(float64, 2, 'C')`.
    fn array_call(&mut self) -> Option<Type<'c>> {
        self.wrapped(|parser| {
            let element = parser.word().to_owned();
            let element = parser.element(&element)?;
            let rank = parser.eat(",").then(|| parser.word().parse().ok())??;
            let layout = match parser.eat(",").then(|| parser.text())??.as_str() {
                "C" => Layout::C,
                "F" => Layout::F,
                "A" => Layout::A,
                _ => return None,
            };
            let array = ArrayType {
                layout,
                ..ArrayType::contiguous(rank, element)
            };
            (rank <= MAX_RANK).then(|| array.to_type(parser.context))
        })
    }

    /// `(int64)`, or `(int64, reflected=True)`: what a block hands out is nobody else's either way.
    fn list(&mut self) -> Option<Type<'c>> {
        self.wrapped(|parser| {
            let item = parser.any()?;
            if parser.eat(",") {
                let is_option = parser.word() == "reflected" && parser.eat("=");
                let is_bool = is_option && matches!(parser.word(), "True" | "False");
                is_bool.then_some(())?;
            }
            Some(list_of(parser.context, item))
        })
    }

    /// `:, ::1]`: the dimension with a step of one is contiguous.
    fn array(&mut self, element: Type<'c>) -> Option<Type<'c>> {
        let (mut rank, mut dense) = (0, None);
        loop {
            if !self.eat(":") {
                return None;
            }
            if self.eat(":") {
                let is_first = dense.replace(rank).is_none();
                if !self.eat("1") || !is_first {
                    return None;
                }
            }
            rank += 1;
            if !self.eat(",") {
                break;
            }
        }
        let layout = match dense {
            None => Layout::A,
            Some(dimension) if dimension + 1 == rank => Layout::C,
            Some(0) => Layout::F,
            Some(_) => return None,
        };
        let array = ArrayType {
            layout,
            ..ArrayType::contiguous(rank, element)
        };
        self.eat("]").then(|| array.to_type(self.context))
    }

    /// `((a, b))`, with brackets of either kind inside.
    fn tuple(&mut self) -> Option<Type<'c>> {
        if !self.eat("(") {
            return None;
        }
        let end = match (self.eat("("), self.eat("[")) {
            (true, _) => ")",
            (_, true) => "]",
            _ => return None,
        };
        let mut elements = Vec::new();
        while !self.eat(end) {
            elements.push(self.any()?);
            if !self.eat(",") && !self.rest.starts_with(end) {
                return None;
            }
        }
        self.eat(")")
            .then(|| TupleType::new(self.context, &elements).into())
    }

    fn uniform_tuple(&mut self) -> Option<Type<'c>> {
        if !self.eat("(") {
            return None;
        }
        let element = self.any()?;
        let count = match self.eat(",") {
            true => self.word().parse().ok().filter(|count| *count <= 1000)?,
            false => return None,
        };
        self.eat(")")
            .then(|| TupleType::new(self.context, &vec![element; count]).into())
    }
}

/// A type or None; None itself, and what may be None already, stay as they are.
fn optional<'c>(context: &'c Context, inner: Type<'c>) -> Type<'c> {
    match TypedType::from(inner) {
        TypedType::None | TypedType::Optional(_) => inner,
        _ => TypedType::Optional(inner).to_type(context),
    }
}

/// A number or truth value under any of Numba's names.
fn number(name: &str) -> Option<Number> {
    let signed = |width| Number::Int {
        width,
        signed: true,
    };
    let unsigned = |width| Number::Int {
        width,
        signed: false,
    };
    Some(match name {
        "boolean" | "bool_" | "bool" | "b1" => Number::Bool,
        "int8" | "i1" | "char" => signed(8),
        "int16" | "i2" | "short" => signed(16),
        "int32" | "i4" | "intc" => signed(32),
        "int64" | "i8" | "intp" | "int_" | "int" | "long" | "longlong" | "ssize_t" => signed(64),
        "uint8" | "u1" | "uchar" | "byte" => unsigned(8),
        "uint16" | "u2" | "ushort" => unsigned(16),
        "uint32" | "u4" | "uintc" => unsigned(32),
        "uint64" | "u8" | "uintp" | "uint" | "ulong" | "ulonglong" | "size_t" => unsigned(64),
        "float16" | "f2" => Number::Float(16),
        "float32" | "f4" => Number::Float(32),
        "float64" | "f8" | "double" | "float_" | "float" => Number::Float(64),
        "complex64" | "c8" => Number::Complex(32),
        "complex128" | "c16" => Number::Complex(64),
        _ => return None,
    })
}
