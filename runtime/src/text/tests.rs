use super::*;

fn wide(units: &[u16]) -> Text {
    Text {
        units: units.as_ptr().cast(),
        length: units.len(),
        width: 2,
        ..Text::EMPTY
    }
}

#[test]
fn texts_of_any_width_compare_by_code_points() {
    let compare = |a: &[u8], b: &[u16]| {
        // SAFETY: the slices' own lengths.
        unsafe {
            let b_units = b.as_ptr().cast();
            let equal = pyopt_str_equal(a.as_ptr(), a.len() as i64, 1, b_units, b.len() as i64, 2);
            let order =
                pyopt_compare_str(a.as_ptr(), a.len() as i64, 1, b_units, b.len() as i64, 2);
            assert_eq!(equal == 1, order == 0);
            order
        }
    };
    assert_eq!(compare(b"ab", &[97, 98]), 0);
    assert_eq!(compare(b"ab", &[97]), 1);
    assert_eq!(compare(b"\xe9", &[0x20ac]), -1);
    assert_eq!(compare(b"", &[]), 0);
}

#[test]
fn equal_texts_have_one_hash_whatever_their_width() {
    let (narrow, units) = (b"ab", [97u16, 98]);
    // SAFETY: the slices' own lengths.
    unsafe {
        let one = pyopt_str_hash(narrow.as_ptr(), 2, 1);
        assert_eq!(pyopt_str_hash(units.as_ptr().cast(), 2, 2), one);
    }
}

#[test]
fn units_are_found_where_they_begin() {
    // The bytes of 0x4100 lie across two units of 0x0041, too.
    let text = [0x41u16, 0x41, 0x4100];
    let wanted = [0x4100u16];
    let (text, wanted) = (wide(&text), wide(&wanted));
    assert_eq!(compare::first(text.bytes(), wanted.bytes(), 2), Some(2));
}
