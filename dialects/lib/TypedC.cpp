//===- TypedC.cpp - C functions, and memory that C code knows -------------===//

#include "Common.h"
#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::typed;

/// Whether values of a type can be passed to C functions and returned from them.
static bool isCType(Type type) {
  if (isa<IntegerType>(type))
    return ArrayType::isElement(type);
  if (auto number = dyn_cast<ComplexType>(type))
    type = number.getElementType();
  return type.isF32() || type.isF64() || isa<PointerType, CFunctionType>(type);
}

LogicalResult CFunctionType::verify(function_ref<InFlightDiagnostic()> emitError,
                                    mlir::FunctionType signature) {
  if (signature.getNumResults() > 1)
    return emitError() << "a C function has one result at most";
  for (TypeRange types : {TypeRange(signature.getInputs()), TypeRange(signature.getResults())})
    for (Type type : types)
      if (!isCType(type))
        return emitError() << "C functions don't take or return values of type " << type;
  return success();
}

LogicalResult AddressOp::verify() {
  Type element = cast<ArrayType>(getArray().getType()).getElement();
  Type pointee = cast<PointerType>(getType()).getPointee();
  if (element != pointee)
    return emitOpError("elements of type ") << element << " are not " << pointee;
  return success();
}

bool AddressOp::ownsResult(unsigned) { return false; }

bool AddressCastOp::ownsResult(unsigned) { return false; }

OpFoldResult AddressCastOp::fold(FoldAdaptor) {
  if (getAddress().getType() == getType())
    return getAddress();
  auto inner = getAddress().getDefiningOp<AddressCastOp>();
  if (inner && inner.getAddress().getType() == getType())
    return inner.getAddress();
  return {};
}

LogicalResult PointerArrayOp::verify() {
  auto array = cast<ArrayType>(getType());
  Type pointee = cast<PointerType>(getPointer().getType()).getPointee();
  if (array.getElement() != pointee)
    return emitOpError("elements of type ") << array.getElement() << " are not " << pointee;
  if (array.getLayout() != Layout::C && array.getLayout() != Layout::F &&
      !isa<RecordType>(pointee))
    return emitOpError("the array is contiguous, got ") << array;
  if (getSizes().size() != array.getRank())
    return emitOpError("array of rank ") << array.getRank() << " got " << getSizes().size()
                                         << " sizes";
  return success();
}

Raises CCallOp::getRaises() { return Raises::Nothing; }

LogicalResult CCallOp::verify() {
  auto signature = cast<CFunctionType>(getCallee().getType()).getSignature();
  if (!llvm::equal(signature.getInputs(), getInputs().getTypes()) ||
      !llvm::equal(signature.getResults(), getResults().getTypes()))
    return emitOpError("operands and results must be those of ") << getCallee().getType();
  return success();
}
