//! The objects a function's code refers to: a table that the host fills before the first call.
//!
//! Machine code holds no addresses of objects. Each entry is a dictionary with one key:
//!
//! - `name`: an interned string
//! - `names`: a tuple of interned strings
//! - `const`: a constant of the code object, by its place in `co_consts`
//! - `value`: another constant, such as None
//! - `cache`: a number of words, zero at first, that the runtime may keep something in

use melior::{
    Context,
    ir::{
        Attribute, Identifier,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        r#type::IntegerType,
    },
};

/// The table of one function while it is made.
pub(super) struct Environment<'c> {
    context: &'c Context,
    entries: Vec<Attribute<'c>>,
    /// The word at which each entry begins.
    words: Vec<usize>,
    size: usize,
}

impl<'c> Environment<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Self {
            context,
            entries: Vec::new(),
            words: Vec::new(),
            size: 0,
        }
    }

    /// The byte offset of a name's entry.
    pub(super) fn name(&mut self, name: &str) -> usize {
        let name = StringAttribute::new(self.context, name).into();
        self.shared("name", name)
    }

    /// The byte offset of the entry of a tuple of names.
    pub(super) fn names(&mut self, names: &[Attribute<'c>]) -> usize {
        let names = ArrayAttribute::new(self.context, names).into();
        self.shared("names", names)
    }

    /// The byte offset of the entry of one of the code object's constants.
    pub(super) fn code_constant(&mut self, index: i64) -> usize {
        let index = self.number(index);
        self.shared("const", index)
    }

    /// The byte offset of the entry of a constant that is given by its value.
    pub(super) fn value(&mut self, value: Attribute<'c>) -> usize {
        self.shared("value", value)
    }

    /// The byte offset of some words of memory of its own.
    pub(super) fn cache(&mut self, words: usize) -> usize {
        let entry = self.entry("cache", self.number(words as i64));
        self.append(entry, words)
    }

    /// The attribute that tells the host.
    pub(super) fn attribute(&self) -> Attribute<'c> {
        ArrayAttribute::new(self.context, &self.entries).into()
    }

    fn number(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value).into()
    }

    fn entry(&self, key: &str, value: Attribute<'c>) -> Attribute<'c> {
        let field = (Identifier::new(self.context, key), value);
        DictionaryAttribute::new(self.context, &[field]).into()
    }

    fn shared(&mut self, key: &str, value: Attribute<'c>) -> usize {
        let entry = self.entry(key, value);
        match self.entries.iter().position(|known| *known == entry) {
            Some(index) => 8 * self.words[index],
            None => self.append(entry, 1),
        }
    }

    fn append(&mut self, entry: Attribute<'c>, words: usize) -> usize {
        let start = self.size;
        self.entries.push(entry);
        self.words.push(start);
        self.size += words;
        8 * start
    }
}
