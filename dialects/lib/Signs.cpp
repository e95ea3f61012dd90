//===- Signs.cpp - What is known of the signs of floats -------------------===//

#include "Signs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt::typed;

/// How deep to look.
static constexpr unsigned kDepth = 8;

static Sign look(Value value, unsigned depth);

/// Rounding is monotonic, so sums and products keep the signs of real numbers, but that a product
/// of positive numbers may be too small to be told from 0.
static Sign ofBinary(BinaryOp op, unsigned depth) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  auto both = [&] { return std::min(look(lhs, depth), look(rhs, depth)); };
  auto notNegativeIf = [](bool holds) { return holds ? Sign::NotNegative : Sign::Any; };
  switch (op.getKind()) {
  case BinaryKind::Add: {
    Sign left = look(lhs, depth), right = look(rhs, depth);
    return std::min(left, right) == Sign::Any ? Sign::Any : std::max(left, right);
  }
  case BinaryKind::Mul:
    return notNegativeIf(lhs == rhs || both() != Sign::Any);
  // By -0.0 a positive number gives minus infinity.
  case BinaryKind::TrueDiv:
    return notNegativeIf(look(rhs, depth) == Sign::Positive && look(lhs, depth) != Sign::Any);
  case BinaryKind::Hypot:
    return Sign::NotNegative;
  case BinaryKind::Min:
    return both();
  // The first operand, also where the second is NaN, or what is larger.
  case BinaryKind::Max:
    return look(lhs, depth);
  default:
    return Sign::Any;
  }
}

static Sign ofUnary(UnaryOp op, unsigned depth) {
  switch (op.getKind()) {
  case UnaryKind::Abs:
  case UnaryKind::Exp:
  case UnaryKind::Exp2:
    return Sign::NotNegative;
  case UnaryKind::Cosh:
    return Sign::Positive;
  // Of what is negative it is NaN.
  case UnaryKind::Sqrt:
    return std::max(Sign::NotNegative, look(op.getOperand(), depth));
  default:
    return Sign::Any;
  }
}

static Sign look(Value value, unsigned depth) {
  if (depth == kDepth || !isa<FloatType>(value.getType()))
    return Sign::Any;
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant))) {
    if (constant.isZero())
      return Sign::NotNegative;
    return constant.isNegative() && !constant.isNaN() ? Sign::Any : Sign::Positive;
  }
  if (auto binary = value.getDefiningOp<BinaryOp>())
    return ofBinary(binary, depth + 1);
  if (auto unary = value.getDefiningOp<UnaryOp>())
    return ofUnary(unary, depth + 1);
  if (auto cast = value.getDefiningOp<CastOp>()) {
    Type from = cast.getOperand().getType();
    bool isUnsigned = from.isUnsignedInteger() || from.isSignlessInteger(1);
    // A narrower float may round what is positive to 0.
    return isUnsigned ? Sign::NotNegative
                      : std::min(Sign::NotNegative, look(cast.getOperand(), depth + 1));
  }
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return std::min(look(select.getTrueValue(), depth + 1),
                    look(select.getFalseValue(), depth + 1));
  return Sign::Any;
}

Sign pyopt::typed::signOf(Value value) { return look(value, 0); }
