//! Sets of small numbers, for data flow.

/// A set of numbers. Operations on two sets take them to have the same bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Makes room for numbers below `bound`.
    pub fn grow(&mut self, bound: usize) {
        let words = bound.div_ceil(64);
        if words > self.0.len() {
            self.0.resize(words, 0);
        }
    }

    /// Whether a number is in the set.
    pub fn contains(&self, member: usize) -> bool {
        self.0
            .get(member / 64)
            .is_some_and(|word| word >> (member % 64) & 1 != 0)
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, member: usize) -> bool {
        self.grow(member + 1);
        let word = &mut self.0[member / 64];
        let before = *word;
        *word |= 1 << (member % 64);
        *word != before
    }

    /// Removes a number.
    pub fn remove(&mut self, member: usize) {
        if let Some(word) = self.0.get_mut(member / 64) {
            *word &= !(1 << (member % 64));
        }
    }

    /// Adds another set; whether any number is new.
    pub fn union_with(&mut self, other: &Self) -> bool {
        self.merge(other.0.iter().copied())
    }

    /// Adds what is in one set and not in another; whether any number is new.
    pub fn union_with_difference(&mut self, other: &Self, without: &Self) -> bool {
        self.merge(other.0.iter().zip(&without.0).map(|(a, b)| a & !b))
    }

    fn merge(&mut self, words: impl Iterator<Item = u64>) -> bool {
        let mut changed = false;
        for (word, added) in self.0.iter_mut().zip(words) {
            changed |= added & !*word != 0;
            *word |= added;
        }
        changed
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order() {
        let mut set = BitSet::new(200);
        assert!([130, 0, 63, 64].map(|member| set.insert(member)) == [true; 4]);
        assert!(!set.insert(63));
        set.remove(64);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 130]);
        assert!(set.contains(130) && !set.contains(64) && !set.contains(1000));
        let mut other = BitSet::new(200);
        other.insert(63);
        assert!(!set.union_with(&other.clone()));
        let mut rest = BitSet::new(200);
        assert!(rest.union_with_difference(&set, &other));
        assert_eq!(rest.iter().collect::<Vec<_>>(), [0, 130]);
    }
}
