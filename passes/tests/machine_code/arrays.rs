//! Arrays as arguments and results: who owns them, and what is copied.

use super::*;

const ARRAYS: &str = r#"
func.func @sum(%a: !typed.array<1, f64, A>) -> f64 attributes {pyopt.entry} {
  %n = typed.dim %a[0] : !typed.array<1, f64, A> -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = typed.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    %x = typed.load %a[%i] : !typed.array<1, f64, A>, index -> f64
    %t = typed.binary add %acc, %x : f64
    scf.yield %t : f64
  }
  func.return %s : f64
}
func.func @reversed_sum(%a: !typed.array<1, f64, C>) -> f64 attributes {pyopt.entry} {
  %none = typed.singleton : !typed.none
  %m = typed.constant -2 : si64
  %s = typed.slice %none, %none, %m : !typed.slice<!typed.none, !typed.none, si64>
  %v = typed.view %a[%s] : !typed.array<1, f64, C>, (!typed.slice<!typed.none, !typed.none, si64>) -> !typed.array<1, f64, A>
  %r = typed.call @sum(%v) : (!typed.array<1, f64, A>) -> f64
  func.return %r : f64
}
func.func @matmul(%a: !typed.array<2, f64, C>, %b: !typed.array<2, f64, C>) -> !typed.array<2, f64, C> attributes {pyopt.entry} {
  %n = typed.dim %a[0] : !typed.array<2, f64, C> -> index
  %k = typed.dim %a[1] : !typed.array<2, f64, C> -> index
  %m = typed.dim %b[1] : !typed.array<2, f64, C> -> index
  %k2 = typed.dim %b[0] : !typed.array<2, f64, C> -> index
  typed.require_equal %k, %k2, "shapes don't match: {} and {}" : index, index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = typed.empty(%n, %m) : (index, index) -> !typed.array<2, f64, C>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %z = typed.constant 0.0 : f64
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%acc = %z) -> (f64) {
        %x = typed.load %a[%i, %l] : !typed.array<2, f64, C>, index, index -> f64
        %y = typed.load %b[%l, %j] : !typed.array<2, f64, C>, index, index -> f64
        %p = typed.binary mul %x, %y : f64
        %t = typed.binary add %acc, %p : f64
        scf.yield %t : f64
      }
      typed.store %s, %c[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  func.return %c : !typed.array<2, f64, C>
}
func.func @sort(%a: !typed.array<1, si32, C>) attributes {pyopt.entry} {
  %n = typed.len %a : !typed.array<1, si32, C> -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c1 to %n step %c1 {
      %last = arith.subi %j, %c1 : index
      %x = typed.load %a[%last] : !typed.array<1, si32, C>, index -> si32
      %y = typed.load %a[%j] : !typed.array<1, si32, C>, index -> si32
      %swap = typed.compare gt %x, %y : si32
      scf.if %swap {
        typed.store %y, %a[%last] : si32, !typed.array<1, si32, C>, index
        typed.store %x, %a[%j] : si32, !typed.array<1, si32, C>, index
      }
    }
  }
  func.return
}
// Makes a fresh array in every round and gives the last one, unless `stop` is reached.
func.func @rounds(%n: si64, %stop: si64) -> !typed.array<1, si64, C> attributes {pyopt.entry, pyopt.function = "rounds"} {
  %zero = typed.constant 0 : si64
  %two = typed.constant 2 : si64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = typed.cast %n : si64 to index
  %first = typed.empty(%two) zeroed : (si64) -> !typed.array<1, si64, C>
  %kept = typed.empty(%two) zeroed : (si64) -> !typed.array<1, si64, C>
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%old = %first) -> (!typed.array<1, si64, C>) {
    %k = typed.cast %i : index to si64
    %new = typed.empty(%two) zeroed : (si64) -> !typed.array<1, si64, C>
    %hit = typed.compare eq %k, %stop : si64
    typed.raise_if %hit, "RuntimeError"("stopped")
    %x = typed.load %old[%zero] wraparound : !typed.array<1, si64, C>, si64 -> si64
    %y = typed.binary add %x, %k : si64
    typed.store %y, %new[%zero] wraparound : si64, !typed.array<1, si64, C>, si64
    %even = typed.compare eq %x, %zero : si64
    %pick = scf.if %even -> (!typed.array<1, si64, C>) {
      scf.yield %new : !typed.array<1, si64, C>
    } else {
      scf.yield %new : !typed.array<1, si64, C>
    }
    scf.yield %pick : !typed.array<1, si64, C>
  }
  %minus = typed.constant -1 : si64
  typed.store %n, %kept[%minus] wraparound : si64, !typed.array<1, si64, C>, si64
  %l = typed.load %kept[%minus] wraparound : !typed.array<1, si64, C>, si64 -> si64
  typed.store %l, %r[%minus] wraparound : si64, !typed.array<1, si64, C>, si64
  func.return %r : !typed.array<1, si64, C>
}
func.func @same(%a: !typed.array<1, f64, A>) -> !typed.array<1, f64, A> attributes {pyopt.entry} {
  func.return %a : !typed.array<1, f64, A>
}
func.func @make(%n: si64) -> !typed.array<1, i1, C> attributes {pyopt.entry} {
  %a = typed.empty(%n) : (si64) -> !typed.array<1, i1, C>
  func.return %a : !typed.array<1, i1, C>
}
func.func @widen(%a: !typed.array<2, f64, C>, %n: si64, %m: si64) -> f64 attributes {pyopt.entry} {
  %i = typed.cast %n : si64 to index
  %j = typed.cast %m : si64 to index
  %b = typed.broadcast %a to (%i, %j) : !typed.array<2, f64, C> -> !typed.array<2, f64, C>
  %minus = typed.constant -1 : si64
  %x = typed.load %b[%minus, %minus] wraparound : !typed.array<2, f64, C>, si64, si64 -> f64
  func.return %x : f64
}
func.func @odd(%a: !typed.array<1, si32, bytes>) -> si32 attributes {pyopt.entry} {
  %minus = typed.constant -1 : si64
  %x = typed.load %a[%minus] wraparound : !typed.array<1, si32, bytes>, si64 -> si32
  %zero = typed.constant 0 : si64
  typed.store %x, %a[%zero] : si32, !typed.array<1, si32, bytes>, si64
  func.return %x : si32
}
"#;

#[test]
fn array_arguments() {
    let program = Program::new(ARRAYS);
    let mut a = Array::new(vec![1.0, 2.0, 4.0, 8.0, 16.0]);
    let plain = a.slots(&[5], &[1]);
    let mut backward = a.slots(&[5], &[-1]);
    backward[1] += 4 * 8;
    for (name, slots, sum) in [
        ("sum", &plain, 31.0),
        ("sum", &backward, 31.0),
        ("reversed_sum", &plain, 21.0),
    ] {
        assert_eq!(
            f64s(&program.call::<1>(name, slots).unwrap()),
            [sum],
            "{name}"
        );
    }

    let mut numbers = Array::new(vec![5i32, -1, 3, 0, 2]);
    let slots = numbers.slots(&[5], &[1]);
    assert_eq!(program.call("sort", &slots), Ok([]));
    assert_eq!(numbers.data, [-1, 0, 2, 3, 5]);

    // Three numbers, five bytes apart, not aligned.
    let mut bytes = Array::new(vec![0u8; 16]);
    bytes.data[11..15].copy_from_slice(&(-7i32).to_le_bytes());
    let mut slots = bytes.slots(&[3], &[5]);
    slots[1] += 1;
    assert_eq!(program.call("odd", &slots), Ok([-7]));
    assert_eq!(bytes.data[1..5], (-7i32).to_le_bytes());
}

/// Takes the owner of a result over and frees it with its last reference.
fn free(owner: i64) {
    let owner = ptr::with_exposed_provenance_mut::<Owner>(owner as usize);
    // SAFETY: the result's owner is alive and the test drops its only reference.
    unsafe { pyopt_runtime::memory::pyopt_release(owner) };
}

#[test]
fn fresh_arrays_are_counted() {
    let program = Program::counted(ARRAYS);
    let before = stats();

    let mut a = Array::new(vec![1.0, 2.0, 3.0, 4.0]);
    let slots = a.slots(&[2, 2], &[2, 1]);
    let result = program
        .call::<6>("matmul", &[&slots[..], &slots[..]].concat())
        .unwrap();
    assert_eq!(result[2..], [2, 2, 2, 1]);
    let data = ptr::with_exposed_provenance::<f64>(result[1] as usize);
    // SAFETY: the result has four elements.
    let elements = unsafe { std::slice::from_raw_parts(data, 4) };
    assert_eq!(elements, [7.0, 10.0, 15.0, 22.0]);
    free(result[0]);

    let result = program.call::<4>("rounds", &[5, 9]).unwrap();
    let data = ptr::with_exposed_provenance::<i64>(result[1] as usize);
    // SAFETY: the result has two elements.
    assert_eq!(unsafe { std::slice::from_raw_parts(data, 2) }, [10, 5]);
    free(result[0]);
    let raised = program.call::<4>("rounds", &[5, 3]).unwrap_err();
    assert_eq!(
        raised,
        Raised(
            "RuntimeError".into(),
            "stopped".into(),
            vec!["rounds".into()]
        )
    );

    let after = stats();
    assert_eq!(after.allocations - before.allocations, 1 + 7 + 6);
    assert_eq!(
        after.frees - before.frees,
        after.allocations - before.allocations
    );
}

#[test]
fn broadcasts_copy_only_where_they_must() {
    let program = Program::counted(ARRAYS);
    let mut a = Array::new(vec![1.0, 2.0]);
    for (sizes, strides, allocations) in [([1, 2], [2, 1], 1), ([2, 1], [1, 1], 1)] {
        let before = stats();
        let slots = [&a.slots(&sizes, &strides)[..], &[2, 2]].concat();
        assert_eq!(f64s(&program.call::<1>("widen", &slots).unwrap()), [2.0]);
        assert_eq!(stats().allocations - before.allocations, allocations);
        assert_eq!(stats().frees - before.frees, allocations);
    }
    let before = stats();
    let slots = [&a.slots(&[1, 2], &[2, 1])[..], &[1, 2]].concat();
    assert_eq!(f64s(&program.call::<1>("widen", &slots).unwrap()), [2.0]);
    assert_eq!(stats(), before);
    let slots = [&a.slots(&[1, 2], &[2, 1])[..], &[2, 3]].concat();
    assert_eq!(
        program.call::<1>("widen", &slots).unwrap_err().0,
        "ValueError"
    );
}

#[test]
fn errors_of_arrays() {
    let program = Program::new(ARRAYS);
    let raised = program.call::<4>("make", &[-1]).unwrap_err();
    assert_eq!(raised.1, "negative dimensions are not allowed");
    assert_eq!(
        program.call::<4>("make", &[i64::MAX]).unwrap_err().0,
        "MemoryError"
    );
    let mut a = Array::new(vec![1.0; 6]);
    let slots = a.slots(&[2, 3], &[3, 1]);
    let raised = program
        .call::<6>("matmul", &[&slots[..], &slots[..]].concat())
        .unwrap_err();
    assert_eq!(raised.1, "shapes don't match: {} and {}");
}

#[test]
fn a_returned_argument_is_the_same_array() {
    let program = Program::new(ARRAYS);
    let mut a = Array::new(vec![1.0; 6]);
    let slots = a.slots(&[3], &[2]);
    assert_eq!(program.call::<4>("same", &slots).unwrap()[..], slots[..]);
    assert_eq!(
        (a.owner.kind(), a.owner.refcount()),
        (OwnerKind::Borrowed, 2)
    );
}
