//! The static schedule: how an n-dimensional iteration space is cut into chunks.
//!
//! Like Numba's, it gives every dimension a number of divisions in proportion to its extent, then
//! divides the chunks among the divisions of the outer dimension and goes on inside each.

/// Number of iterations of a space, saturating. Negative extents count as empty.
pub(super) fn iterations(extents: &[i64]) -> i64 {
    let mut total = 1i64;
    for &extent in extents {
        total = total.saturating_mul(extent.max(0));
    }
    total
}

/// The part of the space that `chunk` of `chunks` covers, from `lower` up to but excluding
/// `upper`. The chunks are disjoint and together cover the space; some may be empty.
pub(super) fn chunk_bounds(
    extents: &[i64],
    chunks: i64,
    chunk: i64,
    lower: &mut [i64],
    upper: &mut [i64],
) {
    // The chunks that share the box found so far, and which of them this one is.
    let mut sharing = i128::from(chunks);
    let mut rank = i128::from(chunk);
    for (dimension, &extent) in extents.iter().enumerate() {
        let extent = i128::from(extent.max(0));
        let divisions = divisions(&extents[dimension..], sharing);
        // Division `d` belongs to the sharers from `d * sharing / divisions` on.
        let division = ((rank + 1) * divisions - 1) / sharing;
        let first = division * sharing / divisions;
        let last = (division + 1) * sharing / divisions;
        // In proportion to its sharers, so that uneven divisions balance.
        lower[dimension] = (extent * first / sharing) as i64;
        upper[dimension] = (extent * last / sharing) as i64;
        rank -= first;
        sharing = last - first;
    }
}

/// Into how many parts the first of the dimensions is cut when `sharing` chunks share the box.
fn divisions(extents: &[i64], sharing: i128) -> i128 {
    let [first, rest @ ..] = extents else {
        return 1;
    };
    if rest.is_empty() {
        // The last dimension must tell all sharers apart, even if some get nothing.
        return sharing;
    }
    let length = i128::from((*first).max(0));
    let total = length
        + rest
            .iter()
            .map(|&extent| i128::from(extent.max(0)))
            .sum::<i128>();
    if total == 0 {
        return 1;
    }
    let proportional = (2 * sharing * length + total) / (2 * total);
    proportional.min(length).clamp(1, sharing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often each index of the space is covered.
    fn coverage(extents: &[i64], chunks: i64) -> Vec<u32> {
        let mut counts = vec![0; usize::try_from(iterations(extents)).unwrap()];
        let rank = extents.len();
        for chunk in 0..chunks {
            let (mut lower, mut upper) = (vec![0; rank], vec![0; rank]);
            chunk_bounds(extents, chunks, chunk, &mut lower, &mut upper);
            visit(extents, &lower, &upper, 0, &mut counts);
        }
        counts
    }

    fn visit(extents: &[i64], lower: &[i64], upper: &[i64], base: usize, counts: &mut [u32]) {
        let Some(&extent) = extents.first() else {
            counts[base] += 1;
            return;
        };
        for index in lower[0]..upper[0] {
            let base = base * extent as usize + index as usize;
            visit(&extents[1..], &lower[1..], &upper[1..], base, counts);
        }
    }

    #[test]
    fn every_index_is_covered_once() {
        let sides = [0, 1, 2, 3, 5, 8, 13];
        for chunks in 1..=17 {
            for &a in &sides {
                assert!(coverage(&[a], chunks).iter().all(|&count| count == 1));
                for &b in &sides {
                    let counts = coverage(&[a, b], chunks);
                    assert!(
                        counts.iter().all(|&count| count == 1),
                        "{a}x{b} by {chunks}"
                    );
                    for &c in &sides {
                        let counts = coverage(&[a, b, c], chunks);
                        assert!(
                            counts.iter().all(|&count| count == 1),
                            "{a}x{b}x{c} by {chunks}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_long_dimension_gets_the_divisions() {
        let (mut lower, mut upper) = ([0; 2], [0; 2]);
        chunk_bounds(&[2, 1000], 8, 3, &mut lower, &mut upper);
        assert_eq!((lower, upper), ([0, 375], [2, 500]));
        chunk_bounds(&[1000, 1000], 8, 7, &mut lower, &mut upper);
        assert_eq!((lower, upper), ([750, 500], [1000, 1000]));
    }

    #[test]
    fn work_is_balanced() {
        for chunks in 1..=16 {
            let largest = (0..chunks)
                .map(|chunk| {
                    let (mut lower, mut upper) = ([0; 2], [0; 2]);
                    chunk_bounds(&[997, 1009], chunks, chunk, &mut lower, &mut upper);
                    (upper[0] - lower[0]) * (upper[1] - lower[1])
                })
                .max();
            assert!(largest.unwrap() < 997 * 1009 / chunks * 101 / 100 + 2000);
        }
    }

    #[test]
    fn no_dimension_is_one_iteration_and_huge_spaces_saturate() {
        assert_eq!(iterations(&[]), 1);
        assert_eq!(iterations(&[-4, 3]), 0);
        assert_eq!(iterations(&[i64::MAX, 8]), i64::MAX);
        let (mut lower, mut upper) = ([0], [0]);
        chunk_bounds(&[i64::MAX], 2, 1, &mut lower, &mut upper);
        assert_eq!((lower, upper), ([i64::MAX / 2], [i64::MAX]));
    }
}
