# What debuggers read from the object file, at both ends of optimisation.
#
# RUN: %py-translate %s -s "work(si64, complex<f64>, i1, !typed.array<2, f32, A>)" --mlir-print-debuginfo | %pyopt --py-nopython-pipeline=debug=true --mlir-print-debuginfo | sed 's/, pyopt.signature = .* -> f64}/}/' > %t.mlir
# RUN: mlir-translate --mlir-to-llvmir %t.mlir -o %t.ll
# RUN: llc -O0 -filetype=obj %t.ll -o %t.o
# RUN: llvm-dwarfdump --name=work --show-children %t.o | FileCheck %s
# RUN: opt -O2 %t.ll -o %t.bc
# RUN: llc -O2 -filetype=obj %t.bc -o %t.fast.o
# RUN: llvm-dwarfdump --name=work --show-children %t.fast.o | FileCheck %s --check-prefix=FAST

# FAST-DAG: DW_AT_name ("total")
# FAST-DAG: DW_AT_name ("n")

# CHECK: DW_TAG_subprogram
# CHECK: DW_AT_name ("work")
# CHECK: DW_TAG_formal_parameter
# CHECK: DW_AT_name ("n")
# CHECK: DW_AT_decl_line ([[#@LINE+21]])
# CHECK: DW_AT_type ({{.*}} "int64")
# CHECK: DW_TAG_formal_parameter
# CHECK: DW_AT_name ("z")
# CHECK: DW_AT_type ({{.*}} "complex128")
# CHECK: DW_TAG_formal_parameter
# CHECK: DW_AT_name ("flag")
# CHECK: DW_AT_type ({{.*}} "bool")
# CHECK: DW_TAG_formal_parameter
# CHECK: DW_AT_name ("a")
# CHECK: DW_AT_type ({{.*}} "array(float32, 2d, A)")
# CHECK-DAG: DW_AT_name ("total")
# CHECK-DAG: DW_AT_type ({{.*}} "float64")
# CHECK-DAG: DW_AT_name ("i")
# CHECK-DAG: DW_AT_name ("w")
# CHECK-DAG: DW_AT_name ("pair")
# CHECK-DAG: DW_AT_type ({{.*}} "Tuple(int64, bool)")
# CHECK-DAG: DW_AT_name ("row")
# CHECK-DAG: DW_AT_type ({{.*}} "array(float32, 1d, A)")


def work(n, z, flag, a):
    total = 0
    for i in range(n):
        total += 0.5
    w = z * z
    pair = (n, flag)
    row = a[0]
    return total + w.real + pair[0] + row[0] + i
