// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-merge-conditions))' --split-input-file | FileCheck %s

// `(a < b and c < d) or e < f`: three blocks become one.

// CHECK-LABEL: func.func @disjunction(
// CHECK: %[[ONE:.*]] = typed.compare lt %arg0, %arg1
// CHECK: %[[TWO:.*]] = typed.compare lt %arg1, %arg2
// CHECK: %[[BOTH:.*]] = arith.andi %[[ONE]], %[[TWO]]
// CHECK: %[[THREE:.*]] = typed.compare lt %arg2, %arg0
// CHECK: %[[NONE:.*]] = arith.andi
// CHECK: cf.cond_br %[[NONE]], ^[[NO:.*]], ^[[YES:.*]]
// CHECK-NOT: cf.cond_br
// CHECK: return
func.func @disjunction(%a: f64, %b: f64, %c: f64) -> f64 {
  %one = typed.compare lt %a, %b : f64
  cf.cond_br %one, ^and, ^or
^and:
  %two = typed.compare lt %b, %c : f64
  cf.cond_br %two, ^yes, ^or
^or:
  %three = typed.compare lt %c, %a : f64
  cf.cond_br %three, ^yes, ^no
^yes:
  return %a : f64
^no:
  return %b : f64
}

// -----

// The common way gets another number from the second block: it is selected.

// CHECK-LABEL: func.func @selects(
// CHECK: %[[ONE:.*]] = typed.compare lt %arg0, %arg1
// CHECK: %[[SUM:.*]] = typed.binary add %arg0, %arg1
// CHECK: %[[TWO:.*]] = typed.compare lt %[[SUM]], %arg1
// CHECK: %[[NOT:.*]] = arith.xori %[[TWO]], %true
// CHECK: %[[OTHER:.*]] = arith.andi %[[ONE]], %[[NOT]]
// CHECK: %[[PASSED:.*]] = arith.select %[[ONE]], %[[SUM]], %arg0 : f64
// CHECK: cf.cond_br %[[OTHER]], ^{{.*}}, ^{{.*}}(%[[PASSED]] : f64)
func.func @selects(%a: f64, %b: f64) -> f64 {
  %one = typed.compare lt %a, %b : f64
  cf.cond_br %one, ^next, ^common(%a : f64)
^next:
  %sum = typed.binary add %a, %b : f64
  %two = typed.compare lt %sum, %b : f64
  cf.cond_br %two, ^common(%sum : f64), ^other
^common(%found: f64):
  return %found : f64
^other:
  return %b : f64
}

// -----

// A loop whose condition has two terms.

// CHECK-LABEL: func.func @loop(
// CHECK: ^bb1(%[[I:.*]]: si64):
// CHECK:   %[[LESS:.*]] = typed.compare lt %[[I]], %arg0
// CHECK:   %[[OTHER:.*]] = typed.compare ne %[[I]], %arg1
// CHECK:   %[[BOTH:.*]] = arith.andi %[[LESS]], %[[OTHER]]
// CHECK:   cf.cond_br %[[BOTH]], ^bb2, ^bb3
// CHECK: ^bb2:
// CHECK:   cf.br ^bb1
func.func @loop(%n: si64, %stop: si64) -> si64 {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  cf.br ^head(%zero : si64)
^head(%i: si64):
  %less = typed.compare lt %i, %n : si64
  cf.cond_br %less, ^more, ^exit
^more:
  %other = typed.compare ne %i, %stop : si64
  cf.cond_br %other, ^body, ^exit
^body:
  %next = typed.binary add %i, %one : si64
  cf.br ^head(%next : si64)
^exit:
  return %i : si64
}

// -----

// Near misses: a term that loads; one that divides; one that another block goes to, too; no common way; another
// array on the common way.

// CHECK-LABEL: func.func @loads(
// CHECK-COUNT-2: cf.cond_br
func.func @loads(%a: !typed.array<1, si64, C>, %i: si64, %n: si64) -> si64 {
  %one = typed.compare lt %i, %n : si64
  cf.cond_br %one, ^next, ^no
^next:
  %x = typed.load %a[%i] : !typed.array<1, si64, C>, si64 -> si64
  %two = typed.compare lt %x, %n : si64
  cf.cond_br %two, ^yes, ^no
^yes:
  return %i : si64
^no:
  return %n : si64
}

// CHECK-LABEL: func.func @divides(
// CHECK-COUNT-2: cf.cond_br
func.func @divides(%i: si64, %n: si64) -> si64 {
  %one = typed.compare lt %i, %n : si64
  cf.cond_br %one, ^next, ^no
^next:
  %x = typed.binary floordiv %n, %i : si64
  %two = typed.compare lt %x, %n : si64
  cf.cond_br %two, ^yes, ^no
^yes:
  return %i : si64
^no:
  return %n : si64
}

// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-3: cf.cond_br
func.func @shared(%i: si64, %n: si64, %first: i1) -> si64 {
  cf.cond_br %first, ^start, ^next
^start:
  %x = typed.binary floordiv %n, %i : si64
  %one = typed.compare lt %x, %n : si64
  cf.cond_br %one, ^next, ^no
^next:
  %two = typed.compare lt %n, %i : si64
  cf.cond_br %two, ^yes, ^no
^yes:
  return %i : si64
^no:
  return %n : si64
}

// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: cf.cond_br
func.func @apart(%i: si64, %n: si64) -> si64 {
  %one = typed.compare lt %i, %n : si64
  cf.cond_br %one, ^next, ^no
^next:
  %two = typed.compare lt %n, %i : si64
  cf.cond_br %two, ^yes, ^maybe
^yes:
  return %i : si64
^maybe:
  %three = typed.binary add %i, %n : si64
  return %three : si64
^no:
  return %n : si64
}

// CHECK-LABEL: func.func @arrays(
// CHECK-COUNT-2: cf.cond_br
func.func @arrays(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %i: si64, %n: si64) -> !typed.array<1, f64, C> {
  %one = typed.compare lt %i, %n : si64
  cf.cond_br %one, ^next, ^common(%a : !typed.array<1, f64, C>)
^next:
  %two = typed.compare lt %n, %i : si64
  cf.cond_br %two, ^other, ^common(%b : !typed.array<1, f64, C>)
^common(%found: !typed.array<1, f64, C>):
  return %found : !typed.array<1, f64, C>
^other:
  return %b : !typed.array<1, f64, C>
}
