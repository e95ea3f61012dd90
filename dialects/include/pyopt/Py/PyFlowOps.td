//===- PyFlowOps.td - Iteration, terminators and exceptions ---------------===//

#ifndef PYOPT_PY_FLOW_OPS_TD
#define PYOPT_PY_FLOW_OPS_TD

//===----------------------------------------------------------------------===//
// Unwinding: where control goes when an operation of a block raises
//===----------------------------------------------------------------------===//

/// A terminator that raises by itself, with an optional unwind edge.
class Py_RaisingTerminator<string mnemonic, list<Trait> traits = []>
    : Py_Op<mnemonic, [
        Terminator, DeclareOpInterfaceMethods<BranchOpInterface>,
        DeclareOpInterfaceMethods<Py_UnwindOpInterface>] # traits>;

def Py_TryBrOp : Py_Op<"try_br", [
    Terminator, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<BranchOpInterface>,
    DeclareOpInterfaceMethods<Py_UnwindOpInterface>]> {
  let summary = "goes on, or to the handler when an operation of the block raised";
  let description = [{
    Ends a block of a protected range whose operations may raise. When one
    does, control goes to the unwind successor instead: the exception is that
    block's first argument, made by the transfer, and the unwind operands are
    the others. They are not defined in the block itself, so they have their
    values wherever in the block the exception comes from. An operation that
    raises in a block without an unwind edge leaves the function.

    Example: `py.try_br ^next(%0) unwind ^handler(%x)`
  }];
  let arguments = (ins Variadic<Py_ObjectType>:$normal_operands,
                       Variadic<Py_ObjectType>:$unwind_operands);
  let successors = (successor AnySuccessor:$normal, AnySuccessor:$unwind);
  let assemblyFormat = [{
    $normal (`(` $normal_operands^ `)`)? `unwind` $unwind (`(` $unwind_operands^ `)`)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Iteration
//===----------------------------------------------------------------------===//

def Py_GetIterOp : Py_ValueOp<"get_iter"> {
  let summary = "`iter(object)`";
  let arguments = (ins Py_ObjectType:$iterable);
  let assemblyFormat = "$iterable attr-dict";
}

def Py_ForIterOp : Py_RaisingTerminator<"for_iter", [AttrSizedOperandSegments]> {
  let summary = "takes the next item of an iterator, or leaves the loop";
  let description = [{
    The item is the first argument of the body block; it is made by this
    operation and is not among `body_operands`.

    Example: `py.for_iter %it, ^body(%acc), ^exit(%acc) unwind ^handler`
  }];
  let arguments = (ins Py_ObjectType:$iterator,
                       Variadic<Py_ObjectType>:$body_operands,
                       Variadic<Py_ObjectType>:$exit_operands,
                       Variadic<Py_ObjectType>:$unwind_operands);
  let successors = (successor AnySuccessor:$body, AnySuccessor:$exit,
                              VariadicSuccessor<AnySuccessor>:$unwind);
  let assemblyFormat = [{
    $iterator `,` $body (`(` $body_operands^ `)`)? `,` $exit (`(` $exit_operands^ `)`)?
    `` custom<Unwind>($unwind, $unwind_operands) attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Leaving the function
//===----------------------------------------------------------------------===//

def Py_ReturnOp : Py_Op<"return", [Terminator, ReturnLike, HasParent<"FuncOp">, Pure]> {
  let summary = "returns from the function";
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

def Py_RaiseOp : Py_RaisingTerminator<"raise", [AttrSizedOperandSegments]> {
  let summary = "`raise exception from cause`; without operands raises the handled exception again";
  let description = [{Example: `py.raise %0 from %1 unwind ^handler(%x)`}];
  let arguments = (ins Optional<Py_ObjectType>:$exception, Optional<Py_ObjectType>:$cause,
                       Variadic<Py_ObjectType>:$unwind_operands);
  let successors = (successor VariadicSuccessor<AnySuccessor>:$unwind);
  let assemblyFormat = [{
    ($exception^ (`from` $cause^)?)? `` custom<Unwind>($unwind, $unwind_operands) attr-dict
  }];
  let hasVerifier = 1;
}

def Py_ReraiseOp : Py_RaisingTerminator<"reraise"> {
  let summary = "raises an exception again as it is, with its traceback";
  let description = [{Example: `py.reraise %exception`}];
  let arguments = (ins Py_ObjectType:$exception, Variadic<Py_ObjectType>:$unwind_operands);
  let successors = (successor VariadicSuccessor<AnySuccessor>:$unwind);
  let assemblyFormat = [{
    $exception `` custom<Unwind>($unwind, $unwind_operands) attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Handling exceptions
//===----------------------------------------------------------------------===//

def Py_PushExcInfoOp : Py_Op<"push_exc_info"> {
  let summary = "makes an exception the handled one, as `sys.exc_info` shows it";
  let description = [{
    The result is what was handled before, None where nothing was; it goes to
    `py.pop_except`.

    Example: `%previous = py.push_exc_info %exception`
  }];
  let arguments = (ins Py_ObjectType:$exception);
  let results = (outs Py_ObjectType:$previous);
  let assemblyFormat = "$exception attr-dict";
}

def Py_PopExceptOp : Py_Op<"pop_except"> {
  let summary = "makes what was handled before the handled exception again";
  let arguments = (ins Py_ObjectType:$previous);
  let assemblyFormat = "$previous attr-dict";
}

def Py_ExcMatchOp : Py_Op<"exc_match"> {
  let summary = "whether `except type` takes an exception";
  let description = [{Example: `%0 = py.exc_match %exception, %type`}];
  let arguments = (ins Py_ObjectType:$exception, Py_ObjectType:$exc_type);
  let results = (outs I1:$matches);
  let assemblyFormat = "$exception `,` $exc_type attr-dict";
}

def Py_ExcGroupMatchOp : Py_Op<"exc_group_match"> {
  let summary = "splits an exception for `except* type`";
  let description = [{
    `match` is the part that is taken, None when nothing is, and becomes the
    handled exception; `rest` is the other part, None when nothing is left.

    Example: `%rest, %match = py.exc_group_match %exception, %type`
  }];
  let arguments = (ins Py_ObjectType:$exception, Py_ObjectType:$exc_type);
  let results = (outs Py_ObjectType:$rest, Py_ObjectType:$match);
  let assemblyFormat = "$exception `,` $exc_type attr-dict";
}

def Py_PrepReraiseStarOp : Py_ValueOp<"prep_reraise_star"> {
  let summary = "what is to be raised after `except*` clauses, None for nothing";
  let description = [{
    `raised` is the list of what the clauses raised and left over, `original`
    the exception they handled.

    Example: `%0 = py.prep_reraise_star %original, %raised`
  }];
  let arguments = (ins Py_ObjectType:$original, Py_ObjectType:$raised);
  let assemblyFormat = "$original `,` $raised attr-dict";
}

//===----------------------------------------------------------------------===//
// with
//===----------------------------------------------------------------------===//

class Py_EnterOp<string mnemonic> : Py_Op<mnemonic> {
  let arguments = (ins Py_ObjectType:$manager);
  let results = (outs Py_ObjectType:$exit, Py_ObjectType:$value);
  let assemblyFormat = "$manager attr-dict";
}

def Py_EnterContextOp : Py_EnterOp<"enter_context"> {
  let summary = "looks up `__enter__` and `__exit__` and enters";
  let description = [{
    The results are the bound `__exit__` and what `__enter__` returned.

    Example: `%exit, %value = py.enter_context %manager`
  }];
}

def Py_EnterAsyncContextOp : Py_EnterOp<"enter_async_context"> {
  let summary = "looks up `__aenter__` and `__aexit__` and calls the first";
  let description = "The second result is to be awaited.";
}

def Py_WithExceptStartOp : Py_ValueOp<"with_except_start"> {
  let summary = "calls `__exit__` with an exception";
  let description = [{Example: `%0 = py.with_except_start %exit(%exception)`}];
  let arguments = (ins Py_ObjectType:$exit, Py_ObjectType:$exception);
  let assemblyFormat = "$exit `(` $exception `)` attr-dict";
}

#endif // PYOPT_PY_FLOW_OPS_TD
