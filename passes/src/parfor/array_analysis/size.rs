//! Sizes as sums of atoms: two that are written alike are equal.
//!
//! Numbers are those of 64 bits, which wrap around; so equations between sums may be added,
//! subtracted and solved for an atom whose factor is 1 or -1, whatever the values are.

use melior::ir::{Value, ValueLike};
use std::{
    collections::{HashMap, HashSet},
    ffi::c_void,
};

/// How many equations to follow from an atom. They might go round in a circle; what is left is an
/// atom equal to the first one all the same.
const DEPTH: usize = 8;

/// A value as a key.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(in crate::parfor) struct Key(*const c_void);

impl Key {
    pub fn of(value: Value) -> Self {
        Self(value.to_raw().ptr)
    }
}

/// Something that sizes are made of, by the order in which it was first seen.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(in crate::parfor) struct AtomId(u32);

/// What isn't looked into any further by adding and subtracting.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(in crate::parfor) enum Atom {
    /// A dimension of an array of which nothing is known.
    Dimension(Key, usize),
    /// An integer of which nothing is known.
    Value(Key),
    /// 0 where the sum is negative. It is a size less a small number: nothing wraps around.
    Natural(Size),
    /// 0 where the sum is negative, whatever it is.
    Positive(Size),
    /// A size, or the number if that is less.
    Least(Size, i64),
    /// What a slice of a dimension of this size has, given its start, stop and step.
    Slice(Size, Option<Size>, Option<Size>, Size),
    /// How many positions there are among so many, every so many.
    Every(Size, i64),
    /// A product.
    Product(Size, Size),
    /// What several sizes broadcast to.
    Broadcast(Vec<Size>),
    /// How many elements of a mask are true after so many writes.
    Chosen(Key, usize),
}

/// A sum of atoms, each times a factor, and a number.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(in crate::parfor) struct Size {
    terms: Vec<(AtomId, i64)>,
    number: i64,
}

impl Size {
    /// A number.
    pub fn number(number: i64) -> Self {
        Self {
            terms: Vec::new(),
            number,
        }
    }

    /// An atom.
    pub fn atom(atom: AtomId) -> Self {
        Self {
            terms: vec![(atom, 1)],
            number: 0,
        }
    }

    /// The number that it is, if it is one.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.number)
    }

    /// The atom that it is, if it is one.
    pub fn as_atom(&self) -> Option<AtomId> {
        match (&self.terms[..], self.number) {
            ([(atom, 1)], 0) => Some(*atom),
            _ => None,
        }
    }

    /// The atom that a number is added to.
    pub fn as_shifted_atom(&self) -> Option<(AtomId, i64)> {
        match &self.terms[..] {
            [(atom, 1)] => Some((*atom, self.number)),
            _ => None,
        }
    }

    /// How often an atom is added.
    pub fn factor_of(&self, atom: AtomId) -> i64 {
        let found = self.terms.binary_search_by_key(&atom, |term| term.0);
        found.map_or(0, |at| self.terms[at].1)
    }

    /// The sum of this and so many times another.
    pub fn plus(&self, other: &Self, factor: i64) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut ours, mut theirs) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (atom, sum) = match (ours.peek(), theirs.peek()) {
                (Some((a, x)), Some((b, y))) if a == b => {
                    let both = (*a, x.wrapping_add(y.wrapping_mul(factor)));
                    ours.next();
                    theirs.next();
                    both
                }
                (Some(&&(a, x)), next) if next.is_none_or(|(b, _)| a < *b) => {
                    ours.next();
                    (a, x)
                }
                (_, Some(&&(b, y))) => {
                    theirs.next();
                    (b, y.wrapping_mul(factor))
                }
                (_, None) => break,
            };
            if sum != 0 {
                terms.push((atom, sum));
            }
        }
        Self {
            terms,
            number: self.number.wrapping_add(other.number.wrapping_mul(factor)),
        }
    }

    /// The sum with a number.
    pub fn shifted(&self, by: i64) -> Self {
        let mut sum = self.clone();
        sum.number = sum.number.wrapping_add(by);
        sum
    }

    /// So many times the sum.
    pub fn times(&self, factor: i64) -> Self {
        Self::default().plus(self, factor)
    }
}

/// What may be undone when a region is left.
#[derive(Debug)]
enum Change {
    Solved(AtomId),
    Natural(AtomId),
}

/// All atoms, and the equations known where the walk through a function is.
#[derive(Debug, Default)]
pub(in crate::parfor) struct Sizes {
    atoms: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    /// What an atom is equal to, in atoms that stand for themselves.
    solved: HashMap<AtomId, Size>,
    /// The atoms known not to be negative.
    natural: HashSet<AtomId>,
    changes: Vec<Change>,
}

impl Sizes {
    /// The size that is nothing but an atom.
    pub fn make(&mut self, atom: Atom) -> Size {
        let next = AtomId(self.atoms.len() as u32);
        let id = *self.ids.entry(atom.clone()).or_insert(next);
        if id == next {
            let natural = !matches!(atom, Atom::Value(_) | Atom::Product(..));
            self.atoms.push(atom);
            if natural {
                self.natural.insert(id);
            }
        }
        Size::atom(id)
    }

    /// A size as what is known of it here says that it is.
    pub fn resolve(&mut self, size: &Size) -> Size {
        self.resolve_within(size, DEPTH)
    }

    fn resolve_within(&mut self, size: &Size, depth: usize) -> Size {
        if self.changes.is_empty() || depth == 0 {
            return size.clone();
        }
        let mut sum = Size::number(size.number);
        for (id, factor) in size.terms.clone() {
            let equal = self.resolve_atom(id, depth - 1);
            sum = sum.plus(&equal, factor);
        }
        sum
    }

    fn resolve_atom(&mut self, id: AtomId, depth: usize) -> Size {
        if let Some(equal) = self.solved.get(&id).cloned() {
            return self.resolve_within(&equal, depth);
        }
        let atom = self.atoms[id.0 as usize].clone();
        let mut part = |size: &Size| self.resolve_within(size, depth);
        match atom {
            Atom::Dimension(..) | Atom::Value(_) | Atom::Chosen(..) => Size::atom(id),
            Atom::Natural(size) => {
                let size = part(&size);
                self.natural(size)
            }
            Atom::Positive(size) => {
                let size = part(&size);
                self.positive(size)
            }
            Atom::Least(size, number) => {
                let size = part(&size);
                self.least(size, number)
            }
            Atom::Slice(size, start, stop, step) => {
                let [start, stop] = [start, stop].map(|bound| bound.map(|bound| part(&bound)));
                let (size, step) = (part(&size), part(&step));
                self.slice(size, start, stop, step)
            }
            Atom::Every(size, step) => {
                let size = part(&size);
                self.every(size, step)
            }
            Atom::Product(a, b) => {
                let (a, b) = (part(&a), part(&b));
                self.product(a, b)
            }
            Atom::Broadcast(sizes) => {
                let sizes = sizes.iter().map(part).collect();
                self.broadcast(sizes)
            }
        }
    }

    /// Notes that two sizes are equal from here on; whether that is news.
    pub fn equate(&mut self, a: &Size, b: &Size) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let difference = a.plus(&b, -1);
        // The last atom: what was seen first stands for what came later. An atom that holds
        // another one is seen after that, so that it isn't part of its own solution.
        let Some((atom, factor)) = difference
            .terms
            .iter()
            .rev()
            .copied()
            .find(|(_, factor)| factor.abs() == 1)
        else {
            return false;
        };
        if difference.terms.iter().any(|(other, _)| *other > atom) {
            return false;
        }
        let rest = difference.plus(&Size::atom(atom), factor.wrapping_neg());
        let equal = rest.times(-factor);
        if self.natural.contains(&atom)
            && let Some(other) = equal.as_atom()
        {
            self.mark_natural(other);
        }
        self.solved.insert(atom, equal);
        self.changes.push(Change::Solved(atom));
        true
    }

    /// Whether two sizes are known to be equal.
    pub fn equal(&mut self, a: &Size, b: &Size) -> bool {
        a == b || self.resolve(a) == self.resolve(b)
    }

    /// Notes that an atom isn't negative from here on.
    fn mark_natural(&mut self, atom: AtomId) {
        if self.natural.insert(atom) {
            self.changes.push(Change::Natural(atom));
        }
    }

    /// Notes that a size is that of an array: it isn't negative from here on.
    pub fn is_of_array(&mut self, size: &Size) {
        let size = self.resolve(size);
        if let Some(atom) = size.as_atom() {
            self.mark_natural(atom);
        }
    }

    /// Whether a resolved size is known not to be negative.
    pub fn is_natural(&self, size: &Size) -> bool {
        match size.as_number() {
            Some(number) => number >= 0,
            None => size
                .as_atom()
                .is_some_and(|atom| self.natural.contains(&atom)),
        }
    }

    /// Whether a size depends on one of these values and arrays.
    pub fn uses_any(&self, size: &Size, values: &HashSet<Key>) -> bool {
        let any = |sizes: &[&Size]| sizes.iter().any(|size| self.uses_any(size, values));
        size.terms.iter().any(|(id, _)| match self.atom_of(*id) {
            Atom::Dimension(key, _) | Atom::Value(key) | Atom::Chosen(key, _) => {
                values.contains(key)
            }
            Atom::Natural(size)
            | Atom::Positive(size)
            | Atom::Least(size, _)
            | Atom::Every(size, _) => any(&[size]),
            Atom::Slice(size, start, stop, step) => {
                any(&[size, step]) || [start, stop].into_iter().flatten().any(|one| any(&[one]))
            }
            Atom::Product(a, b) => any(&[a, b]),
            Atom::Broadcast(sizes) => sizes.iter().any(|size| any(&[size])),
        })
    }

    /// The atom.
    pub fn atom_of(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    /// How many changes there were until here: for [`Sizes::undo`].
    pub fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Forgets what was learnt since a mark.
    pub fn undo(&mut self, mark: usize) {
        for change in self.changes.drain(mark..) {
            match change {
                Change::Solved(atom) => {
                    self.solved.remove(&atom);
                }
                Change::Natural(atom) => {
                    self.natural.remove(&atom);
                }
            }
        }
    }
}
