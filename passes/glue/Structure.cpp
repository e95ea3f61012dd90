//===- Structure.cpp - From control flow graphs to structured code ---------===//
//
// Upstream's algorithm and its mapping of `cf` to `scf`, with what it can't do:
// loops without an exit in regions that aren't the body of a function.
//
//===----------------------------------------------------------------------===//

#include "Glue.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace {

class Lifting : public ControlFlowToSCFTransformation {
public:
  /// `returnLike` ends the regions that are lifted; it was found before the
  /// lifting, which is why a region that never ends has none.
  explicit Lifting(OperationName returnLike, TypeRange types)
      : returnLike(returnLike), types(types) {}

  /// What stands behind a loop that never ends: the region's own kind of
  /// terminator, with poison, for it isn't reached.
  FailureOr<Operation *> createUnreachableTerminator(Location location,
                                                     OpBuilder &builder,
                                                     Region &) override {
    OperationState state(location, returnLike);
    for (Type type : types)
      state.operands.push_back(getUndefValue(location, builder, type));
    return builder.create(state);
  }

private:
  OperationName returnLike;
  SmallVector<Type> types;
};

/// The terminator that leaves the region and what it takes. A function or an
/// `scf.execute_region` that never ends has none to look at.
std::optional<std::pair<OperationName, SmallVector<Type>>>
findReturn(Region &region) {
  for (Block &block : region) {
    Operation *last = &block.back();
    if (last->hasTrait<OpTrait::ReturnLike>())
      return {{last->getName(), llvm::to_vector(last->getOperandTypes())}};
  }
  Operation *parent = region.getParentOp();
  MLIRContext *context = parent->getContext();
  if (auto function = dyn_cast<func::FuncOp>(parent))
    return {{OperationName(func::ReturnOp::getOperationName(), context),
             llvm::to_vector(function.getResultTypes())}};
  if (isa<scf::ExecuteRegionOp>(parent))
    return {{OperationName(scf::YieldOp::getOperationName(), context),
             llvm::to_vector(parent->getResultTypes())}};
  return std::nullopt;
}

/// Whether the branches that an operation becomes have a place: not in a region
/// that has to be one block. Says so if they have none.
LogicalResult mayBranch(Operation *operation) {
  for (Operation *parent = operation->getParentOp();
       parent && !parent->hasTrait<OpTrait::IsIsolatedFromAbove>();
       parent = parent->getParentOp())
    if (parent->mightHaveTrait<OpTrait::SingleBlock>() &&
        !isa<scf::SCFDialect>(parent->getDialect()))
      return operation->emitError()
             << "'" << operation->getName() << "' can't become branches in the single block of '"
             << parent->getName() << "'";
  return success();
}

} // namespace

extern "C" {

/// Removes the blocks of a region, and of the regions inside, that nobody gets to.
void pyoptEraseUnreachableBlocks(MlirRegion region) {
  IRRewriter rewriter(unwrap(region)->getContext());
  // Failure means that there are none.
  (void)eraseUnreachableBlocks(rewriter, *unwrap(region));
}

/// Makes one block of a region; false when that isn't possible. Then the IR is
/// in no particular state.
bool pyoptLiftControlFlow(MlirRegion raw) {
  Region &region = *unwrap(raw);
  pyoptEraseUnreachableBlocks(raw);
  if (region.hasOneBlock())
    return true;

  auto found = findReturn(region);
  if (!found)
    return false;
  Lifting lifting(found->first, found->second);
  DominanceInfo dominance(region.getParentOp());
  return succeeded(transformCFGToSCF(region, lifting, dominance)) &&
         region.hasOneBlock();
}

/// Converts structured control flow to branches; false when some is left, which
/// a diagnostic tells.
///
/// Each operation splits its block: from the end on, what is behind it is never much. Upstream's
/// pass goes through the driver for conversions, from the start, and notes for each operation of
/// the rest of the function that it moves. What is around an operation goes before it, as there:
/// the pattern of `scf.while` takes a region for a single block.
bool pyoptConvertScfToCf(MlirOperation root) {
  Operation *operation = unwrap(root);
  MLIRContext *context = operation->getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(context);
  auto isTerminator = [](Operation *inner) {
    return inner->hasTrait<OpTrait::IsTerminator>();
  };
  // A pattern may make structured control flow of another kind.
  for (;;) {
    SmallVector<Operation *> found;
    operation->walk<WalkOrder::PostOrder>([&](Operation *inner) {
      if (isa_and_nonnull<scf::SCFDialect>(inner->getDialect()) && !isTerminator(inner))
        found.push_back(inner);
    });
    if (found.empty())
      return true;
    for (Operation *inner : found)
      if (failed(mayBranch(inner)))
        return false;
    for (Operation *inner : llvm::reverse(found)) {
      rewriter.setInsertionPoint(inner);
      if (failed(applicator.matchAndRewrite(inner, rewriter))) {
        inner->emitError() << "'" << inner->getName()
                           << "' has no lowering to branches";
        return false;
      }
    }
  }
}

} // extern "C"
