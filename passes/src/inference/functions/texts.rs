//! Numbers in constant texts, as `int('12')` and `float('nan')` read them.

/// Reads a decimal integer that fits into 64 bits.
pub(super) fn integer(text: &str) -> Option<i64> {
    without_underscores(text)?.parse().ok()
}

/// Reads a float.
pub(super) fn float(text: &str) -> Option<f64> {
    // Rust reads the same texts, underscores and Unicode's other digits excepted.
    without_underscores(text)?.parse().ok()
}

/// A text without spaces around it and without underscores, which must stand between digits.
fn without_underscores(text: &str) -> Option<String> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let misplaced = (0..bytes.len())
        .filter(|&index| bytes[index] == b'_')
        .any(|index| !(index > 0 && is_digit(index - 1) && is_digit(index + 1)));
    (!misplaced).then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_python_does() {
        for (text, value) in [("12", 12), (" -7\n", -7), ("+1_000", 1000), ("007", 7)] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        for text in [
            "",
            "_1",
            "1_",
            "1__0",
            "0x10",
            "1.0",
            "- 1",
            "9223372036854775808",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn floats_are_read_as_python_does() {
        for (text, value) in [
            ("2.5", 2.5),
            (" -1e3 ", -1000.0),
            ("1_0.2_5", 10.25),
            (".5", 0.5),
            ("5.", 5.0),
            ("-Infinity", f64::NEG_INFINITY),
            ("inf", f64::INFINITY),
            ("1e999", f64::INFINITY),
        ] {
            assert_eq!(float(text), Some(value), "{text}");
        }
        assert!(float("NaN").is_some_and(f64::is_nan));
        for text in ["", "1e", "_1", "1_.5", "0x1p3", "nan(1)", "1 2"] {
            assert_eq!(float(text), None, "{text}");
        }
    }
}
