//===- ParforOps.td - The parfor dialect ----------------------------------===//

#ifndef PYOPT_PARFOR_OPS_TD
#define PYOPT_PARFOR_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pyopt/Interfaces/Interfaces.td"
include "pyopt/Parfor/ParforAttributes.td"

class Parfor_Op<string mnemonic, list<Trait> traits = []>
    : Op<Parfor_Dialect, mnemonic, traits>;

def Parfor_LoopOp : Parfor_Op<"loop", [
    ElementLoopOpInterface,
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a parallel loop nest over an n-dimensional space";
  let description = [{
    The space is `0 <= i_d < extent_d`. The region takes one `index` a
    dimension and yields, in the order of the results, the element of every
    fresh array at this index, then the contribution to every reduction.

    A fresh array has the rank and the extents of the space. A reduction
    combines its operand among `inits` and all contributions by an operator (`add`,
    `mul`, `min`, `max`, `npmin`, `npmax`, `and`, `or`, `xor`) or by a
    `parfor.combiner`, in an order that does not depend on the number of
    iterations a thread gets more than floating point rounding shows. Over one
    dimension a combiner gets the contributions in the order of the
    iterations. `pattern` says what the loop came
    from (`prange`, `array_expr`, `reduction "sum"`, `stencil`, …), `fused` what was
    merged into it; a `serial` loop stays on the calling thread.

    Example:
    ```mlir
    %c, %s = parfor.loop (%n) inits(%zero : f64) reductions [add] pattern array_expr {
    ^bb0(%i: index):
      %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
      %y = typed.binary mul %x, %x : f64
      parfor.yield %y, %y : f64, f64
    } : !typed.array<1, f64, C>, f64
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, Variadic<AnyType>:$init_vals,
                       Parfor_CombinationsAttr:$reductions, Parfor_PatternAttr:$pattern,
                       OptionalAttr<Parfor_PatternsAttr>:$fused,
                       UnitAttr:$serial);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`serial` $serial^)? `(` $extents `)` (`inits` `(` $init_vals^ `:` type($init_vals) `)`)? 
    `reductions` custom<Combinations>($reductions)
    `pattern` custom<Pattern>($pattern) (`fused` custom<Patterns>($fused)^)? $body attr-dict (`:` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of results that are fresh arrays; the reductions follow them.
    unsigned getNumFresh() { return getNumResults() - getInitVals().size(); }
  }];
}

def Parfor_LaunchOp : Parfor_Op<"launch", [
    AttrSizedOperandSegments, RaisingOpInterface, ReleasingOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs an outlined loop body on the threads";
  let description = [{
    The body takes the lower and the upper bound (exclusive) of its part, an
    `index` a dimension each, then `args`, then a start value a reduction,
    and gives the partial result of every reduction. Parts cover the space
    once. The results are `inits` combined with the partial results in the
    order of the parts. A combiner's first part starts with the one of `inits`,
    the others with the identity. What a body raises leaves the caller after the
    release of `owned`. `work` is about how many simple operations an
    iteration takes: there are no more parts than are worth a thread each.
    Without it an iteration may take any time.

    Example:
    ```mlir
    %s = parfor.launch @f.parfor0(%n) args(%a : !typed.array<1, f64, C>)
           inits(%zero : f64) reductions [add] work(%w) : f64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Variadic<Index>:$extents,
                       Variadic<AnyType>:$args, Variadic<AnyType>:$init_vals,
                       Optional<Index>:$work, Variadic<AnyType>:$owned,
                       Parfor_CombinationsAttr:$reductions);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $body `(` $extents `)` (`args` `(` $args^ `:` type($args) `)`)?
    (`inits` `(` $init_vals^ `:` type($init_vals) `)`)?
    `reductions` custom<Combinations>($reductions)
    (`work` `(` $work^ `)`)? (`releasing` `(` $owned^ `:` type($owned) `)`)?
    attr-dict (`:` type($results)^)?
  }];
  let hasVerifier = 1;
}

def Parfor_OffloadOp : Parfor_Op<"offload", [
    AttrSizedOperandSegments, RaisingOpInterface, ReleasingOpInterface]> {
  let summary = "runs a kernel of a device";
  let description = [{
    The kernel is a function of the module of kernels, by its name there. It runs for a grid of
    blocks of threads, of which each has three extents; an empty grid runs
    nothing. Its parameters are `args`, in order. `access` says of each what it
    is: 0 a number; else an array, with 1 that the kernel reads elements, 2 that
    it writes some, 4 that it writes all of them, 8 that none of them is
    defined before. Of an array the kernel gets the
    address of memory of the device, and how many bytes behind that the first
    element is. `typed-to-memref` makes three values of each array: its address,
    and the bytes relative to it at which what the array reaches begins and ends.

    `sites` are the exceptions that the kernel may raise: dictionaries with
    `exception`, `location` and maybe `message`, and `values`, how many values
    the message has. If there are any, the last
    parameters are their statuses, and the address of a word that gets the one of
    what is raised; this leaves the caller here or at a later operation that
    waits for the device.

    With `split` the grid may have more blocks along y and z than devices take,
    and runs in parts: the very last parameters are the numbers of the first
    block of the part along y and along z.

    What the kernel does to arrays is seen by the host behind a
    `parfor.fence`.

    Example:
    ```mlir
    parfor.offload "axpy" grid(%n, %one, %one) block(%many, %one, %one)
      args(%a, %x : f64, !typed.array<1, f64, C>) access [0, 3]
    ```
  }];
  let arguments = (ins StrAttr:$kernel, Variadic<Index>:$grid, Variadic<Index>:$threads,
                       Variadic<AnyType>:$args, DenseI64ArrayAttr:$access, OptionalAttr<DictArrayAttr>:$sites,
                       UnitAttr:$split, Variadic<AnyType>:$owned);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid `)` (`split` $split^)? `block` `(` $threads `)` (`args` `(` $args^ `:` type($args) `)`)?
    `access` $access (`sites` $sites^)? (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Parfor_FenceOp : Parfor_Op<"fence", [
    AttrSizedOperandSegments, RaisingOpInterface, ReleasingOpInterface]> {
  let summary = "waits until the host has what kernels have written";
  let description = [{
    Behind it the host may read arrays that kernels have been given, and with
    `write` also change them: those in `arrays`, with all that shares their
    memory, or any if there are none. What a kernel raised leaves the function
    here; with `check` nothing else happens. `typed-to-memref` makes an address
    and a range of each array, as of those of `parfor.offload`. One that is
    `for_loop` is there for a loop that the host runs: what it copies is noted
    at its place.

    Examples: `parfor.fence write`, `parfor.fence of(%a : !typed.array<1, f64, C>)`
  }];
  let arguments = (ins UnitAttr:$check, UnitAttr:$write, UnitAttr:$for_loop, Variadic<AnyType>:$arrays,
                       Variadic<AnyType>:$owned);
  let assemblyFormat = [{
    (`check` $check^)? (`write` $write^)? (`of` `(` $arrays^ `:` type($arrays) `)`)? (`for_loop` $for_loop^)?
    (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
  }];
}

def Parfor_EnterDeviceOp : Parfor_Op<"enter_device", [RaisingOpInterface, ReleasingOpInterface]> {
  let summary = "enters the context of a device";
  let description = [{
    Behind it, until the `parfor.leave_device` that belongs to it, loops of this
    function and of those that it calls are for the device, or for the host's
    threads if the name is `cpu`. An absent device is an exception.

    Example: `parfor.enter_device "cuda:0"`
  }];
  let arguments = (ins StrAttr:$device, Variadic<AnyType>:$owned);
  let assemblyFormat = "$device (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict";
}

def Parfor_LeaveDeviceOp : Parfor_Op<"leave_device", [RaisingOpInterface, ReleasingOpInterface]> {
  let summary = "leaves the context that was entered last";
  let description = [{
    What kernels have written is in the host's memory then, and what they raised
    leaves the function here.

    Example: `parfor.leave_device`
  }];
  let arguments = (ins Variadic<AnyType>:$owned);
  let assemblyFormat = "(`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict";
}

def Parfor_OnDeviceOp : Parfor_Op<"on_device", [MemoryEffects<[MemRead]>]> {
  let summary = "whether loops are for a device of a driver now";
  let description = [{
    Example: `%c = parfor.on_device "opencl"`
  }];
  let arguments = (ins StrAttr:$driver);
  let results = (outs I1:$result);
  let assemblyFormat = "$driver attr-dict";
}

def Parfor_TrapIfOp : Parfor_Op<"trap_if", [Raises]> {
  let summary = "ends a thread of a kernel when a condition holds";
  let description = [{
    The word, of the device's memory, gets the status unless it has one already.
    The 32 bits behind it get the number of the `values` of the message then, and
    the words behind these the values.

    Examples:
    ```mlir
    parfor.trap_if %c, %status, %word : si32, !typed.pointer<si32>
    parfor.trap_if %c, %status, %word with (%i : si64) : si32, !typed.pointer<si32>
    ```
  }];
  let arguments = (ins I1:$condition, AnyInteger:$status, AnyType:$word,
                       Variadic<AnyInteger>:$values);
  let assemblyFormat = [{
    $condition `,` $status `,` $word (`with` `(` $values^ `:` type($values) `)`)? attr-dict
    `:` type($status) `,` type($word)
  }];
}

def Parfor_CombinerOp : Parfor_Op<"combiner", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "how a program's own reduction combines values";
  let description = [{
    `combine` is a function of two values, what was found earlier and what was
    found later, that gives what both are together. It must be associative; it
    need not be commutative. `identity` is a function without parameters that
    gives the value which changes nothing on either side, and that raises
    nothing. What `combine` raises leaves the loop; a `pure` one raises nothing
    and does nothing but to compute, so that loops with it can be merged with
    others.

    Example:
    ```mlir
    func.func private @first.identity() -> si64
    func.func private @first(%earlier: si64, %later: si64) -> si64
    parfor.combiner @first.reduction identity(@first.identity) combine(@first)
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
                       FlatSymbolRefAttr:$identity, FlatSymbolRefAttr:$combine,
                       UnitAttr:$pure);
  let assemblyFormat = [{
    ($sym_visibility^)? $sym_name `identity` `(` $identity `)` `combine` `(` $combine `)` (`pure` $pure^)? attr-dict
  }];
}

def Parfor_ChunksOp : Parfor_Op<"chunks", [MemoryEffects<[MemRead]>]> {
  let summary = "into how many chunks a loop is best cut";
  let description = [{
    At least 1, and as many as threads have use for. `work` is about how many
    simple operations an iteration takes; without it an iteration may take any
    time. A loop over chunks gives each its own variables, for reductions of
    what `parfor.loop` can't combine itself.

    Example: `%c = parfor.chunks %n work(%w)`
  }];
  let arguments = (ins Index:$extent, Optional<Index>:$work);
  let results = (outs Index:$result);
  let assemblyFormat = "$extent (`work` `(` $work^ `)`)? attr-dict";
}

def Parfor_YieldOp : Parfor_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"LoopOp">]> {
  let summary = "what one iteration gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

#endif // PYOPT_PARFOR_OPS_TD
