//===- PassGate.cpp - Passes that the first tier leaves out ----------------===//
//
// The passes of code generation can't be chosen, but a context may have a gate
// that each of those that aren't needed asks whether to run.
//
//===----------------------------------------------------------------------===//

#include "llvm-c/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"

using namespace llvm;

namespace {

/// Leaves out passes that take long and seldom gain anything: above all loop
/// strength reduction, a quarter of the time, which finds other induction
/// variables where x86 has addressing modes for those that are there.
class LeanGate : public OptPassGate {
public:
  bool isEnabled() const override { return true; }

  bool shouldRunPass(StringRef pass, StringRef) const override {
    static constexpr StringLiteral leftOut[] = {
        "Loop Strength Reduction",
        "Canonicalize Freeze Instructions in Loops",
        "consthoist",
        "mergeicmps",
        "post-RA-sched",
        "x86-avoid-sfb",
        "x86-cf-opt",
        "x86-domain-reassignment",
        "x86-optimize-leas",
    };
    return !is_contained(leftOut, pass);
  }
};

} // namespace

extern "C" {

/// Sets whether code for a context's modules is generated without those passes.
void pyoptSetLeanGate(LLVMContextRef context, bool lean) {
  static LeanGate leanGate;
  OptPassGate &gate = lean ? leanGate : getGlobalPassGate();
  unwrap(context)->setOptPassGate(gate);
}

} // extern "C"
