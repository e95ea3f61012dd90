//! Affine forms: `Σ coefficient · term + constant`.
//!
//! The one representation behind sums of indices ([`super::affine`]) and sizes of arrays
//! ([`super::sizes`]). The terms are what those don't analyse any further; no term occurs twice or
//! has the coefficient 0, so forms that differ in the order of their terms alone are the same
//! function of the terms.

/// A number that coefficients are made of.
pub(crate) trait Coefficient: Copy + Default + PartialEq {
    /// The coefficient of a term by itself.
    const ONE: Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// The product.
    fn times(self, other: Self) -> Self;
}

/// Modulo 2^64, as the machine computes: two forms that are equal have equal values, whatever the
/// values of the terms are. Their order says nothing.
impl Coefficient for i64 {
    const ONE: Self = 1;

    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    fn times(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
}

/// As integers, so that bounds of the terms bound the form. Whoever makes a form keeps its
/// coefficients so small that nothing overflows.
impl Coefficient for i128 {
    const ONE: Self = 1;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn times(self, other: Self) -> Self {
        self * other
    }
}

/// An affine form over terms.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Form<T, N> {
    terms: Vec<(T, N)>,
    number: N,
}

impl<T, N: Default> Default for Form<T, N> {
    fn default() -> Self {
        Self {
            terms: Vec::new(),
            number: N::default(),
        }
    }
}

impl<T: Copy + PartialEq, N: Coefficient> Form<T, N> {
    /// A constant.
    pub fn constant(number: N) -> Self {
        Self {
            terms: Vec::new(),
            number,
        }
    }

    /// A term by itself.
    pub fn term(term: T) -> Self {
        Self {
            terms: vec![(term, N::ONE)],
            number: N::default(),
        }
    }

    /// The terms and their coefficients, in the order in which they were added.
    pub fn terms(&self) -> &[(T, N)] {
        &self.terms
    }

    /// The constant term.
    pub fn number(&self) -> N {
        self.number
    }

    /// The constant that the form is, if it has no terms.
    pub fn as_constant(&self) -> Option<N> {
        self.terms.is_empty().then_some(self.number)
    }

    /// The coefficient of a term; 0 of one that doesn't occur.
    pub fn coefficient_of(&self, term: T) -> N {
        let found = self.terms.iter().find(|(known, _)| *known == term);
        found.map_or_else(N::default, |(_, factor)| *factor)
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, number: N) {
        self.number = self.number.plus(number);
    }

    /// Adds a multiple of a term.
    pub fn add_term(&mut self, term: T, factor: N) {
        match self.terms.iter().position(|(known, _)| *known == term) {
            Some(at) => {
                let sum = self.terms[at].1.plus(factor);
                match sum == N::default() {
                    true => drop(self.terms.remove(at)),
                    false => self.terms[at].1 = sum,
                }
            }
            None if factor == N::default() => {}
            None => self.terms.push((term, factor)),
        }
    }

    /// Adds a multiple of another form.
    pub fn add(&mut self, other: &Self, factor: N) {
        for (term, own) in &other.terms {
            self.add_term(*term, own.times(factor));
        }
        self.add_constant(other.number.times(factor));
    }

    /// A multiple of the form.
    pub fn scaled(&self, factor: N) -> Self {
        let mut product = Self::default();
        product.add(self, factor);
        product
    }

    /// Puts the terms in their order, so that equal forms compare equal.
    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.terms.sort_unstable_by_key(|(term, _)| *term);
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn common_terms_cancel() {
        // (2a + 3b + 5) - (2a + b) = 2b + 5
        let mut form = Form::constant(5_i128);
        form.add_term('a', 2);
        form.add_term('b', 3);
        let mut other = Form::term('b');
        other.add_term('a', 2);
        form.add(&other, -1);
        assert_eq!(form.terms(), [('b', 2)]);
        assert_eq!(form.number(), 5);
        assert_eq!(form.coefficient_of('a'), 0);
        assert_eq!(form.as_constant(), None);
    }

    #[test]
    fn sizes_wrap_around() {
        // 2^63 · 2 is 0 modulo 2^64.
        let mut form = Form::constant(1_i64);
        form.add_term('a', i64::MIN);
        assert_eq!(form.scaled(2), Form::constant(2));
    }

    #[test]
    fn the_order_of_terms_is_no_difference_once_sorted() {
        let mut one = Form::<_, i64>::term('b');
        one.add_term('a', 1);
        let mut other = Form::term('a');
        other.add_term('b', 1);
        assert_ne!(one, other);
        one.sort();
        assert_eq!(one, other);
    }
}
