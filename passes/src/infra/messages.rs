//! Messages of errors that several stages raise. They are templates: each `{}` stands for a value
//! of the operation that raises.

/// What sizes that don't broadcast together raise, for two shapes of these ranks: the sizes of the
/// one, then those of the other.
pub(crate) fn shapes_differ(ranks: [usize; 2]) -> String {
    let [one, other] = ranks.map(shape);
    format!("operands could not be broadcast together with shapes {one} {other}")
}

/// A shape of a rank, as NumPy writes it.
pub(crate) fn shape(rank: usize) -> String {
    match rank {
        1 => "({},)".to_owned(),
        _ => format!("({})", vec!["{}"; rank].join(",")),
    }
}
