//===- Canonicalize.cpp - Canonicalisation that knows signed integers ------===//
//
// Upstream's rewrites of arith.select take any integer for a signless one:
// between the constants 1 and 0 of type si64 they make an arith.extui, which
// does not verify. Everything else of upstream's canonicaliser is wanted.
//
//===----------------------------------------------------------------------===//

#include "Glue.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

extern "C" {

/// Canonicalises what is in an operation.
void pyoptCanonicalize(MlirOperation root) {
  Operation *operation = unwrap(root);
  MLIRContext *context = operation->getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef() != "arith.select")
      name.getCanonicalizationPatterns(patterns, context);
  // Stopping before a fixpoint leaves code that is correct.
  (void)applyPatternsGreedily(operation, std::move(patterns));
}

} // extern "C"
