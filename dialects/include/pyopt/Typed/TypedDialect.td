//===- TypedDialect.td - The typed dialect: its types ---------------------===//

#ifndef PYOPT_TYPED_DIALECT_TD
#define PYOPT_TYPED_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Typed_Dialect : Dialect {
  let name = "typed";
  let cppNamespace = "::pyopt::typed";
  let summary = "Python and NumPy semantics on typed values";
  let description = [{
    The program after inference. Functions are `func.func`, branches `cf` and
    later `scf`. Integers carry their signedness here and nowhere below
    (`si64`, `ui8`; `i1` is bool); floats, complex numbers and tuples are the
    builtin types; `index` counts structured loops. Operations keep the
    meaning of Python or NumPy: wrap-around indices, floor division,
    broadcasting. Types that hold no data at run time (`!typed.none`,
    `!typed.named`, `!typed.literal`, …) have one value, `typed.singleton`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::pyopt::marks::MarksDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Typed_Layout : I32EnumAttr<"Layout", "how the elements of an array lie", [
    I32EnumAttrCase<"C", 0>, I32EnumAttrCase<"F", 1>,
    I32EnumAttrCase<"A", 2>, I32EnumAttrCase<"Bytes", 3, "bytes">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}

class Typed_Type<string name, string typeMnemonic> : TypeDef<Typed_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Typed_NoneType : Typed_Type<"None", "none"> {
  let summary = "the type of None";
}

def Typed_ArrayType : Typed_Type<"Array", "array"> {
  let summary = "a NumPy array";
  let description = [{
    Rank, element type and layout: `C` contiguous in row order, `F` contiguous
    in column order, `A` any strides that are multiples of the element size,
    `bytes` any strides and alignment. A read-only array can't be stored to.

    Example: `!typed.array<2, f64, C>`, `!typed.array<1, si32, A, readonly>`
  }];
  let parameters = (ins "unsigned":$rank, "::mlir::Type":$element,
                        EnumParameter<Typed_Layout>:$layout,
                        DefaultValuedParameter<"bool", "false">:$readonly);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True for the element types an array can have.
    static bool isElement(::mlir::Type type);
  }];
}

def Typed_TimeUnit : I32EnumAttr<"TimeUnit", "NumPy's units of time, with its numbers", [
    I32EnumAttrCase<"Y", 0>, I32EnumAttrCase<"M", 1>, I32EnumAttrCase<"W", 2>,
    I32EnumAttrCase<"D", 4>, I32EnumAttrCase<"h", 5>, I32EnumAttrCase<"m", 6>,
    I32EnumAttrCase<"s", 7>, I32EnumAttrCase<"ms", 8>, I32EnumAttrCase<"us", 9>,
    I32EnumAttrCase<"ns", 10>, I32EnumAttrCase<"ps", 11>, I32EnumAttrCase<"fs", 12>,
    I32EnumAttrCase<"as", 13>, I32EnumAttrCase<"generic", 14>]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}

def Typed_DatetimeType : Typed_Type<"Datetime", "datetime64"> {
  let summary = "NumPy's datetime64: so many units after 1970, or NaT";
  let description = "Example: `!typed.datetime64<D>`";
  let parameters = (ins EnumParameter<Typed_TimeUnit>:$unit);
  let assemblyFormat = "`<` $unit `>`";
}

def Typed_TimedeltaType : Typed_Type<"Timedelta", "timedelta64"> {
  let summary = "NumPy's timedelta64: so many units, or NaT";
  let description = "Example: `!typed.timedelta64<ns>`; without a unit it is `generic`";
  let parameters = (ins EnumParameter<Typed_TimeUnit>:$unit);
  let assemblyFormat = "`<` $unit `>`";
}

def Typed_RecordType : Typed_Type<"Record", "record"> {
  let summary = "an element with fields, of a structured dtype";
  let description = [{
    The class of its scalars (`void` or `record`), its bytes, and its fields:
    each a name, an offset in bytes, a type, the sizes of what is an array of
    that, and a title, its other name, if it has one. The size of a text or
    bytes is the number of its units, of four bytes or one. The type of a field
    that compiled code can't hold is None.

    There are no values of this type: an element of an array of records is the
    view of rank 0 of it, which a field can be read of and assigned to. Such
    arrays have layout `bytes`.

    Example: `!typed.record<"void", 17, [["x", 0, f64], ["v", 8, si16, 2, 2], ["b", 16, i1]]>`
  }];
  let parameters = (ins StringRefParameter<"class of scalars">:$kind, "int64_t":$size,
                        "::mlir::ArrayAttr":$fields);
  let assemblyFormat = "`<` $kind `,` $size `,` $fields `>`";
  let genVerifyDecl = 1;
}

def Typed_RangeType : Typed_Type<"Range", "range"> {
  let summary = "a range object over one integer type";
  let parameters = (ins "::mlir::IntegerType":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Typed_IterType : Typed_Type<"Iter", "iter"> {
  let summary = "an iterator over an iterable of the given type";
  let parameters = (ins "::mlir::Type":$iterable);
  let assemblyFormat = "`<` $iterable `>`";
}

def Typed_ZipType : Typed_Type<"Zip", "zip"> {
  let summary = "what an iterator of `zip` goes over: several iterables, as a tuple of their types";
  let description = "Example: `!typed.zip<tuple<!typed.range<si64>, !typed.array<1, f64, C>>>`";
  let parameters = (ins "::mlir::TupleType":$iterables);
  let assemblyFormat = "`<` $iterables `>`";
}

def Typed_EnumerateType : Typed_Type<"Enumerate", "enumerate"> {
  let summary = "what an iterator of `enumerate` goes over";
  let parameters = (ins "::mlir::Type":$iterable);
  let assemblyFormat = "`<` $iterable `>`";
}

def Typed_ReversedType : Typed_Type<"Reversed", "reversed"> {
  let summary = "what an iterator of `reversed` goes over";
  let parameters = (ins "::mlir::Type":$iterable);
  let assemblyFormat = "`<` $iterable `>`";
}

def Typed_FlatType : Typed_Type<"Flat", "flat"> {
  let summary = "all elements of an array, the last index varying fastest";
  let description = "Example: `!typed.flat<!typed.array<2, f64, F>>`";
  let parameters = (ins "::pyopt::typed::ArrayType":$array);
  let assemblyFormat = "`<` qualified($array) `>`";
}

def Typed_IndicesType : Typed_Type<"Indices", "indices"> {
  let summary = "all positions in an array, tuples of this type, the last index varying fastest";
  let description = "Example: `!typed.indices<tuple<si64, si64>>`";
  let parameters = (ins "::mlir::TupleType":$position);
  let assemblyFormat = "`<` $position `>`";
}

def Typed_StrType : Typed_Type<"Str", "str"> {
  let summary = "a str";
  let description = "At run time: pointer to its code units, length, bytes a code unit, and the owner of that memory.";
}

def Typed_BytesType : Typed_Type<"Bytes", "bytes"> {
  let summary = "a bytes object";
  let description = "At run time what a str is, of characters that are the bytes, one byte each.";
}

def Typed_ExceptionType : Typed_Type<"Exception", "exception"> {
  let summary = "an exception that was caught or is to be raised";
  let description = "At run time: where it was made, and what it holds.";
}

def Typed_GeneratorType : Typed_Type<"Generator", "generator"> {
  let summary = "a generator: the function that resumes it, and the type of its items";
  let description = [{
    At run time: the owner of its state.

    Example: `!typed.generator<@squares.next, si64>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$function, "::mlir::Type":$item);
  let assemblyFormat = "`<` $function `,` $item `>`";
}

def Typed_SliceType : Typed_Type<"Slice", "slice"> {
  let summary = "a slice, each part an integer or None";
  let description = "Example: `!typed.slice<si64, !typed.none, !typed.none>`";
  let parameters = (ins "::mlir::Type":$start, "::mlir::Type":$stop, "::mlir::Type":$step);
  let assemblyFormat = "`<` $start `,` $stop `,` $step `>`";
}

def Typed_SequenceType : Typed_Type<"Sequence", "sequence"> {
  let summary = "a known number of items that is no tuple in Python";
  let description = [{
    A named tuple, or a list that nobody changes. At run time it is the tuple of its items.

    Example: `!typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>`,
    `!typed.sequence<tuple<f64>, #py.named<"builtins.list">>`
  }];
  let parameters = (ins "::mlir::TupleType":$items, "::mlir::Attribute":$class_);
  let assemblyFormat = "`<` $items `,` $class_ `>`";
}

def Typed_UnboundType : Typed_Type<"Unbound", "unbound"> {
  let summary = "a local variable that may have no value yet";
  let parameters = (ins "::mlir::Type":$type);
  let assemblyFormat = "`<` $type `>`";
}

def Typed_OptionalType : Typed_Type<"Optional", "optional"> {
  let summary = "a value of a type, or None";
  let description = [{
    Joins the None of one path with the value of another. At run time it is the value and a flag.
    It doesn't nest, and it isn't made of None.

    Example: `!typed.optional<si64>`, `!typed.optional<!typed.array<1, f64, C>>`
  }];
  let parameters = (ins "::mlir::Type":$type);
  let assemblyFormat = "`<` $type `>`";
  let genVerifyDecl = 1;
}

def Typed_ListType : Typed_Type<"List", "list"> {
  let summary = "a list that may change";
  let description = [{
    A reference to items of one type: two names of one list see each other's changes. `none` is the
    item of a list that nothing is ever put into.

    Example: `!typed.list<f64>`, `!typed.list<!typed.list<tuple<si64, f64>>>`
  }];
  let parameters = (ins "::mlir::Type":$item);
  let assemblyFormat = "`<` $item `>`";
}

def Typed_DictType : Typed_Type<"Dict", "dict"> {
  let summary = "a dict";
  let description = [{
    A reference to entries in the order of insertion, which are found by their keys. `none` is the
    type of keys and values of a dict that nothing is ever put into.

    Example: `!typed.dict<si64, !typed.list<f64>>`
  }];
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
}

def Typed_SetType : Typed_Type<"Set", "set"> {
  let summary = "a set";
  let description = [{
    A reference to items, each once, in the order of insertion. `none` is the type of the items of a
    set that nothing is ever put into.

    Example: `!typed.set<tuple<si64, si64>>`
  }];
  let parameters = (ins "::mlir::Type":$item);
  let assemblyFormat = "`<` $item `>`";
}

def Typed_DictViewType : Typed_Type<"DictView", "dict_view"> {
  let summary = "the keys, values or items of a dict, which follow its changes";
  let description = [{
    At run time it is the dict.

    Example: `!typed.dict_view<!typed.dict<si64, f64>, "keys">`
  }];
  let parameters = (ins "::mlir::Type":$dict, StringRefParameter<"keys, values or items">:$part);
  let assemblyFormat = "`<` $dict `,` $part `>`";
}

def Typed_AnyTable : AnyTypeOf<[Typed_DictType, Typed_SetType], "a dict or set">;

def Typed_PointerType : Typed_Type<"Pointer", "pointer"> {
  let summary = "an address of memory that C code knows, and the type of what is there";
  let description = [{
    It holds no reference: what it points to is there as long as somebody else
    keeps it. `!typed.none` is what C's `void *` points to.

    Example: `!typed.pointer<f64>`, `!typed.pointer<!typed.none>`
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
}

def Typed_CFunctionType : Typed_Type<"CFunction", "c_function"> {
  let summary = "the address of a function with C's calling convention";
  let description = [{
    Its types are numbers, complex ones too, and addresses; a function without a result is `void`.

    Example: `!typed.c_function<(f64, !typed.pointer<f64>) -> f64>`
  }];
  let parameters = (ins "::mlir::FunctionType":$signature);
  let assemblyFormat = "`<` $signature `>`";
  let genVerifyDecl = 1;
}

def Typed_LiteralType : Typed_Type<"Literal", "literal"> {
  let summary = "one value known at compile time";
  let parameters = (ins "::mlir::Attribute":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Typed_DTypeType : Typed_Type<"DType", "dtype"> {
  let summary = "a NumPy dtype, or a scalar type used as one";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Typed_NamedType : Typed_Type<"Named", "named"> {
  let summary = "a module, function or class of the host, by its qualified name";
  let description = [{Example: `!typed.named<"numpy.sqrt">`}];
  let parameters = (ins StringRefParameter<"qualified name">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Typed_FunctionType : Typed_Type<"Function", "function"> {
  let summary = "a Python function of this module";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

def Typed_MethodType : Typed_Type<"Method", "method"> {
  let summary = "a method bound to a receiver";
  let parameters = (ins "::mlir::Type":$receiver, StringRefParameter<"method name">:$name);
  let assemblyFormat = "`<` $receiver `,` $name `>`";
}

#endif // PYOPT_TYPED_DIALECT_TD
