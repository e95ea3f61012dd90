//! Typed functions, written by hand, compiled and run through their entry points.

use pyopt_passes::{
    compile::{self, Site},
    create_context,
    infra::run_pipeline,
    pipelines::TYPED_TO_LLVM,
    register_passes,
};
use pyopt_runtime::{
    engine::{self, LlvmContext, LlvmModule, LoadedCode, Tier},
    error::PyoptError,
    memory::{Owner, OwnerKind, stats},
};
use std::{
    ffi::c_void,
    ptr,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

type EntryPoint = unsafe extern "C" fn(*mut i64, *mut PyoptError, *const i64) -> i32;

/// A compiled module.
struct Program {
    code: LoadedCode,
    sites: Vec<Site>,
}

/// What a call raised: the exception, its message, and the functions it came through.
#[derive(Debug, PartialEq)]
struct Raised(String, String, Vec<String>);

impl Program {
    fn new(text: &str) -> Self {
        static UPSTREAM: Once = Once::new();
        UPSTREAM.call_once(melior::utility::register_all_passes);
        register_passes();
        let context = create_context();
        let mut module = melior::ir::Module::parse(&context, text).expect("the text is MLIR");
        let pipeline = TYPED_TO_LLVM.text(&TYPED_TO_LLVM.default_options());
        run_pipeline(&context, &mut module, &pipeline).expect("it lowers");

        let llvm = LlvmContext::new();
        // SAFETY: the module is made in the fresh context, which goes with it.
        let mut module_ir = unsafe {
            let raw = compile::to_llvm_ir(&context, &module, llvm.as_raw().cast());
            LlvmModule::from_raw(raw.cast(), llvm).expect("it translates")
        };
        let object = engine::compile(&mut module_ir, Tier::Lean).expect("it compiles");
        assert!(!compile::entries(&module).is_empty());
        Self {
            code: LoadedCode::load(&object).expect("it loads"),
            sites: compile::sites(&module),
        }
    }

    /// Calls a function with the slots of its arguments; gives the slots of its results.
    fn call<const N: usize>(&self, function: &str, arguments: &[i64]) -> Result<[i64; N], Raised> {
        let address = self
            .code
            .lookup(&format!("pyopt_entry_{function}"))
            .expect("it is there");
        let mut results = [0; N];
        let mut error = PyoptError::new(std::ptr::null());
        // SAFETY: entries have this type, and the tests give them what their signature asks for.
        let status = unsafe {
            let entry = std::mem::transmute::<ptr::NonNull<c_void>, EntryPoint>(address);
            entry(results.as_mut_ptr(), &mut error, arguments.as_ptr())
        };
        if status == 0 {
            return Ok(results);
        }
        let site = |id: i64| {
            self.sites
                .iter()
                .find(|site| site.id == id)
                .expect("ids are sites")
        };
        let origin = site(status.into());
        let calls = error
            .call_sites()
            .iter()
            .map(|id| site(*id).function.clone());
        Err(Raised(
            origin.exception.clone(),
            origin.message.clone().unwrap_or_default(),
            [origin.function.clone()].into_iter().chain(calls).collect(),
        ))
    }
}

/// An array of the host, as compiled code sees it.
struct Array<T> {
    owner: Box<Owner>,
    data: Vec<T>,
}

impl<T> Array<T> {
    fn new(data: Vec<T>) -> Self {
        Self {
            owner: Box::new(Owner::borrowed(ptr::null_mut())),
            data,
        }
    }

    fn slots(&mut self, sizes: &[i64], strides: &[i64]) -> Vec<i64> {
        let owner = ptr::from_mut(&mut *self.owner).addr() as i64;
        let data = self.data.as_mut_ptr().addr() as i64;
        [&[owner, data], sizes, strides].concat()
    }
}

/// Tests that count allocations run one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn f64s(slots: &[i64]) -> Vec<f64> {
    slots
        .iter()
        .map(|slot| f64::from_bits(*slot as u64))
        .collect()
}

fn bits(value: f64) -> i64 {
    value.to_bits() as i64
}

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
    assert_eq!(
        program.call("narrow", &[bits(1e300)]),
        Ok([255, -1, 1, i64::MAX])
    );
    assert_eq!(program.call("narrow", &[bits(f64::NAN)]), Ok([0, 0, 1, 0]));
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
  typed.require_equal %k, %k2, "shapes don't match" : index, index
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
    let _alone = alone();
    let program = Program::new(ARRAYS);
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
    let _alone = alone();
    let program = Program::new(ARRAYS);
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
    assert_eq!(raised.1, "shapes don't match");
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
