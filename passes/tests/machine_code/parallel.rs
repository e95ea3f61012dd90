//! Loops on threads.

use super::*;

#[test]
fn parallel_launches() {
    let program = Program::new(
        r#"
        func.func private @part(%lo: index, %hi: index, %a: !typed.array<1, si64, C>, %limit: si64,
                                %sum: si64, %most: si64) -> (si64, si64) attributes {pyopt.function = "total"} {
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %i = %lo to %hi step %c1 iter_args(%s = %sum, %m = %most) -> (si64, si64) {
            %x = typed.load %a[%i] : !typed.array<1, si64, C>, index -> si64
            %bad = typed.compare gt %x, %limit : si64
            typed.raise_if %bad, "OverflowError"("too large")
            %t = typed.binary add %s, %x : si64
            %u = typed.binary max %m, %x : si64
            scf.yield %t, %u : si64, si64
          }
          func.return %r#0, %r#1 : si64, si64
        }
        func.func @total(%a: !typed.array<1, si64, C>, %limit: si64) -> (si64, si64) attributes {pyopt.entry} {
          %n = typed.dim %a[0] : !typed.array<1, si64, C> -> index
          %init = typed.constant 1000 : si64
          %least = typed.constant -5 : si64
          %r:2 = parfor.launch @part(%n) args(%a, %limit : !typed.array<1, si64, C>, si64)
                   inits(%init, %least : si64, si64) reductions [add, max] : si64, si64
          func.return %r#0, %r#1 : si64, si64
        }
        "#,
    );
    let mut a = Array::new((0..100_000i64).collect());
    let slots = a.slots(&[100_000], &[1]);
    let call = |limit| program.call::<2>("total", &[&slots[..], &[limit]].concat());
    assert_eq!(call(1 << 40), Ok([1000 + 99_999 * 50_000, 99_999]));
    assert_eq!(call(77_777).unwrap_err().1, "too large");
    let mut none = Array::new(vec![0i64]);
    let slots = [&none.slots(&[0], &[1])[..], &[0]].concat();
    assert_eq!(program.call("total", &slots), Ok([1000, -5]));
}

#[test]
fn launches_with_combiners() {
    // Of two numbers the later one, which must not be less; -1 is none.
    let program = Program::new(
        r#"
        func.func private @later(%a: si64, %b: si64) -> si64 attributes {pyopt.function = "later"} {
          %none = typed.constant -1 : si64
          %nothing = typed.compare eq %b, %none : si64
          %kept = arith.select %nothing, %a, %b : si64
          %bad = typed.compare lt %kept, %a : si64
          typed.raise_if %bad, "ValueError"("descending")
          func.return %kept : si64
        }
        func.func private @none() -> si64 {
          %none = typed.constant -1 : si64
          func.return %none : si64
        }
        parfor.combiner @last identity(@none) combine(@later)
        func.func private @part(%lo: index, %hi: index, %a: !typed.array<1, si64, C>,
                                %sum: si64, %start: si64) -> (si64, si64) attributes {pyopt.function = "last_of"} {
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %i = %lo to %hi step %c1 iter_args(%s = %sum, %l = %start) -> (si64, si64) {
            %x = typed.load %a[%i] : !typed.array<1, si64, C>, index -> si64
            %t = typed.binary add %s, %x : si64
            %u = typed.call @later(%l, %x) : (si64, si64) -> si64
            scf.yield %t, %u : si64, si64
          }
          func.return %r#0, %r#1 : si64, si64
        }
        func.func @last_of(%a: !typed.array<1, si64, C>, %init: si64) -> (si64, si64) attributes {pyopt.entry} {
          %n = typed.dim %a[0] : !typed.array<1, si64, C> -> index
          %thousand = typed.constant 1000 : si64
          %r:2 = parfor.launch @part(%n) args(%a : !typed.array<1, si64, C>)
                   inits(%thousand, %init : si64, si64) reductions [add, @last] : si64, si64
          func.return %r#0, %r#1 : si64, si64
        }
        "#,
    );
    let call = |slots: &[i64], init| program.call::<2>("last_of", &[slots, &[init]].concat());
    let mut a = Array::new((0..100_000i64).collect());
    let slots = a.slots(&[100_000], &[1]);
    assert_eq!(call(&slots, -1), Ok([1000 + 99_999 * 50_000, 99_999]));
    assert_eq!(call(&slots, 7).unwrap_err().1, "descending");
    let mut b = Array::new(
        (0..100_000i64)
            .map(|i| if i > 10 { -1 } else { i })
            .collect(),
    );
    let slots = b.slots(&[100_000], &[1]);
    assert_eq!(call(&slots, -1).map(|found| found[1]), Ok(10));
    // Each part ascends; all of them together don't.
    let mut c = Array::new((0..100_000i64).map(|i| i / 50_000 * -5 + 9).collect());
    let slots = c.slots(&[100_000], &[1]);
    assert_eq!(call(&slots, -1).unwrap_err().1, "descending");
    let mut none = Array::new(vec![0i64]);
    assert_eq!(call(&none.slots(&[0], &[1]), 5), Ok([1000, 5]));
}
