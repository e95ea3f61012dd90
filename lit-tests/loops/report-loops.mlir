// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(func.func(typed-report-loops{obstacles=true}))' --verify-diagnostics
// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(func.func(typed-report-loops))' 2>&1 | FileCheck %s --check-prefix=LOOPS

!v = !typed.array<1, f64, C>

// What keeps an innermost loop from being vectorised.

// LOOPS: remark: for loop [loop]
// LOOPS: remark: for loop [loop]
func.func @obstacles(%a: !v, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @+1 {{ValueError: negative [check]}}
      typed.raise_if %c, "ValueError"("negative")
      // expected-remark @+1 {{ZeroDivisionError [check]}}
      typed.raise_if %c, "ZeroDivisionError"
      // expected-remark @+1 {{other [call]}}
      %0 = typed.call @other.1(%a) : (!v) -> f64
      // expected-remark @+1 {{a new array [allocation]}}
      %1 = typed.empty(%n) : (index) -> !v
      typed.store %0, %1[%i] : f64, !v, index
    }
  }
  return
}
func.func private @other.1(!v) -> f64

// -----

// Loops with loops in them are nothing to vectorise, loads and stores no obstacles.

!v = !typed.array<1, f64, C>

// LOOPS: remark: for loop [loop]
// LOOPS: remark: while loop [loop]
func.func @plain(%a: !v, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    typed.raise_if %c, "ValueError"
    scf.while : () -> () {
      %0 = typed.load %a[%j] : !v, index -> f64
      typed.store %0, %a[%c0] : f64, !v, index
      scf.condition(%c)
    } do {
      scf.yield
    }
  }
  return
}

// -----

// Copies for exceptions: one has a copy without checks, one is annotated to be left as it is.

// LOOPS: remark: for loop [loop]
// LOOPS: remark: for loop [loop]
func.func @copies(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    typed.raise_if %c, "ValueError"
  } {pyopt.hoisted}
  scf.for %i = %c0 to %n step %c1 {
    typed.raise_if %c, "ValueError"
  } {loop_annotation = #llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>}
  return
}

// -----

// What parallel loops come from.

// LOOPS: remark: prange loop [loop]
func.func @parallel(%n: index, %c: i1) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    // expected-remark @+1 {{IndexError [check]}}
    typed.raise_if %c, "IndexError"
  }
  return
}
