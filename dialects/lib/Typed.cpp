//===- Typed.cpp - The typed dialect: registration, types, folders --------===//

#include "pyopt/Typed/Typed.h"

#include "Common.h"
#include "Signs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::typed;

#include "pyopt/Typed/TypedDialect.cpp.inc"
#include "pyopt/Typed/TypedEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pyopt/Typed/TypedTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pyopt/Typed/TypedAttributes.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly helpers
//===----------------------------------------------------------------------===//

/// `1 : si64`, `2.5 : f64`, `true`, `"text"`, `"bytes" : !typed.bytes`, or `(1.0 : f64, 2.0 : f64) : complex<f64>`.
static ParseResult parseConstantValue(OpAsmParser &parser, Attribute &value, Type &type) {
  if (failed(parser.parseOptionalLParen())) {
    if (parser.parseAttribute(value))
      return failure();
    if (auto text = dyn_cast<StringAttr>(value)) {
      // What is behind a colon has become the type of the attribute, which has none here.
      MLIRContext *context = parser.getContext();
      type = isa<BytesType>(text.getType()) ? Type(BytesType::get(context)) : StrType::get(context);
      value = StringAttr::get(context, text.getValue());
      return success();
    }
    auto typed = dyn_cast<TypedAttr>(value);
    if (!typed)
      return parser.emitError(parser.getCurrentLocation(), "expected a typed constant");
    type = typed.getType();
    return success();
  }
  Attribute real, imag;
  if (parser.parseAttribute(real) || parser.parseComma() || parser.parseAttribute(imag) ||
      parser.parseRParen() || parser.parseColonType(type))
    return failure();
  value = ArrayAttr::get(parser.getContext(), {real, imag});
  return success();
}

static void printConstantValue(OpAsmPrinter &printer, Operation *, Attribute value, Type type) {
  if (auto parts = dyn_cast<ArrayAttr>(value)) {
    printer << '(' << parts[0] << ", " << parts[1] << ") : " << type;
    return;
  }
  printer.printAttribute(value);
  if (isa<BytesType>(type))
    printer << " : " << type;
}

/// `f64` when the result has the operand's type, `f64 -> i1` otherwise.
static ParseResult parseSameOrResult(OpAsmParser &parser, Type &operand, Type &result) {
  if (parser.parseType(operand))
    return failure();
  result = operand;
  if (succeeded(parser.parseOptionalArrow()))
    return parser.parseType(result);
  return success();
}

static void printSameOrResult(OpAsmPrinter &printer, Operation *, Type operand, Type result) {
  printer << operand;
  if (operand != result)
    printer << " -> " << result;
}

/// The tuple type alone: the elements' types follow from it.
static ParseResult parseTupleOf(OpAsmParser &parser, SmallVectorImpl<Type> &elements,
                                Type &result) {
  TupleType tuple;
  if (parser.parseType(tuple))
    return failure();
  llvm::append_range(elements, tuple.getTypes());
  result = tuple;
  return success();
}

static void printTupleOf(OpAsmPrinter &printer, Operation *, TypeRange, Type result) {
  printer << result;
}

/// The slice type alone: its parts' types follow from it.
static ParseResult parseSliceOf(OpAsmParser &parser, Type &start, Type &stop, Type &step,
                                Type &result) {
  SliceType slice;
  if (parser.parseType(slice))
    return failure();
  start = slice.getStart();
  stop = slice.getStop();
  step = slice.getStep();
  result = slice;
  return success();
}

static void printSliceOf(OpAsmPrinter &printer, Operation *, Type, Type, Type, Type result) {
  printer << result;
}

/// `"ValueError"`, or `["shop.SoldOut@0", "LookupError"]`.
static ParseResult parseExceptionClass(OpAsmParser &parser, Attribute &value) {
  std::string name;
  if (succeeded(parser.parseOptionalString(&name))) {
    value = parser.getBuilder().getStringAttr(name);
    return success();
  }
  ArrayAttr names;
  if (parser.parseAttribute(names))
    return failure();
  value = names;
  return success();
}

static void printExceptionClass(OpAsmPrinter &printer, Operation *, Attribute value) {
  printer.printAttribute(value);
}

#define GET_OP_CLASSES
#include "pyopt/Typed/TypedOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

namespace {
/// Typed code is structured and may be inlined anywhere.
struct TypedInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TypedDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pyopt/Typed/TypedTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pyopt/Typed/TypedAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pyopt/Typed/TypedOps.cpp.inc"
      >();
  addInterfaces<TypedInlinerInterface>();
}

Operation *TypedDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location location) {
  auto typed = dyn_cast<TypedAttr>(value);
  if ((!typed || typed.getType() != type) && !isa<ComplexType, StrType, BytesType>(type))
    return nullptr;
  return ConstantOp::create(builder, location, type, value);
}

//===----------------------------------------------------------------------===//
// Array type
//===----------------------------------------------------------------------===//

bool ArrayType::isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return isTypedInteger(type) &&
           (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
  }
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  return type.isF16() || type.isF32() || type.isF64() || isa<DatetimeType, TimedeltaType, RecordType>(type);
}

LogicalResult RecordType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef kind,
                                 int64_t size, ArrayAttr fields) {
  if (kind != "void" && kind != "record")
    return emitError() << "a record is void or record, got " << kind;
  for (Attribute field : fields) {
    auto parts = dyn_cast<ArrayAttr>(field);
    if (!parts || parts.size() < 3 || !isa<StringAttr>(parts[0]) || !isa<TypeAttr>(parts[2]))
      return emitError() << "a field is a name, an offset, a type and sizes, got " << field;
    auto offset = dyn_cast<IntegerAttr>(parts[1]);
    if (!offset || offset.getInt() < 0 || offset.getInt() > size)
      return emitError() << "field " << parts[0] << " is not in a record of " << size << " bytes";
  }
  return success();
}

LogicalResult OptionalType::verify(function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (isa<NoneType, OptionalType, UnboundType>(type))
    return emitError() << "an optional can't be made of " << type;
  return success();
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned rank,
                                Type element, Layout layout, bool) {
  if (!isElement(element))
    return emitError() << "an array can't have elements of type " << element;
  if (isa<RecordType>(element) && layout != Layout::Bytes)
    return emitError() << "an array of records has layout bytes";
  // NumPy's have fewer: `infer-types` says so where one is made. Here there is room for the type of what it
  // refuses.
  if (rank > 255)
    return emitError() << "an array has at most 255 dimensions, got " << rank;
  return success();
}

Type ArrayType::parse(AsmParser &parser) {
  unsigned rank;
  Type element;
  StringRef layoutName;
  SMLoc layoutLocation;
  bool readonly = false;
  if (parser.parseLess() || parser.parseInteger(rank) || parser.parseComma() ||
      parser.parseType(element) || parser.parseComma())
    return {};
  layoutLocation = parser.getCurrentLocation();
  if (parser.parseKeyword(&layoutName))
    return {};
  std::optional<Layout> layout = symbolizeLayout(layoutName);
  if (!layout) {
    parser.emitError(layoutLocation, "expected a layout: C, F, A or bytes");
    return {};
  }
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("readonly"))
      return {};
    readonly = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ArrayType>(parser.getContext(), rank, element, *layout, readonly);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<' << getRank() << ", " << getElement() << ", " << stringifyLayout(getLayout());
  if (getReadonly())
    printer << ", readonly";
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

static IntegerAttr integerOf(Type type, const APInt &value) {
  return IntegerAttr::get(type, APSInt(value, type.isUnsignedInteger()));
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  Type from = getOperand().getType(), to = getType();
  if (from == to)
    return getOperand();
  auto integer = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand());
  if (!integer)
    return {};
  bool isUnsigned = from.isUnsignedInteger() || from.isSignlessInteger(1);
  APInt value = integer.getValue();
  if (auto target = dyn_cast<IntegerType>(to)) {
    if (target.getWidth() == 1)
      return BoolAttr::get(getContext(), !value.isZero());
    return integerOf(to, isUnsigned ? value.zextOrTrunc(target.getWidth())
                                    : value.sextOrTrunc(target.getWidth()));
  }
  if (isa<IndexType>(to))
    return IntegerAttr::get(to, isUnsigned ? value.zextOrTrunc(64) : value.sextOrTrunc(64));
  if (auto target = dyn_cast<FloatType>(to)) {
    APFloat result(target.getFloatSemantics());
    result.convertFromAPInt(value, !isUnsigned, APFloat::rmNearestTiesToEven);
    return FloatAttr::get(to, result);
  }
  return {};
}

OpFoldResult TicksOp::fold(FoldAdaptor) {
  if (auto inner = getOperand().getDefiningOp<TicksOp>())
    if (inner.getOperand().getType() == getType())
      return inner.getOperand();
  return {};
}

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  auto lhs = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs());
  auto rhs = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs());
  if (!lhs || !rhs || getType().isSignlessInteger(1))
    return {};
  switch (getKind()) {
  case BinaryKind::Add:
    return integerOf(getType(), lhs.getValue() + rhs.getValue());
  case BinaryKind::Sub:
    return integerOf(getType(), lhs.getValue() - rhs.getValue());
  case BinaryKind::Mul:
    return integerOf(getType(), lhs.getValue() * rhs.getValue());
  default:
    return {};
  }
}

/// A comparison with 0.0 that no number passes, nor NaN: the sign of the operand is known.
static OpFoldResult foldBySign(CompareOp op, FloatAttr lhs, FloatAttr rhs) {
  bool mirrored = lhs && lhs.getValue().isZero();
  if (!mirrored && !(rhs && rhs.getValue().isZero()))
    return {};
  Sign sign = signOf(mirrored ? op.getRhs() : op.getLhs());
  bool isPositive = sign == Sign::Positive;
  switch (op.getKind()) {
  case CompareKind::Lt:
  case CompareKind::Gt:
    if (mirrored == (op.getKind() == CompareKind::Gt) && sign != Sign::Any)
      return BoolAttr::get(op.getContext(), false);
    return {};
  case CompareKind::Le:
  case CompareKind::Ge:
    if (mirrored == (op.getKind() == CompareKind::Ge) && isPositive)
      return BoolAttr::get(op.getContext(), false);
    return {};
  case CompareKind::Eq:
  case CompareKind::Ne:
    if (isPositive)
      return BoolAttr::get(op.getContext(), op.getKind() == CompareKind::Ne);
    return {};
  }
  return {};
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult known = foldBySign(*this, dyn_cast_or_null<FloatAttr>(adaptor.getLhs()),
                                      dyn_cast_or_null<FloatAttr>(adaptor.getRhs())))
    return known;
  auto lhs = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs());
  auto rhs = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs());
  if (!lhs || !rhs)
    return {};
  Type type = getLhs().getType();
  bool isUnsigned = type.isUnsignedInteger() || type.isSignlessInteger(1);
  const APInt &a = lhs.getValue(), &b = rhs.getValue();
  bool less = isUnsigned ? a.ult(b) : a.slt(b);
  bool result = false;
  switch (getKind()) {
  case CompareKind::Lt: result = less; break;
  case CompareKind::Le: result = less || a == b; break;
  case CompareKind::Eq: result = a == b; break;
  case CompareKind::Ne: result = a != b; break;
  case CompareKind::Gt: result = !less && a != b; break;
  case CompareKind::Ge: result = !less; break;
  }
  return BoolAttr::get(getContext(), result);
}

OpFoldResult TupleGetOp::fold(FoldAdaptor) {
  if (auto tuple = getTuple().getDefiningOp<TupleOp>())
    return tuple.getElements()[getPosition()];
  return {};
}

OpFoldResult AsTupleOp::fold(FoldAdaptor) {
  if (auto made = getSequence().getDefiningOp<AsSequenceOp>())
    return made.getItems();
  return {};
}

OpFoldResult RangeGetOp::fold(FoldAdaptor) {
  if (auto range = getRange().getDefiningOp<RangeOp>())
    return range->getOperand(getPosition());
  return {};
}

OpFoldResult SliceGetOp::fold(FoldAdaptor) {
  if (auto slice = getSlice().getDefiningOp<SliceOp>())
    return slice->getOperand(getPosition());
  return {};
}

OpFoldResult IsBoundOp::fold(FoldAdaptor) {
  if (getLocal().getDefiningOp<BindOp>())
    return BoolAttr::get(getContext(), true);
  if (getLocal().getDefiningOp<UnboundOp>())
    return BoolAttr::get(getContext(), false);
  return {};
}

OpFoldResult BoundValueOp::fold(FoldAdaptor) {
  if (auto bind = getLocal().getDefiningOp<BindOp>())
    return bind.getValue();
  return {};
}

OpFoldResult IsSomeOp::fold(FoldAdaptor) {
  if (getOptional().getDefiningOp<OptionalSomeOp>())
    return BoolAttr::get(getContext(), true);
  if (getOptional().getDefiningOp<OptionalNoneOp>())
    return BoolAttr::get(getContext(), false);
  return {};
}

OpFoldResult OptionalValueOp::fold(FoldAdaptor) {
  if (auto some = getOptional().getDefiningOp<OptionalSomeOp>())
    return some.getValue();
  return {};
}

/// Reads its arrays, however pure the region is, and makes another array each time. Only shapes of
/// different arrays can fail to fit.
OpFoldResult BroadcastSizeOp::fold(FoldAdaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  if (matchPattern(getLhs(), m_One()))
    return getRhs();
  if (matchPattern(getRhs(), m_One()))
    return getLhs();
  return {};
}

/// An error that can't happen is no operation.
/// Checks that a template has a `{}` for each of so many values.
static LogicalResult verifyTemplate(Operation *op, StringRef message, size_t values) {
  const size_t places = message.count("{}");
  if (places == values)
    return success();
  return op->emitOpError("has a message with ")
         << places << " places for " << values << " values";
}

LogicalResult RaiseIfOp::verify() {
  if (getValues().empty())
    return success();
  return verifyTemplate(*this, getMessage().value_or(""), getValues().size());
}

LogicalResult RequireEqualOp::verify() { return verifyTemplate(*this, getMessage(), 2); }

LogicalResult RaiseIfOp::canonicalize(RaiseIfOp op, PatternRewriter &rewriter) {
  APInt value;
  if (!matchPattern(op.getCondition(), m_ConstantInt(&value)) || !value.isZero())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

SuccessorOperands ForIterOp::getSuccessorOperands(unsigned index) {
  if (index == 0)
    return SuccessorOperands(/*producedOperandCount=*/1, getBodyOperandsMutable());
  return SuccessorOperands(getExitOperandsMutable());
}

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }

void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}

Operation::operand_range CallOp::getArgOperands() { return getInputs(); }

MutableOperandRange CallOp::getArgOperandsMutable() { return getInputsMutable(); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << getCalleeAttr() << " is not a function of this module";
  if (TypeRange(callee.getArgumentTypes()) != TypeRange(getInputs()))
    return emitOpError("argument types differ from those of ") << getCalleeAttr();
  if (TypeRange(callee.getResultTypes()) != TypeRange(getResultTypes()))
    return emitOpError("result types differ from those of ") << getCalleeAttr();
  return success();
}
