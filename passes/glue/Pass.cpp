//===- Pass.cpp - Passes and pipelines written in Rust ---------------------===//

#include "Options.h"
#include "mlir-c/Diagnostics.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {

/// A pass whose table and body are in Rust. It holds nothing but its options,
/// so the pass manager may clone it for as many threads as it likes.
class RustPass : public Pass {
public:
  explicit RustPass(const PyoptPassSpec &spec)
      : Pass(typeIDOf(spec), anchorOf(spec)), spec(spec) {
    declareOptions();
  }
  RustPass(const RustPass &other) : Pass(other), spec(other.spec) {
    declareOptions();
  }

  StringRef getName() const override { return unwrap(spec.name); }
  StringRef getArgument() const override { return unwrap(spec.name); }
  StringRef getDescription() const override { return unwrap(spec.summary); }

protected:
  /// Nested pass managers look up their anchor's name once, before any pass is
  /// initialised: an anchor that a pass of the same pipeline brings into being
  /// has to be known by then. All our anchors below the module are functions.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect>();
  }

  /// Loads the dialects the pass makes operations of. They are looked up by
  /// name in the context's registry, which getDependentDialects cannot see;
  /// passes are initialised on one thread before any of them runs.
  LogicalResult initialize(MLIRContext *context) override {
    for (MlirStringRef dialect :
         llvm::ArrayRef(spec.dialects, spec.dialectCount)) {
      if (context->getOrLoadDialect(unwrap(dialect)))
        continue;
      return emitError(UnknownLoc::get(context))
             << "pass '" << getArgument() << "' needs dialect '"
             << unwrap(dialect) << "', which is not registered";
    }
    return success();
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    std::optional<StringRef> anchor = getOpName();
    return !anchor || *anchor == name.getStringRef();
  }

  void runOnOperation() override {
    RustPass *outer = std::exchange(running, this);
    if (!spec.run(spec.userData, &options, wrap(getOperation())))
      signalPassFailure();
    running = outer;
  }

public:
  /// Runs other passes on an operation inside of what the pass of this thread
  /// runs on.
  static LogicalResult runOthers(StringRef text, Operation *operation) {
    OpPassManager manager(operation->getName().getStringRef());
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (!running || failed(parsePassPipeline(text, manager, stream)))
      return emitError(operation->getLoc()) << "malformed pipeline: " << message;
    return running->runPipeline(manager, operation);
  }

protected:

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(*this);
  }

private:
  template <typename T> using PassOption = Pass::Option<T>;
  template <typename T> using PassListOption = Pass::ListOption<T>;

  void declareOptions() {
    options.declare<PassOption, PassListOption, Pass>(*this, spec.options,
                                                      spec.optionCount);
  }

  /// The table is unique to the pass and never moves: so is its address.
  static TypeID typeIDOf(const PyoptPassSpec &spec) {
    return TypeID::getFromOpaquePointer(&spec);
  }
  static std::optional<StringRef> anchorOf(const PyoptPassSpec &spec) {
    if (spec.anchor.length == 0)
      return std::nullopt;
    return unwrap(spec.anchor);
  }

  const PyoptPassSpec &spec;
  pyopt::OptionSet options;

  /// The pass that this thread runs.
  static thread_local RustPass *running;
};

thread_local RustPass *RustPass::running = nullptr;

/// The options of a named pipeline.
struct RustPipelineOptions : PassPipelineOptions<RustPipelineOptions> {
  template <typename T> using PipelineOption = detail::PassOptions::Option<T>;
  template <typename T>
  using PipelineListOption = detail::PassOptions::ListOption<T>;

  explicit RustPipelineOptions(const PyoptPipelineSpec &spec) {
    options.declare<PipelineOption, PipelineListOption, detail::PassOptions>(
        *this, spec.options, spec.optionCount);
  }

  pyopt::OptionSet options;
};

/// Parses the options, asks Rust for the text and appends its passes.
LogicalResult
addPipeline(const PyoptPipelineSpec &spec, OpPassManager &manager,
            StringRef optionText,
            function_ref<LogicalResult(const Twine &)> errorHandler) {
  RustPipelineOptions options(spec);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(options.parseFromString(optionText, stream)))
    return errorHandler(message);

  std::string text;
  if (!spec.build(spec.userData, &options.options, pyopt::appendToString,
                  &text))
    return errorHandler(text);
  if (failed(parsePassPipeline(text, manager, stream)))
    return errorHandler(message);
  return success();
}

/// Tells which pass failed first. The pass manager calls it on one thread at a
/// time.
class FailureNotice : public PassInstrumentation {
public:
  FailureNotice(MlirStringCallback sink, void *sinkData)
      : sink(sink), sinkData(sinkData) {}

  /// Failures travel outwards: through adaptors, which have no names, to the
  /// pass manager.
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (told || pass->getArgument().empty())
      return;
    told = true;
    sink(wrap(pass->getArgument()), sinkData);
  }

private:
  MlirStringCallback sink;
  void *sinkData;
  bool told = false;
};

const pyopt::OptionSet &optionSet(const void *options) {
  return *static_cast<const pyopt::OptionSet *>(options);
}

} // namespace

extern "C" {

void pyoptRegisterPass(const PyoptPassSpec *spec) {
  registerPass([spec] { return std::make_unique<RustPass>(*spec); });
}

void pyoptRegisterPipeline(const PyoptPipelineSpec *spec) {
  registerPassPipeline(
      unwrap(spec->name), unwrap(spec->summary),
      [spec](OpPassManager &manager, StringRef options,
             function_ref<LogicalResult(const Twine &)> errorHandler) {
        return addPipeline(*spec, manager, options, errorHandler);
      },
      [spec](function_ref<void(const detail::PassOptions &)> handler) {
        handler(RustPipelineOptions(*spec));
      });
}

/// Hands the name of the first pass that fails to `sink`, which the manager keeps.
void pyoptOnPassFailure(MlirPassManager manager, MlirStringCallback sink,
                        void *sinkData) {
  unwrap(manager)->addInstrumentation(
      std::make_unique<FailureNotice>(sink, sinkData));
}

/// Runs a pipeline on an operation, from inside of a pass on it or around it.
bool pyoptRunOthers(MlirOperation operation, MlirStringRef pipeline) {
  return succeeded(RustPass::runOthers(unwrap(pipeline), unwrap(operation)));
}

int64_t pyoptOptionInteger(const void *options, intptr_t index) {
  return optionSet(options).integer(index);
}

MlirStringRef pyoptOptionText(const void *options, intptr_t index) {
  return wrap(optionSet(options).text(index));
}

intptr_t pyoptOptionIntegerCount(const void *options, intptr_t index) {
  return optionSet(options).integers(index).size();
}

int64_t pyoptOptionIntegerAt(const void *options, intptr_t index,
                             intptr_t position) {
  return optionSet(options).integers(index)[position];
}

intptr_t pyoptOptionTextCount(const void *options, intptr_t index) {
  return optionSet(options).texts(index).size();
}

MlirStringRef pyoptOptionTextAt(const void *options, intptr_t index,
                                intptr_t position) {
  return wrap(StringRef(optionSet(options).texts(index)[position]));
}

/// Reports a diagnostic with notes; `severity` counts as MlirDiagnosticSeverity.
void pyoptEmitDiagnostic(MlirLocation location, MlirDiagnosticSeverity severity,
                         MlirStringRef message, intptr_t noteCount,
                         const MlirLocation *noteLocations,
                         const MlirStringRef *notes) {
  Location at = unwrap(location);
  InFlightDiagnostic diagnostic = [&] {
    switch (severity) {
    case MlirDiagnosticWarning:
      return emitWarning(at);
    case MlirDiagnosticRemark:
      return emitRemark(at);
    default:
      return emitError(at);
    }
  }();
  diagnostic << unwrap(message);
  for (intptr_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(notes[i]);
}

} // extern "C"
