//===- Stencil.cpp - The stencil dialect ----------------------------------===//

#include "pyopt/Stencil/Stencil.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace pyopt::stencil;
using pyopt::typed::ArrayType;

#include "pyopt/Stencil/StencilDialect.cpp.inc"

#define GET_OP_CLASSES
#include "pyopt/Stencil/StencilOps.cpp.inc"

void StencilDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "pyopt/Stencil/StencilOps.cpp.inc"
      >();
}

SmallVector<Region *> ApplyOp::getLoopRegions() { return {&getBody()}; }

LogicalResult ApplyOp::verify() {
  if (getInputs().empty() || !isa<ArrayType>(getInputs().front().getType()))
    return emitOpError("first operand must be an array");
  auto first = cast<ArrayType>(getInputs().front().getType());
  auto result = cast<ArrayType>(getType());
  if (result.getRank() != first.getRank())
    return emitOpError("result must have rank ") << first.getRank() << ", got "
                                                 << result.getRank();
  Block &entry = getBody().front();
  if (entry.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("region takes the operands");
  if (auto neighborhood = getNeighborhood()) {
    if (neighborhood->size() != 2 * size_t(first.getRank()))
      return emitOpError("neighborhood of an array of rank ")
             << first.getRank() << " has " << 2 * first.getRank() << " bounds, got "
             << neighborhood->size();
    for (size_t i = 0; i < neighborhood->size(); i += 2)
      if ((*neighborhood)[i] > (*neighborhood)[i + 1])
        return emitOpError("neighborhood has its lower bound ")
               << (*neighborhood)[i] << " above its upper bound " << (*neighborhood)[i + 1];
  }
  for (int64_t operand : getStandardIndexing()) {
    if (operand < 0 || operand >= int64_t(getInputs().size()))
      return emitOpError("standard indexing names operand ") << operand << " of "
                                                             << getInputs().size();
    if (operand == 0)
      return emitOpError("the first operand can't use standard indexing");
  }
  bool ok = true;
  getBody().walk([&](ReturnOp terminator) {
    if (terminator.getValue().getType() == result.getElement())
      return;
    terminator.emitOpError("must return ") << result.getElement() << ", got "
                                           << terminator.getValue().getType();
    ok = false;
  });
  return success(ok);
}

LogicalResult PositionOp::verify() {
  auto apply = (*this)->getParentOfType<ApplyOp>();
  if (!apply)
    return emitOpError("must be inside a stencil.apply");
  int64_t rank = cast<ArrayType>(apply.getType()).getRank();
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError("dimension ") << dimension << " of an array of rank " << rank;
  return success();
}

LogicalResult AccessOp::verify() {
  if (!(*this)->getParentOfType<ApplyOp>())
    return emitOpError("must be inside a stencil.apply");
  auto array = cast<ArrayType>(getArray().getType());
  if (getOffsets().size() != array.getRank())
    return emitOpError("array of rank ") << array.getRank() << " got " << getOffsets().size()
                                         << " offsets";
  if (array.getElement() != getType())
    return emitOpError("element must be ") << array.getElement() << ", got " << getType();
  return success();
}
