//===- TypedVerify.cpp - Verifiers of the typed dialect -------------------===//

#include "Common.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::typed;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  Type type = getType();
  if (auto parts = dyn_cast<ArrayAttr>(getValue())) {
    auto complex = dyn_cast<ComplexType>(type);
    if (!complex || parts.size() != 2 || !llvm::all_of(parts, [&](Attribute part) {
          auto number = dyn_cast<FloatAttr>(part);
          return number && number.getType() == complex.getElementType();
        }))
      return emitOpError("needs the two parts of a ") << type;
    return success();
  }
  if (isa<StringAttr>(getValue()))
    return isa<StrType, BytesType>(type)
               ? success()
               : emitOpError("a string constant is a !typed.str or !typed.bytes");
  auto typed = dyn_cast<TypedAttr>(getValue());
  if (!typed || typed.getType() != type)
    return emitOpError("value ") << getValue() << " is not of type " << type;
  if (!isTypedInteger(type) && !isa<FloatType, IndexType>(type))
    return emitOpError("integer type must have a signedness, got ") << type;
  return success();
}

LogicalResult ConstantArrayOp::verify() {
  auto array = cast<ArrayType>(getType());
  ShapedType elements = getValue().getShapedType();
  if (elements.getRank() != static_cast<int64_t>(array.getRank()) ||
      elements.getElementType() != array.getElement())
    return emitOpError("elements of type ") << elements << " make no " << array;
  if (array.getLayout() != Layout::C || !array.getReadonly())
    return emitOpError("the array must be readonly, of layout C, got ") << array;
  return success();
}

LogicalResult SingletonOp::verify() {
  if (!isa<NoneType, LiteralType, DTypeType, NamedType, FunctionType>(getType()))
    return emitOpError("type ") << getType() << " has more than one value";
  return success();
}

LogicalResult CastOp::verify() {
  Type from = getOperand().getType(), to = getType();
  if (!isNumber(from) || !isNumber(to))
    return emitOpError("converts numbers only, got ") << from << " to " << to;
  if (isa<ComplexType>(from) && !isa<ComplexType>(to) && !to.isSignlessInteger(1))
    return emitOpError("can't convert ") << from << " to " << to;
  return success();
}

LogicalResult TicksOp::verify() {
  Type from = getOperand().getType(), to = getType();
  bool isTime = isa<DatetimeType, TimedeltaType>(from.isSignedInteger(64) ? to : from);
  if (!isTime || (!from.isSignedInteger(64) && !to.isSignedInteger(64)))
    return emitOpError("is between si64 and a datetime64 or timedelta64, got ")
           << from << " to " << to;
  return success();
}

LogicalResult BinaryOp::verify() {
  Type type = getType();
  StringRef name = stringifyBinaryKind(getKind());
  bool isInteger = isTypedInteger(type) || isa<IndexType>(type);
  bool isFloat = isa<FloatType>(type), isComplex = isa<ComplexType>(type);
  switch (getKind()) {
  case BinaryKind::And:
  case BinaryKind::Or:
  case BinaryKind::Xor:
    if (!isInteger)
      return emitOpError() << name << " needs integers, got " << type;
    return success();
  case BinaryKind::LShift:
  case BinaryKind::RShift:
    if (!isInteger || type.isSignlessInteger(1))
      return emitOpError() << name << " needs integers other than bool, got " << type;
    return success();
  case BinaryKind::TrueDiv:
    if (!isFloat && !isComplex)
      return emitOpError() << name << " needs floats, got " << type;
    return success();
  case BinaryKind::Atan2:
  case BinaryKind::Hypot:
  case BinaryKind::CopySign:
  case BinaryKind::Fmod:
    if (!isFloat)
      return emitOpError() << name << " needs floats, got " << type;
    return success();
  case BinaryKind::FloorDiv:
  case BinaryKind::Mod:
    if (isComplex)
      return emitOpError() << name << " is not defined for " << type;
    [[fallthrough]];
  default:
    if (!isInteger && !isFloat && !isComplex)
      return emitOpError() << name << " needs numbers, got " << type;
    return success();
  }
}

LogicalResult UnaryOp::verify() {
  Type from = getOperand().getType(), to = getType(), expected = from;
  UnaryKind kind = getKind();
  auto complex = dyn_cast<ComplexType>(from);
  if (!isNumber(from))
    return emitOpError("needs a number, got ") << from;
  if (kind == UnaryKind::IsNan || kind == UnaryKind::IsInf || kind == UnaryKind::IsFinite)
    expected = IntegerType::get(getContext(), 1);
  else if (complex && (kind == UnaryKind::Abs || kind == UnaryKind::Real ||
                       kind == UnaryKind::Imag))
    expected = complex.getElementType();
  bool onIntegers = kind == UnaryKind::Neg || kind == UnaryKind::Abs ||
                    kind == UnaryKind::Invert || kind == UnaryKind::Sign ||
                    kind == UnaryKind::Real || kind == UnaryKind::Imag ||
                    kind == UnaryKind::Conj;
  if (isa<IntegerType, IndexType>(from) && !onIntegers)
    return emitOpError() << stringifyUnaryKind(kind) << " needs a float, got " << from;
  if (kind == UnaryKind::Invert && !isa<IntegerType>(from))
    return emitOpError("invert needs an integer, got ") << from;
  if (to != expected)
    return emitOpError("result must be ") << expected << ", got " << to;
  return success();
}

LogicalResult CompareOp::verify() {
  Type type = getLhs().getType();
  if (!isNumber(type) && !isa<StrType, BytesType>(type))
    return emitOpError("can't compare ") << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Tuples, locals, iteration
//===----------------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  auto tuple = cast<TupleType>(getType());
  if (TypeRange(tuple.getTypes()) != TypeRange(getElements()))
    return emitOpError("elements don't have the types of ") << tuple;
  return success();
}

LogicalResult TupleGetOp::verify() {
  auto tuple = cast<TupleType>(getTuple().getType());
  if (getPosition() < 0 || getPosition() >= int64_t(tuple.size()))
    return emitOpError("position ") << getPosition() << " is not in " << tuple;
  if (tuple.getType(getPosition()) != getType())
    return emitOpError("result must be ") << tuple.getType(getPosition()) << ", got " << getType();
  return success();
}

/// A field has the type that its structure, a list of one tuple, has for it.
static LogicalResult verifyField(Operation *operation, Type structure, int64_t position, Type field) {
  auto tuple = dyn_cast<TupleType>(cast<ListType>(structure).getItem());
  if (!tuple || position < 0 || position >= int64_t(tuple.size()))
    return operation->emitOpError("position ") << position << " is not in " << structure;
  if (tuple.getType(position) != field)
    return operation->emitOpError("the field is ") << tuple.getType(position) << ", not " << field;
  return success();
}

LogicalResult FieldGetOp::verify() {
  return verifyField(*this, getStructure().getType(), getPosition(), getType());
}

LogicalResult FieldSetOp::verify() {
  return verifyField(*this, getStructure().getType(), getPosition(), getValue().getType());
}

bool DictViewOp::ownsResult(unsigned) { return false; }

bool ViewedDictOp::ownsResult(unsigned) { return false; }

LogicalResult DictViewOp::verify() {
  if (getType().getDict() != getDict().getType())
    return emitOpError("a view of ") << getDict().getType() << " can't be " << getType();
  return success();
}

LogicalResult ViewedDictOp::verify() {
  if (getView().getType().getDict() != getType())
    return emitOpError("the dict of ") << getView().getType() << " isn't " << getType();
  return success();
}

LogicalResult TablePushOp::verify() {
  SmallVector<Type> expected{getKeyType(getTable().getType())};
  if (auto dict = dyn_cast<DictType>(getTable().getType()))
    expected.push_back(dict.getValue());
  if (getParts().getTypes() != expected)
    return emitOpError("an entry of ") << getTable().getType() << " has other types";
  return success();
}

LogicalResult TupleItemOp::verify() {
  auto tuple = cast<TupleType>(getTuple().getType());
  if (tuple.size() == 0 ||
      !llvm::all_of(tuple.getTypes(), [&](Type type) { return type == getType(); }))
    return emitOpError("needs a tuple of ") << getType() << ", got " << tuple;
  return success();
}

/// A value becomes part of one with a flag.
template <typename Flagged>
static LogicalResult verifyWrapped(Operation *operation, Type value, Type result, StringRef verb) {
  if (cast<Flagged>(result).getType() != value)
    return operation->emitOpError("can't ") << verb << ' ' << value << " to " << result;
  return success();
}

/// The value is taken out of one with a flag.
template <typename Flagged>
static LogicalResult verifyUnwrapped(Operation *operation, Type flagged, Type result) {
  Type expected = cast<Flagged>(flagged).getType();
  if (expected != result)
    return operation->emitOpError("result must be ") << expected << ", got " << result;
  return success();
}

LogicalResult BindOp::verify() {
  return verifyWrapped<UnboundType>(*this, getValue().getType(), getType(), "bind");
}

LogicalResult BoundValueOp::verify() {
  return verifyUnwrapped<UnboundType>(*this, getLocal().getType(), getType());
}

LogicalResult OptionalSomeOp::verify() {
  return verifyWrapped<OptionalType>(*this, getValue().getType(), getType(), "convert");
}

LogicalResult OptionalValueOp::verify() {
  return verifyUnwrapped<OptionalType>(*this, getOptional().getType(), getType());
}

LogicalResult LenOp::verify() {
  if (!isa<RangeType, StrType, BytesType, ArrayType, TupleType>(getOperand().getType()))
    return emitOpError("type ") << getOperand().getType() << " has no length";
  return success();
}

LogicalResult ItemOp::verify() {
  Type type = getOperand().getType(), expected;
  if (auto range = dyn_cast<RangeType>(type))
    expected = range.getElement();
  else if (isa<StrType>(type))
    expected = type;
  else if (isa<BytesType>(type))
    expected = IntegerType::get(getContext(), 64, IntegerType::Signed);
  else
    return emitOpError("needs a range, str or bytes, got ") << type;
  if (getType() != expected)
    return emitOpError("result must be ") << expected << ", got " << getType();
  return success();
}

LogicalResult ZipOp::verify() {
  SmallVector<Type> iterables = llvm::map_to_vector(
      getIterators().getTypes(), [](Type type) { return cast<IterType>(type).getIterable(); });
  auto expected =
      IterType::get(getContext(), ZipType::get(getContext(), TupleType::get(getContext(), iterables)));
  if (getType() != expected)
    return emitOpError("result must be ") << expected << ", got " << getType();
  return success();
}

LogicalResult IndicesOp::verify() {
  auto expected = IndicesType::get(
      getContext(), TupleType::get(getContext(), llvm::to_vector(getSizes().getTypes())));
  if (getType() != expected)
    return emitOpError("result must be ") << expected << ", got " << getType();
  return success();
}

LogicalResult SliceGetOp::verify() {
  SliceType slice = getSlice().getType();
  Type parts[] = {slice.getStart(), slice.getStop(), slice.getStep()};
  Type part = parts[getPosition()];
  if (getType() != part)
    return emitOpError("result must be ") << part << ", got " << getType();
  return success();
}

LogicalResult SliceOp::verify() {
  for (Value part : getOperands())
    if (!isa<NoneType>(part.getType()) && !isTypedInteger(part.getType()))
      return emitOpError("parts are integers or None, got ") << part.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static LogicalResult verifyDimension(Operation *op, Type type, int64_t dimension) {
  auto array = cast<ArrayType>(type);
  if (dimension < 0 || dimension >= int64_t(array.getRank()))
    return op->emitOpError("array of rank ") << array.getRank() << " has no dimension " << dimension;
  return success();
}

LogicalResult DimOp::verify() {
  return verifyDimension(*this, getArray().getType(), getDimension());
}

LogicalResult StrideOp::verify() {
  return verifyDimension(*this, getArray().getType(), getDimension());
}

/// The bytes of an array's element.
static unsigned bytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bytesOf(complex.getElementType());
  if (isa<DatetimeType, TimedeltaType>(element))
    return 8;
  if (auto record = dyn_cast<RecordType>(element))
    return record.getSize();
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

LogicalResult ReinterpretOp::verify() {
  auto source = cast<ArrayType>(getArray().getType()), result = cast<ArrayType>(getType());
  unsigned from = bytesOf(source.getElement()), to = bytesOf(result.getElement());
  // The distances of records are counted in bytes.
  bool resizes = from != to && source.getLayout() == Layout::C &&
                 (result.getLayout() == Layout::C || isa<RecordType>(result.getElement())) &&
                 !getSizes();
  for (int64_t size : getSizes().value_or(ArrayRef<int64_t>()))
    to *= size;
  if (source.getRank() + getSizes().value_or(ArrayRef<int64_t>()).size() != result.getRank() ||
      source.getReadonly() != result.getReadonly() ||
      (resizes && source.getRank() == 0))
    return emitOpError() << source << " can't be seen as " << result;
  if (getOffset() < 0 || (!resizes && getOffset() + to > from))
    return emitOpError("elements of ") << from << " bytes have none of " << to << " at " << getOffset();
  return success();
}

static LogicalResult verifyElement(Operation *op, ArrayType array, size_t indices, Type element) {
  if (indices != array.getRank())
    return op->emitOpError("array of rank ") << array.getRank() << " got " << indices
                                             << " indices";
  if (array.getElement() != element)
    return op->emitOpError("element must be ") << array.getElement() << ", got " << element;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyElement(*this, cast<ArrayType>(getArray().getType()), getIndices().size(),
                       getType());
}

LogicalResult StoreOp::verify() {
  auto array = cast<ArrayType>(getArray().getType());
  if (array.getReadonly())
    return emitOpError("can't store to a read-only array");
  return verifyElement(*this, array, getIndices().size(), getValue().getType());
}

LogicalResult FillBorderOp::verify() {
  auto array = cast<ArrayType>(getArray().getType());
  if (array.getReadonly())
    return emitOpError("can't store to a read-only array");
  return verifyElement(*this, array, getStarts().size(), getValue().getType());
}

LogicalResult ViewOp::verify() {
  auto source = cast<ArrayType>(getArray().getType());
  auto result = cast<ArrayType>(getType());
  int64_t consumed = 0, dropped = 0, added = 0;
  for (Type type : getSubscripts().getTypes()) {
    if (isa<NoneType>(type)) {
      ++added;
      continue;
    }
    ++consumed;
    if (isa<IntegerType, IndexType>(type))
      ++dropped;
    else if (!isa<SliceType>(type))
      return emitOpError("a subscript is an integer, a slice or None, got ") << type;
  }
  if (consumed > int64_t(source.getRank()))
    return emitOpError("array of rank ") << source.getRank() << " got " << consumed
                                         << " subscripts";
  int64_t rank = int64_t(source.getRank()) - dropped + added;
  if (int64_t(result.getRank()) != rank || result.getElement() != source.getElement() ||
      (source.getReadonly() && !result.getReadonly()))
    return emitOpError("a view of ") << source << " of rank " << rank << " can't be " << result;
  return success();
}

LogicalResult TransposeOp::verify() {
  auto source = cast<ArrayType>(getArray().getType()), result = cast<ArrayType>(getType());
  if (source.getRank() != result.getRank() || source.getElement() != result.getElement())
    return emitOpError("the transpose of ") << source << " can't be " << result;
  if (std::optional<ArrayRef<int64_t>> permutation = getPermutation())
    if (permutation->size() != source.getRank() || !isPermutationVector(*permutation))
      return emitOpError("[") << *permutation << "] is no permutation of the dimensions of " << source;
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto source = cast<ArrayType>(getArray().getType()), result = cast<ArrayType>(getType());
  if (source.getLayout() != Layout::C || result.getLayout() != Layout::C)
    return emitOpError("arrays of layout C are reshaped, got ") << source << " and " << result;
  if (result.getRank() != getSizes().size())
    return emitOpError("array of rank ") << result.getRank() << " got " << getSizes().size()
                                         << " sizes";
  if (source.getElement() != result.getElement() || source.getReadonly() != result.getReadonly())
    return emitOpError("the elements of ") << source << " can't be those of " << result;
  return success();
}

LogicalResult StridedOp::verify() {
  auto source = cast<ArrayType>(getArray().getType()), result = cast<ArrayType>(getType());
  if (result.getRank() != getSizes().size() || result.getRank() != getStrides().size())
    return emitOpError("array of rank ") << result.getRank() << " got " << getSizes().size()
                                         << " sizes and " << getStrides().size() << " strides";
  if (result.getLayout() != Layout::A && result.getLayout() != Layout::Bytes)
    return emitOpError("a view with any strides is not ") << result;
  if (source.getLayout() == Layout::Bytes && result.getLayout() != Layout::Bytes)
    return emitOpError("a view of ") << source << " can't be " << result;
  if (source.getElement() != result.getElement() || (source.getReadonly() && !result.getReadonly()))
    return emitOpError("the elements of ") << source << " can't be those of " << result;
  return success();
}

/// A fresh array has one size a dimension and is contiguous and writable; records know no layout
/// but bytes.
static LogicalResult verifyFresh(Operation *op, ArrayType array) {
  bool isScattered = array.getLayout() == Layout::A || array.getLayout() == Layout::Bytes;
  if (array.getReadonly() || (isScattered && !isa<RecordType>(array.getElement())))
    return op->emitOpError("a fresh array is contiguous and writable, got ") << array;
  return success();
}

static LogicalResult verifySizes(Operation *op, ArrayType array, size_t sizes) {
  if (sizes != array.getRank())
    return op->emitOpError("array of rank ") << array.getRank() << " got " << sizes << " sizes";
  return verifyFresh(op, array);
}

LogicalResult EmptyOp::verify() {
  return verifySizes(*this, cast<ArrayType>(getType()), getSizes().size());
}

/// The terminator gives one element of the result.
static LogicalResult verifyYield(Operation *op, Block &body, ArrayType result) {
  Operation *terminator = body.getTerminator();
  if (terminator->getNumOperands() != 1 ||
      terminator->getOperand(0).getType() != result.getElement())
    return op->emitOpError("region must yield one ") << result.getElement();
  return success();
}

LogicalResult GenerateOp::verify() {
  auto array = cast<ArrayType>(getType());
  if (failed(verifySizes(*this, array, getSizes().size())))
    return failure();
  Block &body = getBody().front();
  if (body.getNumArguments() != array.getRank() ||
      !llvm::all_of(body.getArgumentTypes(), [](Type type) { return isa<IndexType>(type); }))
    return emitOpError("region takes one index a dimension");
  return verifyYield(*this, body, array);
}

LogicalResult ArrayExprOp::verify() {
  auto result = cast<ArrayType>(getType());
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("region takes one argument an operand");
  unsigned rank = 0;
  for (auto [operand, argument] : llvm::zip(getInputs(), body.getArguments())) {
    Type expected = operand.getType();
    if (auto array = dyn_cast<ArrayType>(expected)) {
      rank = std::max(rank, array.getRank());
      expected = array.getElement();
    }
    if (argument.getType() != expected)
      return emitOpError("region argument ") << argument.getArgNumber() << " must be " << expected
                                             << ", got " << argument.getType();
  }
  if (rank != result.getRank())
    return emitOpError("result must have rank ") << rank << ", got " << result.getRank();
  if (failed(verifyFresh(*this, result)))
    return failure();
  return verifyYield(*this, body, result);
}

LogicalResult AssignOp::verify() {
  auto target = cast<ArrayType>(getTarget().getType());
  if (target.getReadonly())
    return emitOpError("can't assign to a read-only array");
  Type value = getValue().getType();
  if (auto array = dyn_cast<ArrayType>(value))
    value = array.getElement();
  if (!isNumber(value) && value != target.getElement())
    return emitOpError("can't assign ") << value << " to elements of type "
                                        << target.getElement();
  return success();
}

LogicalResult ReduceOp::verify() {
  Type type = getType();
  if (!isNumber(type))
    return emitOpError("result must be a number, got ") << type;
  ReduceKind kind = getKind();
  if ((kind == ReduceKind::Any || kind == ReduceKind::All) && !type.isSignlessInteger(1))
    return emitOpError("result must be i1, got ") << type;
  return success();
}

LogicalResult WithShapeOp::verify() {
  auto array = cast<ArrayType>(getType());
  if (getSizes().size() != array.getRank())
    return emitOpError("array of rank ") << array.getRank() << " got " << getSizes().size()
                                         << " sizes";
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto array = cast<ArrayType>(getArray().getType());
  if (array != getType())
    return emitOpError("the broadcast of ") << array << " can't be " << getType();
  if (getSizes().size() != array.getRank())
    return emitOpError("array of rank ") << array.getRank() << " got " << getSizes().size() << " sizes";
  return success();
}

LogicalResult RepeatOp::verify() {
  if (getArrays().empty())
    return emitOpError("has no array");
  if (getArrays().getTypes() != getRepeated().getTypes())
    return emitOpError("gives each array as what it is");
  for (Type type : getArrays().getTypes())
    if (cast<ArrayType>(type).getRank() > getSizes().size())
      return emitOpError("array of rank ") << cast<ArrayType>(type).getRank() << " got "
                                           << getSizes().size() << " sizes";
  return success();
}
