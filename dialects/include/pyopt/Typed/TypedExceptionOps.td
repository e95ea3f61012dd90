//===- TypedExceptionOps.td - Exceptions as values --------------------------===//
//
// What `try` needs; raising that leaves the function is in TypedOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef PYOPT_TYPED_EXCEPTION_OPS_TD
#define PYOPT_TYPED_EXCEPTION_OPS_TD

def Typed_TryBrOp : Typed_Op<"try_br", [
    Terminator, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "goes on, or to the handler when an operation of the block raised";
  let description = [{
    Ends a block of a `try` whose operations may raise. The exception is the
    handler's only argument. `typed-expand-try` makes branches of it.

    Example: `typed.try_br ^next(%0 : si64) unwind ^handler`
  }];
  let arguments = (ins Variadic<AnyType>:$normal_operands);
  let successors = (successor AnySuccessor:$normal, AnySuccessor:$unwind);
  let assemblyFormat = [{
    $normal (`(` $normal_operands^ `:` type($normal_operands) `)`)? `unwind` $unwind attr-dict
  }];
  let hasVerifier = 1;
}

def Typed_ExceptionOp : Typed_Op<"exception", [
    MemoryEffects<[MemAlloc<Typed_OwnerResource>]>, OwnershipOpInterface, CostOpInterface]> {
  let summary = "makes an exception";
  let description = [{
    Each one knows where it was made, for the traceback. An exception among the
    arguments, the last one, is what caused it: `raise … from …`. A message
    beside arguments is a template, as that of `typed.raise_if`.

    Examples:
    ```mlir
    %0 = typed.exception "ValueError"("x cannot be zero") : !typed.exception
    %1 = typed.exception "ValueError" with %a, %b : si64, f64 : !typed.exception
    %2 = typed.exception ["shop.SoldOut@0", "LookupError"] with %a : si64 : !typed.exception
    ```
  }];
  let arguments = (ins Typed_ExceptionClass:$exception, OptionalAttr<StrAttr>:$message,
                       Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$result);
  let assemblyFormat = [{
    custom<ExceptionClass>($exception) (`(` $message^ `)`)? (`with` $arguments^ `:` type($arguments))? attr-dict
    `:` qualified(type($result))
  }];
}

def Typed_TryCallOp : Typed_Op<"try_call", [
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>, OwnershipOpInterface,
    DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function and says whether it raised";
  let description = [{
    `status` is 0 when the callee returned. Else the results mean nothing, and
    `typed.catch`, on the way that is taken then, gives the exception.

    Example: `%s, %1 = typed.try_call @f(%0) : (si64) -> (i32, f64)`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs I32:$status, Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, results)";
}

def Typed_CatchOp : Typed_Op<"catch", [
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>, OwnershipOpInterface,
    MemoryEffects<[MemRead<ErrorResource>, MemWrite<ErrorResource>]>]> {
  let summary = "the exception that a `typed.try_call` ended with";
  let description = [{
    Example: `%e = typed.catch %s : !typed.exception`
  }];
  let arguments = (ins I32:$status);
  let results = (outs Variadic<AnyType>:$result);
  let assemblyFormat = "$status attr-dict `:` qualified(type($result))";
}

def Typed_ExcMatchOp : Typed_Op<"exc_match", [Pure]> {
  let summary = "whether an exception is an instance of one of these classes";
  let description = [{
    Example: `%0 = typed.exc_match %e in ["IndexError", "KeyError"] : !typed.exception`
  }];
  let arguments = (ins Variadic<AnyType>:$exception, StrArrayAttr:$classes);
  let results = (outs I1:$result);
  let assemblyFormat = "$exception `in` $classes attr-dict `:` qualified(type($exception))";
}

def Typed_RaiseValueOp : Typed_Op<"raise_value", [Terminator, Raises]> {
  let summary = "raises an exception that is a value: leaves the function";
  let description = [{
    Example: `typed.raise_value %e : !typed.exception`
  }];
  let arguments = (ins AnyType:$exception);
  let assemblyFormat = "$exception attr-dict `:` qualified(type($exception))";
}

def Typed_RaiseValueIfOp : Typed_Op<"raise_value_if", [
    AttrSizedOperandSegments, Raises, ReleasingOpInterface, CostOpInterface]> {
  let summary = "raises an exception that is a value when the condition holds";
  let description = [{
    `owned` are the values that hold references when the exception leaves:
    `typed-insert-ownership` fills it.

    Example: `typed.raise_value_if %c, %e : !typed.exception`
  }];
  let arguments = (ins I1:$condition, Variadic<AnyType>:$exception, Variadic<AnyType>:$owned);
  let assemblyFormat = [{
    $condition `,` $exception `:` qualified(type($exception))
    (`releasing` `(` $owned^ `:` type($owned) `)`)? attr-dict
  }];
}

#endif // PYOPT_TYPED_EXCEPTION_OPS_TD
