//! Numbers, texts, calls and what they raise.

use super::*;

#[test]
fn scalars() {
    let program = Program::new(
        r#"
        func.func @add(%a: si64, %b: si64) -> si64 attributes {pyopt.entry} {
          %c = typed.binary add %a, %b : si64
          func.return %c : si64
        }
        func.func @divide(%a: si64, %b: si64) -> tuple<si64, si64> attributes {pyopt.entry} {
          %q = typed.binary floordiv %a, %b : si64
          %r = typed.binary mod %a, %b : si64
          %t = typed.tuple(%q, %r) : tuple<si64, si64>
          func.return %t : tuple<si64, si64>
        }
        func.func @shifts(%a: si64, %b: si64) -> (si64, si64) attributes {pyopt.entry} {
          %l = typed.binary lshift %a, %b : si64
          %r = typed.binary rshift %a, %b : si64
          func.return %l, %r : si64, si64
        }
        func.func @floats(%a: f64, %b: f64) -> (f64, f64) attributes {pyopt.entry} {
          %q = typed.binary floordiv %a, %b : f64
          %r = typed.binary mod %a, %b : f64
          func.return %q, %r : f64, f64
        }
        func.func @narrow(%a: f64) -> (ui8, si32, i1, si64) attributes {pyopt.entry} {
          %x = typed.cast %a : f64 to ui8
          %y = typed.cast %a : f64 to si32
          %z = typed.cast %a : f64 to i1
          %w = typed.cast %a : f64 to si64
          func.return %x, %y, %z, %w : ui8, si32, i1, si64
        }
        func.func @power(%a: si64, %b: si64) -> si64 attributes {pyopt.entry} {
          %c = typed.binary pow %a, %b : si64
          func.return %c : si64
        }
        // Named as a function of libm, which it calls.
        func.func @hypot(%a: complex<f64>, %b: complex<f64>) -> (f64, complex<f64>) attributes {pyopt.entry} {
          %h = typed.unary abs %a : complex<f64> -> f64
          %q = typed.binary truediv %a, %b : complex<f64>
          func.return %h, %q : f64, complex<f64>
        }
        "#,
    );
    assert_eq!(program.call("add", &[40, 2]), Ok([42]));
    for (a, b, q, r) in [
        (7, 2, 3, 1),
        (-7, 2, -4, 1),
        (7, -2, -4, -1),
        (-7, -2, 3, -1),
        (i64::MIN, -1, i64::MIN, 0),
        (5, 0, 0, 0),
    ] {
        assert_eq!(program.call("divide", &[a, b]), Ok([q, r]), "{a} {b}");
    }
    assert_eq!(program.call("shifts", &[-8, 1]), Ok([-16, -4]));
    assert_eq!(program.call("shifts", &[-8, 64]), Ok([0, -1]));
    for (a, b, q, r) in [
        (7.5, 2.0, 3.0, 1.5),
        (-7.5, 2.0, -4.0, 0.5),
        (7.5, -2.0, -4.0, -0.5),
        (1.0, 0.1, 9.0, 0.09999999999999995),
        (-0.0, 2.0, -0.0, 0.0),
        (4.0, -2.0, -2.0, -0.0),
        (f64::INFINITY, 2.0, f64::NAN, f64::NAN),
        (1.0, 0.0, f64::INFINITY, f64::NAN),
        (1.0, f64::NEG_INFINITY, -1.0, f64::NEG_INFINITY),
    ] {
        let result = program.call::<2>("floats", &[bits(a), bits(b)]).unwrap();
        let shown = format!("{:?}", f64s(&result));
        assert_eq!(shown, format!("{:?}", [q, r]), "{a} {b}");
    }
    assert_eq!(program.call("narrow", &[bits(-1.5)]), Ok([255, -1, 1, -1]));
    for far in [1e300, f64::NEG_INFINITY, f64::NAN] {
        let least = [0, i32::MIN.into(), 1, i64::MIN];
        assert_eq!(program.call("narrow", &[bits(far)]), Ok(least), "{far}");
    }
    assert_eq!(program.call("power", &[3, 5]), Ok([243]));
    assert_eq!(program.call("power", &[-2, 63]), Ok([i64::MIN]));
    let numbers = [3.0, -4.0, 1.0, 2.0].map(bits);
    let result = program.call::<3>("hypot", &numbers).unwrap();
    assert_eq!(f64s(&result), [5.0, -1.0, -2.0]);
}

#[test]
fn calls_and_errors() {
    let program = Program::new(
        r#"
        func.func @gcd(%a: si64, %b: si64) -> si64 attributes {pyopt.entry, pyopt.function = "gcd"} {
          %zero = typed.constant 0 : si64
          %done = typed.compare eq %b, %zero : si64
          %r = scf.if %done -> (si64) {
            scf.yield %a : si64
          } else {
            %m = typed.binary mod %a, %b : si64
            %s = typed.call @gcd(%b, %m) : (si64, si64) -> si64
            scf.yield %s : si64
          }
          func.return %r : si64
        }
        func.func private @check(%x: si64) -> !typed.none attributes {pyopt.function = "check"} {
          %zero = typed.constant 0 : si64
          %bad = typed.compare lt %x, %zero : si64
          typed.raise_if %bad, "ValueError"("x is negative")
          %none = typed.singleton : !typed.none
          func.return %none : !typed.none
        }
        func.func @outer(%x: si64) -> si64 attributes {pyopt.entry, pyopt.function = "outer"} {
          %none = typed.call @check(%x) : (si64) -> !typed.none
          %one = typed.constant 1 : si64
          %y = typed.binary add %x, %one : si64
          func.return %y : si64
        }
        "#,
    );
    assert_eq!(program.call("gcd", &[48, 36]), Ok([12]));
    assert_eq!(program.call("outer", &[1]), Ok([2]));
    assert_eq!(
        program.call::<1>("outer", &[-1]),
        Err(Raised(
            "ValueError".into(),
            "x is negative".into(),
            vec!["check".into(), "outer".into()],
        ))
    );
}

#[test]
fn texts() {
    let program = Program::new(
        r#"
        func.func @texts(%k: si64) -> (i1, i1, si64) attributes {pyopt.entry} {
          %a = typed.constant "hé€" : !typed.str
          %b = typed.constant "h" : !typed.str
          %i = typed.item %a[%k : si64] : !typed.str -> !typed.str
          %equal = typed.compare eq %i, %b : !typed.str
          %less = typed.compare lt %b, %i : !typed.str
          %n = typed.len %a : !typed.str -> si64
          func.return %equal, %less, %n : i1, i1, si64
        }
        "#,
    );
    assert_eq!(program.call("texts", &[0]), Ok([1, 0, 3]));
    assert_eq!(program.call("texts", &[2]), Ok([0, 1, 3]));
}
