// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse{remarks=1}))' --verify-diagnostics | FileCheck %s

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>
!s = !typed.array<2, f64, A>
!none = !typed.none
!bounds = !typed.slice<si64, si64, !none>
!from = !typed.slice<si64, !none, !none>
!every = !typed.slice<si64, !none, si64>
!all = !typed.slice<!none, !none, !none>

// Both go over the same slice of an array whose elements don't overlap.

// CHECK-LABEL: func.func @same_slice(
// CHECK: parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: return
func.func @same_slice(%a: !m, %n: index, %m: index) {
  %none = typed.singleton : !none
  %one = typed.constant 1 : si64
  %from = typed.slice %one, %none, %none : !from
  %v = typed.view %a[%from, %from] : !m, (!from, !from) -> !s
  %w = typed.view %a[%from, %from] : !m, (!from, !from) -> !s
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %v[%i, %j] : !s, index, index -> f64
    %y = typed.unary sqrt %x : f64
    typed.store %y, %v[%i, %j] : f64, !s, index, index
    parfor.yield
  }
  // expected-remark @+1 {{fused with the loop of setitem}}
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %w[%i, %j] : !s, index, index -> f64
    %y = typed.unary exp %x : f64
    typed.store %y, %w[%i, %j] : f64, !s, index, index
    parfor.yield
  }
  return
}

// What is stored at [i] is read at [i + 1]: another iteration would have to be done already.

// CHECK-LABEL: func.func @shifted(
// CHECK-COUNT-2: parfor.loop
func.func @shifted(%a: !v, %b: !v, %n: index) {
  %none = typed.singleton : !none
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %s0 = typed.slice %zero, %none, %none : !from
  %s1 = typed.slice %one, %none, %none : !from
  %v0 = typed.view %a[%s0] : !v, (!from) -> !v
  %v1 = typed.view %a[%s1] : !v, (!from) -> !v
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %v0[%i] : !v, index -> f64
    %y = typed.unary sqrt %x : f64
    typed.store %y, %v0[%i] : f64, !v, index
    parfor.yield
  }
  // expected-remark @+1 {{not fused with the loop before it: an element that one loop stores is touched in another iteration of the other loop}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %v1[%i] : !v, index -> f64
    %y = typed.unary exp %x : f64
    typed.store %y, %v1[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// Elements at even and odd positions are different ones.

// CHECK-LABEL: func.func @red_black(
// CHECK: parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: return
func.func @red_black(%a: !v, %n: index) {
  %none = typed.singleton : !none
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %two = typed.constant 2 : si64
  %s0 = typed.slice %zero, %none, %two : !every
  %s1 = typed.slice %one, %none, %two : !every
  %v0 = typed.view %a[%s0] : !v, (!every) -> !typed.array<1, f64, A>
  %v1 = typed.view %a[%s1] : !v, (!every) -> !typed.array<1, f64, A>
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %v0[%i] : !typed.array<1, f64, A>, index -> f64
    %y = typed.unary sqrt %x : f64
    typed.store %y, %v0[%i] : f64, !typed.array<1, f64, A>, index
    parfor.yield
  }
  // expected-remark @+1 {{fused with the loop of setitem}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.load %v1[%i] : !typed.array<1, f64, A>, index -> f64
    %y = typed.unary exp %x : f64
    typed.store %y, %v1[%i] : f64, !typed.array<1, f64, A>, index
    parfor.yield
  }
  return
}

// A transpose moves elements to other iterations, unless it is looked at by columns again.

// CHECK-LABEL: func.func @transposed(
// CHECK-COUNT-2: parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: return
func.func @transposed(%a: !m, %n: index) {
  %t = typed.transpose %a : !m -> !typed.array<2, f64, F>
  parfor.loop(%n, %n) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %a[%i, %j] : !m, index, index -> f64
    %y = typed.unary sqrt %x : f64
    typed.store %y, %a[%i, %j] : f64, !m, index, index
    parfor.yield
  }
  // expected-remark @+1 {{not fused with the loop before it: a store may change what the other loop reads or writes}}
  parfor.loop(%n, %n) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %t[%i, %j] : !typed.array<2, f64, F>, index, index -> f64
    %y = typed.unary exp %x : f64
    typed.store %y, %t[%i, %j] : f64, !typed.array<2, f64, F>, index, index
    parfor.yield
  }
  // expected-remark @+1 {{fused with the loop of setitem}}
  parfor.loop(%n, %n) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %x = typed.load %t[%i, %j] : !typed.array<2, f64, F>, index, index -> f64
    %y = typed.unary sqrt %x : f64
    typed.store %y, %t[%i, %j] : f64, !typed.array<2, f64, F>, index, index
    parfor.yield
  }
  return
}

// Each iteration has a row of its own, whichever elements of it are touched.

// CHECK-LABEL: func.func @rows(
// CHECK: parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: return
func.func @rows(%a: !m, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c0 to %m step %c1 {
      %x = typed.cast %j : index to f64
      typed.store %x, %a[%i, %j] : f64, !m, index, index
    }
    parfor.yield
  }
  // expected-remark @+1 {{fused with the loop of prange}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    scf.for %j = %c1 to %m step %c1 {
      %k = arith.subi %j, %c1 : index
      %x = typed.load %a[%i, %k] : !m, index, index -> f64
      typed.store %x, %a[%i, %j] : f64, !m, index, index
    }
    parfor.yield
  }
  return
}

// The position that doesn't move with the loop isn't the same in each iteration.

// CHECK-LABEL: func.func @loaded_index(
// CHECK-COUNT-2: parfor.loop
func.func @loaded_index(%a: !v, %k: !typed.array<1, si64, C>, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %p = typed.load %k[%i] : !typed.array<1, si64, C>, index -> si64
    %at = typed.cast %p : si64 to index
    %x = typed.cast %i : index to f64
    typed.store %x, %a[%at] : f64, !v, index
    parfor.yield
  }
  // expected-remark @+1 {{not fused with the loop before it: a store may change what the other loop reads or writes}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    typed.store %x, %a[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// One column is written, another one read.

// CHECK-LABEL: func.func @columns(
// CHECK: parfor.loop
// CHECK-NOT: parfor.loop
// CHECK: return
func.func @columns(%a: !m, %n: index) {
  %none = typed.singleton : !none
  %all = typed.slice %none, %none, %none : !all
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %v0 = typed.view %a[%all, %zero] : !m, (!all, si64) -> !typed.array<1, f64, A>
  %v1 = typed.view %a[%all, %one] : !m, (!all, si64) -> !typed.array<1, f64, A>
  %c1 = arith.constant 1 : index
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %x = typed.cast %i : index to f64
    typed.store %x, %v0[%i] : f64, !typed.array<1, f64, A>, index
    parfor.yield
  }
  // expected-remark @+1 {{fused with the loop of setitem}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %last = arith.subi %n, %i : index
    %at = arith.subi %last, %c1 : index
    %x = typed.load %v1[%at] : !typed.array<1, f64, A>, index -> f64
    typed.store %x, %v1[%i] : f64, !typed.array<1, f64, A>, index
    parfor.yield
  }
  return
}
