//===- TypedArrayOps.td - Operations on arrays ----------------------------===//

#ifndef PYOPT_TYPED_ARRAY_OPS_TD
#define PYOPT_TYPED_ARRAY_OPS_TD

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// The array that it gets, seen in another way: it shares memory and owner.
class Typed_ViewLikeOp<string mnemonic, list<Trait> traits = []>
    : Typed_Op<mnemonic, !listconcat(traits, [Pure, ViewLikeOpInterface])> {
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getArray(); }";
}

def Typed_DimOp : Typed_Op<"dim", [Pure]> {
  let summary = "the size of one dimension";
  let description = "Example: `%n = typed.dim %a[0] : !typed.array<2, f64, C> -> si64`";
  let arguments = (ins Typed_ArrayType:$array, I64Attr:$dimension);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$array `[` $dimension `]` attr-dict `:` qualified(type($array)) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_LoadOp : Typed_Op<"load", [CostOpInterface]> {
  let summary = "an element of an array";
  let description = [{
    One index a dimension. With `wraparound` a negative index counts from the
    end; without it the index is known not to be negative.

    Example: `%x = typed.load %a[%i, %j] wraparound : !typed.array<2, f64, C>, si64, si64 -> f64`
  }];
  let arguments = (ins Arg<Typed_ArrayType, "", [MemRead]>:$array,
                       Variadic<Typed_IndexLike>:$indices, UnitAttr:$wraparound);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $array `[` $indices `]` (`wraparound` $wraparound^)? attr-dict `:`
    qualified(type($array)) (`,` type($indices)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Typed_StoreOp : Typed_Op<"store", [CostOpInterface]> {
  let summary = "assigns an element of an array";
  let description = [{
    Example: `typed.store %x, %a[%i] : f64, !typed.array<1, f64, C>, si64`
  }];
  let arguments = (ins AnyType:$value, Arg<Typed_ArrayType, "", [MemWrite]>:$array,
                       Variadic<Typed_IndexLike>:$indices, UnitAttr:$wraparound);
  let assemblyFormat = [{
    $value `,` $array `[` $indices `]` (`wraparound` $wraparound^)? attr-dict `:`
    type($value) `,` qualified(type($array)) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

def Typed_FillBorderOp : Typed_Op<"fill_border", [SameVariadicOperandSize]> {
  let summary = "assigns a value to all elements outside of an inner box";
  let description = [{
    In each dimension the box starts at its first index, from 0 to the size, and
    ends before its second one, from the first one to the size. The runtime
    writes: a border is small, and loops for its sides would be most of what there
    is to compile of a stencil.

    Example: `typed.fill_border %x, %a around(%i, %j) to(%n, %m) : f64, !typed.array<2, f64, C>`
  }];
  let arguments = (ins AnyType:$value, Arg<Typed_ArrayType, "", [MemWrite]>:$array,
                       Variadic<Index>:$starts, Variadic<Index>:$ends);
  let assemblyFormat = [{
    $value `,` $array `around` `(` $starts `)` `to` `(` $ends `)` attr-dict `:`
    type($value) `,` qualified(type($array))
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

def Typed_ViewOp : Typed_ViewLikeOp<"view"> {
  let summary = "basic indexing: a view of an array";
  let description = [{
    Subscripts, one a dimension in order: integers (which drop it, with
    wrap-around), slices, or None (`!typed.none`, a new dimension of size 1,
    which consumes none). Dimensions that are left over are kept whole. The
    view shares memory and owner.

    Example: `%v = typed.view %a[%s] : !typed.array<1, f64, C>, (!typed.slice<si64, si64, si64>) ->
    !typed.array<1, f64, A>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<AnyType>:$subscripts);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `[` $subscripts `]` attr-dict `:` qualified(type($array)) (`,` `(` type($subscripts)^ `)`)? `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_TransposeOp : Typed_ViewLikeOp<"transpose"> {
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

def Typed_ReshapeOp : Typed_ViewLikeOp<"reshape"> {
  let summary = "the elements of a C-contiguous array under other sizes";
  let description = [{
    The view shares memory and owner. It has as many elements as the array:
    who makes it has checked that.

    Example: `%v = typed.reshape %a(%n, %m) : !typed.array<1, f64, C>, (si64, si64) -> !typed.array<2, f64, C>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Typed_IndexLike>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `(` $sizes `)` attr-dict `:` qualified(type($array)) `,`
    functional-type($sizes, $result)
  }];
  let hasVerifier = 1;
}

def Typed_StridedOp : Typed_ViewLikeOp<"strided", [AttrSizedOperandSegments]> {
  let summary = "a view of the same memory under any sizes and strides";
  let description = [{
    The view begins where the array does and shares its owner. Strides count
    what the layout of the result counts: elements, or bytes. Who makes it
    answers for what it reaches.

    Example:
    ```mlir
    %v = typed.strided %a sizes(%n, %m) strides(%zero, %one)
      : !typed.array<1, f64, C>, (si64, si64), (si64, si64) -> !typed.array<2, f64, A, readonly>
    ```
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Typed_IndexLike>:$sizes,
                       Variadic<Typed_IndexLike>:$strides);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `sizes` `(` $sizes `)` `strides` `(` $strides `)` attr-dict `:` qualified(type($array)) `,`
    `(` type($sizes) `)` `,` `(` type($strides) `)` `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_EmptyOp : Typed_Op<"empty", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, ReleasingOpInterface, OwnershipOpInterface,
    DeclareOpInterfaceMethods<CostOpInterface, ["getCost"]>]> {
  let summary = "allocates an array, its elements undefined or zero";
  let description = [{
    Raises ValueError for a negative size and MemoryError when there is none.

    Example: `%a = typed.empty(%n, %m) zeroed : (si64, si64) -> !typed.array<2, f64, C>`
  }];
  let arguments = (ins Variadic<Typed_IndexLike>:$sizes, UnitAttr:$zeroed, Variadic<AnyType>:$owned);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    `(` $sizes `)` (`zeroed` $zeroed^)? (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
    `:` functional-type($sizes, $result)
  }];
  let hasVerifier = 1;
}

def Typed_GenerateOp : Typed_Op<"generate", [
    ElementLoopOpInterface,
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
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
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "`(` ($sizes^ `:` type($sizes))? `)` $body attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_ArrayExprOp : Typed_Op<"array_expr", [
    ElementLoopOpInterface,
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
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
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    MemoryEffects<[MemWrite<ErrorResource>]>, ReleasingOpInterface, OwnershipOpInterface]> {
  let summary = "the array with exactly these sizes, its dimensions of size 1 repeated";
  let description = [{
    The same array where it has the sizes already; otherwise a fresh copy of
    that shape. Raises ValueError where a size is neither equal nor 1. So a
    loop over broadcast operands reads them all at its own indices.

    Example: `%b = typed.broadcast %a to(%n, %m) : !typed.array<2, f64, A> -> !typed.array<2, f64, A>`
  }];
  let arguments = (ins Arg<Typed_ArrayType, "", [MemRead]>:$array, Variadic<Index>:$sizes,
                       Variadic<AnyType>:$owned);
  let results = (outs Res<Typed_ArrayType, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $array `to` `(` $sizes `)` (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
    `:` qualified(type($array)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_RepeatOp : Typed_Op<"repeat", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    MemoryEffects<[MemWrite<ErrorResource>]>, ReleasingOpInterface, OwnershipOpInterface]> {
  let summary = "arrays with exactly these sizes, by the runtime: the way of `typed.broadcast` that is rare";
  let description = [{
    For each array the array itself where it has the sizes already; otherwise a
    fresh copy, its dimensions of size 1 repeated. Raises ValueError where a size
    is neither equal nor 1. An array with fewer dimensions has the last sizes.

    One call of the runtime does it for all arrays of an expression: tests, copies
    and errors for each of them would be most of what there is to compile.

    Example: `%c:2 = typed.repeat %a, %a to(%n) : !typed.array<1, f64, C>, !typed.array<1, f64, C> -> !typed.array<1, f64, C>, !typed.array<1, f64, C>`
  }];
  let arguments = (ins Arg<Variadic<Typed_ArrayType>, "", [MemRead]>:$arrays, Variadic<Index>:$sizes,
                       Variadic<AnyType>:$owned);
  let results = (outs Res<Variadic<Typed_ArrayType>, "", [MemAlloc]>:$repeated);
  let assemblyFormat = [{
    $arrays `to` `(` $sizes `)` (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
    `:` qualified(type($arrays)) `->` qualified(type($repeated))
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

def Typed_AssignOp : Typed_Op<"assign", [
    ElementLoopOpInterface,
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
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
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Any", 4, "any">, I32EnumAttrCase<"All", 5, "all">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_ReduceKindAttr : EnumAttr<Typed_Dialect, Typed_ReduceKind, "reduce_kind">;

def Typed_ReduceOp : Typed_Op<"reduce", [
    ElementLoopOpInterface,
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
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

def Typed_RequireEqualOp : Typed_Op<"require_equal", [Raises]> {
  let summary = "raises ValueError when two sizes differ";
  let description = [{
    The message is a template with two `{}`, which stand for the sizes.

    Example: `typed.require_equal %m, %n, "{} rows and {} columns" : index, index`
  }];
  let arguments = (ins Typed_IndexLike:$lhs, Typed_IndexLike:$rhs, StrAttr:$message);
  let assemblyFormat = "$lhs `,` $rhs `,` $message attr-dict `:` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
}

def Typed_WithShapeOp : Typed_ViewLikeOp<"with_shape", [AllTypesMatch<["array", "result"]>]> {
  let summary = "the same array, its sizes known to be these values";
  let description = "Array analysis writes down what it proved: equal dimensions are one SSA value.";
  let arguments = (ins Typed_ArrayType:$array, Variadic<Index>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "$array `[` $sizes `]` attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
}

def Typed_ApartOp : Typed_ViewLikeOp<"apart", [AllTypesMatch<["array", "result"]>]> {
  let summary = "the same array, known to share no memory with others";
  let description = [{
    What `parfor-version-overlaps` found out at run time, for the alias analysis: no element of the
    result is one of the other arrays or of views of them. `parfor-fuse` removes it.

    Example: `%x1 = typed.apart %x from %a, %b : !typed.array<1, f64, C> from !typed.array<1, f64, C>,
    !typed.array<1, f32, A>`
  }];
  let arguments = (ins Typed_ArrayType:$array, Variadic<Typed_ArrayType>:$others);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array `from` $others attr-dict `:` qualified(type($array)) `from` qualified(type($others))
  }];
}

def Typed_BorrowOp : Typed_ViewLikeOp<"borrow", [AllTypesMatch<["array", "result"]>]> {
  let summary = "the same array without its owner: releasing it does nothing";
  let description = [{
    Made by `typed-insert-ownership` where one branch hands out a fresh array
    and the other one that somebody else keeps alive, so that no reference is
    counted for the latter.

    Example: `%b = typed.borrow %a : !typed.array<1, f64, C>`
  }];
  let arguments = (ins Typed_ArrayType:$array);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = "$array attr-dict `:` qualified(type($array))";
}

def Typed_ReinterpretOp : Typed_ViewLikeOp<"reinterpret"> {
  let summary = "a view of the same memory as elements of another type";
  let description = [{
    The view begins so many bytes behind the array. Where the elements have
    another size, the last dimension of an array of layout C is so many times as
    long (its bytes are known to be a multiple of the new size); any other array
    keeps its sizes, and elements that are parts of the old ones keep their
    distance: so the imaginary parts of complex numbers are taken, and fields of
    records. With sizes the parts are arrays in C order: these are more
    dimensions of the view, behind those of the array.

    Example: `%i = typed.reinterpret %z at 8 : !typed.array<1, complex<f64>, C> -> !typed.array<1, f64, A>`
  }];
  let arguments = (ins Typed_ArrayType:$array, DefaultValuedAttr<I64Attr, "0">:$offset,
                       OptionalAttr<DenseI64ArrayAttr>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $array (`at` $offset^)? (`of` $sizes^)? attr-dict `:` qualified(type($array)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_StrideOp : Typed_Op<"stride", [Pure]> {
  let summary = "how many bytes the next element along a dimension is away";
  let description = "Example: `%n = typed.stride %a[0] : !typed.array<2, f64, C> -> si64`";
  let arguments = (ins Typed_ArrayType:$array, I64Attr:$dimension);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$array `[` $dimension `]` attr-dict `:` qualified(type($array)) `->` type($result)";
  let hasVerifier = 1;
}

def Typed_FlatOp : Typed_Op<"flat", [
    Pure,
    TypesMatchWith<"result goes over the operand", "array", "result",
                   "::pyopt::typed::FlatType::get($_ctxt, ::llvm::cast<::pyopt::typed::ArrayType>($_self))">]> {
  let summary = "all elements of an array, to iterate over";
  let description = "Example: `%f = typed.flat %a : !typed.array<2, f64, F>`";
  let arguments = (ins Typed_ArrayType:$array);
  let results = (outs Typed_FlatType:$result);
  let assemblyFormat = "$array attr-dict `:` qualified(type($array))";
}

def Typed_IndicesOp : Typed_Op<"indices", [Pure]> {
  let summary = "all positions in an array of these sizes, to iterate over";
  let description = [{
    Sizes aren't negative. Without sizes there is one position, the empty tuple.
    `parallel` is `pndindex`: the iterations may run in any order.

    Example: `%p = typed.indices %n, %m : (si64, si64) -> !typed.indices<tuple<si64, si64>>`
  }];
  let arguments = (ins Variadic<AnyInteger>:$sizes, UnitAttr:$parallel);
  let results = (outs Typed_IndicesType:$result);
  let assemblyFormat = "(`parallel` $parallel^)? $sizes attr-dict `:` (`(` type($sizes)^ `)` `->`)? qualified(type($result))";
  let hasVerifier = 1;
}

#endif // PYOPT_TYPED_ARRAY_OPS_TD
