#include "poly.h"
using namespace mlir;
using namespace poly;

LogicalResult ConstantOp::verify() {
  unsigned degree = getType().getDegree(), count = getValue().size();
  return count == degree + 1 ? success() : emitOpError("has ") << count << " coefficients for degree " << degree;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  auto value = dyn_cast_if_present<DenseF64ArrayAttr>(adaptor.getPolynomial());
  if (!value)
    return {};
  auto negated = llvm::map_to_vector(value.asArrayRef(), std::negate<double>());
  return DenseF64ArrayAttr::get(getContext(), negated);
}

Operation *PolyDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location location) {
  return ConstantOp::create(builder, location, type, cast<DenseF64ArrayAttr>(value));
}
