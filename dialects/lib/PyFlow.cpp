//===- PyFlow.cpp - Unwinding, generators and scopes: verifiers -----------===//

#include "pyopt/Py/Py.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::py;

#include "pyopt/Py/PyInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Unwinding
//===----------------------------------------------------------------------===//

LogicalResult py::verifyUnwind(Operation *op) {
  auto terminator = cast<UnwindOpInterface>(op);
  Block *handler = terminator.getUnwindDest();
  MutableOperandRange operands = terminator.getUnwindDestOperandsMutable();
  if (!handler) {
    if (operands.empty())
      return success();
    return op->emitOpError("has unwind operands but no handler");
  }
  for (OpOperand &operand : operands)
    if (Operation *definition = operand.get().getDefiningOp();
        definition && definition->getBlock() == op->getBlock())
      return (op->emitOpError("unwind operand ")
              << operand.getOperandNumber() - operands[0].getOperandNumber()
              << " is defined in the block that may raise before it is there")
                 .attachNote(definition->getLoc())
             << "defined here";
  return success();
}

/// The handler of a terminator whose unwind edge is optional.
static Block *optionalHandler(SuccessorRange handlers) {
  return handlers.empty() ? nullptr : handlers.front();
}

/// The transfer makes the exception, the handler's first argument.
static SuccessorOperands handlerOperands(MutableOperandRange operands) {
  return SuccessorOperands(/*producedOperandCount=*/1, operands);
}

Block *TryBrOp::getUnwindDest() { return getUnwind(); }

MutableOperandRange TryBrOp::getUnwindDestOperandsMutable() { return getUnwindOperandsMutable(); }

SuccessorOperands TryBrOp::getSuccessorOperands(unsigned index) {
  if (index == 0)
    return SuccessorOperands(getNormalOperandsMutable());
  return handlerOperands(getUnwindOperandsMutable());
}

Block *ForIterOp::getUnwindDest() { return optionalHandler(getUnwind()); }

MutableOperandRange ForIterOp::getUnwindDestOperandsMutable() { return getUnwindOperandsMutable(); }

SuccessorOperands ForIterOp::getSuccessorOperands(unsigned index) {
  switch (index) {
  case 0:
    return SuccessorOperands(/*producedOperandCount=*/1, getBodyOperandsMutable());
  case 1:
    return SuccessorOperands(getExitOperandsMutable());
  default:
    return handlerOperands(getUnwindOperandsMutable());
  }
}

Block *RaiseOp::getUnwindDest() { return optionalHandler(getUnwind()); }

MutableOperandRange RaiseOp::getUnwindDestOperandsMutable() { return getUnwindOperandsMutable(); }

SuccessorOperands RaiseOp::getSuccessorOperands(unsigned) {
  return handlerOperands(getUnwindOperandsMutable());
}

LogicalResult RaiseOp::verify() {
  if (getCause() && !getException())
    return emitOpError("has a cause but no exception");
  return success();
}

Block *ReraiseOp::getUnwindDest() { return optionalHandler(getUnwind()); }

MutableOperandRange ReraiseOp::getUnwindDestOperandsMutable() { return getUnwindOperandsMutable(); }

SuccessorOperands ReraiseOp::getSuccessorOperands(unsigned) {
  return handlerOperands(getUnwindOperandsMutable());
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

LogicalResult YieldOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  if (function && function.getKind() == FunctionKind::Function)
    return emitOpError("is in '") << function.getSymName()
                                  << "', a plain function; a generator or coroutine is needed";
  return success();
}

LogicalResult GetAwaitableOp::verify() {
  if (auto method = getMethod(); method && *method != "__aenter__" && *method != "__aexit__")
    return emitOpError("expected \"__aenter__\" or \"__aexit__\", got \"") << *method << '"';
  return success();
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

LogicalResult NamespaceOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  if (function && !function.getNamespaced())
    return emitOpError("is in '") << function.getSymName() << "', which has no namespace";
  return success();
}

LogicalResult FreeCellOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  int64_t count = 0;
  if (function && function.getFreevars())
    count = function.getFreevars()->size();
  int64_t index = getIndex();
  if (function && (index < 0 || index >= count))
    return emitOpError("index ") << index << " is not that of one of the function's " << count
                                 << " free variables";
  return success();
}
