// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-interchange-loops))' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-interchange-loops{remarks=true}))' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: changes places with the loop in it

// Rows instead of columns; what one position gives goes along.

// CHECK-LABEL: func.func @columns(
// CHECK: scf.for %[[I:.*]] = %c0 to %arg1 step
// CHECK:   scf.for %[[J:.*]] = %c0 to %arg2 step
// CHECK:     %[[K:.*]] = typed.cast %[[J]]
// CHECK:     %[[X:.*]] = typed.load %arg0[%[[I]], %[[K]]]
// CHECK:     typed.store %[[X]], %{{.*}}[%[[I]], %[[K]]]
// CHECK-NOT: scf.for
func.func @columns(%a: !typed.array<2, f64, C>, %n: index, %m: index) -> !typed.array<2, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %m) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to si64
    scf.for %i = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %k] : !typed.array<2, f64, C>, index, si64 -> f64
      typed.store %x, %out[%i, %k] : f64, !typed.array<2, f64, C>, index, si64
    }
  }
  return %out : !typed.array<2, f64, C>
}

// -----

// Arguments may overlap: tested once. A size that is asked for in each iteration is the same.

// CHECK-LABEL: func.func @arguments(
// CHECK: %[[OVERLAPS:.*]] = typed.overlaps %arg1, %arg0
// CHECK: scf.if %[[OVERLAPS]] {
// CHECK:   scf.for
// CHECK:     %[[N:.*]] = typed.dim
// CHECK:     scf.for {{.*}} to %[[N]]
// CHECK: } else {
// CHECK:   %[[N:.*]] = typed.dim
// CHECK:   scf.for %[[I:.*]] = %c0 to %[[N]]
// CHECK:     scf.for %[[J:.*]] = %c0 to %arg2
// CHECK:       typed.load %arg0[%[[I]], %[[J]]]
func.func @arguments(%a: !typed.array<2, f64, C>, %out: !typed.array<2, f64, C>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %m step %c1 {
    %n = typed.dim %a[0] : !typed.array<2, f64, C> -> index
    scf.for %i = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  return
}

// -----

// An element that another iteration stored to; as many columns either way; one element for many
// iterations; a triangle; something between the loops.

// CHECK-LABEL: func.func @near_misses(
// CHECK-COUNT-5: scf.for %[[J:.*]] = %c0 to %arg1
// CHECK-NOT: typed.overlaps
// CHECK: return
func.func @near_misses(%a: !typed.array<2, f64, C>, %m: index) -> !typed.array<2, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = typed.constant 0.0 : f64
  %out = typed.empty(%m, %m) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    scf.for %i = %c1 to %m step %c1 {
      %x = typed.load %a[%i, %c0] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %a[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    scf.for %i = %c1 to %m step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%j, %i] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    scf.for %i = %c1 to %m step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %c0] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    scf.for %i = %c1 to %j step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    typed.store %zero, %out[%c0, %j] : f64, !typed.array<2, f64, C>, index, index
    scf.for %i = %c1 to %m step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  return %out : !typed.array<2, f64, C>
}

// -----

// A sum that is kept in an element of an array: the order of its terms stays.

// CHECK-LABEL: func.func @sum(
// CHECK: scf.for %[[K:.*]] = %c0 to %arg2 step
// CHECK:   scf.for %[[J:.*]] = %c0 to %arg3 step
// CHECK:     typed.load %arg1[%[[K]], %[[J]]]
// CHECK:     typed.store %{{.*}}, %{{.*}}[%arg4, %[[J]]]
func.func @sum(%a: !typed.array<2, f64, C>, %b: !typed.array<2, f64, C>, %n: index, %m: index, %i: index) -> !typed.array<2, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %m) zeroed : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %k] : !typed.array<2, f64, C>, index, index -> f64
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %z = typed.binary mul %x, %y : f64
      %s = typed.load %out[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      %t = typed.binary add %s, %z : f64
      typed.store %t, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  return %out : !typed.array<2, f64, C>
}

// -----

// What is loaded once for each outer position; what a branch does before the inner loop; a sum over
// the outer loop, which would wait for itself.

// CHECK-LABEL: func.func @once(
// CHECK: scf.for %[[J:.*]] = %c0 to %arg2
// CHECK:   typed.load %{{.*}}[%{{.*}}, %[[J]]]
// CHECK:   scf.for
// CHECK: scf.for %[[J:.*]] = %c0 to %arg2
// CHECK:   scf.if
// CHECK:   scf.for
// CHECK: scf.for %[[J:.*]] = %c0 to %arg2
// CHECK:   scf.for
// CHECK:     typed.store %{{.*}}, %{{.*}}[%{{.*}}, %c0]
func.func @once(%b: !typed.array<2, f64, C>, %n: index, %m: index, %i: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = typed.empty(%n, %m) zeroed : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    %s = typed.load %out[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
    scf.for %k = %c0 to %n step %c1 {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %t = typed.binary add %s, %y : f64
      typed.store %t, %out[%i, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    scf.if %c {
      %s = typed.load %b[%i, %i] : !typed.array<2, f64, C>, index, index -> f64
      %t = typed.binary add %s, %s : f64
      typed.store %t, %b[%i, %i] : f64, !typed.array<2, f64, C>, index, index
    }
    scf.for %k = %c0 to %n step %c1 {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %y, %out[%k, %j] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %y = typed.load %b[%k, %j] : !typed.array<2, f64, C>, index, index -> f64
      %s = typed.load %out[%k, %c0] : !typed.array<2, f64, C>, index, index -> f64
      %t = typed.binary add %s, %y : f64
      typed.store %t, %out[%k, %c0] : f64, !typed.array<2, f64, C>, index, index
    }
  }
  return
}

// -----

// An index that is narrowed is one for several iterations, also behind what is wider again, and so are
// one that was a float and a truth value: which of them stores last is the order's matter.

// CHECK-LABEL: func.func @narrowed(
// CHECK-COUNT-4: scf.for %[[J:.*]] = %c0 to %arg2
// CHECK: return
func.func @narrowed(%a: !typed.array<2, f64, C>, %n: index, %m: index) -> !typed.array<2, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = typed.constant 0.5 : f64
  %out = typed.empty(%n, %m) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to ui8
    scf.for %i = %c1 to %n step %c1 {
      %l = typed.cast %i : index to ui8
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%l, %k] : f64, !typed.array<2, f64, C>, ui8, ui8
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to si32
    %w = typed.cast %k : si32 to si64
    scf.for %i = %c1 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %w] : f64, !typed.array<2, f64, C>, index, si64
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to f64
    %s = typed.binary add %k, %half : f64
    %w = typed.cast %s : f64 to si64
    scf.for %i = %c1 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %w] : f64, !typed.array<2, f64, C>, index, si64
    }
  }
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to i1
    %w = typed.cast %k : i1 to si64
    scf.for %i = %c1 to %n step %c1 {
      %x = typed.load %a[%i, %j] : !typed.array<2, f64, C>, index, index -> f64
      typed.store %x, %out[%i, %w] : f64, !typed.array<2, f64, C>, index, si64
    }
  }
  return %out : !typed.array<2, f64, C>
}

// -----

// Another sign is as good: modulo 2^64 the numbers are as many.

// CHECK-LABEL: func.func @unsigned(
// CHECK: scf.for %{{.*}} = %c0 to %arg1
// CHECK:   scf.for %{{.*}} = %c0 to %arg2
func.func @unsigned(%a: !typed.array<2, f64, C>, %n: index, %m: index) -> !typed.array<2, f64, C> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = typed.constant 1 : ui64
  %out = typed.empty(%n, %m) : (index, index) -> !typed.array<2, f64, C>
  scf.for %j = %c0 to %m step %c1 {
    %k = typed.cast %j : index to si64
    %u = typed.cast %k : si64 to ui64
    %w = typed.binary add %u, %one : ui64
    scf.for %i = %c0 to %n step %c1 {
      %x = typed.load %a[%i, %w] : !typed.array<2, f64, C>, index, ui64 -> f64
      typed.store %x, %out[%i, %w] : f64, !typed.array<2, f64, C>, index, ui64
    }
  }
  return %out : !typed.array<2, f64, C>
}
