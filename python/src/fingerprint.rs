//! Fingerprints: argument types as machine words, compared on every call.
//!
//! A value's type is one word, a tuple's one word followed by its elements' words, so the fingerprint of a
//! call is written in one pass over the arguments and found by comparing memory. Words and [`TypeDesc`]s
//! translate both ways without loss.

use crate::classes;
use crate::types::{ArrayType, Class, Elem, LAYOUTS, LITERAL_KINDS, LiteralKind, TypeDesc};

const SCALAR: u64 = 1;
const ARRAY: u64 = 2;
const TUPLE: u64 = 3;
/// The word of `None`.
pub const NONE: u64 = 4;
const DTYPE: u64 = 5;
/// The word of text.
pub const STR: u64 = 6;
/// The word of bytes.
pub const BYTES: u64 = 20;
const RANGE: u64 = 21;
/// The first word of a slice; those of its three parts follow.
pub const SLICE: u64 = 7;
const NAMED: u64 = 9;
const LIST: u64 = 10;
/// The first word of an optional; those of its value follow.
pub const OPTIONAL: u64 = 11;
/// The first word of a list; those of its item follow.
pub const LIST_OF: u64 = 12;
/// The word of the items of a list that nothing is put into.
pub const NOTHING: u64 = 13;
const INSTANCE: u64 = 14;
const FUNCTION: u64 = 15;
const ADDRESS: u64 = 16;
/// The first word of an argument that code is compiled for the value of, which follows.
const LITERAL: u64 = 17;
/// The first word of a dict; those of its key and value follow.
pub const DICT_OF: u64 = 18;
/// The first word of a set; those of its item follow.
pub const SET_OF: u64 = 19;
/// The word of `...`.
pub const ELLIPSIS: u64 = 8;

/// The word of a scalar.
pub const fn scalar(elem: Elem) -> u64 {
    SCALAR | elem.bits()
}

/// The word of a dtype used as a value.
pub const fn dtype(elem: Elem) -> u64 {
    DTYPE | elem.bits()
}

/// The word of a range with items of a type.
pub const fn range(elem: Elem) -> u64 {
    RANGE | elem.bits()
}

/// The word of an array.
pub const fn array(ty: ArrayType) -> u64 {
    ARRAY
        | ty.elem.bits()
        | (ty.layout as u64) << 16
        | (ty.readonly as u64) << 24
        | (ty.ndim as u64) << 32
}

/// The first word of a tuple; its elements' words follow.
pub const fn tuple(len: usize) -> u64 {
    TUPLE | (len as u64) << 32
}

/// The first word of a named tuple of a class; its elements' words follow.
pub const fn named(slot: u32, len: usize) -> u64 {
    NAMED | (slot as u64) << 8 | (len as u64) << 40
}

/// The word of an object of which only the class is known.
pub const fn instance(slot: u32) -> u64 {
    INSTANCE | (slot as u64) << 8
}

/// The word of a function.
pub const fn function(slot: u32) -> u64 {
    FUNCTION | (slot as u64) << 8
}

/// The word of a pointer or C function.
pub const fn address(slot: u32) -> u64 {
    ADDRESS | (slot as u64) << 8
}

/// The words of an argument by its value, which a text has a number for.
pub const fn literal(kind: LiteralKind, value: i64) -> [u64; 2] {
    [LITERAL | (kind as u64) << 8, value as u64]
}

/// What an argument with a known value is, by the word of its type; `None` where there are no literals.
pub fn literal_kind(word: u64) -> Option<LiteralKind> {
    LITERAL_KINDS.into_iter().find(|kind| match kind.plain() {
        TypeDesc::Scalar(elem) => scalar(*elem) == word,
        _ => word == STR,
    })
}

/// Appends the words of a type.
pub fn encode(desc: &TypeDesc, words: &mut Vec<u64>) {
    match desc {
        TypeDesc::Scalar(elem) => words.push(scalar(*elem)),
        TypeDesc::Array(ty) => words.push(array(*ty)),
        TypeDesc::Dtype(elem) => words.push(dtype(*elem)),
        TypeDesc::Str => words.push(STR),
        TypeDesc::Bytes => words.push(BYTES),
        TypeDesc::Ellipsis => words.push(ELLIPSIS),
        TypeDesc::Sequence(class, items) => {
            words.push(match class {
                Class::List => LIST | (items.len() as u64) << 40,
                Class::Named { slot, .. } => named(*slot, items.len()),
            });
            items.iter().for_each(|item| encode(item, words));
        }
        TypeDesc::Range(elem) => words.push(range(*elem)),
        TypeDesc::Slice(parts) => {
            words.push(SLICE);
            parts.iter().for_each(|part| encode(part, words));
        }
        TypeDesc::Optional(inner) => {
            words.push(OPTIONAL);
            encode(inner, words);
        }
        TypeDesc::List(item) => {
            words.push(LIST_OF);
            match item {
                Some(item) => encode(item, words),
                None => words.push(NOTHING),
            }
        }
        TypeDesc::Dict(parts) => {
            words.push(DICT_OF);
            match parts {
                Some(parts) => parts.iter().for_each(|part| encode(part, words)),
                None => words.push(NOTHING),
            }
        }
        TypeDesc::Set(item) => {
            words.push(SET_OF);
            match item {
                Some(item) => encode(item, words),
                None => words.push(NOTHING),
            }
        }
        TypeDesc::Instance(slot) => words.push(instance(*slot)),
        // Functions that are chosen at run time are no arguments, and neither are exceptions.
        TypeDesc::Choice(_) | TypeDesc::Exception => words.push(NOTHING),
        TypeDesc::Function(slot) => words.push(function(*slot)),
        TypeDesc::Address(slot) => words.push(address(*slot)),
        TypeDesc::Literal(kind, value) => {
            words.extend(literal(*kind, *value));
        }
        TypeDesc::None => words.push(NONE),
        TypeDesc::Tuple(items) => {
            words.push(tuple(items.len()));
            items.iter().for_each(|item| encode(item, words));
        }
    }
}

/// The types a fingerprint stands for.
pub fn decode(mut words: &[u64]) -> Vec<TypeDesc> {
    let mut types = Vec::new();
    while !words.is_empty() {
        types.push(decode_one(&mut words));
    }
    types
}

fn decode_one(words: &mut &[u64]) -> TypeDesc {
    let word = words[0];
    *words = &words[1..];
    let byte = |index: u32| (word >> (8 * index)) as u8;
    let elem = || Elem::from_bits(word);
    match word & 0xff {
        SCALAR => TypeDesc::Scalar(elem()),
        DTYPE => TypeDesc::Dtype(elem()),
        RANGE => TypeDesc::Range(elem()),
        ARRAY => TypeDesc::Array(ArrayType {
            elem: elem(),
            layout: LAYOUTS[usize::from(byte(2))],
            readonly: byte(3) != 0,
            ndim: byte(4),
        }),
        TUPLE => TypeDesc::Tuple((0..word >> 32).map(|_| decode_one(words)).collect()),
        SLICE => TypeDesc::Slice(Box::new(std::array::from_fn(|_| decode_one(words)))),
        NAMED | LIST => {
            let class = match word & 0xff {
                LIST => Class::List,
                _ => classes::describe((word >> 8) as u32),
            };
            TypeDesc::Sequence(class, (0..word >> 40).map(|_| decode_one(words)).collect())
        }
        OPTIONAL => TypeDesc::Optional(Box::new(decode_one(words))),
        LIST_OF | DICT_OF | SET_OF if words.first() == Some(&NOTHING) => {
            *words = &words[1..];
            match word {
                LIST_OF => TypeDesc::List(None),
                DICT_OF => TypeDesc::Dict(None),
                _ => TypeDesc::Set(None),
            }
        }
        DICT_OF => TypeDesc::Dict(Some(Box::new(std::array::from_fn(|_| decode_one(words))))),
        SET_OF => TypeDesc::Set(Some(Box::new(decode_one(words)))),
        LIST_OF => TypeDesc::List(Some(Box::new(decode_one(words)))),
        ELLIPSIS => TypeDesc::Ellipsis,
        INSTANCE => TypeDesc::Instance((word >> 8) as u32),
        FUNCTION => TypeDesc::Function((word >> 8) as u32),
        ADDRESS => TypeDesc::Address((word >> 8) as u32),
        STR => TypeDesc::Str,
        BYTES => TypeDesc::Bytes,
        LITERAL => {
            let value = words[0] as i64;
            *words = &words[1..];
            TypeDesc::Literal(LITERAL_KINDS[(word >> 8) as usize], value)
        }
        _ => TypeDesc::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_types_translate_both_ways() {
        let texts = [
            "si64",
            "!typed.none",
            "!typed.str",
            "!typed.bytes",
            "!typed.list<tuple<!typed.list<none>, si64>>",
            "!typed.slice<!typed.none, si64, !typed.none>",
            "!typed.literal<#py.ellipsis>",
            "!typed.literal<-5 : i64>",
            "!typed.literal<true>",
            "!typed.literal<\"text\">",
            "tuple<!typed.optional<si64>, !typed.none>",
            "tuple<f32, tuple<!typed.dtype<ui8>, complex<f64>>, tuple<>>",
            "!typed.array<15, i1, bytes, readonly>",
            "!typed.array<0, f16, F>",
            "!typed.array<1, !typed.datetime64<ns>, C>",
            "!typed.timedelta64<D>",
            "!typed.pointer<!typed.none>",
        ];
        let types: Vec<_> = texts
            .iter()
            .map(|text| TypeDesc::parse(text).unwrap())
            .collect();
        let mut words = Vec::new();
        types.iter().for_each(|ty| encode(ty, &mut words));
        assert_eq!(decode(&words), types);
    }
}
