//! The types that cross the border between Python and compiled code.
//!
//! A [`TypeDesc`] is written in the text form of the `typed` dialect (`si64`, `!typed.array<2, f64, C>`,
//! `tuple<si64, f64>`), so the compiler and the host name types alike; [`TypeDesc::parse`] reads it back.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use crate::elem::{Elem, Kind};
use crate::{classes, functions, instances};

/// How an array's elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Layout {
    /// Row-major and contiguous.
    C,
    /// Column-major and contiguous.
    F,
    /// Any strides that are whole elements.
    A,
    /// Any strides at all, in bytes, and any alignment.
    Bytes,
}

/// Every layout, in the order of their discriminants.
pub const LAYOUTS: [Layout; 4] = [Layout::C, Layout::F, Layout::A, Layout::Bytes];

impl Layout {
    /// The name in the `typed` dialect.
    pub fn text(self) -> &'static str {
        match self {
            Layout::C => "C",
            Layout::F => "F",
            Layout::A => "A",
            Layout::Bytes => "bytes",
        }
    }
}

/// The type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// Type of the elements.
    pub elem: Elem,
    /// Number of dimensions.
    pub ndim: u8,
    /// Order in memory.
    pub layout: Layout,
    /// Whether writing is forbidden.
    pub readonly: bool,
}

/// The class of a sequence that is no tuple.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "String")]
pub enum Class {
    /// Python's lists.
    List,
    /// Named tuples.
    Named {
        /// The number of the class in this process.
        slot: u32,
        /// What tells it from others of the same name and fields.
        number: u32,
        /// Its name.
        name: String,
        /// Its fields.
        fields: Vec<String>,
    },
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::List => f.write_str("#py.named<\"builtins.list\">"),
            Class::Named {
                number,
                name,
                fields,
                ..
            } => write!(f, "#py.named_tuple<{name:?}, {number}, {fields:?}>"),
        }
    }
}

/// The type of a value that Python and compiled code exchange. It is kept on disk as its text, which has
/// no number of this process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TypeDesc {
    /// A number, truth value or time.
    Scalar(Elem),
    /// A NumPy array.
    Array(ArrayType),
    /// A tuple of anything.
    Tuple(Vec<TypeDesc>),
    /// A slice: the types of its start, stop and step.
    Slice(Box<[TypeDesc; 3]>),
    /// A named tuple, or a list that compiled code made: its class and the types of its items.
    Sequence(Class, Vec<TypeDesc>),
    /// Python's `...`; it takes no slot.
    Ellipsis,
    /// Text, borrowed as CPython stores it.
    Str,
    /// Python's `None`; it takes no slot.
    None,
    /// A NumPy dtype as a value; it takes no slot.
    Dtype(Elem),
    /// An object of which the class is known, by its number; it takes no slot.
    Instance(u32),
    /// A function, by its number; it takes no slot.
    Function(u32),
    /// A list that may change, and the type of its items if something is ever put into it.
    List(Option<Box<TypeDesc>>),
    /// A value or `None`; the slot behind the value's says whether there is one.
    Optional(Box<TypeDesc>),
    /// An argument that code is compiled for the value of; it has its slot all the same.
    Literal(LiteralKind, i64),
}

/// What an argument with a known value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// An int.
    Int,
    /// A truth value.
    Bool,
}

impl LiteralKind {
    /// The type that the argument has otherwise.
    pub fn elem(self) -> Elem {
        match self {
            LiteralKind::Int => Elem::I64,
            LiteralKind::Bool => Elem::Bool,
        }
    }
}

impl TypeDesc {
    /// How many 8-byte slots a value of this type takes in the entry's buffers.
    pub fn slots(&self) -> usize {
        match self {
            TypeDesc::Scalar(elem) => 1 + usize::from(elem.kind() == Kind::Complex),
            TypeDesc::Array(array) => 2 + 2 * usize::from(array.ndim),
            TypeDesc::Tuple(items) => items.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Slice(parts) => parts.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Sequence(_, items) => items.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Str => 3,
            TypeDesc::List(_) | TypeDesc::Literal(..) => 1,
            TypeDesc::Optional(inner) => inner.slots() + 1,
            TypeDesc::None
            | TypeDesc::Ellipsis
            | TypeDesc::Dtype(_)
            | TypeDesc::Instance(_)
            | TypeDesc::Function(_) => 0,
        }
    }

    /// The type that a literal's value has otherwise, and any other type as it is.
    pub fn unliteral(&self) -> &TypeDesc {
        static INT: TypeDesc = TypeDesc::Scalar(Elem::I64);
        static BOOL: TypeDesc = TypeDesc::Scalar(Elem::Bool);
        match self {
            TypeDesc::Literal(LiteralKind::Int, _) => &INT,
            TypeDesc::Literal(LiteralKind::Bool, _) => &BOOL,
            other => other,
        }
    }

    /// Reads the text form; the error says what wasn't understood.
    pub fn parse(text: &str) -> Result<TypeDesc, String> {
        let mut parser = Parser { rest: text.trim() };
        let desc = parser
            .desc()
            .map_err(|reason| format!("invalid type '{text}': {reason}"))?;
        match parser.rest {
            "" => Ok(desc),
            rest => Err(format!("invalid type '{text}': unexpected '{rest}'")),
        }
    }
}

impl fmt::Display for TypeDesc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeDesc::Scalar(elem) => elem.fmt(f),
            TypeDesc::Array(array) => {
                let readonly = if array.readonly { ", readonly" } else { "" };
                let ArrayType {
                    elem, ndim, layout, ..
                } = array;
                write!(
                    f,
                    "!typed.array<{ndim}, {elem}, {}{readonly}>",
                    layout.text()
                )
            }
            TypeDesc::Tuple(items) => {
                f.write_str("tuple<")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(">")
            }
            TypeDesc::Sequence(class, items) => {
                write!(
                    f,
                    "!typed.sequence<{}, {class}>",
                    TypeDesc::Tuple(items.clone())
                )
            }
            TypeDesc::Slice(parts) => {
                let [start, stop, step] = &**parts;
                write!(f, "!typed.slice<{start}, {stop}, {step}>")
            }
            TypeDesc::Ellipsis => f.write_str("!typed.literal<#py.ellipsis>"),
            TypeDesc::Literal(LiteralKind::Int, value) => {
                write!(f, "!typed.literal<{value} : i64>")
            }
            TypeDesc::Literal(LiteralKind::Bool, value) => {
                write!(f, "!typed.literal<{}>", *value != 0)
            }
            TypeDesc::Str => f.write_str("!typed.str"),
            TypeDesc::None => f.write_str("!typed.none"),
            TypeDesc::Dtype(elem) => write!(f, "!typed.dtype<{elem}>"),
            TypeDesc::Optional(inner) => write!(f, "!typed.optional<{inner}>"),
            TypeDesc::Instance(slot) => f.write_str(&instances::text(*slot)),
            TypeDesc::Function(slot) => f.write_str(&functions::text(*slot)),
            TypeDesc::List(Some(item)) => write!(f, "!typed.list<{item}>"),
            TypeDesc::List(None) => f.write_str("!typed.list<none>"),
        }
    }
}

impl From<Class> for String {
    fn from(class: Class) -> Self {
        class.to_string()
    }
}

impl From<TypeDesc> for String {
    fn from(desc: TypeDesc) -> Self {
        desc.to_string()
    }
}

impl TryFrom<String> for TypeDesc {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        TypeDesc::parse(&text)
    }
}

/// A recursive-descent reader; `rest` always starts at the next token.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("expected '{token}' at '{}'", self.rest))
        }
    }

    fn elem(&mut self) -> Result<Elem, String> {
        let (elem, rest) = Elem::parse(self.rest)
            .ok_or_else(|| format!("expected an element type at '{}'", self.rest))?;
        self.rest = rest.trim_start();
        Ok(elem)
    }

    fn rank(&mut self) -> Result<u8, String> {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let rank = self.rest[..end]
            .parse()
            .map_err(|_| "expected the number of dimensions".to_string())?;
        self.rest = self.rest[end..].trim_start();
        Ok(rank)
    }

    fn array(&mut self) -> Result<TypeDesc, String> {
        let ndim = self.rank()?;
        self.expect(",")?;
        let elem = self.elem()?;
        self.expect(",")?;
        let layout = LAYOUTS
            .into_iter()
            .find(|layout| self.eat(layout.text()))
            .ok_or_else(|| format!("expected a layout at '{}'", self.rest))?;
        let readonly = self.eat(",");
        if readonly {
            self.expect("readonly")?;
        }
        self.expect(">")?;
        Ok(TypeDesc::Array(ArrayType {
            elem,
            ndim,
            layout,
            readonly,
        }))
    }

    fn tuple(&mut self) -> Result<TypeDesc, String> {
        let mut items = Vec::new();
        while !self.eat(">") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.desc()?);
        }
        Ok(TypeDesc::Tuple(items))
    }

    /// A string in quotes; names hold nothing that would be escaped.
    fn quoted(&mut self) -> Result<String, String> {
        self.expect("\"")?;
        let end = self.rest.find('"').ok_or("a string isn't closed")?;
        let text = self.rest[..end].to_string();
        self.rest = self.rest[end + 1..].trim_start();
        Ok(text)
    }

    fn class(&mut self) -> Result<Class, String> {
        if self.eat("#py.named<\"builtins.list\">") {
            return Ok(Class::List);
        }
        self.expect("#py.named_tuple<")?;
        let name = self.quoted()?;
        self.expect(",")?;
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number = digits.parse().map_err(|_| "expected a number of a class")?;
        self.rest = rest.trim_start();
        self.expect(",")?;
        self.expect("[")?;
        let mut fields = Vec::new();
        while !self.eat("]") {
            if !fields.is_empty() {
                self.expect(",")?;
            }
            fields.push(self.quoted()?);
        }
        self.expect(">")?;
        let found = classes::find(&name, number, &fields);
        found.ok_or_else(|| format!("no class of named tuples '{name}' is known"))
    }

    fn sequence(&mut self) -> Result<TypeDesc, String> {
        self.expect("tuple<")?;
        let TypeDesc::Tuple(items) = self.tuple()? else {
            return Err("expected the items of a sequence".into());
        };
        self.expect(",")?;
        let class = self.class()?;
        self.expect(">")?;
        Ok(TypeDesc::Sequence(class, items))
    }

    /// The number that tells classes of the same names apart is the end of the type.
    fn instance(&mut self) -> Result<TypeDesc, String> {
        let end = self.rest.find(": i64}>").ok_or("a class has no number")? + ": i64}>".len();
        let (text, rest) = self.rest.split_at(end);
        let slot = instances::find(text).ok_or_else(|| format!("{text} was no argument"))?;
        self.rest = rest.trim_start();
        Ok(TypeDesc::Instance(slot))
    }

    /// What follows the name, which is in quotes, is the end of the type.
    fn function(&mut self) -> Result<TypeDesc, String> {
        let end = self.rest.find("\">").ok_or("a function has no name")? + 2;
        let (text, rest) = self.rest.split_at(end);
        let slot = functions::find(text).ok_or_else(|| format!("{text} was no argument"))?;
        self.rest = rest.trim_start();
        Ok(TypeDesc::Function(slot))
    }

    fn slice(&mut self) -> Result<TypeDesc, String> {
        let start = self.desc()?;
        self.expect(",")?;
        let stop = self.desc()?;
        self.expect(",")?;
        let step = self.desc()?;
        self.expect(">")?;
        Ok(TypeDesc::Slice(Box::new([start, stop, step])))
    }

    fn desc(&mut self) -> Result<TypeDesc, String> {
        if self.eat("!typed.array<") {
            return self.array();
        }
        if self.eat("!typed.dtype<") {
            let elem = self.elem()?;
            self.expect(">")?;
            return Ok(TypeDesc::Dtype(elem));
        }
        if self.eat("!typed.optional<") {
            let inner = self.desc()?;
            self.expect(">")?;
            return Ok(TypeDesc::Optional(Box::new(inner)));
        }
        if self.eat("!typed.sequence<") {
            return self.sequence();
        }
        if self.rest.starts_with("!typed.literal<{mro = ") {
            return self.instance();
        }
        if self.rest.starts_with("!typed.function<") || self.rest.starts_with("!typed.named<") {
            return self.function();
        }
        if self.eat("!typed.list<none>") {
            return Ok(TypeDesc::List(None));
        }
        if self.eat("!typed.list<") {
            let item = self.desc()?;
            self.expect(">")?;
            return Ok(TypeDesc::List(Some(Box::new(item))));
        }
        if self.eat("!typed.slice<") {
            return self.slice();
        }
        if self.eat("!typed.literal<#py.ellipsis>") {
            return Ok(TypeDesc::Ellipsis);
        }
        if self.eat("!typed.literal<") {
            return self.literal();
        }
        if self.eat("!typed.str") {
            return Ok(TypeDesc::Str);
        }
        if self.eat("!typed.none") {
            return Ok(TypeDesc::None);
        }
        if self.eat("tuple<") {
            return self.tuple();
        }
        self.elem().map(TypeDesc::Scalar)
    }

    /// `5 : i64>` or `true>`.
    fn literal(&mut self) -> Result<TypeDesc, String> {
        let end = self.rest.find('>').unwrap_or(self.rest.len());
        let (text, _) = self.rest.split_at(end);
        let int = text.strip_suffix(" : i64").map(str::parse::<i64>);
        let found = match (text, int) {
            ("true" | "false", _) => {
                TypeDesc::Literal(LiteralKind::Bool, i64::from(text == "true"))
            }
            (_, Some(Ok(value))) => TypeDesc::Literal(LiteralKind::Int, value),
            _ => return Err(format!("'{text}' is no int and no truth value")),
        };
        self.rest = &self.rest[end..];
        self.expect(">")?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "si64",
            "i1",
            "ui8",
            "complex<f64>",
            "!typed.none",
            "!typed.str",
            "!typed.dtype<f32>",
            "!typed.array<1, !typed.datetime64<ns>, C>",
            "tuple<!typed.timedelta64<generic>, si64>",
            "!typed.array<2, f64, C>",
            "!typed.array<0, complex<f32>, bytes, readonly>",
            "!typed.slice<si64, !typed.none, si64>",
            "!typed.literal<#py.ellipsis>",
            "!typed.optional<!typed.array<1, f64, C>>",
            "!typed.sequence<tuple<f64>, #py.named<\"builtins.list\">>",
            "!typed.list<!typed.list<tuple<si64, f64>>>",
            "!typed.list<none>",
            "tuple<>",
            "tuple<si64, tuple<!typed.array<1, i1, A>, f64>>",
        ] {
            assert_eq!(TypeDesc::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn slots_follow_the_calling_convention() {
        let slots = |text: &str| TypeDesc::parse(text).unwrap().slots();
        assert_eq!(slots("f16"), 1);
        assert_eq!(slots("complex<f32>"), 2);
        assert_eq!(slots("!typed.none"), 0);
        assert_eq!(slots("!typed.str"), 3);
        assert_eq!(slots("!typed.optional<complex<f64>>"), 3);
        assert_eq!(slots("!typed.slice<si64, !typed.none, si64>"), 2);
        assert_eq!(slots("!typed.array<0, f64, C>"), 2);
        assert_eq!(slots("tuple<!typed.array<3, f64, F>, si8, tuple<>>"), 9);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, reason) in [
            ("si65", "expected an element type at 'si65'"),
            ("!typed.array<2, f64>", "expected ',' at '>'"),
            ("!typed.array<2, f64, Z>", "expected a layout at 'Z>'"),
            ("tuple<si64 f64>", "expected ',' at 'f64>'"),
            ("", "expected an element type at ''"),
        ] {
            assert!(
                TypeDesc::parse(text).unwrap_err().contains(reason),
                "{text}"
            );
        }
    }
}
