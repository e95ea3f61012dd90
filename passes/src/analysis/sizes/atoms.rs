//! Sizes as affine forms over atoms, in a normal form: equal sizes compare equal.
//!
//! Arithmetic is modulo 2^64, so equations may be added, subtracted and solved for an atom with the
//! coefficient 1 or -1, whatever the values are.

use crate::{analysis::form::Form, infra::Key};
use std::collections::{HashMap, HashSet};

/// How many substitutions to follow from an atom. They might form a cycle; what is left then is
/// still an atom equal to the first one.
const DEPTH: usize = 8;

/// An atom of sizes, numbered in the order in which they were first seen.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct AtomId(u32);

/// A term that isn't a sum or difference itself.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Atom {
    /// An unknown dimension of an array.
    Dimension(Key, usize),
    /// An unknown integer.
    Value(Key),
    /// `max(size, 0)` of a size less a small number, which doesn't wrap around.
    Natural(Size),
    /// `max(size, 0)` of any sum.
    Positive(Size),
    /// `min(size, number)`.
    Least(Size, i64),
    /// The length of a slice of a dimension of this size, with start, stop and step.
    Slice(Size, Option<Size>, Option<Size>, Size),
    /// The number of elements of this many with this step: `ceil(size / step)`.
    Every(Size, i64),
    /// A product.
    Product(Size, Size),
    /// The broadcast of several sizes, which fit.
    Broadcast(Vec<Size>),
    /// The broadcast of several sizes that may not fit.
    Unchecked(Vec<Size>),
    /// The number of true elements of a mask, after a number of writes.
    Chosen(Key, usize),
}

/// A size: an affine form over atoms, sorted.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Size(Form<AtomId, i64>);

impl Size {
    /// A number.
    pub fn number(number: i64) -> Self {
        Self(Form::constant(number))
    }

    /// An atom.
    pub fn atom(atom: AtomId) -> Self {
        Self(Form::term(atom))
    }

    /// The constant that it is, if it has no atoms.
    pub fn as_number(&self) -> Option<i64> {
        self.0.as_constant()
    }

    /// The atom that it is, if it is nothing else.
    pub fn as_atom(&self) -> Option<AtomId> {
        let (atom, shift) = self.as_shifted_atom()?;
        (shift == 0).then_some(atom)
    }

    /// The atom, if it is one plus a constant.
    pub fn as_shifted_atom(&self) -> Option<(AtomId, i64)> {
        match self.0.terms() {
            [(atom, 1)] => Some((*atom, self.0.number())),
            _ => None,
        }
    }

    /// The coefficient of an atom.
    pub fn factor_of(&self, atom: AtomId) -> i64 {
        self.0.coefficient_of(atom)
    }

    /// This form plus a multiple of another.
    pub fn plus(&self, other: &Self, factor: i64) -> Self {
        let mut sum = self.0.clone();
        sum.add(&other.0, factor);
        sum.sort();
        Self(sum)
    }

    /// This form plus a constant.
    pub fn shifted(&self, by: i64) -> Self {
        let mut sum = self.0.clone();
        sum.add_constant(by);
        Self(sum)
    }

    /// A multiple of the form.
    pub fn times(&self, factor: i64) -> Self {
        Self(self.0.scaled(factor))
    }
}

/// A change that is undone when a region is left.
#[derive(Debug)]
enum Change {
    Solved(AtomId),
    Natural(AtomId),
}

/// All atoms, and the equations that hold at the current point of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    atoms: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    /// The solved equations: the form that an atom is equal to.
    solved: HashMap<AtomId, Size>,
    /// The atoms known to be non-negative.
    natural: HashSet<AtomId>,
    changes: Vec<Change>,
}

impl Sizes {
    /// The form that is a single atom.
    pub fn make(&mut self, atom: Atom) -> Size {
        let next = AtomId(self.atoms.len() as u32);
        let id = *self.ids.entry(atom.clone()).or_insert(next);
        if id == next {
            let natural = !matches!(
                atom,
                Atom::Value(_) | Atom::Product(..) | Atom::Unchecked(_)
            );
            self.atoms.push(atom);
            if natural {
                self.natural.insert(id);
            }
        }
        Size::atom(id)
    }

    /// The normal form of a size under the present equations.
    pub fn resolve(&mut self, size: &Size) -> Size {
        self.resolve_within(size, DEPTH)
    }

    fn resolve_within(&mut self, size: &Size, depth: usize) -> Size {
        if self.changes.is_empty() || depth == 0 {
            return size.clone();
        }
        let mut sum = Size::number(size.0.number());
        for (id, factor) in size.0.terms() {
            let equal = self.resolve_atom(*id, depth - 1);
            sum = sum.plus(&equal, *factor);
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
            Atom::Unchecked(sizes) => {
                let sizes = sizes.iter().map(part).collect();
                self.unchecked_broadcast(sizes)
            }
        }
    }

    /// Adds the equation that two sizes are equal, from here on; returns whether it is new.
    pub fn equate(&mut self, a: &Size, b: &Size) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let difference = a.plus(&b, -1);
        // Solve for the last atom: atoms that were seen earlier represent later ones. An atom is
        // numbered after those that it contains, so it doesn't occur in its own solution.
        let Some((atom, factor)) = difference
            .0
            .terms()
            .iter()
            .rev()
            .copied()
            .find(|(_, factor)| factor.abs() == 1)
        else {
            return false;
        };
        if difference.0.terms().iter().any(|(other, _)| *other > atom) {
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

    /// Records that an atom is non-negative from here on.
    fn mark_natural(&mut self, atom: AtomId) {
        if self.natural.insert(atom) {
            self.changes.push(Change::Natural(atom));
        }
    }

    /// Records that a size is an array's, and so non-negative from here on.
    pub fn is_of_array(&mut self, size: &Size) {
        let size = self.resolve(size);
        if let Some(atom) = size.as_atom() {
            self.mark_natural(atom);
        }
    }

    /// Whether a normal form is known to be non-negative.
    pub fn is_natural(&self, size: &Size) -> bool {
        match size.as_number() {
            Some(number) => number >= 0,
            None => size.as_atom().is_some_and(|atom| {
                self.natural.contains(&atom)
                    || match self.atom_of(atom) {
                        // It is one of them, also where they don't fit.
                        Atom::Unchecked(sizes) => sizes.iter().all(|one| self.is_natural(one)),
                        _ => false,
                    }
            }),
        }
    }

    /// Whether a size depends on one of these values and arrays.
    pub fn uses_any(&self, size: &Size, values: &HashSet<Key>) -> bool {
        let any = |sizes: &[&Size]| sizes.iter().any(|size| self.uses_any(size, values));
        size.0
            .terms()
            .iter()
            .any(|(id, _)| match self.atom_of(*id) {
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
                Atom::Broadcast(sizes) | Atom::Unchecked(sizes) => {
                    sizes.iter().any(|size| any(&[size]))
                }
            })
    }

    /// The atom.
    pub fn atom_of(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    /// The number of changes so far: a mark for [`Sizes::undo`].
    pub fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Undoes the changes since a mark.
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
