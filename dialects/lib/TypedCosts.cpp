//===- TypedCosts.cpp - How long operations of typed take -----------------===//

#include "pyopt/Typed/Typed.h"

using namespace pyopt::typed;

/// A division, a remainder or a root, in simple operations.
constexpr int64_t division = 10;
/// A function such as `exp`.
constexpr int64_t function = 40;
/// A new array, its elements aside.
constexpr int64_t allocation = 300;

std::optional<int64_t> BinaryOp::getCost() {
  switch (getKind()) {
  case BinaryKind::TrueDiv:
  case BinaryKind::FloorDiv:
  case BinaryKind::Mod:
    return division;
  case BinaryKind::Pow:
  case BinaryKind::Atan2:
  case BinaryKind::Hypot:
    return function;
  default:
    return 1;
  }
}

std::optional<int64_t> UnaryOp::getCost() {
  switch (getKind()) {
  case UnaryKind::Neg:
  case UnaryKind::Invert:
  case UnaryKind::Abs:
  case UnaryKind::Real:
  case UnaryKind::Imag:
  case UnaryKind::Conj:
    return 1;
  case UnaryKind::Sqrt:
    return division;
  default:
    return function;
  }
}

std::optional<int64_t> EmptyOp::getCost() { return allocation; }
