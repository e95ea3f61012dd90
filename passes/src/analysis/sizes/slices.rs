//! Sizes of slices and of broadcasts, in a normal form.
//!
//! NumPy adds the size to a negative bound, once, and clamps the result. So `a[0:n-3]` of an array
//! of `n` elements has one element where `n` is 2: `n-3` is -1 then, the last index. Its size isn't
//! that of `a[3:n]`, unless `n` is known to be 3 or more; but that of `a[:-3]` is. Up to `n-2` the
//! two are equal for every `n`.

use super::atoms::{Atom, Size, Sizes};

/// Constants below this are small: subtracting one from a size doesn't overflow.
const SMALL: i64 = 1 << 31;
/// The largest constant `c` for which the bounds `n - c` and `-c` are the same for every size `n`.
const SAME_FROM_END: i64 = 2;

/// A bound of a slice, after NumPy's adjustment.
#[derive(Clone, Debug)]
enum Bound {
    /// This many elements from the start, or the end of the dimension if there are fewer.
    FromStart(i64),
    /// This many elements from the end, or the start of the dimension if there are fewer.
    FromEnd(i64),
    /// Unknown.
    Other(Size),
}

impl Bound {
    /// The index that the bound is in a dimension of a known size.
    fn within(&self, size: i64) -> Option<i64> {
        match self {
            Self::FromStart(number) => Some(size.min(*number)),
            Self::FromEnd(number) => Some((size - number).max(0)),
            Self::Other(_) => None,
        }
    }
}

impl Sizes {
    /// `max(size - number, 0)` for a small number.
    pub fn natural(&mut self, size: Size) -> Size {
        if let Some(number) = size.as_number() {
            return Size::number(number.max(0));
        }
        if self.is_natural(&size) {
            return size;
        }
        if let Some((atom, shift)) = size.as_shifted_atom()
            && shift <= 0
            && let Atom::Natural(inner) = self.atom_of(atom)
        {
            let inner = inner.shifted(shift);
            return self.make(Atom::Natural(inner));
        }
        self.make(Atom::Natural(size))
    }

    /// `max(size, 0)`.
    pub fn positive(&mut self, size: Size) -> Size {
        let tame = size.as_number().is_some()
            || self.is_natural(&size)
            || size.as_shifted_atom().is_some_and(|(atom, shift)| {
                (-SMALL..=0).contains(&shift) && self.is_natural(&Size::atom(atom))
            });
        if tame {
            self.natural(size)
        } else {
            self.make(Atom::Positive(size))
        }
    }

    /// `min(size, number)` for a non-negative number.
    pub fn least(&mut self, size: Size, number: i64) -> Size {
        match size.as_number() {
            Some(size) => Size::number(size.min(number)),
            None if number == 0 => Size::number(0),
            None => self.make(Atom::Least(size, number)),
        }
    }

    /// The length of a dimension taken with a step: `ceil(size / step)`.
    pub fn every(&mut self, size: Size, step: i64) -> Size {
        match size.as_number() {
            _ if step == 1 => size,
            Some(size) => Size::number(size / step + i64::from(size % step != 0)),
            None => self.make(Atom::Every(size, step)),
        }
    }

    /// A product.
    pub fn product(&mut self, a: Size, b: Size) -> Size {
        match (a.as_number(), b.as_number()) {
            (Some(factor), _) => b.times(factor),
            (_, Some(factor)) => a.times(factor),
            _ if a <= b => self.make(Atom::Product(a, b)),
            _ => self.make(Atom::Product(b, a)),
        }
    }

    /// The broadcast of sizes, given that it succeeds.
    pub fn broadcast(&mut self, sizes: Vec<Size>) -> Size {
        let mut parts = Vec::new();
        for size in sizes {
            match size.as_atom().map(|atom| self.atom_of(atom)) {
                Some(Atom::Broadcast(inner)) => parts.extend(inner.iter().cloned()),
                _ => parts.push(size),
            }
        }
        let one = Size::number(1);
        // A size other than 1 is the result.
        let given = parts
            .iter()
            .find(|part| part.as_number().is_some_and(|number| number != 1));
        if let Some(given) = given {
            return given.clone();
        }
        parts.retain(|part| *part != one);
        parts.sort();
        parts.dedup();
        match parts.len() {
            0 => one,
            1 => parts.remove(0),
            _ => self.make(Atom::Broadcast(parts)),
        }
    }

    /// What `typed.broadcast_size` gives of sizes, whether or not they fit: that is checked only
    /// later, so that a known size among them says nothing of the others. The order is no
    /// difference where they fit, and where they don't nobody uses the result.
    pub fn unchecked_broadcast(&mut self, sizes: Vec<Size>) -> Size {
        let mut parts = Vec::new();
        for size in sizes {
            match size.as_atom().map(|atom| self.atom_of(atom)) {
                Some(Atom::Unchecked(inner)) => parts.extend(inner.iter().cloned()),
                _ => parts.push(size),
            }
        }
        parts.retain(|part| *part != Size::number(1));
        parts.sort();
        parts.dedup();
        match parts.len() {
            0 => Size::number(1),
            1 => parts.remove(0),
            _ => self.make(Atom::Unchecked(parts)),
        }
    }

    /// The length of a slice of a dimension; an omitted bound is `None`.
    pub fn slice(
        &mut self,
        size: Size,
        start: Option<Size>,
        stop: Option<Size>,
        step: Size,
    ) -> Size {
        let count = step.as_number();
        match (count, &start, &stop) {
            (Some(step @ 1..SMALL), ..) => {
                let whole = self.plain_slice(size, start, stop);
                self.every(whole, step)
            }
            (Some(step), None, None) if step < 0 && step > -SMALL => self.every(size, -step),
            _ => self.make(Atom::Slice(size, start, stop, step)),
        }
    }

    /// A slice with step 1.
    fn plain_slice(&mut self, size: Size, start: Option<Size>, stop: Option<Size>) -> Size {
        let start = match start {
            None => Bound::FromStart(0),
            Some(start) => self.bound(&size, start),
        };
        let stop = match stop {
            None => Bound::FromEnd(0),
            Some(stop) => self.bound(&size, stop),
        };
        if let Some(size) = size.as_number()
            && let [Some(start), Some(stop)] = [&start, &stop].map(|bound| bound.within(size))
        {
            return Size::number((stop - start).max(0));
        }
        match (&start, &stop) {
            (Bound::FromStart(before), Bound::FromEnd(behind)) => {
                return self.natural(size.shifted(-before - behind));
            }
            (Bound::FromStart(0), Bound::FromStart(stop)) => return self.least(size, *stop),
            (Bound::FromStart(start), Bound::FromStart(stop)) if stop <= start => {
                return Size::number(0);
            }
            (Bound::FromEnd(start), Bound::FromEnd(0)) => return self.least(size, *start),
            (Bound::FromEnd(start), Bound::FromEnd(stop)) if start <= stop => {
                return Size::number(0);
            }
            _ => {}
        }
        let start = match start {
            Bound::FromStart(number) => Size::number(number),
            Bound::FromEnd(0) => size.clone(),
            Bound::FromEnd(number) => Size::number(-number),
            Bound::Other(start) => start,
        };
        let stop = match stop {
            Bound::FromStart(number) => Some(Size::number(number)),
            Bound::FromEnd(0) => None,
            Bound::FromEnd(number) => Some(Size::number(-number)),
            Bound::Other(stop) => Some(stop),
        };
        self.make(Atom::Slice(size, Some(start), stop, Size::number(1)))
    }

    /// The adjusted bound of a slice in a dimension.
    fn bound(&self, size: &Size, bound: Size) -> Bound {
        match bound.as_number() {
            Some(number @ 0..SMALL) => return Bound::FromStart(number),
            Some(number) if number < 0 && number > -SMALL => return Bound::FromEnd(-number),
            _ => {}
        }
        let behind = size.plus(&bound, -1).as_number();
        if let Some(number @ 0..=SAME_FROM_END) = behind {
            return Bound::FromEnd(number);
        }
        // The end of a slice that starts at the start of the dimension.
        if let Some(Atom::Natural(inner)) = bound.as_atom().map(|atom| self.atom_of(atom))
            && let Some(number @ 0..SMALL) = size.plus(inner, -1).as_number()
        {
            return Bound::FromEnd(number);
        }
        Bound::Other(bound)
    }
}
