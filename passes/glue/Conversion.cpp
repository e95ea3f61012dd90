//===- Conversion.cpp - Dialect conversion with callbacks in Rust ----------===//

#include "Glue.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

extern "C" {

/// Collects types.
typedef void (*PyoptTypeSink)(MlirType type, void *sinkData);

/// Hands the types that `type` becomes to `sink`: none, one or several.
/// 1: done, 0: another rule may try, -1: the type has no conversion.
typedef int (*PyoptConvertType)(MlirType type, PyoptTypeSink sink,
                                void *sinkData, const void *userData);

/// Whether an operation is legal. 1: yes, 0: no, -1: another rule may tell.
typedef int (*PyoptLegality)(MlirOperation op, const void *userData);

/// Rewrites an operation. Operand `i` became `groups[i]` values, which follow
/// each other in `values`.
typedef bool (*PyoptRewrite)(MlirOperation op, intptr_t groupCount,
                             const intptr_t *groups, const MlirValue *values,
                             void *rewriter, const void *userData);

} // extern "C"

namespace {

/// A pattern on one operation whose body is in Rust.
class RustPattern : public ConversionPattern {
public:
  RustPattern(const TypeConverter *converter, StringRef name,
              MLIRContext *context, PyoptRewrite rewrite, const void *userData)
      : ConversionPattern(name, /*benefit=*/1, context), rewrite(rewrite),
        userData(userData) {
    typeConverter = converter;
  }

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<intptr_t> groups;
    SmallVector<MlirValue> values;
    for (ValueRange group : operands) {
      groups.push_back(group.size());
      for (Value value : group)
        values.push_back(wrap(value));
    }
    return success(rewrite(wrap(op), groups.size(), groups.data(),
                           values.data(), &rewriter, userData));
  }

private:
  PyoptRewrite rewrite;
  const void *userData;
};

/// One conversion: what is legal and what rewrites the rest.
struct Conversion {
  Conversion(MLIRContext *context, const TypeConverter &types)
      : context(context), types(types), target(*context), patterns(context) {}

  MLIRContext *context;
  const TypeConverter &types;
  ConversionTarget target;
  RewritePatternSet patterns;
};

TypeConverter &typeConverter(void *converter) {
  return *static_cast<TypeConverter *>(converter);
}
Conversion &conversion(void *conversion) {
  return *static_cast<Conversion *>(conversion);
}
ConversionPatternRewriter &conversionRewriter(void *rewriter) {
  return *static_cast<ConversionPatternRewriter *>(rewriter);
}

void appendType(MlirType type, void *types) {
  static_cast<SmallVectorImpl<Type> *>(types)->push_back(unwrap(type));
}

ConversionTarget::LegalizationAction action(bool legal) {
  return legal ? ConversionTarget::LegalizationAction::Legal
               : ConversionTarget::LegalizationAction::Illegal;
}

/// Wraps a legality callback; -1 passes the question on.
ConversionTarget::DynamicLegalityCallbackFn legality(PyoptLegality callback,
                                                     const void *userData) {
  return [callback, userData](Operation *op) -> std::optional<bool> {
    int answer = callback(wrap(op), userData);
    if (answer < 0)
      return std::nullopt;
    return answer != 0;
  };
}

} // namespace

extern "C" {

void *pyoptTypeConverterCreate() {
  auto *converter = new TypeConverter();
  auto cast = [](OpBuilder &builder, TypeRange results, ValueRange inputs,
                 Location location) -> SmallVector<Value> {
    return UnrealizedConversionCastOp::create(builder, location, results,
                                              inputs)
        .getResults();
  };
  converter->addSourceMaterialization(
      [cast](OpBuilder &builder, Type result, ValueRange inputs,
             Location location) -> Value {
        return cast(builder, result, inputs, location).front();
      });
  converter->addTargetMaterialization(
      [cast](OpBuilder &builder, TypeRange results, ValueRange inputs,
             Location location) -> SmallVector<Value> {
        return cast(builder, results, inputs, location);
      });
  return converter;
}

void pyoptTypeConverterDestroy(void *converter) {
  delete static_cast<TypeConverter *>(converter);
}

void pyoptTypeConverterAdd(void *converter, PyoptConvertType convert,
                           const void *userData) {
  typeConverter(converter)
      .addConversion([convert, userData](Type type,
                                         SmallVectorImpl<Type> &results)
                         -> std::optional<LogicalResult> {
        int answer = convert(wrap(type), appendType, &results, userData);
        if (answer == 0)
          return std::nullopt;
        return success(answer > 0);
      });
}

bool pyoptTypeConverterConvert(void *converter, MlirType type,
                               PyoptTypeSink sink, void *sinkData) {
  SmallVector<Type> results;
  if (failed(typeConverter(converter).convertType(unwrap(type), results)))
    return false;
  for (Type result : results)
    sink(wrap(result), sinkData);
  return true;
}

/// Whether the types of the operands, results and regions' block arguments are
/// legal, and those of a function's signature.
bool pyoptTypeConverterIsLegal(void *converter, MlirOperation operation) {
  const TypeConverter &types = typeConverter(converter);
  Operation *op = unwrap(operation);
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    auto type = dyn_cast<FunctionType>(function.getFunctionType());
    if (type && !types.isSignatureLegal(type))
      return false;
  }
  return types.isLegal(op) &&
         llvm::all_of(op->getRegions(), [&](Region &region) {
           return types.isLegal(&region);
         });
}

void *pyoptConversionCreate(MlirContext context, void *converter) {
  return new Conversion(unwrap(context), typeConverter(converter));
}

void pyoptConversionDestroy(void *self) {
  delete static_cast<Conversion *>(self);
}

void pyoptConversionSetDialect(void *self, MlirStringRef name, bool legal) {
  conversion(self).target.setDialectAction(unwrap(name), action(legal));
}

void pyoptConversionSetOperation(void *self, MlirStringRef name, bool legal) {
  Conversion &to = conversion(self);
  to.target.setOpAction(OperationName(unwrap(name), to.context),
                        action(legal));
}

void pyoptConversionSetOperationDynamic(void *self, MlirStringRef name,
                                        PyoptLegality callback,
                                        const void *userData) {
  Conversion &to = conversion(self);
  to.target.addDynamicallyLegalOp(OperationName(unwrap(name), to.context),
                                  legality(callback, userData));
}

void pyoptConversionSetDialectDynamic(void *self, MlirStringRef name,
                                      PyoptLegality callback,
                                      const void *userData) {
  conversion(self).target.addDynamicallyLegalDialect(
      legality(callback, userData), unwrap(name));
}

void pyoptConversionSetUnknownDynamic(void *self, PyoptLegality callback,
                                      const void *userData) {
  conversion(self).target.markUnknownOpDynamicallyLegal(
      legality(callback, userData));
}

void pyoptConversionSetRecursivelyLegal(void *self, MlirStringRef name) {
  Conversion &to = conversion(self);
  OperationName op(unwrap(name), to.context);
  to.target.setOpAction(op, ConversionTarget::LegalizationAction::Legal);
  to.target.markOpRecursivelyLegal(op, {});
}

void pyoptConversionAddPattern(void *self, MlirStringRef name,
                               PyoptRewrite rewrite, const void *userData) {
  Conversion &to = conversion(self);
  to.patterns.add(std::make_unique<RustPattern>(
      &to.types, unwrap(name), to.context, rewrite, userData));
}

/// Converts the signatures, calls and returns of the func dialect.
void pyoptConversionAddFunctionPatterns(void *self) {
  Conversion &to = conversion(self);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(to.patterns,
                                                                 to.types);
  populateCallOpTypeConversionPattern(to.patterns, to.types);
  populateReturnOpTypeConversionPattern(to.patterns, to.types);
  const TypeConverter &types = to.types;
  // The patterns convert the entry block; branches convert where they go to.
  to.target.addDynamicallyLegalOp<func::FuncOp>([&types](func::FuncOp op) {
    return types.isSignatureLegal(op.getFunctionType());
  });
  to.target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp,
                                  func::ConstantOp>(
      [&types](Operation *op) { return types.isLegal(op); });
}

/// Converts the structured control flow of the scf dialect.
void pyoptConversionAddScfPatterns(void *self) {
  Conversion &to = conversion(self);
  scf::populateSCFStructuralTypeConversionsAndLegality(to.types, to.patterns,
                                                       to.target);
}

/// Converts the branches of the cf dialect.
void pyoptConversionAddCfPatterns(void *self) {
  Conversion &to = conversion(self);
  cf::populateCFStructuralTypeConversionsAndLegality(to.types, to.patterns,
                                                     to.target);
}

/// Applies the conversion to an operation and all it holds. It takes the patterns
/// away, so once only.
bool pyoptConversionApply(void *self, MlirOperation root, bool full) {
  Conversion &to = conversion(self);
  FrozenRewritePatternSet patterns(std::move(to.patterns));
  Operation *op = unwrap(root);
  return succeeded(full ? applyFullConversion(op, to.target, patterns)
                        : applyPartialConversion(op, to.target, patterns));
}

/// The rewriter as the C API knows it.
MlirRewriterBase pyoptConversionRewriterBase(void *rewriter) {
  RewriterBase *base = &conversionRewriter(rewriter);
  return wrap(base);
}

/// Replaces each result of `op` by the values of its group.
void pyoptConversionRewriterReplace(void *rewriter, MlirOperation op,
                                    intptr_t groupCount, const intptr_t *groups,
                                    const MlirValue *values) {
  SmallVector<SmallVector<Value>> replacements;
  for (intptr_t size : llvm::ArrayRef(groups, groupCount)) {
    SmallVector<Value> &group = replacements.emplace_back();
    for (MlirValue value : llvm::ArrayRef(values, size))
      group.push_back(unwrap(value));
    values += size;
  }
  conversionRewriter(rewriter).replaceOpWithMultiple(unwrap(op),
                                                     std::move(replacements));
}

/// Replaces the uses of one value by several.
void pyoptConversionRewriterReplaceValue(void *rewriter, MlirValue from,
                                         intptr_t count,
                                         const MlirValue *values) {
  SmallVector<Value> to;
  for (MlirValue value : llvm::ArrayRef(values, count))
    to.push_back(unwrap(value));
  conversionRewriter(rewriter).replaceAllUsesWith(unwrap(from), to);
}

/// Converts the block arguments of a whole region; false when a type has no
/// conversion.
bool pyoptConversionRewriterConvertRegion(void *rewriter, MlirRegion region,
                                          void *converter) {
  return succeeded(conversionRewriter(rewriter).convertRegionTypes(
      unwrap(region), typeConverter(converter)));
}

/// Gives a block other arguments: argument `i` becomes the `groups[i]` types
/// that follow each other in `types`; the `extra` types after them are new.
MlirBlock pyoptConversionRewriterConvertBlock(void *rewriter, MlirBlock block,
                                              void *converter,
                                              const intptr_t *groups,
                                              const MlirType *types,
                                              intptr_t extra) {
  Block *source = unwrap(block);
  TypeConverter::SignatureConversion signature(source->getNumArguments());
  auto take = [&](intptr_t count) {
    SmallVector<Type> taken;
    for (MlirType type : llvm::ArrayRef(types, count))
      taken.push_back(unwrap(type));
    types += count;
    return taken;
  };
  for (unsigned i = 0; i < source->getNumArguments(); ++i)
    signature.addInputs(i, take(groups[i]));
  signature.addInputs(take(extra));
  return wrap(conversionRewriter(rewriter).applySignatureConversion(
      source, signature, &typeConverter(converter)));
}

/// Hands over what `value` was converted to; false when it wasn't.
bool pyoptConversionRewriterRemapped(void *rewriter, MlirValue value,
                                     MlirValue *remapped) {
  *remapped = wrap(conversionRewriter(rewriter).getRemappedValue(unwrap(value)));
  return remapped->ptr != nullptr;
}

} // extern "C"
