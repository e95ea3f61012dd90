//===- TypedExceptions.cpp - Exceptions as values: interfaces and verifiers -===//

#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::typed;

SuccessorOperands TryBrOp::getSuccessorOperands(unsigned index) {
  if (index == 0)
    return SuccessorOperands(getNormalOperandsMutable());
  // The exception is made by the transfer.
  MutableOperandRange none(getOperation(), 0, 0);
  return SuccessorOperands(/*producedOperandCount=*/1, none);
}

LogicalResult TryBrOp::verify() {
  Block *handler = getUnwind();
  if (handler->getNumArguments() != 1 || !isa<ExceptionType>(handler->getArgument(0).getType()))
    return emitOpError("needs a handler whose only argument is the exception");
  return success();
}

CallInterfaceCallable TryCallOp::getCallableForCallee() { return getCalleeAttr(); }

void TryCallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}

Operation::operand_range TryCallOp::getArgOperands() { return getInputs(); }

MutableOperandRange TryCallOp::getArgOperandsMutable() { return getInputsMutable(); }

LogicalResult TryCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << getCalleeAttr() << " is not a function of this module";
  if (TypeRange(callee.getArgumentTypes()) != TypeRange(getInputs()))
    return emitOpError("argument types differ from those of ") << getCalleeAttr();
  if (TypeRange(callee.getResultTypes()) != TypeRange(getResults()))
    return emitOpError("result types differ from those of ") << getCalleeAttr();
  return success();
}
