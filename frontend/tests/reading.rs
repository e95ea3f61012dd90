//! Reading of .pyc files and marshal data.

mod common;

use common::{data, function};
use pyopt_dialects::enums::FunctionKind;
use pyopt_frontend::{marshal, pyc, value::Value, version::Version};

fn message(bytes: &[u8]) -> String {
    marshal::load(bytes, Version::PYTHON_3_11)
        .unwrap_err()
        .to_string()
}

#[test]
fn code_objects_have_their_fields() {
    let code = function("scale");
    assert_eq!(&*code.filename, "functions.py");
    assert_eq!((code.argument_count, code.keyword_only_count), (1, 1));
    assert!(code.has_varargs() && code.has_varkeywords());
    assert_eq!(code.kind(), FunctionKind::Function);
    insta::assert_debug_snapshot!(code.parameters(), @r#"
    [
        "values",
        "factor",
        "rest",
        "options",
    ]
    "#);
    assert!(code.is_cell(1));
    let comprehension = code
        .constants
        .iter()
        .find_map(Value::as_code)
        .expect("a nested function");
    assert_eq!(&*comprehension.qualified_name, "scale.<locals>.<listcomp>");
    assert_eq!(
        comprehension
            .free_names()
            .map(|name| &**name)
            .collect::<Vec<_>>(),
        ["factor"]
    );
}

#[test]
fn constants_of_all_types_are_read() {
    let code = function("large_constants");
    insta::assert_debug_snapshot!(code.constants, @r#"
    [
        None,
        Int(
            Integer {
                negative: false,
                magnitude: [
                    591751049,
                    2882400001,
                    591751049,
                    1,
                ],
            },
        ),
        Float(
            -1.5,
        ),
        Complex(
            0.0,
            2.0,
        ),
        Bytes(
            [
                0,
                255,
            ],
        ),
        Str(
            "naïve",
        ),
        Ellipsis,
    ]
    "#);
    let Value::Int(integer) = &code.constants[1] else {
        panic!("not an integer")
    };
    assert_eq!(integer.to_string(), "90144042682896311822508713865");
}

#[test]
fn malformed_data_is_located() {
    insta::assert_snapshot!(message(b""), @"malformed marshal data at byte 0: 1 bytes needed, 0 left");
    insta::assert_snapshot!(message(b"?"), @"malformed marshal data at byte 0: unknown type byte 0x3f");
    insta::assert_snapshot!(message(b"NN"), @"malformed marshal data at byte 1: 1 bytes follow the value");
    insta::assert_snapshot!(message(b"(\xff\xff\xff\x7f"), @"malformed marshal data at byte 1: length 2147483647 is impossible with 0 bytes left");
    insta::assert_snapshot!(message(b"s\x04\0\0\0abc"), @"malformed marshal data at byte 1: length 4 is impossible with 3 bytes left");
    insta::assert_snapshot!(message(b"l\x01\0\0\0\xff\xff"), @"malformed marshal data at byte 5: integer digit out of range");
    insta::assert_snapshot!(message(b"r\0\0\0\0"), @"malformed marshal data at byte 1: reference 0 is out of range");
    insta::assert_snapshot!(message(b"\xa9\x01r\0\0\0\0"), @"malformed marshal data at byte 3: reference 0 is to an object that is not complete yet");
    insta::assert_snapshot!(message(b"z\x01\xff"), @"malformed marshal data at byte 2: string marked as ASCII holds other characters");
    insta::assert_snapshot!(message(&[b')', 1].repeat(1000)), @"malformed marshal data at byte 400: values nest more than 200 levels deep");
}

#[test]
fn shared_parts_cannot_blow_up() {
    // Each tuple refers twice to the one before it.
    let mut bytes = vec![b')', 31, 0xa9, 0];
    for index in 0..30u8 {
        bytes.extend([0xa9, 2, b'r', index, 0, 0, 0, b'r', index, 0, 0, 0]);
    }
    insta::assert_snapshot!(message(&bytes), @"malformed marshal data at byte 280: value has more than 16777216 parts");
}

#[test]
fn no_truncation_or_changed_byte_panics() {
    let bytes = data("functions.pyc");
    for length in 0..bytes.len() {
        assert!(pyc::load(&bytes[..length]).is_err());
    }
    for index in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[index] ^= change;
            let _ = pyc::load(&changed);
        }
    }
}
