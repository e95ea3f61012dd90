//===- Ir.cpp - What the C API of the IR leaves out ------------------------===//

#include "Glue.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

extern "C" {

/// Moves `before` and what follows it to a new block behind its own.
MlirBlock pyoptRewriterSplitBlock(MlirRewriterBase rewriter,
                                  MlirOperation before) {
  Operation *op = unwrap(before);
  return wrap(unwrap(rewriter)->splitBlock(op->getBlock(),
                                           Block::iterator(op)));
}

/// Makes an empty block at the end of a region and goes there.
MlirBlock pyoptRewriterAppendBlock(MlirRewriterBase rewriter, MlirRegion region,
                                   intptr_t count, const MlirType *types,
                                   const MlirLocation *locations) {
  SmallVector<Type> argumentTypes;
  SmallVector<Location> argumentLocations;
  for (intptr_t i = 0; i < count; ++i) {
    argumentTypes.push_back(unwrap(types[i]));
    argumentLocations.push_back(unwrap(locations[i]));
  }
  Region *parent = unwrap(region);
  return wrap(unwrap(rewriter)->createBlock(parent, parent->end(),
                                            argumentTypes, argumentLocations));
}

/// Moves all blocks of `source` to the end of `target`.
void pyoptRewriterMoveRegion(MlirRewriterBase rewriter, MlirRegion source,
                             MlirRegion target) {
  Region *to = unwrap(target);
  unwrap(rewriter)->inlineRegionBefore(*unwrap(source), *to, to->end());
}

/// Clones all blocks of `source` to the end of `target`; uses of `from[i]`
/// become uses of `to[i]`.
void pyoptRewriterCloneRegion(MlirRewriterBase rewriter, MlirRegion source,
                              MlirRegion target, intptr_t count,
                              const MlirValue *from, const MlirValue *to) {
  IRMapping mapping;
  for (intptr_t i = 0; i < count; ++i)
    mapping.map(unwrap(from[i]), unwrap(to[i]));
  Region *region = unwrap(target);
  unwrap(rewriter)->cloneRegionBefore(*unwrap(source), *region, region->end(),
                                      mapping);
}

/// Clones an operation where the rewriter stands; uses of `from[i]` become uses
/// of `to[i]`.
MlirOperation pyoptRewriterClone(MlirRewriterBase rewriter, MlirOperation op,
                                 intptr_t count, const MlirValue *from,
                                 const MlirValue *to) {
  IRMapping mapping;
  for (intptr_t i = 0; i < count; ++i)
    mapping.map(unwrap(from[i]), unwrap(to[i]));
  return wrap(unwrap(rewriter)->clone(*unwrap(op), mapping));
}

/// The block a value is defined in.
MlirBlock pyoptValueParentBlock(MlirValue value) {
  return wrap(unwrap(value).getParentBlock());
}

/// Whether an operation may be removed when nobody uses its results.
bool pyoptOperationIsTriviallyDead(MlirOperation op) {
  return isOpTriviallyDead(unwrap(op));
}

/// Whether an operation neither reads nor writes nor does anything else.
bool pyoptOperationIsPure(MlirOperation op) { return isPure(unwrap(op)); }

/// Whether an operation ends blocks.
bool pyoptOperationIsTerminator(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsTerminator>();
}

/// The symbol `name` next to or around `from`; null when there is none.
MlirOperation pyoptLookupSymbol(MlirOperation from, MlirStringRef name) {
  Operation *op = unwrap(from);
  return wrap(SymbolTable::lookupNearestSymbolFrom(
      op, StringAttr::get(op->getContext(), unwrap(name))));
}

void *pyoptDominanceCreate(MlirOperation root) {
  return new DominanceInfo(unwrap(root));
}
void pyoptDominanceDestroy(void *dominance) {
  delete static_cast<DominanceInfo *>(dominance);
}
bool pyoptDominatesBlock(void *dominance, MlirBlock a, MlirBlock b) {
  return static_cast<DominanceInfo *>(dominance)->dominates(unwrap(a),
                                                            unwrap(b));
}
MlirBlock pyoptDominanceImmediate(void *dominance, MlirBlock block) {
  Block *of = unwrap(block);
  // A region of one block has no tree.
  if (of->getParent()->hasOneBlock())
    return MlirBlock{nullptr};
  auto *node = static_cast<DominanceInfo *>(dominance)->getNode(of);
  auto *above = node ? node->getIDom() : nullptr;
  return wrap(above ? above->getBlock() : nullptr);
}
bool pyoptDominatesOperation(void *dominance, MlirOperation a,
                             MlirOperation b) {
  return static_cast<DominanceInfo *>(dominance)->dominates(unwrap(a),
                                                            unwrap(b));
}
bool pyoptDominatesValue(void *dominance, MlirValue value, MlirOperation user) {
  return static_cast<DominanceInfo *>(dominance)->dominates(unwrap(value),
                                                            unwrap(user));
}

/// Whether an attribute describes a function to debuggers.
bool pyoptAttributeIsSubprogram(MlirAttribute attribute) {
  return isa<LLVM::DISubprogramAttr>(unwrap(attribute));
}

/// Says that an `llvm.getelementptr` stays within what its base points to and
/// doesn't go below it. The flags are no attribute.
void pyoptGepSetWithinBounds(MlirOperation gep) {
  cast<LLVM::GEPOp>(unwrap(gep)).setNoWrapFlags(
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}

} // extern "C"
