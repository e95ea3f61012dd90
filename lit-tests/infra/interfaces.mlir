// Passes treat the operations of a dialect that they have never heard of by what these say of
// themselves.
// DEFINE: %{tool} = %extended-opt %s --irdl-file=%S/Inputs/example.irdl.mlir
// RUN: %{tool} --pass-pipeline='builtin.module(func.func(parfor-hoist))' | FileCheck %s --check-prefix=HOIST
// RUN: %{tool} --pass-pipeline='builtin.module(func.func(parfor-fuse))' | FileCheck %s --check-prefix=FUSE
// RUN: %{tool} --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s --check-prefix=OWN
// RUN: %{tool} --typed-expand-try | FileCheck %s --check-prefix=TRY
// RUN: %{tool} --pass-pipeline='builtin.module(canonicalize,cse)' | FileCheck %s --check-prefix=DEAD
// RUN: %{tool} --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion))' | FileCheck %s --check-prefix=LOOP
// RUN: %{tool} --pass-pipeline='builtin.module(test-print-work)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: %{tool} --typed-inline-calls | FileCheck %s --check-prefix=INLINE

!v = !typed.array<1, f64, C>

// What computes is taken out of a loop. What may raise stays, and so does what reads an array that
// the loop writes.

// HOIST-LABEL: func.func @hoisting(
// HOIST: "example.mix"(%arg1, %arg2)
// HOIST: parfor.loop
// HOIST: "example.guard"(%arg1)
// HOIST: "example.sum"(%arg0)
// HOIST: typed.store
func.func @hoisting(%a: !v, %x: f64, %y: f64, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %m = "example.mix"(%x, %y) : (f64, f64) -> f64
    "example.guard"(%x) : (f64) -> ()
    %s = "example.sum"(%a) : (!v) -> f64
    %z = typed.binary add %m, %s : f64
    typed.store %z, %a[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// Loops are fused over an operation that reads what neither writes.

// FUSE-LABEL: func.func @over_read(
// FUSE: parfor.loop
// FUSE-SAME: fused
// FUSE-NOT: parfor.loop
func.func @over_read(%a: !v, %n: index) -> (!v, !v, f64) {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  %s = "example.sum"(%a) : (!v) -> f64
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return %0, %1, %s : !v, !v, f64
}

// Over one that writes it, or may raise, they aren't.

// FUSE-LABEL: func.func @over_write(
// FUSE: parfor.loop
// FUSE: "example.clear"
// FUSE: parfor.loop
func.func @over_write(%a: !v, %n: index) -> (!v, !v) {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  "example.clear"(%0) : (!v) -> ()
  %1 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : !v
  return %0, %1 : !v, !v
}

// A result of one's own is released behind its last use, a view of it counts as use; a reference
// that is taken over isn't released.

// OWN-LABEL: func.func @released(
// OWN: %[[A:.*]] = "example.make"
// OWN-NEXT: %[[P:.*]] = "example.part"(%[[A]])
// OWN-NEXT: %[[S:.*]] = "example.sum"(%[[P]])
// OWN-NEXT: typed.release %[[A]]
// OWN-NEXT: return %[[S]]
func.func @released(%n: index) -> f64 {
  %a = "example.make"(%n) : (index) -> !v
  %p = "example.part"(%a) : (!v) -> !typed.array<1, f64, A>
  %s = "example.sum"(%p) : (!typed.array<1, f64, A>) -> f64
  return %s : f64
}

// OWN-LABEL: func.func @taken(
// OWN: %[[A:.*]] = "example.make"
// OWN-NEXT: "example.take"(%[[A]])
// OWN-NEXT: return
func.func @taken(%n: index) {
  %a = "example.make"(%n) : (index) -> !v
  "example.take"(%a) : (!v) -> ()
  return
}

// In a `try`, what may raise goes to a function that is called and may unwind; what can't raise stays
// in line.

// TRY-LABEL: func.func @tried(
// TRY: "example.mix"
// TRY: typed.try_call @[[PART:.*]](%
// TRY: func.func @unused
// TRY: func.func private @[[PART]]
// TRY-NEXT: "example.guard"
func.func @tried(%x: f64, %y: f64) -> f64 {
  %m = "example.mix"(%x, %y) : (f64, f64) -> f64
  "example.guard"(%m) : (f64) -> ()
  typed.try_br ^next unwind ^handler
^next:
  return %m : f64
^handler(%e: !typed.exception):
  return %x : f64
}

// What only reads or computes is removed if nobody needs it; what writes or raises isn't.

// DEAD-LABEL: func.func @unused(
// DEAD-NEXT: "example.clear"
// DEAD-NEXT: "example.guard"
// DEAD-NEXT: return
func.func @unused(%a: !v, %x: f64) {
  %m = "example.mix"(%x, %x) : (f64, f64) -> f64
  %s = "example.sum"(%a) : (!v) -> f64
  "example.clear"(%a) : (!v) -> ()
  "example.guard"(%x) : (f64) -> ()
  return
}

// What computes is taken out of a loop by upstream's pass too, out of ours and out of one that it
// has never heard of; what may raise stays.

// LOOP-LABEL: func.func @repeated(
// LOOP: "example.mix"(%arg0, %arg0)
// LOOP-NEXT: "example.mix"(%arg0, %arg1)
// LOOP-NEXT: "example.repeat"
// LOOP: "example.guard"
// LOOP: "example.mix"(%arg1, %arg1)
// LOOP-NEXT: parfor.loop
// LOOP: typed.store
func.func @repeated(%x: f64, %y: f64, %a: !v, %n: index) {
  "example.repeat"() ({
    %s = "example.mix"(%x, %x) : (f64, f64) -> f64
    "example.guard"(%s) : (f64) -> ()
    %t = "example.mix"(%x, %y) : (f64, f64) -> f64
    "example.guard"(%t) : (f64) -> ()
    cf.br ^again
  ^again:
    cf.br ^again
  }) : () -> ()
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %m = "example.mix"(%y, %y) : (f64, f64) -> f64
    typed.store %m, %a[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// An operation costs what it says; without a word what is pure is simple, and the rest may take any
// time.

// COST: 'said' costs 7
// COST: 'unknown' may take any time
// COST: 'silent' may take any time
// COST: 'call' costs 17
func.func @costs(%a: !v, %x: f64) -> f64 {
  %m = "example.mix"(%x, %x) {tag = "said"} : (f64, f64) -> f64
  %s = "example.each"(%a) {tag = "unknown"} : (!v) -> f64
  "example.guard"(%x) {tag = "silent"} : (f64) -> ()
  %c = typed.call @mixes(%s, %m) {tag = "call"} : (f64, f64) -> f64
  return %c : f64
}

// A function that computes is inlined; one with a loop over elements isn't, however short it is.

// INLINE-LABEL: func.func @inlined(
// INLINE-NEXT: "example.mix"
// INLINE-NEXT: typed.call @loops
// INLINE-NEXT: return
func.func @inlined(%a: !v, %x: f64) -> (f64, f64) {
  %m = typed.call @mixes(%x, %x) : (f64, f64) -> f64
  %s = typed.call @loops(%a) : (!v) -> f64
  return %m, %s : f64, f64
}
func.func private @mixes(%x: f64, %y: f64) -> f64 {
  %m = "example.mix"(%x, %y) : (f64, f64) -> f64
  return %m : f64
}
func.func private @loops(%a: !v) -> f64 {
  %s = "example.each"(%a) : (!v) -> f64
  return %s : f64
}
