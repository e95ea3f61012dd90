// RUN: %pyopt %s | %pyopt | FileCheck %s

func.func private @f(si64) -> f64

// CHECK-LABEL: func.func @ways
func.func @ways(%c: i1, %n: si64) -> f64 {
  // CHECK: typed.try_br ^bb1(%{{.*}} : si64) unwind ^bb2
  typed.try_br ^next(%n : si64) unwind ^handler
^next(%m: si64):
  // CHECK: %[[S:.*]], %{{.*}} = typed.try_call @f(%{{.*}}) : (si64) -> (i32, f64)
  %s, %x = typed.try_call @f(%m) : (si64) -> (i32, f64)
  // CHECK: %[[E:.*]] = typed.catch %[[S]] : !typed.exception
  %e = typed.catch %s : !typed.exception
  // CHECK: typed.raise_value_if %{{.*}}, %[[E]] : !typed.exception
  typed.raise_value_if %c, %e : !typed.exception
  return %x : f64
// CHECK: ^bb2(%[[H:.*]]: !typed.exception):
^handler(%exception: !typed.exception):
  // CHECK: typed.exc_match %[[H]] in ["IndexError", "KeyError"] : !typed.exception
  %takes = typed.exc_match %exception in ["IndexError", "KeyError"] : !typed.exception
  // CHECK: typed.exception "ValueError"("no") : !typed.exception
  %0 = typed.exception "ValueError"("no") : !typed.exception
  // CHECK: typed.exception "ValueError" with %{{.*}}, %{{.*}} : si64, i1 : !typed.exception
  %1 = typed.exception "ValueError" with %n, %takes : si64, i1 : !typed.exception
  // CHECK: typed.raise_value_if %{{.*}}, %{{.*}} : !typed.exception releasing(%{{.*}} : !typed.exception)
  typed.raise_value_if %takes, %0 : !typed.exception releasing(%1 : !typed.exception)
  // CHECK: typed.raise_value %{{.*}} : !typed.exception
  typed.raise_value %1 : !typed.exception
}
