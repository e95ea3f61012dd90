//===- PyGeneratorOps.td - Generators and coroutines ----------------------===//

#ifndef PYOPT_PY_GENERATOR_OPS_TD
#define PYOPT_PY_GENERATOR_OPS_TD

def Py_YieldOp : Py_Op<"yield"> {
  let summary = "suspends the function and hands out a value";
  let description = [{
    The result is what resumes the function: the argument of `send`, None for
    `next`. `throw` and `close` raise here.

    Example: `%sent = py.yield %value`
  }];
  let arguments = (ins Py_ObjectType:$value);
  let results = (outs Py_ObjectType:$sent);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

def Py_SendOp : Py_Op<"send"> {
  let summary = "resumes what this function delegates to";
  let description = [{
    One step of `yield from` and `await`. `done` says that the receiver has
    returned, `result` is then its return value, otherwise what it yields.

    Example: `%result, %done = py.send %receiver, %value`
  }];
  let arguments = (ins Py_ObjectType:$receiver, Py_ObjectType:$value);
  let results = (outs Py_ObjectType:$result, I1:$done);
  let assemblyFormat = "$receiver `,` $value attr-dict";
}

def Py_GetYieldFromIterOp : Py_ValueOp<"get_yield_from_iter"> {
  let summary = "what `yield from` delegates to";
  let description = [{
    A generator is its own iterator, a coroutine too where the function may
    await one (`coroutines`); anything else is asked by `iter`.

    Example: `%1 = py.get_yield_from_iter %0`
  }];
  let arguments = (ins Py_ObjectType:$iterable, UnitAttr:$coroutines);
  let assemblyFormat = "$iterable (`coroutines` $coroutines^)? attr-dict";
}

def Py_GetAwaitableOp : Py_ValueOp<"get_awaitable"> {
  let summary = "what `await` delegates to";
  let description = [{
    `method` names where the operand comes from, for the error when it is not
    awaitable: `__aenter__` or `__aexit__` of `async with`.

    Example: `%1 = py.get_awaitable %0`, `%1 = py.get_awaitable %0 of "__aenter__"`
  }];
  let arguments = (ins Py_ObjectType:$value, OptionalAttr<StrAttr>:$method);
  let assemblyFormat = "$value (`of` $method^)? attr-dict";
  let hasVerifier = 1;
}

def Py_GetAiterOp : Py_ValueOp<"get_aiter"> {
  let summary = "the asynchronous iterator that `async for` uses";
  let arguments = (ins Py_ObjectType:$iterable);
  let assemblyFormat = "$iterable attr-dict";
}

def Py_GetAnextOp : Py_ValueOp<"get_anext"> {
  let summary = "what to await for the next item of an asynchronous iterator";
  let arguments = (ins Py_ObjectType:$iterator);
  let assemblyFormat = "$iterator attr-dict";
}

def Py_EndAsyncForOp : Py_Op<"end_async_for"> {
  let summary = "ends `async for`: swallows StopAsyncIteration, raises anything else again";
  let arguments = (ins Py_ObjectType:$exception);
  let assemblyFormat = "$exception attr-dict";
}

def Py_AsyncGenWrapOp : Py_ValueOp<"async_gen_wrap"> {
  let summary = "marks a value that an asynchronous generator yields itself";
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

#endif // PYOPT_PY_GENERATOR_OPS_TD
