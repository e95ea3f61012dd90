//===- TypedEffects.cpp - What operations of typed do, and raise ----------===//

#include "mlir/IR/Matchers.h"
#include "pyopt/Stencil/Stencil.h"
#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::typed;

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Whether a number has 64 bits, so that casting it to another such type keeps it.
static bool isWord(Type type) {
  return isa<IndexType>(type) || type.isInteger(64);
}

/// Whether a size can't be negative: it is one of something that exists, or a number.
static bool isNatural(Value size) {
  Operation *operation = size.getDefiningOp();
  IntegerAttr number;
  if (!operation)
    return false;
  if (matchPattern(operation, m_Constant(&number)))
    return !number.getValue().isNegative();
  if (isa<DimOp, LenOp, ListLenOp>(operation))
    return true;
  if (auto cast = dyn_cast<CastOp>(operation))
    return isWord(cast.getOperand().getType()) && isWord(cast.getType()) &&
           isNatural(cast.getOperand());
  auto broadcast = dyn_cast<BroadcastSizeOp>(operation);
  return broadcast && isNatural(broadcast.getLhs()) && isNatural(broadcast.getRhs());
}

/// A negative size is refused. That memory runs out isn't counted: else nothing that allocates
/// could be removed.
static Raises raisesForSizes(ValueRange sizes) {
  return llvm::all_of(sizes, isNatural) ? Raises::Nothing : Raises::Anything;
}

static void addRaising(Raises raises, Effects &effects) {
  if (raises != Raises::Nothing)
    effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
}

static void addReads(Operation *operation, Effects &effects) {
  for (OpOperand &operand : operation->getOpOperands())
    if (isa<ArrayType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

static void addAllocation(Operation *operation, Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), operation->getOpResult(0));
}

Raises RaiseIfOp::getRaises() {
  return getShapeError() ? Raises::Shape : Raises::Anything;
}

Raises TryCallOp::getRaises() { return Raises::Nothing; }

Raises CatchOp::getRaises() { return Raises::Nothing; }

Raises YieldValueOp::getRaises() { return Raises::Nothing; }

Raises BroadcastOp::getRaises() { return Raises::Shape; }

Raises RepeatOp::getRaises() { return Raises::Shape; }

Raises EmptyOp::getRaises() { return raisesForSizes(getSizes()); }

void EmptyOp::getEffects(Effects &effects) {
  addRaising(getRaises(), effects);
  addAllocation(*this, effects);
}

Raises GenerateOp::getRaises() { return raisesForSizes(getSizes()); }

void GenerateOp::getEffects(Effects &effects) {
  addRaising(getRaises(), effects);
  addAllocation(*this, effects);
}

Raises ArrayExprOp::getRaises() {
  unsigned shapes = llvm::count_if(getInputs(), [](Value input) {
    auto array = dyn_cast<ArrayType>(input.getType());
    return array && array.getRank() > 0;
  });
  return shapes > 1 ? Raises::Shape : Raises::Nothing;
}

void ArrayExprOp::getEffects(Effects &effects) {
  addReads(*this, effects);
  addRaising(getRaises(), effects);
  addAllocation(*this, effects);
}

Raises AssignOp::getRaises() {
  return isa<ArrayType>(getValue().getType()) ? Raises::Shape : Raises::Nothing;
}

void AssignOp::getEffects(Effects &effects) {
  if (isa<ArrayType>(getValue().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getValueMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
  addRaising(getRaises(), effects);
}

/// An array without elements has no least and no greatest one.
Raises ReduceOp::getRaises() {
  bool extreme = getKind() == ReduceKind::Min || getKind() == ReduceKind::Max;
  return extreme ? Raises::Anything : Raises::Nothing;
}

void ReduceOp::getEffects(Effects &effects) {
  addReads(*this, effects);
  addRaising(getRaises(), effects);
}

/// A kernel raises where its arrays are smaller than the first one, or its constants don't fit.
void stencil::ApplyOp::getEffects(Effects &effects) {
  addReads(*this, effects);
  addRaising(getRaises(), effects);
  addAllocation(*this, effects);
}
