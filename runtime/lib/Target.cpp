//===- Target.cpp - Whether LLVM knows a CPU and features -----------------===//
//
// The C API makes a target machine of any names, and prints what it didn't
// know to stderr.
//
//===----------------------------------------------------------------------===//

#include "llvm-c/Core.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>

using namespace llvm;

/// Returns what of a CPU's name and features, such as `+avx2,-fma`, is unknown
/// for a triple, or null. The text is the caller's.
extern "C" char *pyoptUnknownOfTarget(const char *triple, const char *cpu,
                                      const char *features) {
  std::string error;
  Triple parsed(triple);
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return LLVMCreateMessage(error.c_str());
  // Asked without the names, which would print a message for each unknown one.
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(parsed, "", ""));
  if (!known->isCPUStringValid(cpu))
    return LLVMCreateMessage(cpu);
  SubtargetFeatures split(features);
  for (const std::string &feature : split.getFeatures()) {
    StringRef name = SubtargetFeatures::StripFlag(feature);
    auto named = [&](const SubtargetFeatureKV &one) { return name == one.Key; };
    if (!SubtargetFeatures::hasFlag(feature) ||
        none_of(known->getAllProcessorFeatures(), named))
      return LLVMCreateMessage(feature.c_str());
  }
  return nullptr;
}
