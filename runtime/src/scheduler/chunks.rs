//! Into how many chunks a loop is cut whose chunks have variables of their own.

use super::parts::pyopt_parts;

/// The number of chunks for a loop of `count` iterations, each of about `work` simple operations; with 0
/// they may take any time. At least 1.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_chunks(count: i64, work: i64) -> i64 {
    // SAFETY: it is one number.
    let parts = unsafe { pyopt_parts(1, &count, work, 0, 1) };
    parts.max(1)
}

#[cfg(test)]
mod tests {
    use super::pyopt_chunks;

    #[test]
    fn chunks_are_worth_it() {
        assert_eq!(pyopt_chunks(0, 0), 1);
        assert_eq!(pyopt_chunks(1, 0), 1);
        assert_eq!(pyopt_chunks(1000, 1), 1);
        assert!((1..=1000).contains(&pyopt_chunks(1000, 0)));
    }
}
