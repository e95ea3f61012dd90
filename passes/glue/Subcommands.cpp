//===- Subcommands.cpp - mlir-reduce and mlir-lsp-server as functions -----------===//

#include "Glue.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

extern "C" {

/// Runs mlir-reduce in a context; once a process.
int pyoptReduceMain(int argc, char **argv, MlirContext context) {
  return failed(mlirReduceMain(argc, argv, *unwrap(context))) ? 1 : 0;
}

/// Runs mlir-lsp-server over a registry; once a process.
int pyoptLspServerMain(int argc, char **argv, MlirDialectRegistry registry) {
  return failed(MlirLspServerMain(argc, argv, *unwrap(registry))) ? 1 : 0;
}

} // extern "C"
