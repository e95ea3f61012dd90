//===- StencilOps.td - The stencil dialect --------------------------------===//

#ifndef PYOPT_STENCIL_OPS_TD
#define PYOPT_STENCIL_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pyopt/Interfaces/Interfaces.td"
include "pyopt/Typed/TypedDialect.td"

def Stencil_Dialect : Dialect {
  let name = "stencil";
  let cppNamespace = "::pyopt::stencil";
  let summary = "kernels applied at every element of an array";
  let description = [{
    `stencil.apply` runs a kernel at every element whose neighborhood lies
    inside the first array; the border takes a constant. In the kernel,
    `stencil.access` reads at an offset relative to the current element.
  }];
  let dependentDialects = ["::pyopt::typed::TypedDialect"];
}

class Stencil_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stencil_Dialect, mnemonic, traits>;

def Stencil_ApplyOp : Stencil_Op<"apply", [
    RaisingOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "applies a kernel at every element of its first array operand";
  let description = [{
    The region takes the operands. `neighborhood` holds the lowest and
    highest relative index a dimension, flattened; without it
    `stencil-infer-neighborhood` computes it from constant offsets. Elements
    nearer to the border than that get `cval`, or 0. `standard_indexing` lists the operands that the kernel indexes absolutely. All
    relatively indexed arrays have the rank of the first one and at least
    its sizes. The region may have control flow until
    `typed-lift-control-flow`.

    Example:
    ```mlir
    %r = stencil.apply(%a) neighborhood [-1, 1] {
    ^bb0(%x: !typed.array<1, f64, C>):
      %m = typed.constant -1 : si64
      %p = typed.constant 1 : si64
      %l = stencil.access %x[%m] : !typed.array<1, f64, C>, si64 -> f64
      %h = stencil.access %x[%p] : !typed.array<1, f64, C>, si64 -> f64
      %s = typed.binary add %l, %h : f64
      stencil.return %s : f64
    } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$neighborhood,
                       OptionalAttr<AnyAttr>:$cval,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$standard_indexing);
  let regions = (region MinSizedRegion<1>:$body);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    `(` $inputs `)` (`neighborhood` $neighborhood^)? (`cval` $cval^)? $body attr-dict `:`
    functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

def Stencil_AccessOp : Stencil_Op<"access"> {
  let summary = "an element at an offset from the current one";
  let arguments = (ins Arg<Typed_ArrayType, "", [MemRead]>:$array, Variadic<AnyInteger>:$offsets);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $array `[` $offsets `]` attr-dict `:` qualified(type($array)) (`,` type($offsets)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Stencil_PositionOp : Stencil_Op<"position", [Pure]> {
  let summary = "the index of the current element in a dimension";
  let description = "Example: `%i = stencil.position 0 : si64`";
  let arguments = (ins I64Attr:$dimension);
  let results = (outs AnyInteger:$result);
  let assemblyFormat = "$dimension attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Stencil_ReturnOp : Stencil_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"ApplyOp">]> {
  let summary = "the new value of the current element";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // PYOPT_STENCIL_OPS_TD
