//===- PyDialect.td - The py dialect: its types and attributes ------------===//

#ifndef PYOPT_PY_DIALECT_TD
#define PYOPT_PY_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"

def Py_Dialect : Dialect {
  let name = "py";
  let cppNamespace = "::pyopt::py";
  let summary = "Python semantics on SSA values";
  let description = [{
    A function as CPython's bytecode has it, before anything is known of its
    types. `py.code` holds a raw code object, `py.binding` what a global name
    means, `py.func` a lifted function: a control flow graph whose values are
    all `!py.object`. Locals and stack slots are SSA values and block
    arguments. Every operation that CPython could fail in raises implicitly:
    the exception leaves the function, or goes to the handler that the block's
    terminator names (`py.try_br`).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::pyopt::marks::MarksDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Py_ObjectType : TypeDef<Py_Dialect, "Object"> {
  let mnemonic = "object";
  let summary = "a reference to a Python object";
}

//===----------------------------------------------------------------------===//
// Attributes: constants that MLIR has no attribute for, and bindings
//===----------------------------------------------------------------------===//

class Py_Attr<string name, string attrMnemonic> : AttrDef<Py_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Py_NoneAttr : Py_Attr<"None", "none"> {
  let summary = "the constant None";
}

def Py_EllipsisAttr : Py_Attr<"Ellipsis", "ellipsis"> {
  let summary = "the constant Ellipsis";
}

def Py_BigIntAttr : Py_Attr<"BigInt", "int"> {
  let summary = "an int constant that does not fit into 64 bits, in decimal";
  let parameters = (ins StringRefParameter<"decimal digits">:$digits);
  let assemblyFormat = "`<` $digits `>`";
  let genVerifyDecl = 1;
}

def Py_BytesAttr : Py_Attr<"Bytes", "bytes"> {
  let summary = "a bytes constant";
  let parameters = (ins StringRefParameter<"the bytes">:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_SurrogateStrAttr : Py_Attr<"SurrogateStr", "str"> {
  let summary = "a string constant with lone surrogates, encoded as by `surrogatepass`";
  let description = [{
    Any other string is a string attribute.

    Example: `#py.str<"\ED\B3\BF">`.
  }];
  let parameters = (ins StringRefParameter<"UTF-8, but for the surrogates">:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_ComplexAttr : Py_Attr<"Complex", "complex"> {
  let summary = "a complex constant";
  let parameters = (ins "::mlir::FloatAttr":$real, "::mlir::FloatAttr":$imag);
  let assemblyFormat = "`<` $real `,` $imag `>`";
}

def Py_FrozenSetAttr : Py_Attr<"FrozenSet", "frozenset"> {
  let summary = "a frozenset constant";
  let parameters = (ins "::mlir::ArrayAttr":$elements);
  let assemblyFormat = "`<` $elements `>`";
}

def Py_SliceAttr : Py_Attr<"Slice", "slice"> {
  let summary = "a slice constant: its start, stop and step";
  let description = [{
    Example: `#py.slice<[1, #py.none, 2]>`.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$parts);
  let assemblyFormat = "`<` $parts `>`";
  let genVerifyDecl = 1;
}

def Py_TicksAttr : Py_Attr<"Ticks", "ticks"> {
  let summary = "a datetime64 or timedelta64, or a frozen array of them or of records: their integers";
  let description = [{
    Example: `#py.ticks<18262, !typed.datetime64<D>>`. Records are bytes, and the type is that of the array; one of
    no dimensions is the record that it holds.
  }];
  let parameters = (ins "::mlir::Attribute":$ticks, "::mlir::TypeAttr":$type);
  let assemblyFormat = "`<` $ticks `,` $type `>`";
}

def Py_ModuleAttr : Py_Attr<"Module", "module"> {
  let summary = "a Python module, by its import name";
  let parameters = (ins StringRefParameter<"dotted name">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Py_NamedAttr : Py_Attr<"Named", "named"> {
  let summary = "an object of an imported module or a builtin, by its qualified name";
  let description = [{
    Example: `#py.named<"numpy.sqrt">`, `#py.named<"builtins.range">`.
  }];
  let parameters = (ins StringRefParameter<"qualified name">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Py_FunctionAttr : Py_Attr<"Function", "function"> {
  let summary = "a Python function of this module: its `py.code` or `py.func`";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

def Py_StencilAttr : Py_Attr<"Stencil", "stencil"> {
  let summary = "a function made by `@stencil`: its kernel and options";
  let description = [{
    Options are those of the decorator: `neighborhood` (an array of pairs),
    `cval` (a number), `mode` (a string), `standard_indexing` (an array of
    argument names).

    Example: `#py.stencil<@kernel, {cval = 0.0 : f64}>`.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$kernel,
                        "::mlir::DictionaryAttr":$options);
  let assemblyFormat = "`<` $kernel `,` $options `>`";
}

def Py_ObjectCodeAttr : Py_Attr<"ObjectCode", "object_code"> {
  let summary = "a part of a function that the interpreter runs, called by compiled code";
  let description = [{
    The function it is a part of, and what its code object has in place of the
    function's: `bytecode`, `varnames`, `cellvars`, `argcount`, `stacksize`,
    `flags`, `linetable` and `exceptiontable`. `outputs` are the types of the
    values that it returns in a tuple.

    Example: `#py.object_code<@f, {outputs = [f64], varnames = ["x"], …}>`.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$function,
                        "::mlir::DictionaryAttr":$parts);
  let assemblyFormat = "`<` $function `,` $parts `>`";
}

def Py_OpaqueAttr : Py_Attr<"Opaque", "opaque"> {
  let summary = "a live object of the process that made this module";
  let description = [{
    Means nothing in another process: a module that holds one says so by it.
  }];
  let parameters = (ins "int64_t":$slot, StringRefParameter<"its type">:$type);
  let assemblyFormat = "`<` $slot `,` $type `>`";
}

def Py_NamedTupleAttr : Py_Attr<"NamedTuple", "named_tuple"> {
  let summary = "a class of named tuples of the process that made this module";
  let description = [{
    Its name, its number among the classes of the process, and the names of the fields.

    Example: `#py.named_tuple<"Point", 0, ["x", "y"]>`.
  }];
  let parameters = (ins StringRefParameter<"its name">:$name, "int64_t":$slot,
                        "::mlir::ArrayAttr":$fields);
  let assemblyFormat = "`<` $name `,` $slot `,` $fields `>`";
}

def Py_KeywordsAttr : Py_Attr<"Keywords", "keywords"> {
  let summary = "the class of what a `**kwargs` parameter holds: the names of the keywords";
  let description = [{
    A sequence of this class has the keywords' values, in the order of the call.

    Example: `#py.keywords<["axis", "out"]>`.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$names);
  let assemblyFormat = "`<` $names `>`";
}

def Py_TupleOfAttr : Py_Attr<"TupleOf", "tuple_of"> {
  let summary = "a named tuple, by its class and its items";
  let description = [{
    Example: `#py.tuple_of<#py.named_tuple<"Point", 0, ["x", "y"]>, [1, 2.5]>`.
  }];
  let parameters = (ins "NamedTupleAttr":$class_, "::mlir::ArrayAttr":$items);
  let assemblyFormat = "`<` $class_ `,` $items `>`";
}

def Py_DeclaredAttr : Py_Attr<"Declared", "declared"> {
  let summary = "a constant as a value of a type that an extension has declared for it";
  let description = [{
    An array that may be written to, by its type, is a copy of the constant; one in Fortran's order is its
    transpose.

    Example: `#py.declared<1, f64>`.
  }];
  let parameters = (ins "::mlir::Attribute":$value, "::mlir::TypeAttr":$type);
  let assemblyFormat = "`<` $value `,` $type `>`";
}

def Py_ExceptionClassAttr : Py_Attr<"ExceptionClass", "exception_class"> {
  let summary = "an exception class that is no builtin one";
  let description = [{
    Its name and those of its bases, in the order in which Python looks for
    methods. A class of the process that made this module has its number among
    those behind an `@`.

    Example: `#py.exception_class<["shop.SoldOut@0", "LookupError", "Exception", "BaseException"]>`.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$names);
  let assemblyFormat = "`<` $names `>`";
  let genVerifyDecl = 1;
}

def Py_ExceptionAttr : Py_Attr<"Exception", "exception"> {
  let summary = "an exception, by its class and its arguments";
  let description = [{
    Example: `#py.exception<#py.named<"builtins.ValueError">, ["too large", 3]>`.
  }];
  let parameters = (ins "::mlir::Attribute":$class_, "::mlir::ArrayAttr":$arguments);
  let assemblyFormat = "`<` $class_ `,` $arguments `>`";
}

def Py_CFunctionAttr : Py_Attr<"CFunction", "c_function"> {
  let summary = "a C function";
  let description = [{
    Its name, its type and its address, which means nothing in another process.
    Where the address is 0 the name is a symbol, which is looked up when the
    code is loaded.

    Example: `#py.c_function<"sin", !typed.c_function<(f64) -> f64>, 0>`.
  }];
  let parameters = (ins StringRefParameter<"its name">:$name, "::mlir::TypeAttr":$type,
                        "int64_t":$address);
  let assemblyFormat = "`<` $name `,` $type `,` $address `>`";
}

#endif // PYOPT_PY_DIALECT_TD
