//! The equations of sizes that conditions imply.

use crate::analysis::{
    affine::is_word,
    conditions::Condition,
    sizes::{Derivation, Size},
};
use melior::ir::Value;
use pyopt_dialects::enums::CompareKind;

/// How many definitions to follow from a condition.
const DEPTH: usize = 32;

impl<'c: 'a, 'a> Derivation<'c, 'a> {
    /// The sizes that are equal when a condition holds, or when it doesn't.
    pub fn equalities(&mut self, condition: Value<'c, 'a>, holds: bool) -> Vec<(Size, Size)> {
        let mut found = Vec::new();
        let mut waiting = vec![(condition, holds, DEPTH)];
        while let Some((condition, holds, depth)) = waiting.pop() {
            if depth == 0 {
                continue;
            }
            match Condition::of(condition) {
                Condition::Literal((inner, is)) => waiting.push((inner, holds == is, depth - 1)),
                Condition::Compare(kind, a, b) if is_equal(kind, a, holds) => {
                    found.push((self.value(a), self.value(b)));
                }
                Condition::And(parts) if holds => {
                    waiting.extend(parts.map(|(part, is)| (part, is, depth - 1)));
                }
                Condition::Or(parts) if !holds => {
                    waiting.extend(parts.map(|(part, is)| (part, !is, depth - 1)));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a condition is known to hold, or known not to.
    pub fn is_known(&mut self, condition: Value<'c, 'a>, holds: bool) -> bool {
        self.is_known_within(condition, holds, DEPTH)
    }

    fn is_known_within(&mut self, condition: Value<'c, 'a>, holds: bool, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let mut known = |(part, is)| self.is_known_within(part, holds == is, depth - 1);
        match Condition::of(condition) {
            Condition::Constant(value) => value == holds,
            Condition::Literal(inner) => known(inner),
            Condition::And([a, b]) if holds => known(a) && known(b),
            Condition::And([a, b]) => known(a) || known(b),
            Condition::Or([a, b]) if holds => known(a) || known(b),
            Condition::Or([a, b]) => known(a) && known(b),
            Condition::Compare(kind, a, b) if is_equal(kind, a, holds) => {
                self.value(a) == self.value(b)
            }
            _ => false,
        }
    }
}

/// Whether two words are equal where a comparison of them holds, or where it doesn't.
fn is_equal(kind: CompareKind, lhs: Value, holds: bool) -> bool {
    let equal = match holds {
        true => CompareKind::Eq,
        false => CompareKind::Ne,
    };
    kind == equal && is_word(lhs)
}
