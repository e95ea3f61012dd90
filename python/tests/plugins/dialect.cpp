// A dialect plugin: a dialect with one operation, without any of our libraries.

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

namespace {

/// Says something.
class SayOp : public Op<SayOp, OpTrait::ZeroOperands, OpTrait::ZeroResults> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "talk.say"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  LogicalResult verify() {
    if ((*this)->hasAttrOfType<StringAttr>("text"))
      return success();
    return emitOpError("has nothing to say");
  }
};

struct TalkDialect : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TalkDialect)
  static StringRef getDialectNamespace() { return "talk"; }
  explicit TalkDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<TalkDialect>()) {
    addOperations<SayOp>();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Talk", "1",
          [](DialectRegistry *registry) { registry->insert<TalkDialect>(); }};
}
