//===- Tool.cpp - mlir-opt as a function -----------------------------------===//

#include "Glue.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

extern "C" {

/// Runs mlir-opt over the registry. It exits the process on bad arguments and
/// may be called once only.
int pyoptOptMain(int argc, char **argv, MlirStringRef toolName,
                 MlirDialectRegistry registry) {
  mlir::DialectRegistry &dialects = *unwrap(registry);
  mlir::registerAllToLLVMIRTranslations(dialects);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, unwrap(toolName), dialects));
}

} // extern "C"
