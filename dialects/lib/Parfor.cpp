//===- Parfor.cpp - The parfor dialect ------------------------------------===//

#include "pyopt/Parfor/Parfor.h"

#include "mlir/IR/Builders.h"
#include "pyopt/Typed/Typed.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyopt::parfor;

#include "pyopt/Parfor/ParforDialect.cpp.inc"

#include "pyopt/Parfor/ParforEnums.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly of attributes
//===----------------------------------------------------------------------===//

/// A pattern without brackets: `reduction "sum"`.
static ParseResult parsePatternParts(AsmParser &parser, PatternKind &kind, StringAttr &detail) {
  FailureOr<PatternKind> parsed = FieldParser<PatternKind>::parse(parser);
  if (failed(parsed))
    return failure();
  kind = *parsed;
  std::string text;
  if (succeeded(parser.parseOptionalString(&text)))
    detail = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printPatternParts(AsmPrinter &printer, PatternKind kind, StringAttr detail) {
  printer << stringifyPatternKind(kind);
  if (detail)
    printer << ' ' << detail;
}

#define GET_ATTRDEF_CLASSES
#include "pyopt/Parfor/ParforAttributes.cpp.inc"

static ParseResult parsePattern(AsmParser &parser, PatternAttr &pattern) {
  PatternKind kind;
  StringAttr detail;
  if (parsePatternParts(parser, kind, detail))
    return failure();
  pattern = PatternAttr::get(parser.getContext(), kind, detail);
  return success();
}

static void printPattern(AsmPrinter &printer, Operation *, PatternAttr pattern) {
  printPatternParts(printer, pattern.getKind(), pattern.getDetail());
}

static ParseResult parsePatterns(AsmParser &parser, ArrayAttr &patterns) {
  SmallVector<Attribute> parsed;
  auto parseOne = [&]() -> ParseResult {
    PatternAttr pattern;
    if (parsePattern(parser, pattern))
      return failure();
    parsed.push_back(pattern);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  patterns = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printPatterns(AsmPrinter &printer, Operation *op, ArrayAttr patterns) {
  printer << '[';
  llvm::interleaveComma(patterns.getAsRange<PatternAttr>(), printer,
                        [&](PatternAttr pattern) { printPattern(printer, op, pattern); });
  printer << ']';
}

/// Operators and symbols of combiners: `[add, @larger]`.
static ParseResult parseCombinations(AsmParser &parser, ArrayAttr &combinations) {
  SmallVector<Attribute> parsed;
  auto parseOne = [&]() -> ParseResult {
    StringAttr combiner;
    if (succeeded(parser.parseOptionalSymbolName(combiner))) {
      parsed.push_back(FlatSymbolRefAttr::get(combiner));
      return success();
    }
    FailureOr<CombineKind> kind = FieldParser<CombineKind>::parse(parser);
    if (failed(kind))
      return failure();
    parsed.push_back(CombineKindAttr::get(parser.getContext(), *kind));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  combinations = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printCombinations(AsmPrinter &printer, Operation *, ArrayAttr combinations) {
  printer << '[';
  llvm::interleaveComma(combinations, printer, [&](Attribute one) {
    if (auto kind = dyn_cast<CombineKindAttr>(one))
      printer << stringifyCombineKind(kind.getValue());
    else
      printer << one;
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

#define GET_OP_CLASSES
#include "pyopt/Parfor/ParforOps.cpp.inc"

void ParforDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pyopt/Parfor/ParforAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pyopt/Parfor/ParforOps.cpp.inc"
      >();
}

/// The body's own effects come on top. Every fresh array is another one: equal loops that make
/// some are not the same value.
void LoopOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpResult fresh : getResults().take_front(getNumFresh()))
    effects.emplace_back(MemoryEffects::Allocate::get(), fresh);
  // What a combiner may raise has to be raised, even if nobody uses the result.
  for (Attribute one : getReductions())
    if (auto name = dyn_cast<FlatSymbolRefAttr>(one)) {
      auto combiner = SymbolTable::lookupNearestSymbolFrom<CombinerOp>(*this, name);
      if (!combiner || !combiner.getPure())
        effects.emplace_back(MemoryEffects::Write::get());
    }
}

pyopt::Raises LoopOp::getRaises() {
  SmallVector<MemoryEffects::EffectInstance> effects;
  getEffects(effects);
  auto calls = [](const auto &effect) { return isa<MemoryEffects::Write>(effect.getEffect()); };
  return llvm::any_of(effects, calls) ? pyopt::Raises::Anything : pyopt::Raises::Nothing;
}

SmallVector<Region *> LoopOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> LoopOp::getLoopInductionVars() {
  return SmallVector<Value>(getBody().getArguments());
}

/// The same number for each dimension.
static SmallVector<OpFoldResult> ofEach(LoopOp loop, int64_t number) {
  Builder builder(loop.getContext());
  return SmallVector<OpFoldResult>(loop.getExtents().size(), builder.getIndexAttr(number));
}

std::optional<SmallVector<OpFoldResult>> LoopOp::getLoopLowerBounds() { return ofEach(*this, 0); }

std::optional<SmallVector<OpFoldResult>> LoopOp::getLoopSteps() { return ofEach(*this, 1); }

std::optional<SmallVector<OpFoldResult>> LoopOp::getLoopUpperBounds() {
  return getAsOpFoldResult(getExtents());
}

/// What loops and launches have in common: a space, and reductions.
template <typename Op>
static LogicalResult verifyReductions(Op op) {
  if (op.getExtents().empty())
    return op.emitOpError("needs at least one dimension");
  if (op.getReductions().size() != op.getInitVals().size())
    return op.emitOpError("has ") << op.getInitVals().size() << " initial values but "
                                  << op.getReductions().size() << " reductions";
  if (op.getNumResults() < op.getInitVals().size())
    return op.emitOpError("needs a result for every reduction");
  return success();
}

/// The combiners among the reductions: each must be one, of the type that is reduced.
template <typename Op>
static LogicalResult verifyCombiners(Op op, SymbolTableCollection &symbols) {
  for (auto [one, init] : llvm::zip_equal(op.getReductions(), op.getInitVals())) {
    auto name = dyn_cast<FlatSymbolRefAttr>(one);
    if (!name)
      continue;
    auto combiner = symbols.lookupNearestSymbolFrom<CombinerOp>(op, name);
    if (!combiner)
      return op.emitOpError() << name << " is not a combiner of this module";
    auto identity = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
        combiner, combiner.getIdentityAttr());
    if (!identity || identity.getNumResults() != 1 ||
        identity.getResultTypes().front() != init.getType())
      return op.emitOpError("reduces ") << init.getType() << ", which " << name
                                        << " doesn't combine";
  }
  return success();
}

LogicalResult LoopOp::verify() {
  if (failed(verifyReductions(*this)))
    return failure();

  Block &body = getBody().front();
  if (body.getNumArguments() != getExtents().size() ||
      !llvm::all_of(body.getArgumentTypes(), [](Type type) { return isa<IndexType>(type); }))
    return emitOpError("region takes one index a dimension");

  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getNumOperands() != getNumResults())
    return emitOpError("yields ") << yield.getNumOperands() << " values for " << getNumResults()
                                  << " results";
  unsigned fresh = getNumFresh();
  for (auto [index, result] : llvm::enumerate(getResultTypes())) {
    Type expected = result;
    if (index < fresh) {
      auto array = dyn_cast<pyopt::typed::ArrayType>(result);
      if (!array || array.getRank() != getExtents().size())
        return emitOpError("result ") << index << " must be an array of rank "
                                      << getExtents().size() << ", got " << result;
      expected = array.getElement();
    } else if (getInitVals()[index - fresh].getType() != result) {
      return emitOpError("reduction ") << index - fresh << " starts with "
                                       << getInitVals()[index - fresh].getType() << " but gives "
                                       << result;
    }
    if (yield.getOperand(index).getType() != expected)
      return emitOpError("must yield ") << expected << " for result " << index << ", got "
                                        << yield.getOperand(index).getType();
  }
  return success();
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCombiners(*this, symbols);
}

LogicalResult CombinerOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto find = [&](FlatSymbolRefAttr name) {
    return symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, name);
  };
  FunctionOpInterface identity = find(getIdentityAttr()), combine = find(getCombineAttr());
  for (auto [function, name] :
       {std::pair(identity, getIdentityAttr()), std::pair(combine, getCombineAttr())})
    if (!function)
      return emitOpError() << name << " is not a function of this module";
  TypeRange results = combine.getResultTypes();
  SmallVector<Type> both(results);
  llvm::append_range(both, results);
  if (results.empty() || combine.getArgumentTypes() != ArrayRef<Type>(both))
    return emitOpError() << getCombineAttr() << " must take two values of the type that it gives";
  if (identity.getNumArguments() != 0 || TypeRange(identity.getResultTypes()) != results)
    return emitOpError() << getIdentityAttr() << " must take nothing and give what "
                         << getCombineAttr() << " gives";
  return success();
}

LogicalResult LaunchOp::verify() {
  if (failed(verifyReductions(*this)))
    return failure();
  if (TypeRange(getInitVals()) != TypeRange(getResultTypes()))
    return emitOpError("results must have the types of the initial values");
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto body = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getBodyAttr());
  if (!body)
    return emitOpError() << getBodyAttr() << " is not a function of this module";
  SmallVector<Type> expected(2 * getExtents().size(), IndexType::get(getContext()));
  llvm::append_range(expected, getArgs().getTypes());
  llvm::append_range(expected, getInitVals().getTypes());
  if (TypeRange(body.getArgumentTypes()) != TypeRange(expected))
    return emitOpError("bounds, arguments and initial values differ from the parameters of ")
           << getBodyAttr();
  if (TypeRange(body.getResultTypes()) != TypeRange(getInitVals()))
    return emitOpError("initial values differ from the results of ") << getBodyAttr();
  return verifyCombiners(*this, symbols);
}

/// Of an array there is one operand while it has its type, and three when it is an address and a
/// range.
LogicalResult OffloadOp::verify() {
  if (getGrid().size() != 3 || getThreads().size() != 3)
    return emitOpError("a grid and a block have three extents");
  ValueRange rest = getArgs();
  for (int64_t access : getAccess()) {
    if (access < 0 || access > 15)
      return emitOpError("an access is a sum of 1, 2, 4 and 8");
    size_t count = 1;
    if (access != 0 && !rest.empty() && !isa<pyopt::typed::ArrayType>(rest.front().getType()))
      count = 3;
    if (rest.size() < count)
      return emitOpError("has fewer arguments than accesses");
    rest = rest.drop_front(count);
  }
  if (!rest.empty())
    return emitOpError("has more arguments than accesses");
  return success();
}
