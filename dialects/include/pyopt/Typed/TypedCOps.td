//===- TypedCOps.td - C functions, and memory that C code knows -----------===//

#ifndef PYOPT_TYPED_C_OPS_TD
#define PYOPT_TYPED_C_OPS_TD

def Typed_Address : AnyTypeOf<[Typed_PointerType, Typed_CFunctionType, UI64],
                              "an address, or its number">;

/// The result is an address into what the operand holds, which must stay as long as the result is used.
class Typed_LendingOp<string mnemonic>
    : Typed_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<OwnershipOpInterface, ["ownsResult"]>]>;

def Typed_AddressOp : Typed_LendingOp<"address"> {
  let summary = "where the elements of an array begin";
  let description = [{
    Who has the address may read and write the elements.

    Example: `%p = typed.address %a : !typed.array<1, f64, C> -> !typed.pointer<f64>`
  }];
  let arguments = (ins Typed_ArrayType:$array);
  let results = (outs Typed_PointerType:$result);
  let assemblyFormat = "$array attr-dict `:` qualified(type($array)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_AddressCastOp : Typed_LendingOp<"address_cast"> {
  let summary = "an address as another type, as a number, or a number as an address";
  let description = [{
    Example: `%q = typed.address_cast %p : !typed.pointer<f64> to !typed.pointer<!typed.none>`,
    `%f = typed.address_cast %n : ui64 to !typed.c_function<(f64) -> f64>`
  }];
  let arguments = (ins Typed_Address:$address);
  let results = (outs Typed_Address:$result);
  let assemblyFormat = "$address attr-dict `:` type($address) `to` type($result)";
  let hasFolder = 1;
}

def Typed_PointerArrayOp : Typed_Op<"pointer_array", [Pure]> {
  let summary = "the array over the memory behind an address";
  let description = [{
    It begins so many elements behind the address, or before it. Its elements
    lie side by side, in the order of the result's layout. Nobody owns it: who
    makes it answers for what it reaches.

    Example: `%a = typed.pointer_array %p[%i](%n, %m) : !typed.pointer<f64>, (si64, si64) -> !typed.array<2, f64, C>`
  }];
  let arguments = (ins Typed_PointerType:$pointer, SI64:$offset, Variadic<Typed_IndexLike>:$sizes);
  let results = (outs Typed_ArrayType:$result);
  let assemblyFormat = [{
    $pointer `[` $offset `]` `` `(` $sizes `)` attr-dict `:` qualified(type($pointer))
    (`,` `(` type($sizes)^ `)`)? `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Typed_CSymbolOp : Typed_Op<"c_symbol", [Pure]> {
  let summary = "the C function that has a name";
  let description = [{
    Machine code has a relocation in its place: where the function is, is looked
    up when the code is loaded, so that code can be kept for other processes.

    Example: `%f = typed.c_symbol "cos" : !typed.c_function<(f64) -> f64>`
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Typed_CFunctionType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def Typed_CCallOp : Typed_Op<"c_call", [
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>]> {
  let summary = "calls a function with C's calling convention";
  let description = [{
    It doesn't raise, and may do anything else: its effects are unknown.

    Example: `%y = typed.c_call %f(%x) : !typed.c_function<(f64) -> f64>, (f64) -> f64`
  }];
  let arguments = (ins Typed_CFunctionType:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` qualified(type($callee)) `,`
    functional-type($inputs, $results)
  }];
  let hasVerifier = 1;
}

#endif // PYOPT_TYPED_C_OPS_TD
