//===- Tool.cpp - mlir-opt as a function -----------------------------------===//

#include "Glue.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include <csignal>

using namespace mlir;

namespace {

/// Writes dialects in IRDL, and those of a file if there is one, to a new file.
FailureOr<std::string> irdlFile(StringRef irdl, StringRef other) {
  std::string message, text = irdl.str();
  if (!other.empty()) {
    auto more = openInputFile(other, &message);
    if (!more) {
      llvm::errs() << message << "\n";
      return failure();
    }
    text += more->getBuffer();
  }
  SmallString<64> path;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "dialects", "irdl.mlir", descriptor, path)) {
    llvm::errs() << "can't write dialects in IRDL: " << error.message() << "\n";
    return failure();
  }
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  return path.str().str();
}

/// Runs mlir-opt on files. `prepare` gets the context of every pipeline, after
/// parsing, and whether its diagnostics are shown: they aren't if they are to be
/// compared with what the input expects.
LogicalResult run(StringRef inputName, StringRef outputName,
                  DialectRegistry &registry, StringRef irdl,
                  void (*prepare)(MlirContext, bool)) {
  const MlirOptMainConfig asked = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = asked;
  std::optional<llvm::FileRemover> remover;
  if (!irdl.empty()) {
    FailureOr<std::string> file = irdlFile(irdl, asked.getIrdlFile());
    if (failed(file))
      return failure();
    remover.emplace(*file);
    config.setIrdlFile(*file);
  }
  config.setPassPipelineSetupFn([asked, prepare](PassManager &manager) {
    prepare(wrap(manager.getContext()), !asked.shouldVerifyDiagnostics());
    return asked.setupPassPipeline(manager);
  });

  if (inputName == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "reading from the terminal; Ctrl-D ends the input\n";
  std::string message;
  auto input = openInputFile(inputName, &message);
  auto output = input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

} // namespace

extern "C" {

/// What the tool calls Rust for.
struct PyoptToolHooks {
  /// Gets the context of every pipeline; see above.
  void (*prepare)(MlirContext, bool);
  /// Prints a pipeline; whether there is one of that name.
  bool (*printPipeline)(MlirStringRef);
  /// Prints the tables of passes, pipelines and rewrites.
  void (*dumpRegistry)();
  /// Runs each pass alone on the modules of a file; whether none misbehaves.
  bool (*tryEachPass)(MlirContext, MlirStringRef);
};

/// Runs mlir-opt over the registry and dialects in IRDL. It exits the process on bad arguments and
/// may be called once only.
int pyoptOptMain(int argc, char **argv, MlirStringRef toolName,
                 MlirDialectRegistry registry, MlirStringRef irdl,
                 const PyoptToolHooks *hooks) {
  // Rust ignores the signal; mlir-opt ends where nobody reads on.
  std::signal(SIGPIPE, SIG_DFL);
  llvm::cl::opt<std::string> pipeline(
      "print-pipeline", llvm::cl::value_desc("name"),
      llvm::cl::desc("Show a named pipeline as a table, or with "
                     "'name{opt=value}' the passes those options lead to"));
  // Read by the caller, as it changes what there is to be parsed.
  llvm::cl::list<std::string> added(
      "add-pass", llvm::cl::value_desc("place=pass"),
      llvm::cl::desc("Add a pass to all pipelines at a place: a point, "
                     "'before:pass' or 'after:pass'"));
  llvm::cl::opt<bool> dumpRegistry(
      "dump-registry", llvm::cl::ReallyHidden,
      llvm::cl::desc("Print the tables of passes and pipelines as JSON"));
  llvm::cl::opt<bool> tryEachPass(
      "try-each-pass",
      llvm::cl::desc("Run each pass of this tool alone on a copy of each "
                     "module of the input, and say which ones panic, fail "
                     "without a reason or leave an invalid module"));
  DialectRegistry &dialects = *unwrap(registry);
  registerAllToLLVMIRTranslations(dialects);
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, unwrap(toolName), dialects);
  if (pipeline.getNumOccurrences() > 0)
    return hooks->printPipeline(wrap(StringRef(pipeline))) ? 0 : 1;
  if (dumpRegistry) {
    hooks->dumpRegistry();
    return 0;
  }
  const MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // Lists need no input; upstream writes them.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, dialects));
  llvm::InitLLVM init(argc, argv);
  if (tryEachPass) {
    MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
    return hooks->tryEachPass(wrap(&context), wrap(StringRef(input))) ? 0 : 1;
  }
  return asMainReturnCode(
      run(input, output, dialects, unwrap(irdl), hooks->prepare));
}

} // extern "C"
