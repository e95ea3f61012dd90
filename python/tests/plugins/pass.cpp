// A pass plugin: what an author builds against the installed headers, without any of our libraries.

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

/// Tells how many operations of Python's types a module has.
struct CountTyped : PassWrapper<CountTyped, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountTyped)
  StringRef getArgument() const final { return "plugin-count-typed"; }
  StringRef getDescription() const final { return "count typed operations"; }

  void runOnOperation() override {
    int count = 0;
    getOperation()->walk([&](Operation *inner) {
      count += inner->getName().getDialectNamespace() == "typed";
    });
    getOperation()->emitRemark() << count << " typed operations";
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CountTyped", "1",
          [] { PassRegistration<CountTyped>(); }};
}
