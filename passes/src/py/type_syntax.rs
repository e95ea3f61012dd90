//! Types as Numba's users write them: `float64`, `int32[:, ::1]`, `UniTuple(float64, 2)`.

use crate::types::number::Number;
use melior::{
    Context,
    ir::{Type, r#type::TupleType},
};
use pyopt_dialects::typed::{ArrayType, Layout, TypedType};

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
            "none" | "void" => Some(TypedType::None.to_type(self.context)),
            name => {
                let element = number(name)?.to_type(self.context);
                match self.eat("[") {
                    true => self.array(element),
                    false => Some(element),
                }
            }
        }
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
        "int64" | "i8" | "intp" | "int_" | "int" | "longlong" => signed(64),
        "uint8" | "u1" | "uchar" | "byte" => unsigned(8),
        "uint16" | "u2" | "ushort" => unsigned(16),
        "uint32" | "u4" | "uintc" => unsigned(32),
        "uint64" | "u8" | "uintp" | "uint" | "ulonglong" => unsigned(64),
        "float16" | "f2" => Number::Float(16),
        "float32" | "f4" => Number::Float(32),
        "float64" | "f8" | "double" | "float_" | "float" => Number::Float(64),
        "complex64" | "c8" => Number::Complex(32),
        "complex128" | "c16" => Number::Complex(64),
        _ => return None,
    })
}
