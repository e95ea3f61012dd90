//===- CAPI.cpp - What Rust needs of the dialects, as C functions ---------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "pyopt/Marks/Marks.h"
#include "pyopt/Parfor/Parfor.h"
#include "pyopt/Py/Py.h"
#include "pyopt/Stencil/Stencil.h"
#include "pyopt/Typed/Typed.h"

using namespace mlir;
using namespace pyopt;

extern "C" {
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Py, py, ::pyopt::py::PyDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Typed, typed, ::pyopt::typed::TypedDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Parfor, parfor, ::pyopt::parfor::ParforDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Stencil, stencil, ::pyopt::stencil::StencilDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Pyopt, pyopt, ::pyopt::marks::MarksDialect)
}

//===----------------------------------------------------------------------===//
// Types: the kind of a type, its parts by position, and constructors
//===----------------------------------------------------------------------===//

extern "C" {

/// Which type of the typed dialect this is; 0 for any other type. The numbers
/// are those of `TypedKind` in Rust.
int pyoptTypedKind(MlirType type) {
  return llvm::TypeSwitch<Type, int>(unwrap(type))
      .Case<typed::NoneType>([](auto) { return 1; })
      .Case<typed::ArrayType>([](auto) { return 2; })
      .Case<typed::RangeType>([](auto) { return 3; })
      .Case<typed::IterType>([](auto) { return 4; })
      .Case<typed::StrType>([](auto) { return 5; })
      .Case<typed::BytesType>([](auto) { return 29; })
      .Case<typed::SliceType>([](auto) { return 6; })
      .Case<typed::UnboundType>([](auto) { return 7; })
      .Case<typed::LiteralType>([](auto) { return 8; })
      .Case<typed::DTypeType>([](auto) { return 9; })
      .Case<typed::NamedType>([](auto) { return 10; })
      .Case<typed::FunctionType>([](auto) { return 11; })
      .Case<typed::MethodType>([](auto) { return 12; })
      .Case<typed::ZipType>([](auto) { return 13; })
      .Case<typed::EnumerateType>([](auto) { return 14; })
      .Case<typed::ReversedType>([](auto) { return 15; })
      .Case<typed::SequenceType>([](auto) { return 20; })
      .Case<typed::ExceptionType>([](auto) { return 18; })
      .Case<typed::FlatType>([](auto) { return 16; })
      .Case<typed::IndicesType>([](auto) { return 17; })
      .Case<typed::OptionalType>([](auto) { return 21; })
      .Case<typed::GeneratorType>([](auto) { return 23; })
      .Case<typed::ListType>([](auto) { return 22; })
      .Case<typed::DictType>([](auto) { return 26; })
      .Case<typed::SetType>([](auto) { return 27; })
      .Case<typed::DictViewType>([](auto) { return 28; })
      .Case<typed::PointerType>([](auto) { return 24; })
      .Case<typed::CFunctionType>([](auto) { return 25; })
      .Default([](auto) { return 0; });
}

MlirType pyoptTypedArrayGet(MlirContext context, unsigned rank, MlirType element, int layout,
                            bool readonly) {
  return wrap(typed::ArrayType::get(unwrap(context), rank, unwrap(element),
                                    static_cast<typed::Layout>(layout), readonly));
}

unsigned pyoptTypedArrayRank(MlirType type) {
  return cast<typed::ArrayType>(unwrap(type)).getRank();
}

int pyoptTypedArrayLayout(MlirType type) {
  return static_cast<int>(cast<typed::ArrayType>(unwrap(type)).getLayout());
}

bool pyoptTypedArrayReadonly(MlirType type) {
  return cast<typed::ArrayType>(unwrap(type)).getReadonly();
}

/// 0 for a datetime64, 1 for a timedelta64, -1 for any other type.
int pyoptTypedTimeKind(MlirType type) {
  if (isa<typed::DatetimeType>(unwrap(type)))
    return 0;
  return isa<typed::TimedeltaType>(unwrap(type)) ? 1 : -1;
}

int pyoptTypedTimeUnit(MlirType type) {
  if (auto point = dyn_cast<typed::DatetimeType>(unwrap(type)))
    return static_cast<int>(point.getUnit());
  return static_cast<int>(cast<typed::TimedeltaType>(unwrap(type)).getUnit());
}

MlirType pyoptTypedTimeGet(MlirContext context, int kind, int unit) {
  auto of = static_cast<typed::TimeUnit>(unit);
  if (kind == 0)
    return wrap(typed::DatetimeType::get(unwrap(context), of));
  return wrap(typed::TimedeltaType::get(unwrap(context), of));
}

/// The fields of a record, the null attribute for any other type.
MlirAttribute pyoptTypedRecordFields(MlirType type) {
  auto record = dyn_cast<typed::RecordType>(unwrap(type));
  return wrap(record ? Attribute(record.getFields()) : Attribute());
}

int64_t pyoptTypedRecordSize(MlirType type) {
  return cast<typed::RecordType>(unwrap(type)).getSize();
}

bool pyoptTypedIsElement(MlirType type) { return typed::ArrayType::isElement(unwrap(type)); }

/// The type inside: of an array, range, iterator, zip, enumerate, reversed, flat,
/// indices, unbound, optional, list, set, dtype, generator or method; the key and value of a dict; what a pointer points to; the
/// signature of a C function; a part of a slice. The null type where there is none.
MlirType pyoptTypedInner(MlirType type, int position) {
  return wrap(
      llvm::TypeSwitch<Type, Type>(unwrap(type))
          .Case<typed::ArrayType>([](auto array) { return array.getElement(); })
          .Case<typed::RangeType>([](auto range) { return Type(range.getElement()); })
          .Case<typed::IterType>([](auto iter) { return iter.getIterable(); })
          .Case<typed::ZipType>([](auto zip) { return Type(zip.getIterables()); })
          .Case<typed::EnumerateType, typed::ReversedType>(
              [](auto over) { return over.getIterable(); })
          .Case<typed::SequenceType>([](auto sequence) { return Type(sequence.getItems()); })
          .Case<typed::FlatType>([](auto flat) { return Type(flat.getArray()); })
          .Case<typed::IndicesType>([](auto indices) { return Type(indices.getPosition()); })
          .Case<typed::UnboundType, typed::OptionalType>(
              [](auto flagged) { return flagged.getType(); })
          .Case<typed::DTypeType>([](auto dtype) { return dtype.getElement(); })
          .Case<typed::GeneratorType>([](auto generator) { return generator.getItem(); })
          .Case<typed::DictViewType>([](auto view) { return view.getDict(); })
          .Case<typed::ListType, typed::SetType>([](auto of) { return of.getItem(); })
          .Case<typed::DictType>(
              [&](auto dict) { return position == 0 ? dict.getKey() : dict.getValue(); })
          .Case<typed::MethodType>([](auto method) { return method.getReceiver(); })
          .Case<typed::PointerType>([](auto pointer) { return pointer.getPointee(); })
          .Case<typed::CFunctionType>([](auto function) { return Type(function.getSignature()); })
          .Case<typed::SliceType>([&](auto slice) {
            return position == 0 ? slice.getStart()
                                 : position == 1 ? slice.getStop() : slice.getStep();
          })
          .Default([](auto) { return Type(); }));
}

/// The name inside: of a named object, function, generator's function or method; empty otherwise.
MlirStringRef pyoptTypedName(MlirType type) {
  return wrap(llvm::TypeSwitch<Type, StringRef>(unwrap(type))
                  .Case<typed::NamedType>([](auto named) { return named.getName(); })
                  .Case<typed::FunctionType>(
                      [](auto function) { return function.getSymbol().getValue(); })
                  .Case<typed::GeneratorType>(
                      [](auto generator) { return generator.getFunction().getValue(); })
                  .Case<typed::MethodType>([](auto method) { return method.getName(); })
                  .Case<typed::DictViewType>([](auto view) { return view.getPart(); })
                  .Default([](auto) { return StringRef(); }));
}

/// The value of a literal type, the class of a sequence, the null attribute of any other.
MlirAttribute pyoptTypedLiteralValue(MlirType type) {
  if (auto sequence = dyn_cast<typed::SequenceType>(unwrap(type)))
    return wrap(sequence.getClass_());
  auto literal = dyn_cast<typed::LiteralType>(unwrap(type));
  return wrap(literal ? literal.getValue() : Attribute());
}

MlirType pyoptTypedNullaryGet(MlirContext context, int kind) {
  MLIRContext *ctx = unwrap(context);
  switch (kind) {
  case 1:
    return wrap(typed::NoneType::get(ctx));
  case 18:
    return wrap(typed::ExceptionType::get(ctx));
  case 29:
    return wrap(typed::BytesType::get(ctx));
  default:
    return wrap(typed::StrType::get(ctx));
  }
}

/// A range, iterator, unbound, optional, list, set, zip, enumerate, reversed, flat, indices, dtype or
/// pointer of a type; the C function of a signature.
MlirType pyoptTypedUnaryGet(MlirContext context, int kind, MlirType inner) {
  MLIRContext *ctx = unwrap(context);
  Type type = unwrap(inner);
  switch (kind) {
  case 3:
    return wrap(typed::RangeType::get(ctx, cast<IntegerType>(type)));
  case 4:
    return wrap(typed::IterType::get(ctx, type));
  case 7:
    return wrap(typed::UnboundType::get(ctx, type));
  case 21:
    return wrap(typed::OptionalType::get(ctx, type));
  case 22:
    return wrap(typed::ListType::get(ctx, type));
  case 27:
    return wrap(typed::SetType::get(ctx, type));
  case 13:
    return wrap(typed::ZipType::get(ctx, cast<TupleType>(type)));
  case 14:
    return wrap(typed::EnumerateType::get(ctx, type));
  case 15:
    return wrap(typed::ReversedType::get(ctx, type));
  case 16:
    return wrap(typed::FlatType::get(ctx, cast<typed::ArrayType>(type)));
  case 17:
    return wrap(typed::IndicesType::get(ctx, cast<TupleType>(type)));
  case 24:
    return wrap(typed::PointerType::get(ctx, type));
  case 25:
    return wrap(typed::CFunctionType::get(ctx, cast<mlir::FunctionType>(type)));
  default:
    return wrap(typed::DTypeType::get(ctx, type));
  }
}

MlirType pyoptTypedDictViewGet(MlirContext context, MlirType dict, MlirStringRef part) {
  return wrap(typed::DictViewType::get(unwrap(context), unwrap(dict), unwrap(part)));
}

MlirType pyoptTypedDictGet(MlirContext context, MlirType key, MlirType value) {
  return wrap(typed::DictType::get(unwrap(context), unwrap(key), unwrap(value)));
}

MlirType pyoptTypedSliceGet(MlirContext context, MlirType start, MlirType stop, MlirType step) {
  return wrap(typed::SliceType::get(unwrap(context), unwrap(start), unwrap(stop), unwrap(step)));
}

MlirType pyoptTypedSequenceGet(MlirContext context, MlirType items, MlirAttribute class_) {
  return wrap(
      typed::SequenceType::get(unwrap(context), cast<TupleType>(unwrap(items)), unwrap(class_)));
}

MlirType pyoptTypedLiteralGet(MlirContext context, MlirAttribute value) {
  return wrap(typed::LiteralType::get(unwrap(context), unwrap(value)));
}

/// A named object (10) or function (11) by name.
MlirType pyoptTypedByNameGet(MlirContext context, int kind, MlirStringRef name) {
  MLIRContext *ctx = unwrap(context);
  if (kind == 10)
    return wrap(typed::NamedType::get(ctx, unwrap(name)));
  return wrap(typed::FunctionType::get(ctx, FlatSymbolRefAttr::get(ctx, unwrap(name))));
}

MlirType pyoptTypedMethodGet(MlirContext context, MlirType receiver, MlirStringRef name) {
  return wrap(typed::MethodType::get(unwrap(context), unwrap(receiver), unwrap(name)));
}

MlirType pyoptTypedGeneratorGet(MlirContext context, MlirStringRef function, MlirType item) {
  MLIRContext *ctx = unwrap(context);
  return wrap(typed::GeneratorType::get(ctx, FlatSymbolRefAttr::get(ctx, unwrap(function)),
                                        unwrap(item)));
}

MlirType pyoptPyObjectGet(MlirContext context) {
  return wrap(py::ObjectType::get(unwrap(context)));
}

//===----------------------------------------------------------------------===//
// Attributes of the parfor dialect
//===----------------------------------------------------------------------===//

/// A pattern of a kind; the null attribute is no detail.
MlirAttribute pyoptParforPatternGet(MlirContext context, int64_t kind, MlirAttribute detail) {
  return wrap(parfor::PatternAttr::get(unwrap(context), static_cast<parfor::PatternKind>(kind),
                                       cast_or_null<StringAttr>(unwrap(detail))));
}

/// The kind of a pattern; -1 for any other attribute.
int64_t pyoptParforPatternKind(MlirAttribute attribute) {
  auto pattern = dyn_cast<parfor::PatternAttr>(unwrap(attribute));
  return pattern ? static_cast<int64_t>(pattern.getKind()) : -1;
}

/// The detail of a pattern, the null attribute where it has none.
MlirAttribute pyoptParforPatternDetail(MlirAttribute attribute) {
  return wrap(Attribute(cast<parfor::PatternAttr>(unwrap(attribute)).getDetail()));
}

//===----------------------------------------------------------------------===//
// Attributes of the py dialect
//===----------------------------------------------------------------------===//

/// Which attribute of the py dialect this is; 0 for any other. The numbers are
/// those of `PyAttribute` in Rust.
int pyoptPyAttributeKind(MlirAttribute attribute) {
  return llvm::TypeSwitch<Attribute, int>(unwrap(attribute))
      .Case<py::NoneAttr>([](auto) { return 1; })
      .Case<py::EllipsisAttr>([](auto) { return 2; })
      .Case<py::BigIntAttr>([](auto) { return 3; })
      .Case<py::BytesAttr>([](auto) { return 4; })
      .Case<py::ComplexAttr>([](auto) { return 5; })
      .Case<py::FrozenSetAttr>([](auto) { return 6; })
      .Case<py::ModuleAttr>([](auto) { return 7; })
      .Case<py::NamedAttr>([](auto) { return 8; })
      .Case<py::FunctionAttr>([](auto) { return 9; })
      .Case<py::StencilAttr>([](auto) { return 10; })
      .Case<py::OpaqueAttr>([](auto) { return 11; })
      .Case<py::SurrogateStrAttr>([](auto) { return 12; })
      .Case<py::ObjectCodeAttr>([](auto) { return 13; })
      .Case<py::SliceAttr>([](auto) { return 14; })
      .Case<py::NamedTupleAttr>([](auto) { return 20; })
      .Case<py::TicksAttr>([](auto) { return 23; })
      .Case<py::ExceptionClassAttr>([](auto) { return 21; })
      .Case<py::ExceptionAttr>([](auto) { return 22; })
      .Case<py::CFunctionAttr>([](auto) { return 24; })
      .Case<py::TupleOfAttr>([](auto) { return 25; })
      .Case<py::KeywordsAttr>([](auto) { return 26; })
      .Case<py::DeclaredAttr>([](auto) { return 27; })
      .Default([](auto) { return 0; });
}

/// The text inside: digits, bytes, a name, a symbol, an opaque object's type.
MlirStringRef pyoptPyAttributeText(MlirAttribute attribute) {
  return wrap(llvm::TypeSwitch<Attribute, StringRef>(unwrap(attribute))
                  .Case<py::BigIntAttr>([](auto value) { return value.getDigits(); })
                  .Case<py::BytesAttr>([](auto value) { return value.getValue(); })
                  .Case<py::SurrogateStrAttr>([](auto value) { return value.getValue(); })
                  .Case<py::ModuleAttr>([](auto value) { return value.getName(); })
                  .Case<py::NamedAttr>([](auto value) { return value.getName(); })
                  .Case<py::FunctionAttr>([](auto value) { return value.getSymbol().getValue(); })
                  .Case<py::StencilAttr>([](auto value) { return value.getKernel().getValue(); })
                  .Case<py::ObjectCodeAttr>(
                      [](auto value) { return value.getFunction().getValue(); })
                  .Case<py::OpaqueAttr>([](auto value) { return value.getType(); })
                  .Case<py::NamedTupleAttr>([](auto value) { return value.getName(); })
                  .Case<py::CFunctionAttr>([](auto value) { return value.getName(); })
                  .Default([](auto) { return StringRef(); }));
}

/// An attribute inside: the parts of a complex number, the elements of a
/// frozenset, the parts of a slice, the options of a stencil, the parts of a code object, the names
/// of an exception class or of keywords, the class and the arguments of an exception, the class and the items of a
/// named tuple. The null attribute where there is none.
MlirAttribute pyoptPyAttributePart(MlirAttribute attribute, int position) {
  return wrap(llvm::TypeSwitch<Attribute, Attribute>(unwrap(attribute))
                  .Case<py::ComplexAttr>([&](auto value) -> Attribute {
                    return position == 0 ? value.getReal() : value.getImag();
                  })
                  .Case<py::FrozenSetAttr>([](auto value) { return value.getElements(); })
                  .Case<py::SliceAttr>([](auto value) { return value.getParts(); })
                  .Case<py::TicksAttr>([&](auto value) -> Attribute {
                    return position == 0 ? value.getTicks() : value.getType();
                  })
                  .Case<py::DeclaredAttr>([&](auto value) -> Attribute {
                    return position == 0 ? value.getValue() : value.getType();
                  })
                  .Case<py::NamedTupleAttr>([](auto value) { return value.getFields(); })
                  .Case<py::CFunctionAttr>([](auto value) { return value.getType(); })
                  .Case<py::TupleOfAttr>([&](auto value) -> Attribute {
                    return position == 0 ? Attribute(value.getClass_()) : value.getItems();
                  })
                  .Case<py::ExceptionClassAttr>([](auto value) { return value.getNames(); })
                  .Case<py::KeywordsAttr>([](auto value) { return value.getNames(); })
                  .Case<py::ExceptionAttr>([&](auto value) -> Attribute {
                    return position == 0 ? value.getClass_() : value.getArguments();
                  })
                  .Case<py::StencilAttr>([](auto value) { return value.getOptions(); })
                  .Case<py::ObjectCodeAttr>([](auto value) { return value.getParts(); })
                  .Default([](auto) { return Attribute(); }));
}

/// None (1) or Ellipsis (2).
MlirAttribute pyoptPyNullaryGet(MlirContext context, int kind) {
  MLIRContext *ctx = unwrap(context);
  return wrap(kind == 1 ? Attribute(py::NoneAttr::get(ctx)) : Attribute(py::EllipsisAttr::get(ctx)));
}

/// A big int (3), bytes (4), module (7), named object (8), function (9) or a
/// string with surrogates (12).
MlirAttribute pyoptPyTextGet(MlirContext context, int kind, MlirStringRef text) {
  MLIRContext *ctx = unwrap(context);
  StringRef value = unwrap(text);
  switch (kind) {
  case 3:
    return wrap(py::BigIntAttr::get(ctx, value));
  case 4:
    return wrap(py::BytesAttr::get(ctx, value));
  case 7:
    return wrap(py::ModuleAttr::get(ctx, value));
  case 8:
    return wrap(py::NamedAttr::get(ctx, value));
  case 12:
    return wrap(py::SurrogateStrAttr::get(ctx, value));
  default:
    return wrap(py::FunctionAttr::get(ctx, FlatSymbolRefAttr::get(ctx, value)));
  }
}

MlirAttribute pyoptPyComplexGet(MlirAttribute real, MlirAttribute imag) {
  auto part = cast<FloatAttr>(unwrap(real));
  return wrap(py::ComplexAttr::get(part.getContext(), part, cast<FloatAttr>(unwrap(imag))));
}

MlirAttribute pyoptPyFrozenSetGet(MlirAttribute elements) {
  auto array = cast<ArrayAttr>(unwrap(elements));
  return wrap(py::FrozenSetAttr::get(array.getContext(), array));
}

MlirAttribute pyoptPyTicksGet(MlirAttribute ticks, MlirAttribute type) {
  auto of = cast<TypeAttr>(unwrap(type));
  return wrap(py::TicksAttr::get(of.getContext(), unwrap(ticks), of));
}

MlirAttribute pyoptPyDeclaredGet(MlirAttribute value, MlirAttribute type) {
  auto as = cast<TypeAttr>(unwrap(type));
  return wrap(py::DeclaredAttr::get(as.getContext(), unwrap(value), as));
}

MlirAttribute pyoptPySliceGet(MlirAttribute parts) {
  auto array = cast<ArrayAttr>(unwrap(parts));
  return wrap(py::SliceAttr::get(array.getContext(), array));
}

MlirAttribute pyoptPyStencilGet(MlirContext context, MlirStringRef kernel, MlirAttribute options) {
  MLIRContext *ctx = unwrap(context);
  return wrap(py::StencilAttr::get(ctx, FlatSymbolRefAttr::get(ctx, unwrap(kernel)),
                                   cast<DictionaryAttr>(unwrap(options))));
}

MlirAttribute pyoptPyObjectCodeGet(MlirContext context, MlirStringRef function,
                                   MlirAttribute parts) {
  MLIRContext *ctx = unwrap(context);
  return wrap(py::ObjectCodeAttr::get(ctx, FlatSymbolRefAttr::get(ctx, unwrap(function)),
                                      cast<DictionaryAttr>(unwrap(parts))));
}

MlirAttribute pyoptPyOpaqueGet(MlirContext context, int64_t slot, MlirStringRef type) {
  return wrap(py::OpaqueAttr::get(unwrap(context), slot, unwrap(type)));
}

MlirAttribute pyoptPyNamedTupleGet(MlirStringRef name, int64_t slot, MlirAttribute fields) {
  auto array = cast<ArrayAttr>(unwrap(fields));
  return wrap(py::NamedTupleAttr::get(array.getContext(), unwrap(name), slot, array));
}

MlirAttribute pyoptPyKeywordsGet(MlirAttribute names) {
  auto array = cast<ArrayAttr>(unwrap(names));
  return wrap(py::KeywordsAttr::get(array.getContext(), array));
}

MlirAttribute pyoptPyTupleOfGet(MlirAttribute type, MlirAttribute items) {
  auto named = cast<py::NamedTupleAttr>(unwrap(type));
  return wrap(py::TupleOfAttr::get(named.getContext(), named, cast<ArrayAttr>(unwrap(items))));
}

MlirAttribute pyoptPyExceptionClassGet(MlirAttribute names) {
  auto array = cast<ArrayAttr>(unwrap(names));
  return wrap(py::ExceptionClassAttr::get(array.getContext(), array));
}

MlirAttribute pyoptPyExceptionGet(MlirAttribute type, MlirAttribute arguments) {
  auto array = cast<ArrayAttr>(unwrap(arguments));
  return wrap(py::ExceptionAttr::get(array.getContext(), unwrap(type), array));
}

MlirAttribute pyoptPyCFunctionGet(MlirStringRef name, MlirAttribute type, int64_t address) {
  auto of = cast<TypeAttr>(unwrap(type));
  return wrap(py::CFunctionAttr::get(of.getContext(), unwrap(name), of, address));
}

/// The number of an opaque object or of a class of named tuples, the address of a C function.
int64_t pyoptPyOpaqueSlot(MlirAttribute attribute) {
  if (auto function = dyn_cast<py::CFunctionAttr>(unwrap(attribute)))
    return function.getAddress();
  if (auto tuple = dyn_cast<py::NamedTupleAttr>(unwrap(attribute)))
    return tuple.getSlot();
  return cast<py::OpaqueAttr>(unwrap(attribute)).getSlot();
}

/// The number of elements of an array type of LLVM's dialect; -1 for any other type.
int64_t pyoptLLVMArraySize(MlirType type) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(unwrap(type));
  return array ? static_cast<int64_t>(array.getNumElements()) : -1;
}
}
