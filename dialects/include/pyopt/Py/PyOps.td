//===- PyOps.td - The operations of the py dialect ------------------------===//

#ifndef PYOPT_PY_OPS_TD
#define PYOPT_PY_OPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pyopt/Py/PyDialect.td"
include "pyopt/Py/PyInterfaces.td"

class Py_Op<string mnemonic, list<Trait> traits = []>
    : Op<Py_Dialect, mnemonic, traits>;

/// An operation with `!py.object` operands and one `!py.object` result.
class Py_ValueOp<string mnemonic, list<Trait> traits = []>
    : Py_Op<mnemonic, traits> {
  let results = (outs Py_ObjectType:$result);
}

//===----------------------------------------------------------------------===//
// Module level: raw code, bindings, requests
//===----------------------------------------------------------------------===//

/// A string of any bytes, where other strings are text.
def Py_ByteStringAttr : StringBasedAttr<StrAttr.predicate, "string attribute">;

def Py_CodeOp : Py_Op<"code", [Symbol]> {
  let summary = "a CPython code object, not yet lifted";
  let description = [{
    Holds what a code object holds, field by field, with the bytes of its
    bytecode and tables as strings. Constants are builtin attributes where
    MLIR has them (`i64`, `f64`, strings, booleans, arrays for tuples), `#py`
    attributes otherwise, and symbol references for nested code. `globals`
    prefixes the bindings of its globals: the global `x` means the symbol
    `globals.x`, a free variable `y` means `sym_name.y`.
    `py-translate-bytecode` turns it into a `py.func`.

    Example:
    ```mlir
    py.code @f {argcount = 0 : i64, bytecode = "\97\00d\00S\00", consts = [#py.none], ...}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrAttr:$version,
    StrAttr:$globals,
    StrAttr:$filename,
    StrAttr:$qualname,
    I64Attr:$firstlineno,
    I64Attr:$argcount,
    I64Attr:$posonlyargcount,
    I64Attr:$kwonlyargcount,
    I64Attr:$flags,
    I64Attr:$stacksize,
    Py_ByteStringAttr:$bytecode,
    ArrayAttr:$consts,
    StrArrayAttr:$names,
    StrArrayAttr:$localsplusnames,
    Py_ByteStringAttr:$localspluskinds,
    Py_ByteStringAttr:$linetable,
    Py_ByteStringAttr:$exceptiontable,
    OptionalAttr<ArrayAttr>:$defaults,
    OptionalAttr<DictionaryAttr>:$kwdefaults,
    OptionalAttr<DictionaryAttr>:$options);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Py_BindingOp : Py_Op<"binding", [Symbol]> {
  let summary = "what a global name or a free variable means";
  let description = [{
    The value is a constant (`i64`, `f64`, `i1`, string, `#py.none`, an array
    for a tuple, a dense resource for a frozen array), or `#py.module`,
    `#py.named`, `#py.function`, `#py.stencil`, `#py.object_code`, a type, `#py.opaque`.

    Example:
    ```mlir
    py.binding @"__main__.np" = #py.module<"numpy">
    py.binding @"__main__.N" = 10 : i64
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$value);
  let assemblyFormat = "$sym_name `=` $value attr-dict";
  let hasVerifier = 1;
}

def Py_SpecializeOp : Py_Op<"specialize", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "asks inference for one specialisation of a function";
  let description = [{
    `infer-types` makes a `func.func` named `entry` for the given argument
    types and, where it is given, checks and casts to the result type.

    Example:
    ```mlir
    py.specialize @add(si64, f64) as @add.1
    py.specialize @norm(!typed.array<1, f64, C>) -> f64 as @norm.1
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    TypeArrayAttr:$arguments,
    OptionalAttr<TypeAttr>:$result_type,
    FlatSymbolRefAttr:$entry);
  let assemblyFormat = [{
    $callee `` custom<TypeList>($arguments) (`->` $result_type^)? `as` $entry attr-dict
  }];
}

def Py_FunctionKind : I32EnumAttr<"FunctionKind", "what a call of a function makes", [
    I32EnumAttrCase<"Function", 0, "function">, I32EnumAttrCase<"Generator", 1, "generator">,
    I32EnumAttrCase<"Coroutine", 2, "coroutine">,
    I32EnumAttrCase<"AsyncGenerator", 3, "async_generator">]> {
  let cppNamespace = "::pyopt::py";
  let genSpecializedAttr = 0;
}
def Py_FunctionKindAttr : EnumAttr<Py_Dialect, Py_FunctionKind, "function_kind">;

def Py_FuncOp : Py_Op<"func", [
    AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a lifted Python function";
  let description = [{
    Its parameters are the code object's in order: positional ones,
    keyword-only ones, `*args`, `**kwargs`; `arg_names` names them. Result:
    one `!py.object`.

    `kind` says what a call makes: the result itself, or a generator,
    coroutine or asynchronous generator whose first resumption begins at the
    entry. `freevars` names the free variables in the order of the closure;
    `namespaced` marks the body of a class or module, which runs in a mapping
    of names (`py.namespace`). `requested_types` are the types of the parameters
    where all requests agree on them (`py-fixup-args`).

    Example:
    ```mlir
    py.func @add(%a, %b) attributes {arg_names = ["a", "b"], globals = "__main__"} {
      %0 = py.binary add %a, %b
      py.return %0
    }
    py.func generator @once(%a) attributes {arg_names = ["a"], globals = "__main__"} {
      %sent = py.yield %a
      py.return %sent
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    DefaultValuedAttr<Py_FunctionKindAttr, "FunctionKind::Function">:$kind,
    StrArrayAttr:$arg_names,
    StrAttr:$globals,
    OptionalAttr<StrArrayAttr>:$freevars,
    UnitAttr:$namespaced,
    DefaultValuedAttr<I64Attr, "0">:$kwonlyargcount,
    DefaultValuedAttr<I64Attr, "0">:$posonlyargcount,
    UnitAttr:$varargs,
    UnitAttr:$varkeywords,
    OptionalAttr<ArrayAttr>:$defaults,
    OptionalAttr<DictionaryAttr>:$kwdefaults,
    OptionalAttr<DictionaryAttr>:$options,
    OptionalAttr<TypeArrayAttr>:$requested_types,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 0;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Py_ConstantOp : Py_ValueOp<"constant", [ConstantLike, Pure]> {
  let summary = "a constant of the code object";
  let description = [{
    Example: `%0 = py.constant 1 : i64`, `%1 = py.constant #py.none`.
  }];
  let arguments = (ins AnyAttr:$value);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

def Py_UnaryKind : I32EnumAttr<"UnaryKind", "a unary operator", [
    I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Pos", 1, "pos">,
    I32EnumAttrCase<"Invert", 2, "invert">, I32EnumAttrCase<"Not", 3, "not">]> {
  let cppNamespace = "::pyopt::py";
  let genSpecializedAttr = 0;
}
def Py_UnaryKindAttr : EnumAttr<Py_Dialect, Py_UnaryKind, "unary_kind">;

def Py_BinaryKind : I32EnumAttr<"BinaryKind", "a binary operator", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"TrueDiv", 3, "truediv">,
    I32EnumAttrCase<"FloorDiv", 4, "floordiv">, I32EnumAttrCase<"Mod", 5, "mod">,
    I32EnumAttrCase<"Pow", 6, "pow">, I32EnumAttrCase<"MatMul", 7, "matmul">,
    I32EnumAttrCase<"And", 8, "and">, I32EnumAttrCase<"Or", 9, "or">,
    I32EnumAttrCase<"Xor", 10, "xor">, I32EnumAttrCase<"LShift", 11, "lshift">,
    I32EnumAttrCase<"RShift", 12, "rshift">]> {
  let cppNamespace = "::pyopt::py";
  let genSpecializedAttr = 0;
}
def Py_BinaryKindAttr : EnumAttr<Py_Dialect, Py_BinaryKind, "binary_kind">;

def Py_CompareKind : I32EnumAttr<"CompareKind", "a rich comparison", [
    I32EnumAttrCase<"Lt", 0, "lt">, I32EnumAttrCase<"Le", 1, "le">,
    I32EnumAttrCase<"Eq", 2, "eq">, I32EnumAttrCase<"Ne", 3, "ne">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::pyopt::py";
  let genSpecializedAttr = 0;
}
def Py_CompareKindAttr : EnumAttr<Py_Dialect, Py_CompareKind, "compare_kind">;

def Py_UnaryOp : Py_ValueOp<"unary"> {
  let summary = "a unary operator";
  let description = "Example: `%1 = py.unary neg %0`";
  let arguments = (ins Py_UnaryKindAttr:$kind, Py_ObjectType:$operand);
  let assemblyFormat = "`` $kind $operand attr-dict";
}

def Py_BinaryOp : Py_ValueOp<"binary"> {
  let summary = "a binary operator";
  let description = "Example: `%2 = py.binary add %0, %1`";
  let arguments = (ins Py_BinaryKindAttr:$kind, Py_ObjectType:$lhs, Py_ObjectType:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict";
}

def Py_InplaceOp : Py_ValueOp<"inplace"> {
  let summary = "an in-place operator: may change its left operand, gives the value to rebind";
  let description = "Example: `%2 = py.inplace add %0, %1`";
  let arguments = (ins Py_BinaryKindAttr:$kind, Py_ObjectType:$lhs, Py_ObjectType:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict";
}

def Py_CompareOp : Py_ValueOp<"compare"> {
  let summary = "a rich comparison";
  let description = "Example: `%2 = py.compare lt %0, %1`";
  let arguments = (ins Py_CompareKindAttr:$kind, Py_ObjectType:$lhs, Py_ObjectType:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict";
}

def Py_ContainsOp : Py_ValueOp<"contains"> {
  let summary = "`item in container`, or `not in`";
  let arguments = (ins UnitAttr:$negated, Py_ObjectType:$item, Py_ObjectType:$container);
  let assemblyFormat = "(`not` $negated^)? $item `in` $container attr-dict";
}

def Py_IsOp : Py_ValueOp<"is", [Pure]> {
  let summary = "identity: `a is b`, or `is not`";
  let arguments = (ins UnitAttr:$negated, Py_ObjectType:$lhs, Py_ObjectType:$rhs);
  let assemblyFormat = "(`not` $negated^)? $lhs `,` $rhs attr-dict";
  let hasFolder = 1;
}

def Py_TruthOp : Py_Op<"truth"> {
  let summary = "the truth value, as a branch asks for it";
  let arguments = (ins Py_ObjectType:$operand);
  let results = (outs I1:$result);
  let assemblyFormat = "$operand attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Attributes and items
//===----------------------------------------------------------------------===//

def Py_GetAttrOp : Py_ValueOp<"getattr"> {
  let summary = "`object.name`";
  let description = [{Example: `%1 = py.getattr %0 "shape"`}];
  let arguments = (ins Py_ObjectType:$object, StrAttr:$name);
  let assemblyFormat = "$object $name attr-dict";
}

def Py_SetAttrOp : Py_Op<"setattr"> {
  let summary = "`object.name = value`";
  let arguments = (ins Py_ObjectType:$object, StrAttr:$name, Py_ObjectType:$value);
  let assemblyFormat = "$object $name `=` $value attr-dict";
}

def Py_DelAttrOp : Py_Op<"delattr"> {
  let summary = "`del object.name`";
  let arguments = (ins Py_ObjectType:$object, StrAttr:$name);
  let assemblyFormat = "$object $name attr-dict";
}

def Py_GetItemOp : Py_ValueOp<"getitem"> {
  let summary = "`object[index]`";
  let arguments = (ins Py_ObjectType:$object, Py_ObjectType:$index);
  let assemblyFormat = "$object `[` $index `]` attr-dict";
}

def Py_SetItemOp : Py_Op<"setitem"> {
  let summary = "`object[index] = value`";
  let arguments = (ins Py_ObjectType:$object, Py_ObjectType:$index, Py_ObjectType:$value);
  let assemblyFormat = "$object `[` $index `]` `=` $value attr-dict";
}

def Py_DelItemOp : Py_Op<"delitem"> {
  let summary = "`del object[index]`";
  let arguments = (ins Py_ObjectType:$object, Py_ObjectType:$index);
  let assemblyFormat = "$object `[` $index `]` attr-dict";
}

def Py_SliceOp : Py_ValueOp<"slice", [Pure]> {
  let summary = "a slice object";
  let description = "Parts that the source leaves out are the constant None.";
  let arguments = (ins Py_ObjectType:$start, Py_ObjectType:$stop, Py_ObjectType:$step);
  let assemblyFormat = "$start `,` $stop `,` $step attr-dict";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Py_CallOp : Py_ValueOp<"call"> {
  let summary = "a call with positional and keyword arguments";
  let description = [{
    The last `keywords` of the arguments are passed by those names.

    Example: `%3 = py.call %f(%0, %1, %2) keywords ["dtype"]`
  }];
  let arguments = (ins Py_ObjectType:$callee, Variadic<Py_ObjectType>:$args,
                       OptionalAttr<StrArrayAttr>:$keywords);
  let assemblyFormat = "$callee `(` $args `)` (`keywords` $keywords^)? attr-dict";
  let hasVerifier = 1;
}

def Py_CallExOp : Py_ValueOp<"call_ex"> {
  let summary = "a call with `*args` and maybe `**kwargs`";
  let arguments = (ins Py_ObjectType:$callee, Py_ObjectType:$args,
                       Optional<Py_ObjectType>:$kwargs);
  let assemblyFormat = "$callee `(` `args` $args (`,` `kwargs` $kwargs^)? `)` attr-dict";
}

def Py_MakeFunctionOp : Py_ValueOp<"make_function"> {
  let summary = "makes a function object of nested code";
  let description = [{
    Operands: the tuple of defaults (1), the dict of keyword-only defaults (2),
    the function that makes the annotations (16), the annotations (4) and the
    tuple of closure cells (8), each where the flag is set.
  }];
  let arguments = (ins FlatSymbolRefAttr:$code, I64Attr:$flags, Variadic<Py_ObjectType>:$parts);
  let assemblyFormat = "$code `flags` $flags `(` $parts `)` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

def Py_BoolOp : Py_ValueOp<"bool", [Pure]> {
  let summary = "True or False";
  let arguments = (ins I1:$value);
  let assemblyFormat = "$value attr-dict";
}

include "pyopt/Py/PyContainerOps.td"
include "pyopt/Py/PyFlowOps.td"
include "pyopt/Py/PyGeneratorOps.td"
include "pyopt/Py/PyScopeOps.td"
include "pyopt/Py/PyFrameOps.td"

#endif // PYOPT_PY_OPS_TD
