// What goes wrong in a pipeline or a pass is an error and exit status 1.

// RUN: not %extended-opt %s --example-count-ops=limit=1 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(func.func(example-count-ops{limit=-1}))' 2>&1 | FileCheck %s --check-prefix=PANIC
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(example-count-ops{limits=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(example-count-ops{limit=one})' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(example-simplify{name=a limit=1})' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(example-count-oops)' 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(' 2>&1 | FileCheck %s --check-prefix=PARENTHESIS

// LIMIT: error: 3 operations are more than 1
// PANIC: errors.mlir:[[#@LINE+9]]:1: error: pass 'example-count-ops' panicked: a limit of -1 makes no sense
// OPTION: no such option limits
// VALUE: 'one' value invalid
// VALUE: failed to add `example-count-ops` with options `limit=one`
// PIPELINE: no such option limit
// PASS: 'example-count-oops' does not refer to a registered pass or pass pipeline
// PARENTHESIS: error

// The function a diagnostic points to.
func.func @f() { return }
