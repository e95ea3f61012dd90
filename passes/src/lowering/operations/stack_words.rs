//! Words on the stack, by which the runtime gets what doesn't fit into the arguments of a call.

use super::{Site, refuse};
use crate::{
    infra::{OperationExt, PassResult, RegionExt, ops::func},
    lowering::emit::Emit,
};
use melior::ir::{Type, Value};
use std::iter;

/// A number of words of 64 bits.
pub(super) struct StackWords<'x, 'b, 'c, 'a> {
    /// Makes operations before the one that is lowered.
    pub emit: &'x Emit<'b, 'c, 'a>,
    /// The address of the first word.
    pub address: Value<'c, 'a>,
}

impl<'x, 'b, 'c, 'a> StackWords<'x, 'b, 'c, 'a> {
    /// Makes room in the function's entry block, where it is part of the frame: further down it would be taken once
    /// more in each iteration of a loop around.
    pub fn new(site: &'x Site<'b, 'c, 'a>, count: usize) -> PassResult<Self> {
        let emit = &site.emit;
        let mut parents = iter::successors(site.op.parent(), |parent| parent.parent());
        let function = parents.find_map(func::Func::of);
        let Some(entry) = function.and_then(|function| function.body().entry()) else {
            return refuse("it is in no function");
        };
        emit.at_start(entry);
        let address = emit.alloca(emit.i64(count as i64), emit.i(64), 8);
        emit.before(site.op);
        Ok(Self { emit, address })
    }

    /// The address of a word.
    pub fn place(&self, at: usize) -> Value<'c, 'a> {
        self.emit
            .offset_by(self.address, at as i32, self.emit.i(64))
    }

    /// Writes numbers of 64 bits or pointers, from the word `first` on.
    pub fn set(&self, first: usize, words: impl IntoIterator<Item = Value<'c, 'a>>) {
        for (at, word) in (first..).zip(words) {
            self.emit.store(word, self.place(at), Some(8));
        }
    }

    /// Reads a number of 64 bits or a pointer.
    pub fn get(&self, at: usize, r#type: Type<'c>) -> Value<'c, 'a> {
        self.emit.load(self.place(at), r#type, Some(8))
    }
}
