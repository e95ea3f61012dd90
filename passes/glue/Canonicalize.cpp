//===- Canonicalize.cpp - Canonicalisation that knows signed integers ------===//
//
// Upstream's rewrites of arith.select take any integer for a signless one:
// between the constants 1 and 0 of type si64 they make an arith.extui, which
// does not verify. Everything else of upstream's canonicaliser is wanted.
//
//===----------------------------------------------------------------------===//

#include "Glue.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <mutex>

using namespace mlir;

namespace {

/// The dialect that keeps the patterns of its context.
constexpr StringRef keeper = "typed";

/// The patterns of all dialects of a context: hundreds, made once.
class CanonicalPatterns : public DialectInterface::Base<CanonicalPatterns> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalPatterns)
  explicit CanonicalPatterns(Dialect *dialect) : Base(dialect) {}

  /// The patterns of the dialects loaded by now, with or without those that
  /// join blocks. A copy shares them.
  FrozenRewritePatternSet get(bool joinsBlocks) const {
    std::lock_guard<std::mutex> lock(mutex);
    MLIRContext *context = getContext();
    size_t loaded = context->getLoadedDialects().size();
    Collected &collected = sets[joinsBlocks];
    if (loaded != collected.dialectCount) {
      collected.patterns = collect(context, joinsBlocks);
      collected.dialectCount = loaded;
    }
    return collected.patterns;
  }

private:
  struct Collected {
    FrozenRewritePatternSet patterns;
    size_t dialectCount = 0;
  };

  static RewritePatternSet collect(MLIRContext *context, bool joinsBlocks) {
    RewritePatternSet patterns(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      // A branch to a block that has no other predecessor takes it over.
      if (name.getStringRef() != "arith.select" &&
          (joinsBlocks || name.getStringRef() != "cf.br"))
        name.getCanonicalizationPatterns(patterns, context);
    return patterns;
  }

  mutable std::mutex mutex;
  mutable Collected sets[2];
};

/// Gives the keeper the patterns when it is loaded.
class KeepPatterns : public DialectExtensionBase {
public:
  KeepPatterns() : DialectExtensionBase(ArrayRef<StringRef>(keeper)) {}

  void apply(MLIRContext *, MutableArrayRef<Dialect *> dialects) const override {
    dialects.front()->addInterfaces<CanonicalPatterns>();
  }

  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<KeepPatterns>();
  }
};

} // namespace

extern "C" {

/// Makes contexts of a registry able to canonicalise.
void pyoptRegisterCanonicalizer(MlirDialectRegistry registry) {
  unwrap(registry)->addExtension(TypeID::get<CanonicalPatterns>(),
                                 std::make_unique<KeepPatterns>());
}

/// Canonicalises what is in an operation, and joins blocks if asked to; false
/// when its context can't.
bool pyoptCanonicalize(MlirOperation root, bool joinsBlocks) {
  Operation *operation = unwrap(root);
  Dialect *dialect = operation->getContext()->getLoadedDialect(keeper);
  auto *patterns =
      dialect ? dialect->getRegisteredInterface<CanonicalPatterns>() : nullptr;
  if (!patterns)
    return false;
  GreedyRewriteConfig config;
  // Without merging of blocks that are equal: those that raise differ in the line.
  config.setRegionSimplificationLevel(
      joinsBlocks ? GreedySimplifyRegionLevel::Normal
                  : GreedySimplifyRegionLevel::Disabled);
  // Stopping before a fixpoint leaves code that is correct.
  (void)applyPatternsGreedily(operation, patterns->get(joinsBlocks), config);
  return true;
}

} // extern "C"
