//===- TypedOps.td - The operations of the typed dialect ------------------===//

#ifndef PYOPT_TYPED_OPS_TD
#define PYOPT_TYPED_OPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "pyopt/Interfaces/Interfaces.td"
include "pyopt/Typed/TypedDialect.td"

class Typed_Op<string mnemonic, list<Trait> traits = []>
    : Op<Typed_Dialect, mnemonic, traits>;

/// Reference counts: acquire and release are ordered among themselves.
def Typed_OwnerResource : Resource<"::pyopt::typed::OwnerResource">;

/// What a debugger shows: assignments of variables are ordered among themselves.
def Typed_DebuggerResource : Resource<"::pyopt::typed::DebuggerResource">;

/// The class of an exception.
/// A 64-bit int: `si64`, which the lowering makes `i64`.
def Typed_Word : AnyTypeOf<[SI64, I64], "64-bit int">;

def Typed_ExceptionClass : AnyAttrOf<[StrAttr, StrArrayAttr],
    "the name of a builtin class, or the names of another one and its bases">;

def Typed_IndexLike : AnyTypeOf<[AnyInteger, Index], "an integer or index">;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

def Typed_ConstantOp : Typed_Op<"constant", [ConstantLike, Pure]> {
  let summary = "a number, bool or str constant";
  let description = [{
    Example: `%0 = typed.constant 1 : si64`, `%1 = typed.constant 2.5 : f64`,
    `%2 = typed.constant "abc" : !typed.str`
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<ConstantValue>($value, type($result)) attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_ConstantArrayOp : Typed_Op<"constant_array", [Pure]> {
  let summary = "an array that was frozen when the function was compiled";
  let description = [{
    Nobody owns it and nobody may write to it: its elements are part of the
    machine code.

    Example: `%0 = typed.constant_array dense<[1.0, 2.0]> : tensor<2xf64>
    to !typed.array<1, f64, C, readonly>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "$value `to` qualified(type($result)) attr-dict";
  let hasVerifier = 1;
}

def Typed_SingletonOp : Typed_Op<"singleton", [Pure]> {
  let summary = "the one value of a type that holds no data at run time";
  let description = "Example: `%0 = typed.singleton : !typed.none`";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Typed_CastOp : Typed_Op<"cast", [Pure]> {
  let summary = "converts a number between types, as NumPy's astype does";
  let description = [{
    Integers wrap; floats to integers truncate (a value out of range gives an
    unspecified number, never undefined behaviour); to `i1` is `!= 0`.

    Example: `%1 = typed.cast %0 : si64 to f64`
  }];
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_TicksOp : Typed_Op<"ticks", [Pure]> {
  let summary = "a datetime or timedelta as the number of its units, or back";
  let description = [{
    NaT is the least integer.

    Example: `%1 = typed.ticks %0 : !typed.datetime64<D> to si64`
  }];
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_BinaryKind : I32EnumAttr<"BinaryKind", "an arithmetic operator", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"TrueDiv", 3, "truediv">,
    I32EnumAttrCase<"FloorDiv", 4, "floordiv">, I32EnumAttrCase<"Mod", 5, "mod">,
    I32EnumAttrCase<"Pow", 6, "pow">, I32EnumAttrCase<"And", 7, "and">,
    I32EnumAttrCase<"Or", 8, "or">, I32EnumAttrCase<"Xor", 9, "xor">,
    I32EnumAttrCase<"LShift", 10, "lshift">, I32EnumAttrCase<"RShift", 11, "rshift">,
    I32EnumAttrCase<"Min", 12, "min">, I32EnumAttrCase<"Max", 13, "max">,
    I32EnumAttrCase<"Atan2", 14, "atan2">, I32EnumAttrCase<"Hypot", 15, "hypot">,
    I32EnumAttrCase<"CopySign", 16, "copysign">, I32EnumAttrCase<"Fmod", 17, "fmod">,
    I32EnumAttrCase<"NextAfter", 18, "nextafter">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_BinaryKindAttr : EnumAttr<Typed_Dialect, Typed_BinaryKind, "binary_kind">;

def Typed_UnaryKind : I32EnumAttr<"UnaryKind", "a unary operator or elementary function", [
    I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Invert", 1, "invert">,
    I32EnumAttrCase<"Abs", 2, "abs">, I32EnumAttrCase<"Sqrt", 3, "sqrt">,
    I32EnumAttrCase<"Exp", 4, "exp">, I32EnumAttrCase<"Log", 5, "log">,
    I32EnumAttrCase<"Sin", 6, "sin">, I32EnumAttrCase<"Cos", 7, "cos">,
    I32EnumAttrCase<"Tan", 8, "tan">, I32EnumAttrCase<"Asin", 9, "asin">,
    I32EnumAttrCase<"Acos", 10, "acos">, I32EnumAttrCase<"Atan", 11, "atan">,
    I32EnumAttrCase<"Sinh", 12, "sinh">, I32EnumAttrCase<"Cosh", 13, "cosh">,
    I32EnumAttrCase<"Tanh", 14, "tanh">, I32EnumAttrCase<"Asinh", 15, "asinh">,
    I32EnumAttrCase<"Acosh", 16, "acosh">, I32EnumAttrCase<"Atanh", 17, "atanh">,
    I32EnumAttrCase<"Log2", 18, "log2">, I32EnumAttrCase<"Log10", 19, "log10">,
    I32EnumAttrCase<"Log1p", 20, "log1p">, I32EnumAttrCase<"Expm1", 21, "expm1">,
    I32EnumAttrCase<"Exp2", 22, "exp2">, I32EnumAttrCase<"Cbrt", 23, "cbrt">,
    I32EnumAttrCase<"Floor", 24, "floor">, I32EnumAttrCase<"Ceil", 25, "ceil">,
    I32EnumAttrCase<"Trunc", 26, "trunc">, I32EnumAttrCase<"Rint", 27, "rint">,
    I32EnumAttrCase<"Erf", 28, "erf">, I32EnumAttrCase<"Erfc", 29, "erfc">,
    I32EnumAttrCase<"IsNan", 30, "isnan">, I32EnumAttrCase<"IsInf", 31, "isinf">,
    I32EnumAttrCase<"IsFinite", 32, "isfinite">, I32EnumAttrCase<"Real", 33, "real">,
    I32EnumAttrCase<"Imag", 34, "imag">, I32EnumAttrCase<"Conj", 35, "conj">,
    I32EnumAttrCase<"Sign", 36, "sign">, I32EnumAttrCase<"Gamma", 37, "gamma">,
    I32EnumAttrCase<"LogGamma", 38, "lgamma">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_UnaryKindAttr : EnumAttr<Typed_Dialect, Typed_UnaryKind, "unary_kind">;

def Typed_CompareKind : I32EnumAttr<"CompareKind", "a comparison", [
    I32EnumAttrCase<"Lt", 0, "lt">, I32EnumAttrCase<"Le", 1, "le">,
    I32EnumAttrCase<"Eq", 2, "eq">, I32EnumAttrCase<"Ne", 3, "ne">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_CompareKindAttr : EnumAttr<Typed_Dialect, Typed_CompareKind, "compare_kind">;

def Typed_BinaryOp : Typed_Op<"binary", [
    Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<CostOpInterface, ["getCost"]>]> {
  let summary = "an arithmetic operator on two values of one type";
  let description = [{
    Total, as NumPy's scalar operations are: integers wrap, `x // 0` and
    `x % 0` of integers are 0, a shift by the width or more gives 0 (or the
    sign), float division follows IEEE. Python's errors are `typed.raise_if`
    operations beside it. `floordiv` and `mod` round toward minus infinity;
    `min` and `max` are Python's: the first operand unless the second is
    smaller (larger).

    Example: `%2 = typed.binary add %0, %1 : f64`
  }];
  let arguments = (ins Typed_BinaryKindAttr:$kind, AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_UnaryOp : Typed_Op<"unary", [
    Pure, DeclareOpInterfaceMethods<CostOpInterface, ["getCost"]>]> {
  let summary = "a unary operator or elementary function";
  let description = [{
    The result has the operand's type, but for `isnan`, `isinf`, `isfinite`
    (`i1`) and `abs`, `real`, `imag` of a complex number (its float).

    Example: `%1 = typed.unary sqrt %0 : f64`, `%2 = typed.unary isnan %0 : f64 -> i1`
  }];
  let arguments = (ins Typed_UnaryKindAttr:$kind, AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `` $kind $operand attr-dict `:` custom<SameOrResult>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}

def Typed_CompareOp : Typed_Op<"compare", [Pure, SameTypeOperands]> {
  let summary = "compares two values of one type";
  let description = "Ordered but for `ne`, which is true of NaN. Strings compare by code points.";
  let arguments = (ins Typed_CompareKindAttr:$kind, AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Errors and calls
//===----------------------------------------------------------------------===//

def Typed_RaiseOp : Typed_Op<"raise", [Terminator, Raises]> {
  let summary = "raises an exception: leaves the function";
  let description = [{
    Example: `typed.raise "ValueError"("x cannot be zero")`
  }];
  let arguments = (ins Typed_ExceptionClass:$exception, OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "custom<ExceptionClass>($exception) (`(` $message^ `)`)? attr-dict";
}

def Typed_RaiseIfOp : Typed_Op<"raise_if", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>, ReleasingOpInterface,
    CostOpInterface, MemoryEffects<[MemWrite<ErrorResource>]>]> {
  let summary = "raises an exception when the condition holds";
  let description = [{
    Beside `values` the message is a template: each `{}` in it stands for one of
    them, and the host writes the text when it makes the exception. Without
    values it is the text itself. `shape_error` marks the error that shapes
    don't broadcast, which is the same whichever operation raises it first.
    `owned` are the values that hold references when the exception leaves:
    `typed-insert-ownership` fills it.

    Examples:
    ```mlir
    typed.raise_if %c, "ZeroDivisionError"("division by zero")
    typed.raise_if %c, "IndexError"("index {} is out of bounds for axis 0 with size {}")
      with (%i, %n : si64, si64)
    ```
  }];
  let arguments = (ins I1:$condition, Typed_ExceptionClass:$exception,
                       OptionalAttr<StrAttr>:$message, UnitAttr:$shape_error,
                       Variadic<Typed_Word>:$values, Variadic<AnyType>:$owned);
  let assemblyFormat = [{
    $condition `,` custom<ExceptionClass>($exception) (`(` $message^ `)`)?
    (`with` `(` $values^ `:` type($values) `)`)?
    (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def Typed_CallOp : Typed_Op<"call", [
    AttrSizedOperandSegments, RaisingOpInterface, ReleasingOpInterface, OwnershipOpInterface,
    DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function that may raise";
  let description = [{
    What the callee raises leaves the caller too, after the release of
    `owned`.

    Example: `%1 = typed.call @f(%0) : (si64) -> f64`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs,
                       Variadic<AnyType>:$owned,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict `:`
    functional-type($inputs, $results)
  }];
}

def Typed_StackExhaustedOp : Typed_Op<"stack_exhausted", [Pure]> {
  let summary = "whether the thread's stack is nearly used up";
  let description = [{
    What is left is enough for functions that call no others in turn. The
    answer is the same for the whole run of a function.

    Example: `%full = typed.stack_exhausted`
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def Typed_VariableOp : Typed_Op<"variable", [MemoryEffects<[MemWrite<Typed_DebuggerResource>]>]> {
  let summary = "a variable of the program gets a value, for debuggers";
  let description = [{
    It is there where debug information was asked for. Before inference the
    value is an object; behind it `type` is the value's type, which stays when
    the value becomes several. `argument` is the position of a parameter, from
    one.

    Example: `typed.variable "x" argument 1 (%0) : f64 as f64`
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$argument,
                       Variadic<AnyType>:$value, OptionalAttr<TypeAttr>:$type);
  let assemblyFormat = [{
    $name (`argument` $argument^)? `(` $value `)` attr-dict (`:` type($value)^)? (`as` $type^)?
  }];
}

//===----------------------------------------------------------------------===//
// Tuples, locals, ranges, iteration, strings
//===----------------------------------------------------------------------===//

def Typed_TupleOp : Typed_Op<"tuple", [Pure]> {
  let summary = "makes a tuple";
  let description = "Example: `%t = typed.tuple(%a, %b) : tuple<si64, f64>`";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "`(` $elements `)` attr-dict `:` custom<TupleOf>(type($elements), type($result))";
  let hasVerifier = 1;
}

def Typed_AsSequenceOp : Typed_Op<"as_sequence", [
    Pure,
    TypesMatchWith<"the items are those of the sequence", "result", "items",
                   "::llvm::cast<::pyopt::typed::SequenceType>($_self).getItems()">]> {
  let summary = "a tuple as a named tuple or list of its items";
  let description = "Example: `%l = typed.as_sequence %t : !typed.sequence<tuple<f64>, #py.named<\"builtins.list\">>`";
  let arguments = (ins AnyTuple:$items);
  let results = (outs Typed_SequenceType:$result);
  let assemblyFormat = "$items attr-dict `:` qualified(type($result))";
}

def Typed_AsTupleOp : Typed_Op<"as_tuple", [
    Pure,
    TypesMatchWith<"the items are those of the sequence", "sequence", "result",
                   "::llvm::cast<::pyopt::typed::SequenceType>($_self).getItems()">]> {
  let summary = "the items of a named tuple or list as a tuple";
  let description = "Example: `%t = typed.as_tuple %l : !typed.sequence<tuple<f64>, #py.named<\"builtins.list\">>`";
  let arguments = (ins Typed_SequenceType:$sequence);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "$sequence attr-dict `:` qualified(type($sequence))";
  let hasFolder = 1;
}

def Typed_TupleGetOp : Typed_Op<"tuple_get", [Pure]> {
  let summary = "an element of a tuple at a constant position";
  let description = "Example: `%0 = typed.tuple_get %t[1] : tuple<si64, f64> -> f64`";
  let arguments = (ins AnyTuple:$tuple, I64Attr:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tuple `[` $position `]` attr-dict `:` type($tuple) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_TupleItemOp : Typed_Op<"tuple_item", [Pure]> {
  let summary = "an element of a tuple of one type, at a run-time position";
  let description = [{
    The position is in range (checks stand before it, wrap-around is done).
  }];
  let arguments = (ins AnyTuple:$tuple, Typed_IndexLike:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $tuple `[` $position `:` type($position) `]` attr-dict `:` type($tuple) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Typed_UnboundOp : Typed_Op<"unbound", [Pure]> {
  let summary = "a local variable without a value";
  let results = (outs Typed_UnboundType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Typed_BindOp : Typed_Op<"bind", [Pure]> {
  let summary = "a local variable that has this value";
  let arguments = (ins AnyType:$value);
  let results = (outs Typed_UnboundType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_IsBoundOp : Typed_Op<"is_bound", [Pure]> {
  let summary = "whether a local variable has a value";
  let arguments = (ins Typed_UnboundType:$local);
  let results = (outs I1:$result);
  let assemblyFormat = "$local attr-dict `:` qualified(type($local))";
  let hasFolder = 1;
}

def Typed_BoundValueOp : Typed_Op<"bound_value", [Pure]> {
  let summary = "the value of a local variable; arbitrary when it has none";
  let arguments = (ins Typed_UnboundType:$local);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$local attr-dict `:` qualified(type($local)) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_OptionalNoneOp : Typed_Op<"optional_none", [Pure]> {
  let summary = "None where a value could be";
  let results = (outs Typed_OptionalType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Typed_OptionalSomeOp : Typed_Op<"optional_some", [Pure]> {
  let summary = "a value where None could be";
  let arguments = (ins AnyType:$value);
  let results = (outs Typed_OptionalType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_IsSomeOp : Typed_Op<"is_some", [Pure]> {
  let summary = "whether an optional is not None";
  let arguments = (ins Typed_OptionalType:$optional);
  let results = (outs I1:$result);
  let assemblyFormat = "$optional attr-dict `:` qualified(type($optional))";
  let hasFolder = 1;
}

def Typed_OptionalValueOp : Typed_Op<"optional_value", [Pure]> {
  let summary = "the value of an optional; arbitrary when it is None";
  let arguments = (ins Typed_OptionalType:$optional);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$optional attr-dict `:` qualified(type($optional)) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_RangeOp : Typed_Op<"range", [
    Pure,
    TypesMatchWith<"start has the element type of the range", "result", "start",
                   "::llvm::cast<::pyopt::typed::RangeType>($_self).getElement()">,
    TypesMatchWith<"stop has the element type of the range", "result", "stop",
                   "::llvm::cast<::pyopt::typed::RangeType>($_self).getElement()">,
    TypesMatchWith<"step has the element type of the range", "result", "step",
                   "::llvm::cast<::pyopt::typed::RangeType>($_self).getElement()">]> {
  let summary = "a range object";
  let description = [{
    The step is not zero (a check stands before it). `parallel` is
    `prange`: its iterations may run in any order.

    Example: `%r = typed.range(%a, %b, %c) : !typed.range<si64>`
  }];
  let arguments = (ins AnyInteger:$start, AnyInteger:$stop, AnyInteger:$step, UnitAttr:$parallel);
  let results = (outs Typed_RangeType:$result);
  let assemblyFormat = "(`parallel` $parallel^)? `(` $start `,` $stop `,` $step `)` attr-dict `:` qualified(type($result))";
}

def Typed_RangeGetOp : Typed_Op<"range_get", [
    Pure,
    TypesMatchWith<"result has the element type of the range", "range", "result",
                   "::llvm::cast<::pyopt::typed::RangeType>($_self).getElement()">]> {
  let summary = "a part of a range: 0 is its start, 1 its stop, 2 its step";
  let description = "Example: `%0 = typed.range_get %r[2] : !typed.range<si64>`";
  let arguments = (ins Typed_RangeType:$range,
                       ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<2>]>:$position);
  let results = (outs AnyInteger:$result);
  let assemblyFormat = "$range `[` $position `]` attr-dict `:` qualified(type($range))";
  let hasFolder = 1;
}

def Typed_SliceGetOp : Typed_Op<"slice_get", [Pure]> {
  let summary = "a part of a slice: 0 is its start, 1 its stop, 2 its step";
  let description = "Example: `%0 = typed.slice_get %s[1] : !typed.slice<si64, si64, !typed.none> -> si64`";
  let arguments = (ins Typed_SliceType:$slice,
                       ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<2>]>:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $slice `[` $position `]` attr-dict `:` qualified(type($slice)) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Typed_LenOp : Typed_Op<"len", [Pure]> {
  let summary = "the number of items of a range, str, or the first dimension of an array";
  let arguments = (ins AnyType:$operand);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_ItemOp : Typed_Op<"item", [NoMemoryEffect]> {
  let summary = "an item of a range or str, by position";
  let description = [{
    The position is in range (checks stand before it, wrap-around is done).
    An item of a str is a str of length one.
  }];
  let arguments = (ins AnyType:$operand, Typed_IndexLike:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $operand `[` $position `:` type($position) `]` attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Typed_IterOp : Typed_Op<"iter", [
    MemoryEffects<[MemAlloc]>,
    TypesMatchWith<"result iterates over the operand", "iterable", "result",
                   "::pyopt::typed::IterType::get($_ctxt, $_self)">]> {
  let summary = "an iterator";
  let arguments = (ins AnyType:$iterable);
  let results = (outs Typed_IterType:$result);
  let assemblyFormat = "$iterable attr-dict `:` type($iterable)";
}

def Typed_ReversedOp : Typed_Op<"reversed", [
    MemoryEffects<[MemAlloc]>,
    TypesMatchWith<"result iterates over the operand from its end", "iterable", "result",
                   "::pyopt::typed::IterType::get($_ctxt, "
                   "::pyopt::typed::ReversedType::get($_ctxt, $_self))">]> {
  let summary = "an iterator that starts at the end";
  let arguments = (ins AnyType:$iterable);
  let results = (outs Typed_IterType:$result);
  let assemblyFormat = "$iterable attr-dict `:` type($iterable)";
}

def Typed_EnumerateOp : Typed_Op<"enumerate", [
    MemoryEffects<[MemAlloc]>,
    TypesMatchWith<"result iterates over what the operand does", "iterator", "result",
                   "::pyopt::typed::IterType::get($_ctxt, ::pyopt::typed::EnumerateType::get("
                   "$_ctxt, ::llvm::cast<::pyopt::typed::IterType>($_self).getIterable()))">]> {
  let summary = "an iterator over pairs of a count and an item";
  let description = [{
    It takes the iterator over: nothing else may use that.

    Example: `%2 = typed.enumerate %1 from %0 : si64, !typed.iter<!typed.array<1, f64, C>>`
  }];
  let arguments = (ins Typed_IterType:$iterator, AnyInteger:$start);
  let results = (outs Typed_IterType:$result);
  let assemblyFormat = "$iterator `from` $start `:` type($start) `,` qualified(type($iterator)) attr-dict";
}

def Typed_ZipOp : Typed_Op<"zip", [MemoryEffects<[MemAlloc]>]> {
  let summary = "an iterator over tuples of one item of each operand, as long as all have one";
  let description = [{
    It takes the iterators over: nothing else may use them.

    Example:
    ```mlir
    %2 = typed.zip %0, %1 : (!typed.iter<!typed.range<si64>>, !typed.iter<!typed.str>)
        -> !typed.iter<!typed.zip<tuple<!typed.range<si64>, !typed.str>>>
    ```
  }];
  let arguments = (ins Variadic<Typed_IterType>:$iterators);
  let results = (outs Typed_IterType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Typed_ForIterOp : Typed_Op<"for_iter", [
    Terminator, AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "takes the next item of an iterator, or leaves the loop";
  let description = [{
    The item is the first argument of the body block. `typed-range-to-for`
    makes counted loops of it.

    Example: `typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit`
  }];
  let arguments = (ins Typed_IterType:$iterator, Variadic<AnyType>:$body_operands,
                       Variadic<AnyType>:$exit_operands);
  let successors = (successor AnySuccessor:$body, AnySuccessor:$exit);
  let assemblyFormat = [{
    $iterator `:` qualified(type($iterator)) `,`
    $body (`(` $body_operands^ `:` type($body_operands) `)`)? `,`
    $exit (`(` $exit_operands^ `:` type($exit_operands) `)`)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Ownership
//===----------------------------------------------------------------------===//

class Typed_OwnerOp<string mnemonic>
    : Typed_Op<mnemonic, [MemoryEffects<[MemWrite<Typed_OwnerResource>]>]> {
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Typed_AcquireOp : Typed_OwnerOp<"acquire"> {
  let summary = "one more reference to what the value owns";
}

def Typed_ReleaseOp : Typed_OwnerOp<"release"> {
  let summary = "one reference less; the last one frees";
}

include "pyopt/Typed/TypedArrayOps.td"
include "pyopt/Typed/TypedCOps.td"
include "pyopt/Typed/TypedExceptionOps.td"
include "pyopt/Typed/TypedGeneratorOps.td"
include "pyopt/Typed/TypedListOps.td"
include "pyopt/Typed/TypedStructOps.td"
include "pyopt/Typed/TypedTableOps.td"

#endif // PYOPT_TYPED_OPS_TD
