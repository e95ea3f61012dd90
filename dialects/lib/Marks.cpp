//===- Marks.cpp - The pyopt dialect: what passes note on operations ------===//

#include "pyopt/Marks/Marks.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace pyopt::marks;

#include "pyopt/Marks/MarksDialect.cpp.inc"

namespace {
/// A declared attribute.
struct Mark {
  /// With the name of the dialect.
  StringLiteral name;
  /// What its kind is called.
  StringLiteral kind;
  /// Whether an attribute is of its kind.
  bool (*allows)(Attribute);
};
} // namespace

// `MARKS`: all of them, generated from MarksDialect.td by build/marks.rs.
#include "pyopt/Marks/Marks.cpp.inc"

void MarksDialect::initialize() {}

LogicalResult MarksDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  const Mark *mark = llvm::find_if(MARKS, [&](const Mark &one) { return one.name == name; });
  if (mark == std::end(MARKS))
    return op->emitOpError("has attribute '")
           << name << "', which isn't one that the dialect pyopt declares";
  if (!mark->allows(attribute.getValue()))
    return op->emitOpError("has attribute '") << name << "', which must be of kind: " << mark->kind;
  return success();
}

/// Refuses attributes of arguments and results: none is declared.
static LogicalResult refuse(Operation *op, StringRef holder, NamedAttribute attribute) {
  return op->emitOpError("has attribute '")
         << attribute.getName().getValue() << "' on " << holder
         << ", where the dialect pyopt declares none";
}

LogicalResult MarksDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                     NamedAttribute attribute) {
  return refuse(op, "an argument", attribute);
}

LogicalResult MarksDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                        NamedAttribute attribute) {
  return refuse(op, "a result", attribute);
}
