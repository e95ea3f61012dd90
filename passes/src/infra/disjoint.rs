//! Arrays that must share no memory, which is tested at run time.

use super::{Builder, ops::typed};
use melior::ir::Value;

/// Pairs of arrays that a transformation needs to be disjoint.
#[derive(Default)]
pub(crate) struct Disjoint<'c, 'a>(Vec<(Value<'c, 'a>, Value<'c, 'a>)>);

impl<'c: 'a, 'a> Disjoint<'c, 'a> {
    /// Needs two arrays to be disjoint.
    pub fn require(&mut self, one: Value<'c, 'a>, other: Value<'c, 'a>) {
        if !self.0.contains(&(one, other)) && !self.0.contains(&(other, one)) {
            self.0.push((one, other));
        }
    }

    /// All of the arrays, each once.
    pub fn arrays(&self) -> Vec<Value<'c, 'a>> {
        let mut arrays: Vec<Value> = Vec::new();
        for array in self.0.iter().flat_map(|(one, other)| [*one, *other]) {
            if !arrays.contains(&array) {
                arrays.push(array);
            }
        }
        arrays
    }

    /// Emits whether a pair overlaps; nothing if there is none.
    pub fn overlap(&self, builder: &Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
        let overlaps =
            |(one, other): &(_, _)| typed::Overlaps::create(builder, *one, *other).result();
        let overlap = self.0.iter().map(overlaps);
        overlap.reduce(|one, other| builder.or(one, other))
    }
}
