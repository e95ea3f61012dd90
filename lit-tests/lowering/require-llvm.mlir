// RUN: %pyopt %s --verify-diagnostics --require-llvm

llvm.func @fine(%a: i64) -> i64 {
  llvm.return %a : i64
}

// expected-error @+1 {{'func.func' has no lowering to LLVM}}
func.func @left(%a: i64) {
  // expected-error @+1 {{'func.return' has no lowering to LLVM}}
  func.return
}
