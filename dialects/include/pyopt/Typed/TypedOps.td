//===- TypedOps.td - The operations of the typed dialect ------------------===//

#ifndef PYOPT_TYPED_OPS_TD
#define PYOPT_TYPED_OPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pyopt/Typed/TypedDialect.td"

class Typed_Op<string mnemonic, list<Trait> traits = []>
    : Op<Typed_Dialect, mnemonic, traits>;

/// The error slot: raising writes to it, so that raising operations are
/// neither deleted nor reordered, while loads of arrays may still move.
def Typed_ErrorResource : Resource<"::pyopt::typed::ErrorResource">;
def Typed_Raises : MemoryEffects<[MemWrite<Typed_ErrorResource>]>;

/// Reference counts: acquire and release are ordered among themselves.
def Typed_OwnerResource : Resource<"::pyopt::typed::OwnerResource">;

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

def Typed_BinaryKind : I32EnumAttr<"BinaryKind", "an arithmetic operator", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>,
    I32EnumAttrCase<"mul", 2>, I32EnumAttrCase<"truediv", 3>,
    I32EnumAttrCase<"floordiv", 4>, I32EnumAttrCase<"mod", 5>,
    I32EnumAttrCase<"pow", 6>, I32EnumAttrCase<"And", 7, "and">,
    I32EnumAttrCase<"Or", 8, "or">, I32EnumAttrCase<"Xor", 9, "xor">,
    I32EnumAttrCase<"lshift", 10>, I32EnumAttrCase<"rshift", 11>,
    I32EnumAttrCase<"min", 12>, I32EnumAttrCase<"max", 13>,
    I32EnumAttrCase<"atan2", 14>, I32EnumAttrCase<"hypot", 15>,
    I32EnumAttrCase<"copysign", 16>, I32EnumAttrCase<"fmod", 17>]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_BinaryKindAttr : EnumAttr<Typed_Dialect, Typed_BinaryKind, "binary_kind">;

def Typed_UnaryKind : I32EnumAttr<"UnaryKind", "a unary operator or elementary function", [
    I32EnumAttrCase<"neg", 0>, I32EnumAttrCase<"invert", 1>,
    I32EnumAttrCase<"abs", 2>, I32EnumAttrCase<"sqrt", 3>,
    I32EnumAttrCase<"exp", 4>, I32EnumAttrCase<"log", 5>,
    I32EnumAttrCase<"sin", 6>, I32EnumAttrCase<"cos", 7>,
    I32EnumAttrCase<"tan", 8>, I32EnumAttrCase<"asin", 9>,
    I32EnumAttrCase<"acos", 10>, I32EnumAttrCase<"atan", 11>,
    I32EnumAttrCase<"sinh", 12>, I32EnumAttrCase<"cosh", 13>,
    I32EnumAttrCase<"tanh", 14>, I32EnumAttrCase<"asinh", 15>,
    I32EnumAttrCase<"acosh", 16>, I32EnumAttrCase<"atanh", 17>,
    I32EnumAttrCase<"log2", 18>, I32EnumAttrCase<"log10", 19>,
    I32EnumAttrCase<"log1p", 20>, I32EnumAttrCase<"expm1", 21>,
    I32EnumAttrCase<"exp2", 22>, I32EnumAttrCase<"cbrt", 23>,
    I32EnumAttrCase<"floor", 24>, I32EnumAttrCase<"ceil", 25>,
    I32EnumAttrCase<"trunc", 26>, I32EnumAttrCase<"rint", 27>,
    I32EnumAttrCase<"erf", 28>, I32EnumAttrCase<"erfc", 29>,
    I32EnumAttrCase<"isnan", 30>, I32EnumAttrCase<"isinf", 31>,
    I32EnumAttrCase<"isfinite", 32>, I32EnumAttrCase<"real", 33>,
    I32EnumAttrCase<"imag", 34>, I32EnumAttrCase<"conj", 35>,
    I32EnumAttrCase<"sign", 36>]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_UnaryKindAttr : EnumAttr<Typed_Dialect, Typed_UnaryKind, "unary_kind">;

def Typed_CompareKind : I32EnumAttr<"CompareKind", "a comparison", [
    I32EnumAttrCase<"lt", 0>, I32EnumAttrCase<"le", 1>,
    I32EnumAttrCase<"eq", 2>, I32EnumAttrCase<"ne", 3>,
    I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_CompareKindAttr : EnumAttr<Typed_Dialect, Typed_CompareKind, "compare_kind">;

def Typed_BinaryOp : Typed_Op<"binary", [Pure, SameOperandsAndResultType]> {
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

def Typed_UnaryOp : Typed_Op<"unary", [Pure]> {
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

def Typed_RaiseOp : Typed_Op<"raise", [Terminator, Typed_Raises]> {
  let summary = "raises an exception: leaves the function";
  let description = [{
    Example: `typed.raise "ValueError"("x cannot be zero")`
  }];
  let arguments = (ins StrAttr:$exception, OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "$exception (`(` $message^ `)`)? attr-dict";
}

def Typed_RaiseIfOp : Typed_Op<"raise_if", [Typed_Raises]> {
  let summary = "raises an exception when the condition holds";
  let description = [{
    `owned` are the values that hold references when the exception leaves:
    `typed-insert-ownership` fills it.

    Example: `typed.raise_if %c, "ZeroDivisionError"("division by zero")`
  }];
  let arguments = (ins I1:$condition, StrAttr:$exception, OptionalAttr<StrAttr>:$message,
                       Variadic<AnyType>:$owned);
  let assemblyFormat = [{
    $condition `,` $exception (`(` $message^ `)`)?
    (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
  }];
  let hasCanonicalizeMethod = 1;
}

def Typed_CallOp : Typed_Op<"call", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<CallOpInterface>,
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

def Typed_LenOp : Typed_Op<"len", [Pure]> {
  let summary = "the number of items of a range, str, or the first dimension of an array";
  let arguments = (ins AnyType:$operand);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_ItemOp : Typed_Op<"item", [MemoryEffects<[MemRead]>]> {
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
// Arrays
//===----------------------------------------------------------------------===//

def Typed_DimOp : Typed_Op<"dim", [Pure]> {
  let summary = "the size of one dimension";
  let description = "Example: `%n = typed.dim %a[0] : !typed.array<2, f64, C> -> si64`";
  let arguments = (ins Typed_ArrayType:$array, I64Attr:$dimension);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$array `[` $dimension `]` attr-dict `:` qualified(type($array)) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_LoadOp : Typed_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "an element of an array";
  let description = [{
    One index a dimension. With `wraparound` a negative index counts from the
    end; without it the index is known not to be negative.

    Example: `%x = typed.load %a[%i, %j] wraparound : !typed.array<2, f64, C>, si64, si64 -> f64`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Typed_IndexLike>:$indices,
                       UnitAttr:$wraparound);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $array `[` $indices `]` (`wraparound` $wraparound^)? attr-dict `:`
    qualified(type($array)) (`,` type($indices)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Typed_StoreOp : Typed_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "assigns an element of an array";
  let description = [{
    Example: `typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64`
  }];
  let arguments = (ins AnyType:$value, Typed_ArrayType:$array,
                       Variadic<Typed_IndexLike>:$indices, UnitAttr:$wraparound);
  let assemblyFormat = [{
    $value `,` $array `[` $indices `]` (`wraparound` $wraparound^)? attr-dict `:`
    type($value) `,` qualified(type($array)) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

def Typed_SliceOp : Typed_Op<"slice", [Pure]> {
  let summary = "a slice; parts that are left out are None";
  let arguments = (ins AnyType:$start, AnyType:$stop, AnyType:$step);
  let results = (outs Typed_SliceType:$result);
  let assemblyFormat = "$start `,` $stop `,` $step attr-dict `:` custom<SliceOf>(type($start), type($stop), type($step), type($result))";
  let hasVerifier = 1;
}

def Typed_ViewOp : Typed_Op<"view", [Pure]> {
  let summary = "basic indexing: a view of an array";
  let description = [{
    Subscripts, one a dimension in order: integers (which drop it, with
    wrap-around), slices, or None (`!typed.none`, a new dimension of size 1,
    which consumes none). Dimensions that are left over are kept whole. The
    view shares memory and owner.

    Example: `%v = typed.view %a[%s] : !typed.array<1, f64, C>, (!typed.slice<…>) -> !typed.array<1, f64, A>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<AnyType>:$subscripts);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `[` $subscripts `]` attr-dict `:` qualified(type($array)) (`,` `(` type($subscripts)^ `)`)? `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_TransposeOp : Typed_Op<"transpose", [Pure]> {
  let summary = "a view with the dimensions in another order";
  let description = [{
    The permutation says which dimension of the array each one of the view is;
    without it their order is reversed.

    Example: `%v = typed.transpose %a by [1, 0, 2] : !typed.array<3, f64, C> -> !typed.array<3, f64, A>`
  }];
  let arguments = (ins Typed_ArrayType:$array, OptionalAttr<DenseI64ArrayAttr>:$permutation);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array (`by` $permutation^)? attr-dict `:` qualified(type($array)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_ReshapeOp : Typed_Op<"reshape", [Pure]> {
  let summary = "the elements of a C-contiguous array under other sizes";
  let description = [{
    The view shares memory and owner. It has as many elements as the array:
    who makes it has checked that.

    Example: `%v = typed.reshape %a(%n, %m) : !typed.array<1, f64, C>, (si64, si64) -> !typed.array<2, f64, C>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Typed_IndexLike>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `(` $sizes `)` attr-dict `:` qualified(type($array)) `,` `(` type($sizes) `)` `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_EmptyOp : Typed_Op<"empty", [AttrSizedOperandSegments, MemoryEffects<[MemAlloc]>]> {
  let summary = "allocates an array, its elements undefined or zero";
  let description = [{
    Raises ValueError for a negative size and MemoryError when there is none.

    Example: `%a = typed.empty(%n, %m) zeroed : (si64, si64) -> !typed.array<2, f64, C>`
  }];
  let arguments = (ins Variadic<Typed_IndexLike>:$sizes, UnitAttr:$zeroed, Variadic<AnyType>:$owned);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    `(` $sizes `)` (`zeroed` $zeroed^)? (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
    `:` `(` type($sizes) `)` `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_GenerateOp : Typed_Op<"generate", [
    Typed_Raises, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a fresh array whose element at each index the region computes";
  let description = [{
    `np.full`, `np.ones`, `np.arange`, `np.linspace`: the region takes one
    `index` a dimension.

    Example:
    ```mlir
    %a = typed.generate(%n : si64) {
    ^bb0(%i: index):
      %x = typed.cast %i : index to f64
      typed.yield %x : f64
    } : !typed.array<1, f64, C>
    ```
  }];
  let arguments = (ins Variadic<Typed_IndexLike>:$sizes);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Res<Typed_ArrayType, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` ($sizes^ `:` type($sizes))? `)` $body attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_ArrayExprOp : Typed_Op<"array_expr", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "an elementwise expression over arrays and scalars";
  let description = [{
    NumPy broadcasting: the operands' shapes are aligned at their last
    dimensions, size 1 repeats; sizes that don't fit raise ValueError. The
    region takes one element of each array and each scalar and gives the
    element of the fresh result. `typed-array-expr` makes one of a tree.

    Example:
    ```mlir
    %r = typed.array_expr(%a, %b) {
    ^bb0(%x: f64, %y: f64):
      %z = typed.binary mul %x, %y : f64
      typed.yield %z : f64
    } : (!typed.array<1, f64, C>, f64) -> !typed.array<1, f64, C>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "`(` $inputs `)` $body attr-dict `:` functional-type($inputs, $result)";
  let hasVerifier = 1;
}

def Typed_BroadcastSizeOp : Typed_Op<"broadcast_size", [Pure, Commutative]> {
  let summary = "the size that two sizes broadcast to: the other one where one is 1";
  let description = [{
    Says nothing of sizes that don't fit: `typed.broadcast` raises for them.

    Example: `%n = typed.broadcast_size %a, %b`
  }];
  let arguments = (ins Index:$lhs, Index:$rhs);
  let results = (outs Index:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
}

def Typed_BroadcastOp : Typed_Op<"broadcast", [
    AttrSizedOperandSegments, MemoryEffects<[MemAlloc, MemRead, MemWrite<Typed_ErrorResource>]>]> {
  let summary = "the array with exactly these sizes, its dimensions of size 1 repeated";
  let description = [{
    The same array where it has the sizes already; otherwise a fresh copy of
    that shape. Raises ValueError where a size is neither equal nor 1. So a
    loop over broadcast operands reads them all at its own indices.

    Example: `%b = typed.broadcast %a to (%n, %m) : !typed.array<2, f64, C>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Index>:$sizes, Variadic<AnyType>:$owned);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `to` `(` $sizes `)` (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
    `:` qualified(type($array)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_YieldOp : Typed_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["GenerateOp", "ArrayExprOp"]>]> {
  let summary = "the element that a region computes";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

def Typed_AssignOp : Typed_Op<"assign", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "assigns a scalar or array to all elements of a view";
  let description = [{
    `view[...] = value` with broadcasting and NumPy's casts; when source and
    destination overlap the result is as if the source had been copied.
    A shape that can't be broadcast raises ValueError.

    Example: `typed.assign %x, %v : f64, !typed.array<1, f64, A>`
  }];
  let arguments = (ins AnyType:$value, Typed_ArrayType:$target);
  let assemblyFormat = "$value `,` $target attr-dict `:` type($value) `,` qualified(type($target))";
  let hasVerifier = 1;
}

def Typed_OverlapsOp : Typed_Op<"overlaps", [Pure, Commutative]> {
  let summary = "whether two arrays may share memory";
  let description = [{
    Compares the first and the last byte of both, so it is also true of
    views that lie between each other without sharing an element. An empty
    array overlaps with nothing.

    Example: `%o = typed.overlaps %a, %b : !typed.array<1, f64, C>, !typed.array<1, f64, A>`
  }];
  let arguments = (ins Typed_ArrayType:$lhs, Typed_ArrayType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Typed_ReduceKind : I32EnumAttr<"ReduceKind", "a reduction", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"max", 3>,
    I32EnumAttrCase<"any", 4>, I32EnumAttrCase<"all", 5>,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_ReduceKindAttr : EnumAttr<Typed_Dialect, Typed_ReduceKind, "reduce_kind">;

def Typed_ReduceOp : Typed_Op<"reduce", [MemoryEffects<[MemRead]>]> {
  let summary = "reduces all elements of an array to a scalar";
  let description = [{
    The elements are cast to the result type first. `min` and `max` give NaN
    when there is one, and raise ValueError for an empty array.

    Example: `%s = typed.reduce sum %a : !typed.array<1, f64, C> -> f64`
  }];
  let arguments = (ins Typed_ReduceKindAttr:$kind, Typed_ArrayType:$array);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` $kind $array attr-dict `:` qualified(type($array)) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_RequireEqualOp : Typed_Op<"require_equal", [Typed_Raises]> {
  let summary = "raises ValueError when two sizes differ";
  let arguments = (ins Typed_IndexLike:$lhs, Typed_IndexLike:$rhs, StrAttr:$message);
  let assemblyFormat = "$lhs `,` $rhs `,` $message attr-dict `:` type($lhs) `,` type($rhs)";
}

def Typed_WithShapeOp : Typed_Op<"with_shape", [Pure, AllTypesMatch<["array", "result"]>]> {
  let summary = "the same array, its sizes known to be these values";
  let description = "Array analysis writes down what it proved: equal dimensions are one SSA value.";
  let arguments = (ins Typed_ArrayType:$array, Variadic<Index>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "$array `[` $sizes `]` attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
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

#endif // PYOPT_TYPED_OPS_TD
