//! Types as the text that the `typed` dialect has for them: `si64`, `!typed.array<2, f64, C>`,
//! `tuple<si64, f64>`.

use std::fmt;

use super::{ArrayType, Class, Elem, LAYOUTS, LiteralKind, TypeDesc};
use crate::functions::Name;
use crate::{addresses, classes, functions, instances, literal_texts};

impl TypeDesc {
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
            TypeDesc::Range(elem) => write!(f, "!typed.range<{elem}>"),
            TypeDesc::Ellipsis => f.write_str("!typed.literal<#py.ellipsis>"),
            TypeDesc::Literal(LiteralKind::Int, value) => {
                write!(f, "!typed.literal<{value} : i64>")
            }
            TypeDesc::Literal(LiteralKind::Bool, value) => {
                write!(f, "!typed.literal<{}>", *value != 0)
            }
            TypeDesc::Literal(LiteralKind::Text, number) => {
                let text = literal_texts::text(*number);
                write!(f, "!typed.literal<{}>", literal_texts::quoted(&text))
            }
            TypeDesc::Str => f.write_str("!typed.str"),
            TypeDesc::Bytes => f.write_str("!typed.bytes"),
            TypeDesc::None => f.write_str("!typed.none"),
            TypeDesc::Exception => f.write_str("!typed.exception"),
            TypeDesc::Dtype(elem) => write!(f, "!typed.dtype<{elem}>"),
            TypeDesc::Optional(inner) => write!(f, "!typed.optional<{inner}>"),
            TypeDesc::Instance(slot) => f.write_str(&instances::text(*slot)),
            TypeDesc::Function(slot) => f.write_str(&functions::text(*slot)),
            TypeDesc::Address(slot) => f.write_str(&addresses::text(*slot)),
            TypeDesc::Choice(functions) => {
                f.write_str("!typed.sequence<tuple<si64")?;
                for one in functions.iter().filter(|one| one.slots() > 0) {
                    write!(f, ", {one}")?;
                }
                f.write_str(">, [")?;
                for (index, one) in functions.iter().enumerate() {
                    let text =
                        one.to_string()
                            .replacen("!typed.", "#py.", usize::from(one.slots() == 0));
                    write!(f, "{}{text}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]>")
            }
            TypeDesc::List(Some(item)) => write!(f, "!typed.list<{item}>"),
            TypeDesc::List(None) => f.write_str("!typed.list<none>"),
            TypeDesc::Dict(Some(parts)) => {
                let [key, value] = &**parts;
                write!(f, "!typed.dict<{key}, {value}>")
            }
            TypeDesc::Dict(None) => f.write_str("!typed.dict<none, none>"),
            TypeDesc::Set(Some(item)) => write!(f, "!typed.set<{item}>"),
            TypeDesc::Set(None) => f.write_str("!typed.set<none>"),
        }
    }
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
            } => {
                let quoted = |text: &String| literal_texts::quoted(text.as_bytes());
                let fields: Vec<_> = fields.iter().map(quoted).collect();
                let (name, fields) = (quoted(name), fields.join(", "));
                write!(f, "#py.named_tuple<{name}, {number}, [{fields}]>")
            }
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

    /// A string in quotes.
    fn quoted(&mut self) -> Result<String, String> {
        let read = literal_texts::unquoted(self.rest);
        let (bytes, rest) = read.ok_or_else(|| format!("expected a string at '{}'", self.rest))?;
        self.rest = rest.trim_start();
        String::from_utf8(bytes).map_err(|_| "a string isn't UTF-8".to_string())
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
        if self.eat("[") {
            return self.choice();
        }
        let class = self.class()?;
        self.expect(">")?;
        Ok(TypeDesc::Sequence(class, items))
    }

    /// The functions that one is chosen from.
    fn choice(&mut self) -> Result<TypeDesc, String> {
        let mut functions = Vec::new();
        while !self.eat("]") {
            if !functions.is_empty() {
                self.expect(",")?;
            }
            let is_function = ["#py.function<", "#py.named<"]
                .into_iter()
                .any(|head| self.rest.starts_with(head));
            functions.push(match is_function {
                true => self.function()?,
                false => self.desc()?,
            });
        }
        self.expect(">")?;
        Ok(TypeDesc::Choice(functions))
    }

    /// The number that tells classes of the same names apart is the end of the type.
    fn instance(&mut self) -> Result<TypeDesc, String> {
        let end = self.rest.find(": i64}>").ok_or("a class has no number")? + ": i64}>".len();
        let (text, rest) = self.rest.split_at(end);
        let slot = instances::find(text).ok_or_else(|| format!("{text} was no argument"))?;
        self.rest = rest.trim_start();
        Ok(TypeDesc::Instance(slot))
    }

    /// The name is in quotes unless it is made of letters and dots.
    fn function(&mut self) -> Result<TypeDesc, String> {
        let named = || "a function has no name".to_string();
        let start = self.rest.find('<').ok_or_else(named)? + 1;
        let end = match self.rest[start..].trim_start_matches('@').starts_with('"') {
            true => self.rest.find("\">").ok_or_else(named)? + 1,
            false => self.rest.find('>').ok_or_else(named)?,
        };
        let name = &self.rest[start..end];
        let name = match name.strip_prefix('@') {
            Some(symbol) => Name::Symbol(symbol.trim_matches('"').to_owned()),
            None => Name::Host(name.trim_matches('"').to_owned()),
        };
        self.rest = self.rest[end + 1..].trim_start();
        Ok(TypeDesc::Function(functions::named(name)))
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
        if let Some((slot, rest)) = addresses::parse(self.rest) {
            self.rest = rest.trim_start();
            return Ok(TypeDesc::Address(slot));
        }
        if self.eat("!typed.array<") {
            return self.array();
        }
        if self.eat("!typed.range<") {
            let elem = self.elem()?;
            self.expect(">")?;
            return Ok(TypeDesc::Range(elem));
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
        if self.eat("!typed.dict<none, none>") {
            return Ok(TypeDesc::Dict(None));
        }
        if self.eat("!typed.dict<") {
            let key = self.desc()?;
            self.expect(",")?;
            let value = self.desc()?;
            self.expect(">")?;
            return Ok(TypeDesc::Dict(Some(Box::new([key, value]))));
        }
        if self.eat("!typed.set<none>") {
            return Ok(TypeDesc::Set(None));
        }
        if self.eat("!typed.set<") {
            let item = self.desc()?;
            self.expect(">")?;
            return Ok(TypeDesc::Set(Some(Box::new(item))));
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
        if self.eat("!typed.bytes") {
            return Ok(TypeDesc::Bytes);
        }
        if self.eat("!typed.none") {
            return Ok(TypeDesc::None);
        }
        if self.eat("!typed.exception") {
            return Ok(TypeDesc::Exception);
        }
        if self.eat("tuple<") {
            return self.tuple();
        }
        self.elem().map(TypeDesc::Scalar)
    }

    /// `5 : i64>`, `true>` or `"text">`.
    fn literal(&mut self) -> Result<TypeDesc, String> {
        if let Some((text, rest)) = literal_texts::unquoted(self.rest) {
            self.rest = rest;
            self.expect(">")?;
            let number = literal_texts::number(&text);
            return Ok(TypeDesc::Literal(LiteralKind::Text, number));
        }
        let end = self.rest.find('>').unwrap_or(self.rest.len());
        let (text, _) = self.rest.split_at(end);
        let int = text.strip_suffix(" : i64").map(str::parse::<i64>);
        let found = match (text, int) {
            ("true" | "false", _) => {
                TypeDesc::Literal(LiteralKind::Bool, i64::from(text == "true"))
            }
            (_, Some(Ok(value))) => TypeDesc::Literal(LiteralKind::Int, value),
            _ => return Err(format!("'{text}' is no int, truth value or text")),
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
            "!typed.bytes",
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
            "tuple<!typed.literal<\"a, b>\\0A\">, si64>",
            "tuple<!typed.pointer<!typed.pointer<f64>>, si64>",
            "!typed.c_function<(f64, !typed.pointer<f64>) -> f64>",
            "!typed.sequence<tuple<!typed.pointer<!typed.none>>, (f64, si64) -> f64>",
            "!typed.sequence<tuple<si64>, [#py.function<@f>, #py.function<@\"g:0\">]>",
            "tuple<>",
            "tuple<si64, tuple<!typed.array<1, i1, A>, f64>>",
        ] {
            assert_eq!(TypeDesc::parse(text).unwrap().to_string(), text);
        }
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
