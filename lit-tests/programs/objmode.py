# A block of Python in compiled code, from the source to the call of the host.

# RUN: %py-translate %s -s 'scaled(!typed.array<1, f64, C>, si64)' | %pyopt --pass-pipeline='builtin.module(py-lift-with,py-translate-bytecode,infer-types)' | FileCheck %s --check-prefix=TYPED
# RUN: %py-translate %s -s 'scaled(!typed.array<1, f64, C>, si64)' | %pyopt --py-nopython-pipeline | FileCheck %s

from pyopt import objmode

# TYPED: func.func @scaled.1(%[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: si64)
# TYPED: %[[GIVEN:.*]] = typed.call @objmode.0(%[[A]], %[[N]])
# TYPED-SAME: -> tuple<f64, !typed.array<1, si64, A>>
# TYPED: typed.tuple_get %[[GIVEN]][0]
# TYPED: func.func private @objmode.0(!typed.array<1, f64, C>, si64) -> tuple<f64, !typed.array<1, si64, A>>
# TYPED-SAME: pyopt.object = #py.object_code<@scaled

# CHECK: module attributes {{{.*}}pyopt.objects = [{code = #py.object_code<@scaled
# CHECK-SAME: signature = (!typed.array<1, f64, C>, si64) -> tuple<f64, !typed.array<1, si64, A>>
# CHECK: llvm.func internal @objmode.0(
# CHECK: llvm.call @pyopt_call_object(


def scaled(a, n):
    with objmode(x="float64", order="int64[:]"):
        x = float(str(a[0])) * n
        order = a.argsort()
    return a[order[0]] * x
