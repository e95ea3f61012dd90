//! How diagnostics look.

use insta::assert_snapshot;
use pyopt_frontend::{
    location::SourcePosition,
    render::{Medium, Part, Severity, render},
};

const SOURCE: &str = "\
def f(a, b):
\treturn a + b

def g(x):
    名 = \"漢字é\" + x; y = 1
    return h(x,
             x +
             [1])
";

/// A place in `program.py`, as `(line, column, end line, end column)`.
fn place((line, column, end_line, end_column): (usize, usize, usize, usize)) -> SourcePosition {
    SourcePosition {
        file: "program.py".into(),
        line,
        column,
        end_line,
        end_column,
    }
}

/// Renders an error at a place of the source.
fn error_at(range: (usize, usize, usize, usize)) -> String {
    let part = Part {
        severity: Severity::Error,
        text: "it is wrong",
        position: Some(&place(range)),
    };
    render(&[part], Medium::Text, |_| Some(SOURCE.into()))
}

#[test]
fn a_span_is_underlined() {
    assert_snapshot!(error_at((1, 7, 1, 8)), @r"
    error: it is wrong
     --> program.py:1:7
      |
    1 | def f(a, b):
      |       ^
    ");
}

#[test]
fn tabs_have_the_width_they_are_shown_with() {
    assert_snapshot!(error_at((2, 9, 2, 14)), @r"
    error: it is wrong
     --> program.py:2:9
      |
    2 |     return a + b
      |            ^^^^^
    ");
}

#[test]
fn wide_characters_are_two_columns_wide() {
    assert_snapshot!(error_at((5, 24, 5, 25)), @r#"
    error: it is wrong
     --> program.py:5:17
      |
    5 |     名 = "漢字é" + x; y = 1
      |                    ^
    "#);
    assert_snapshot!(error_at((5, 11, 5, 21)), @r#"
    error: it is wrong
     --> program.py:5:9
      |
    5 |     名 = "漢字é" + x; y = 1
      |          ^^^^^^^
    "#);
}

#[test]
fn a_column_inside_a_character_is_its_beginning() {
    assert_eq!(error_at((5, 13, 5, 19)), error_at((5, 12, 5, 18)));
}

#[test]
fn spans_go_over_lines() {
    assert_snapshot!(error_at((6, 12, 8, 18)), @r"
    error: it is wrong
     --> program.py:6:12
      |
    6 |       return h(x,
      |  ____________^
    7 | |              x +
    8 | |              [1])
      | |_________________^
    ");
}

#[test]
fn without_columns_the_line_is_underlined() {
    assert_snapshot!(error_at((6, 0, 6, 0)), @r"
    error: it is wrong
     --> program.py:6:5
      |
    6 |     return h(x,
      |     ^^^^^^^^^^^
    ");
}

#[test]
fn without_an_end_there_is_one_caret() {
    assert_snapshot!(error_at((6, 12, 6, 0)), @r"
    error: it is wrong
     --> program.py:6:12
      |
    6 |     return h(x,
      |            ^
    ");
}

#[test]
fn spans_stop_at_the_end_of_the_line() {
    assert_snapshot!(error_at((4, 7, 4, 400)), @r"
    error: it is wrong
     --> program.py:4:7
      |
    4 | def g(x):
      |       ^^^
    ");
    assert_snapshot!(error_at((4, 300, 4, 400)), @r"
    error: it is wrong
     --> program.py:4:10
      |
    4 | def g(x):
      |          ^
    ");
    assert_snapshot!(error_at((8, 14, 99, 3)), @r"
    error: it is wrong
     --> program.py:8:14
      |
    8 |              [1])
      |              ^^^^
    ");
}

#[test]
fn lines_that_the_file_lacks_are_only_named() {
    assert_snapshot!(error_at((30, 2, 30, 4)), @r"
    error: it is wrong
    --> program.py:30:2
    ");
    assert_snapshot!(error_at((3, 1, 3, 2)), @r"
    error: it is wrong
    --> program.py:3:1
    ");
    assert_snapshot!(error_at((0, 0, 0, 0)), @r"
    error: it is wrong
    --> program.py
    ");
}

#[test]
fn a_missing_file_is_only_named() {
    let part = |line, column| {
        let place = place((line, column, line, 9));
        let part = Part {
            severity: Severity::Warning,
            text: "it is doubtful",
            position: Some(&place),
        };
        render(&[part], Medium::Text, |_| None)
    };
    assert_snapshot!(part(3, 5), @r"
    warning: it is doubtful
    --> program.py:3:5
    ");
    assert_snapshot!(part(3, 0), @r"
    warning: it is doubtful
    --> program.py:3
    ");
}

/// An error with a hint, a note at the same place, one elsewhere and one nowhere.
fn notes(medium: Medium) -> String {
    let (here, there) = (place((2, 9, 2, 14)), place((6, 12, 6, 13)));
    let part = |severity, text, position| Part {
        severity,
        text,
        position,
    };
    let parts = [
        part(Severity::Error, "cannot add si64 and str", Some(&here)),
        part(Severity::Hint, "convert one of them", Some(&here)),
        part(Severity::Note, "in the call of f(si64, str)", Some(&there)),
        part(Severity::Remark, "it is the first call", None),
    ];
    render(&parts, medium, |_| Some(SOURCE.into()))
}

#[test]
fn notes_and_hints_follow() {
    assert_snapshot!(notes(Medium::Text), @r"
    error: cannot add si64 and str
     --> program.py:2:9
      |
    2 |     return a + b
      |            ^^^^^
      |
      = hint: convert one of them
    note: in the call of f(si64, str)
     --> program.py:6:12
      |
    6 |     return h(x,
      |            ^
      = remark: it is the first call
    ");
}

#[test]
fn exceptions_name_no_severity() {
    assert_snapshot!(notes(Medium::Exception).lines().next().unwrap(), @"cannot add si64 and str");
}

#[test]
fn terminals_get_colours() {
    assert!(notes(Medium::Terminal).contains("\x1b["));
    assert!(!notes(Medium::Text).contains('\x1b'));
}

#[test]
fn a_part_without_a_place_is_a_line() {
    let part = Part {
        severity: Severity::Error,
        text: "there is no function 'f'",
        position: None,
    };
    assert_snapshot!(render(&[part], Medium::Text, |_| None), @"error: there is no function 'f'");
}
