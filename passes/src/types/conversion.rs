//! Which of several declared signatures a call takes: the one whose parameters the arguments are
//! converted to most easily, by Numba's ranking.

use super::{
    lists::{is_any_list, is_nothing, list_item},
    number::Number,
    sequences::{class_of, held},
    tuples::elements,
};
use melior::ir::Type;
use pyopt_dialects::typed::{Layout, TypedType, array_type};

/// What it takes to convert a value, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conversion {
    /// Nothing.
    Exact,
    /// A wider number of the same kind.
    Promote,
    /// Another kind of number that holds all values, or nearly, or to forget what is known of an array.
    Safe,
    /// What may lose the value.
    Unsafe,
}

/// What it takes to convert all arguments of a call. Fewer unsafe conversions weigh more than any
/// number of safe ones, and these more than promotions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rating {
    lossy: u32,
    safe: u32,
    promotions: u32,
}

impl Rating {
    /// Whether nothing is converted.
    pub fn is_exact(self) -> bool {
        self == Self::default()
    }

    /// The rating of several conversions; `None` if one of them isn't possible.
    pub fn of(conversions: impl IntoIterator<Item = Option<Conversion>>) -> Option<Self> {
        let mut rating = Self::default();
        for conversion in conversions {
            match conversion? {
                Conversion::Exact => {}
                Conversion::Promote => rating.promotions += 1,
                Conversion::Safe => rating.safe += 1,
                Conversion::Unsafe => rating.lossy += 1,
            }
        }
        Some(rating)
    }
}

/// The positions of the best ratings: several where a call is ambiguous, none where nothing fits.
pub fn best(ratings: impl IntoIterator<Item = Option<Rating>>) -> Vec<usize> {
    let mut least = None;
    let mut found = Vec::new();
    for (index, rating) in ratings.into_iter().enumerate() {
        let Some(rating) = rating else { continue };
        if least.is_none_or(|least| rating < least) {
            least = Some(rating);
            found.clear();
        }
        if least == Some(rating) {
            found.push(index);
        }
    }
    found
}

impl Number {
    /// What it takes to convert this number to another one; complex numbers convert to no others.
    pub fn conversion(self, to: Self) -> Option<Conversion> {
        use Conversion::{Exact, Safe, Unsafe};
        if self == to {
            return Some(Exact);
        }
        Some(match (self, to) {
            (Self::Complex(from), Self::Complex(to)) => widening(from, to),
            (Self::Complex(_), _) => return None,
            (real, Self::Complex(part)) => real.conversion(Self::Float(part))?.max(Safe),
            (Self::Bool, _) => Safe,
            (_, Self::Bool) | (Self::Float(_), Self::Int { .. }) => Unsafe,
            (Self::Float(from), Self::Float(to)) => widening(from, to),
            (
                Self::Int { width, signed },
                Self::Int {
                    width: wider,
                    signed: other,
                },
            ) => match (signed, other) {
                (true, true) | (false, false) => widening(width, wider),
                (false, true) if width < wider => Safe,
                _ => Unsafe,
            },
            // An integer goes to floats with more digits, and one of 64 bits to the widest there is.
            (Self::Int { width, signed }, Self::Float(to)) => {
                let needed = if signed { width } else { 2 * width };
                match needed < to || width >= 32 && to == 64 {
                    true => Safe,
                    false => Unsafe,
                }
            }
        })
    }
}

fn widening(from: u32, to: u32) -> Conversion {
    match from < to {
        true => Conversion::Promote,
        false => Conversion::Unsafe,
    }
}

/// What it takes to convert a value of one type to another type.
pub(crate) fn conversion(from: Type, to: Type) -> Option<Conversion> {
    if from == to {
        return Some(Conversion::Exact);
    }
    if let TypedType::Optional(inner) = TypedType::from(to) {
        return match TypedType::from(from) {
            TypedType::None => Some(Conversion::Promote),
            TypedType::Optional(value) => conversion(value, inner),
            _ => conversion(from, inner).map(|inner| inner.max(Conversion::Promote)),
        };
    }
    if let TypedType::Optional(value) = TypedType::from(from) {
        return conversion(value, to).map(|inner| inner.max(Conversion::Safe));
    }
    if let Some(held) = held(from) {
        return conversion(held, to);
    }
    if let (Some(from), Some(to)) = (Number::of(from), Number::of(to)) {
        return from.conversion(to);
    }
    if let (Some(from), Some(to)) = (array_type(from), array_type(to)) {
        let fits = from.rank == to.rank
            && from.element == to.element
            && (to.readonly || !from.readonly)
            && match to.layout {
                Layout::A => from.layout != Layout::Bytes,
                Layout::Bytes => true,
                Layout::C | Layout::F => from.layout == to.layout,
            };
        return fits.then_some(Conversion::Safe);
    }
    if let Some(item) = list_item(to) {
        // A list of the program's is made as one of the declared type.
        let items = match list_item(from) {
            Some(own) if is_nothing(own) => Vec::new(),
            Some(own) => vec![own],
            None if is_any_list(from) => elements(from)?,
            None => return None,
        };
        let all_fit = items.into_iter().all(|own| own == item);
        return all_fit.then_some(Conversion::Exact);
    }
    let same_class = class_of(from) == class_of(to);
    let (from, to) = (elements(from)?, elements(to)?);
    if !same_class || from.len() != to.len() {
        return None;
    }
    let mut pairs = from.into_iter().zip(to);
    pairs.try_fold(Conversion::Exact, |worst, (from, to)| {
        Some(worst.max(conversion(from, to)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(from: Number, to: Number) -> Option<Conversion> {
        from.conversion(to)
    }

    fn int(width: u32) -> Number {
        Number::Int {
            width,
            signed: true,
        }
    }

    fn uint(width: u32) -> Number {
        Number::Int {
            width,
            signed: false,
        }
    }

    #[test]
    fn conversions_rank_as_in_numba() {
        use Conversion::{Exact, Promote, Safe, Unsafe};
        let float = Number::Float;
        assert_eq!(rank(int(64), int(64)), Some(Exact));
        assert_eq!(rank(int(32), int(64)), Some(Promote));
        assert_eq!(rank(uint(8), uint(64)), Some(Promote));
        assert_eq!(rank(uint(32), int(64)), Some(Safe));
        assert_eq!(rank(int(64), int(32)), Some(Unsafe));
        assert_eq!(rank(int(8), uint(64)), Some(Unsafe));
        assert_eq!(rank(uint(64), int(64)), Some(Unsafe));
        assert_eq!(rank(int(64), float(64)), Some(Safe));
        assert_eq!(rank(uint(64), float(64)), Some(Safe));
        assert_eq!(rank(int(32), float(32)), Some(Unsafe));
        assert_eq!(rank(int(16), float(32)), Some(Safe));
        assert_eq!(rank(uint(16), float(32)), Some(Unsafe));
        assert_eq!(rank(uint(16), float(64)), Some(Safe));
        assert_eq!(rank(int(8), float(16)), Some(Safe));
        assert_eq!(rank(uint(8), float(16)), Some(Unsafe));
        assert_eq!(rank(float(64), int(64)), Some(Unsafe));
        assert_eq!(rank(float(32), float(64)), Some(Promote));
        assert_eq!(rank(Number::Bool, float(32)), Some(Safe));
        assert_eq!(rank(int(64), Number::Bool), Some(Unsafe));
        assert_eq!(rank(float(32), Number::Complex(64)), Some(Safe));
        assert_eq!(rank(int(64), Number::Complex(32)), Some(Unsafe));
        assert_eq!(
            rank(Number::Complex(32), Number::Complex(64)),
            Some(Promote)
        );
        assert_eq!(rank(Number::Complex(64), float(64)), None);
    }

    #[test]
    fn the_best_ratings_win_and_equal_ones_tie() {
        use Conversion::{Exact, Promote, Safe, Unsafe};
        let rate = |conversions: [Conversion; 2]| Rating::of(conversions.map(Some));
        assert_eq!(best([rate([Exact, Unsafe]), rate([Safe, Safe])]), [1]);
        assert_eq!(best([rate([Promote, Promote]), rate([Exact, Safe])]), [0]);
        assert_eq!(best([rate([Exact, Safe]), rate([Safe, Exact])]), [0, 1]);
        assert!(best([Rating::of([Some(Exact), None])]).is_empty());
    }
}
