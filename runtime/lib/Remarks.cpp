//===- Remarks.cpp - What LLVM's loop passes say of loops ------------------===//
//
// Optimisation remarks go to a context's diagnostic handler, which the C API can
// set, but neither asked for remarks nor given their parts.
//
//===----------------------------------------------------------------------===//

#include "llvm-c/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace {

/// Text as Rust reads it, lent for a call.
struct Text {
  const char *data;
  size_t length;

  Text(StringRef text) : data(text.data()), length(text.size()) {}
};

/// A part of a remark's message that has a name, and the place it is about.
struct Argument {
  Text key, value;
  unsigned line, column;
};

/// A remark, lent for a call. The Rust side has the same layout.
struct Remark {
  Text pass, name, file, message;
  /// 0: done, 1: missed, 2: a reason.
  unsigned kind;
  unsigned line, column;
  const Argument *arguments;
  size_t count;
};

using Sink = void (*)(void *context, const Remark *remark);

/// Hands remarks of passes over loops to a function, and all else to the handler
/// that the context had.
class RemarkHandler : public DiagnosticHandler {
public:
  RemarkHandler(const DiagnosticHandler &before, Sink sink)
      : DiagnosticHandler(before.DiagnosticContext), sink(sink) {
    DiagHandlerCallback = before.DiagHandlerCallback;
  }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (!DiagnosticInfoOptimizationBase::classof(&info))
      return DiagnosticHandler::handleDiagnostics(info);
    auto &remark = static_cast<const DiagnosticInfoOptimizationBase &>(info);
    SmallVector<Argument> arguments;
    for (const auto &argument : remark.getArgs()) {
      const DiagnosticLocation &place = argument.Loc;
      bool known = place.isValid();
      arguments.push_back({StringRef(argument.Key), StringRef(argument.Val),
                           known ? place.getLine() : 0,
                           known ? place.getColumn() : 0});
    }
    DiagnosticLocation place = remark.getLocation();
    std::string message = remark.getMsg();
    bool known = place.isValid();
    std::string file = known ? place.getAbsolutePath() : std::string();
    Remark lent{remark.getPassName(),
                remark.getRemarkName(),
                StringRef(file),
                StringRef(message),
                remark.isPassed() ? 0u : (remark.isMissed() ? 1u : 2u),
                known ? place.getLine() : 0,
                known ? place.getColumn() : 0,
                arguments.data(),
                arguments.size()};
    sink(DiagnosticContext, &lent);
    return true;
  }

  bool isAnyRemarkEnabled() const override { return true; }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return isAboutLoops(pass);
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return isAboutLoops(pass);
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return isAboutLoops(pass);
  }

private:
  static bool isAboutLoops(StringRef pass) {
    static constexpr StringLiteral passes[] = {
        "loop-delete", "loop-idiom", "loop-unroll", "loop-vectorize"};
    return is_contained(passes, pass);
  }

  Sink sink;
};

} // namespace

extern "C" {

/// Has a context hand remarks to a function, with what its handler of
/// diagnostics is given.
void pyoptCollectRemarks(LLVMContextRef context, Sink sink) {
  LLVMContext &llvm = *unwrap(context);
  auto handler =
      std::make_unique<RemarkHandler>(*llvm.getDiagHandlerPtr(), sink);
  // The errors that a message is printed for are those of the handler as well.
  llvm.setDiagnosticHandler(std::move(handler), /*RespectFilters=*/true);
}

} // extern "C"
