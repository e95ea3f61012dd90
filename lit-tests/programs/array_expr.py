# An array expression.

# RUN: %py-translate %s -s 'array_expr(!typed.array<1, f64, C>, !typed.array<1, f64, C>, !typed.array<1, f64, C>)' -s 'array_expr(!typed.array<2, f32, A>, f64, !typed.array<1, si64, C>)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_array_expr.1{{"?}}(
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_array_expr.2{{"?}}(


def array_expr(a0, a1, a2):
    return a0 * a1 + a2
