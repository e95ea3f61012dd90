// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-share-loads))' | FileCheck %s

// The second term of a condition loads what the first one has loaded.
// CHECK-LABEL: func.func @terms
// CHECK: %[[X:.*]] = typed.load
// CHECK: typed.compare lt %[[X]]
// CHECK-NOT: typed.load
// CHECK: typed.compare gt %[[X]]
func.func @terms(%a: !typed.array<1, si64, C>, %i: si64, %low: si64, %high: si64) -> si64 {
  %x = typed.load %a[%i] wraparound : !typed.array<1, si64, C>, si64 -> si64
  %less = typed.compare lt %x, %low : si64
  cf.cond_br %less, ^out(%low : si64), ^second
^second:
  %y = typed.load %a[%i] wraparound : !typed.array<1, si64, C>, si64 -> si64
  %more = typed.compare gt %y, %high : si64
  cf.cond_br %more, ^out(%high : si64), ^out(%y : si64)
^out(%r: si64):
  return %r : si64
}

// What is between may have stored to the element.
// CHECK-LABEL: func.func @stored
// CHECK: typed.load
// CHECK: typed.store
// CHECK: typed.load
func.func @stored(%a: !typed.array<1, si64, C>, %b: !typed.array<1, si64, C>, %i: si64, %c: i1) -> si64 {
  %x = typed.load %a[%i] : !typed.array<1, si64, C>, si64 -> si64
  cf.cond_br %c, ^second, ^out(%x : si64)
^second:
  typed.store %x, %b[%i] : si64, !typed.array<1, si64, C>, si64
  %y = typed.load %a[%i] : !typed.array<1, si64, C>, si64 -> si64
  cf.br ^out(%y : si64)
^out(%r: si64):
  return %r : si64
}

// A block with two ways into it may not have loaded before; other indices, and indices that count from the
// end, are others.
// CHECK-LABEL: func.func @joined
// CHECK-COUNT-4: typed.load
func.func @joined(%a: !typed.array<1, si64, C>, %i: si64, %j: si64, %c: i1) -> si64 {
  cf.cond_br %c, ^one, ^both(%i : si64)
^one:
  %x = typed.load %a[%i] : !typed.array<1, si64, C>, si64 -> si64
  cf.br ^both(%x : si64)
^both(%s: si64):
  %y = typed.load %a[%i] : !typed.array<1, si64, C>, si64 -> si64
  %z = typed.load %a[%j] : !typed.array<1, si64, C>, si64 -> si64
  %w = typed.load %a[%i] wraparound : !typed.array<1, si64, C>, si64 -> si64
  %0 = typed.binary add %y, %z : si64
  %1 = typed.binary add %0, %w : si64
  %2 = typed.binary add %1, %s : si64
  return %2 : si64
}
