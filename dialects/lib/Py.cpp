//===- Py.cpp - The py dialect: registration, verifiers, folders ----------===//

#include "pyopt/Py/Py.h"

#include "Common.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyopt;
using namespace pyopt::py;

#include "pyopt/Py/PyDialect.cpp.inc"
#include "pyopt/Py/PyEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pyopt/Py/PyTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pyopt/Py/PyAttributes.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly helpers
//===----------------------------------------------------------------------===//

/// `(si64, f64)` for an array attribute of types.
static ParseResult parseTypeList(OpAsmParser &parser, ArrayAttr &types) {
  SmallVector<Attribute> elements;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        Type type;
        if (parser.parseType(type))
          return failure();
        elements.push_back(TypeAttr::get(type));
        return success();
      }))
    return failure();
  types = parser.getBuilder().getArrayAttr(elements);
  return success();
}

static void printTypeList(OpAsmPrinter &printer, Operation *, ArrayAttr types) {
  printer << '(';
  llvm::interleaveComma(types.getAsValueRange<TypeAttr>(), printer);
  printer << ')';
}

/// `unwind ^handler(%a, %b)`, or nothing.
static ParseResult parseUnwind(OpAsmParser &parser, SmallVectorImpl<Block *> &handlers,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (parser.parseOptionalKeyword("unwind"))
    return success();
  return failure(parser.parseSuccessor(handlers.emplace_back()) ||
                 parser.parseOperandList(operands, OpAsmParser::Delimiter::OptionalParen));
}

static void printUnwind(OpAsmPrinter &printer, Operation *, SuccessorRange handlers,
                        OperandRange operands) {
  if (handlers.empty())
    return;
  printer << " unwind ";
  printer.printSuccessor(handlers.front());
  if (!operands.empty())
    printer << '(' << operands << ')';
}

#define GET_OP_CLASSES
#include "pyopt/Py/PyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

namespace {
/// A py function body moves anywhere; `py.return` becomes the call's value.
struct PyInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *target) const final {
    auto returned = dyn_cast<ReturnOp>(op);
    if (!returned)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), target, returned.getValue());
    op->erase();
  }

  void handleTerminator(Operation *op, ValueRange values) const final {
    values.front().replaceAllUsesWith(cast<ReturnOp>(op).getValue());
  }
};
} // namespace

void PyDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pyopt/Py/PyTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pyopt/Py/PyAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pyopt/Py/PyOps.cpp.inc"
      >();
  addInterfaces<PyInlinerInterface>();
}

Operation *PyDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location location) {
  if (isa<IntegerType>(type))
    return arith::ConstantOp::materialize(builder, value, type, location);
  if (!isa<ObjectType>(type))
    return nullptr;
  return ConstantOp::create(builder, location, type, value);
}

LogicalResult BigIntAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef digits) {
  StringRef magnitude = digits;
  magnitude.consume_front("-");
  if (magnitude.empty() || !llvm::all_of(magnitude, [](char c) { return llvm::isDigit(c); }))
    return emitError() << "expected decimal digits, got '" << digits << "'";
  return success();
}

LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayAttr parts) {
  if (parts.size() != 3)
    return emitError() << "expected a start, a stop and a step, got " << parts.size() << " parts";
  return success();
}

LogicalResult ExceptionClassAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         ArrayAttr names) {
  if (names.empty() || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return emitError() << "expected the names of the class and its bases, got " << names;
  return success();
}

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

/// What a constant of a code object can be. Symbols stand for nested code.
static bool isPyConstant(Attribute value, bool allowCode) {
  if (auto array = dyn_cast<ArrayAttr>(value))
    return llvm::all_of(array, [&](Attribute element) { return isPyConstant(element, false); });
  if (auto set = dyn_cast<FrozenSetAttr>(value))
    return isPyConstant(set.getElements(), false);
  if (auto slice = dyn_cast<SliceAttr>(value))
    return isPyConstant(slice.getParts(), false);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getType().isSignlessInteger(64) || integer.getType().isSignlessInteger(1);
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getType().isF64();
  if (isa<FlatSymbolRefAttr>(value))
    return allowCode;
  return isa<StringAttr, NoneAttr, EllipsisAttr, BigIntAttr, BytesAttr, ComplexAttr,
             SurrogateStrAttr>(value);
}

LogicalResult CodeOp::verify() {
  if (getBytecode().size() % 2)
    return emitOpError("has bytecode of an odd length: ") << getBytecode().size();
  if (getLocalspluskinds().size() != getLocalsplusnames().size())
    return emitOpError("has ") << getLocalsplusnames().size() << " local names but "
                               << getLocalspluskinds().size() << " kinds";
  int64_t parameters = getArgcount() + getKwonlyargcount();
  if (parameters < 0 || parameters > int64_t(getLocalsplusnames().size()))
    return emitOpError("has ") << parameters << " parameters but only "
                               << getLocalsplusnames().size() << " local names";
  for (auto [index, value] : llvm::enumerate(getConsts()))
    if (!isPyConstant(value, /*allowCode=*/true))
      return emitOpError("constant ") << index << " is not a Python constant: " << value;
  return success();
}

/// Whether an attribute says what a name is bound to: a constant, an object that is known by its
/// name, a NumPy number (which has a type of its own) or array, or a tuple of such.
static bool isBindable(Attribute value) {
  if (auto tuple = dyn_cast<ArrayAttr>(value))
    return llvm::all_of(tuple, isBindable);
  if (auto tuple = dyn_cast<TupleOfAttr>(value))
    return llvm::all_of(tuple.getItems(), isBindable);
  if (auto declared = dyn_cast<DeclaredAttr>(value))
    return isBindable(declared.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    auto type = dyn_cast<IntegerType>(integer.getType());
    return type && (!type.isSignless() || isPyConstant(value, /*allowCode=*/false));
  }
  return isPyConstant(value, /*allowCode=*/false) ||
         isa<FloatAttr, ModuleAttr, NamedAttr, FunctionAttr, StencilAttr, ObjectCodeAttr, TypeAttr,
             NamedTupleAttr, TicksAttr, ExceptionClassAttr, ExceptionAttr, CFunctionAttr,
             pyopt::py::OpaqueAttr, ElementsAttr>(value);
}

LogicalResult BindingOp::verify() {
  if (!isBindable(getValue()))
    return emitOpError("value is neither a constant nor a named object: ") << getValue();
  return success();
}

LogicalResult SpecializeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("callee ") << getCalleeAttr() << " is not a symbol of this module";
  if (!isa<CodeOp, FuncOp>(callee))
    return emitOpError("callee ") << getCalleeAttr() << " is neither a py.code nor a py.func";
  return success();
}

//===----------------------------------------------------------------------===//
// py.func
//===----------------------------------------------------------------------===//

/// `generator @f(%a, %b) attributes {…} { … }`: all types are `!py.object`.
ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  Type object = ObjectType::get(parser.getContext());
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(
          &keyword, {"generator", "coroutine", "async_generator"})))
    result.addAttribute(getKindAttrName(result.name),
                        FunctionKindAttr::get(parser.getContext(),
                                              *symbolizeFunctionKind(keyword)));
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = object;
  SmallVector<Type> inputs(arguments.size(), object);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, object)));
  Region *body = result.addRegion();
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*body, arguments));
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getKind() != FunctionKind::Function)
    printer << stringifyFunctionKind(getKind()) << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer.printRegionArgument(argument, {}, /*omitType=*/true);
                        });
  printer << ')';
  SmallVector<StringRef> elided = {getSymNameAttrName(), getFunctionTypeAttrName(),
                                   getKindAttrName()};
  if (getKwonlyargcount() == 0)
    elided.push_back(getKwonlyargcountAttrName());
  if (getPosonlyargcount() == 0)
    elided.push_back(getPosonlyargcountAttrName());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FuncOp::verify() {
  if (getBody().empty())
    return emitOpError("needs a body");
  if (getArgNames().size() != getNumArguments())
    return emitOpError("has ") << getNumArguments() << " parameters but "
                               << getArgNames().size() << " names";
  Type object = ObjectType::get(getContext());
  if (getNumResults() != 1 || getResultTypes().front() != object)
    return emitOpError("must have one !py.object result");
  for (Type type : getArgumentTypes())
    if (type != object)
      return emitOpError("parameter type must be !py.object, got ") << type;
  int64_t stars = getVarargs() + getVarkeywords();
  if (int64_t(getKwonlyargcount()) + stars > int64_t(getNumArguments()))
    return emitOpError("has more keyword-only and starred parameters than parameters");
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (!isPyConstant(getValue(), /*allowCode=*/false))
    return emitOpError("value is not a Python constant: ") << getValue();
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// A value that an operation of the function computed is bound.
OpFoldResult CheckBoundOp::fold(FoldAdaptor) {
  Operation *definition = getValue().getDefiningOp();
  if (definition && !isa<UnboundOp>(definition))
    return getValue();
  return {};
}

/// Only singletons have a known identity: None, Ellipsis, True, False.
static bool isSingleton(Attribute value) {
  auto boolean = dyn_cast<IntegerAttr>(value);
  return isa<NoneAttr, EllipsisAttr>(value) ||
         (boolean && boolean.getType().isSignlessInteger(1));
}

OpFoldResult IsOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
  if (!lhs || !rhs || !(isSingleton(lhs) || isSingleton(rhs)))
    return {};
  return BoolAttr::get(getContext(), (lhs == rhs) != getNegated());
}

OpFoldResult TruthOp::fold(FoldAdaptor adaptor) {
  Attribute value = adaptor.getOperand();
  std::optional<bool> truth;
  if (!value)
    return {};
  if (isa<NoneAttr>(value))
    truth = false;
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    truth = !integer.getValue().isZero();
  else if (auto number = dyn_cast<FloatAttr>(value))
    truth = !number.getValue().isZero();
  else if (auto text = dyn_cast<StringAttr>(value))
    truth = !text.getValue().empty();
  else if (auto tuple = dyn_cast<ArrayAttr>(value))
    truth = !tuple.empty();
  if (!truth)
    return {};
  return BoolAttr::get(getContext(), *truth);
}

LogicalResult CallOp::verify() {
  if (getKeywords() && getKeywords()->size() > getArgs().size())
    return emitOpError("has ") << getKeywords()->size() << " keywords but only "
                               << getArgs().size() << " arguments";
  return success();
}

LogicalResult MakeFunctionOp::verify() {
  unsigned expected = llvm::popcount(unsigned(getFlags()));
  if (getFlags() & ~0x1F)
    return emitOpError("has unknown flags ") << getFlags();
  if (expected != getParts().size())
    return emitOpError("flags ask for ") << expected << " parts, got " << getParts().size();
  return success();
}

LogicalResult BuildMapOp::verify() {
  if (getElements().size() % 2)
    return emitOpError("needs a value for every key");
  return success();
}

LogicalResult ExtendOp::verify() {
  if (getCallee() && getKind() != ExtendKind::DictMerge)
    return emitOpError("only dict_merge has a callee");
  return success();
}

LogicalResult UnpackExOp::verify() {
  if (getBefore() < 0 || getBefore() >= int64_t(getNumResults()))
    return emitOpError("starred position ") << getBefore() << " is not one of the "
                                            << getNumResults() << " results";
  return success();
}

LogicalResult FormatOp::verify() {
  StringRef conversion = getConversion();
  if (conversion != "" && conversion != "s" && conversion != "r" && conversion != "a")
    return emitOpError("unknown conversion '") << conversion << "'";
  return success();
}
