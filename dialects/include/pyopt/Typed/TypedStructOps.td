//===- TypedStructOps.td - Structures in shared memory ---------------------===//

#ifndef PYOPT_TYPED_STRUCT_OPS_TD
#define PYOPT_TYPED_STRUCT_OPS_TD

include "pyopt/Typed/TypedDialect.td"

// A structure that all its names share is a list of one tuple. It is never empty and never grows, so
// that its fields are read and written without a check, each by itself.

def Typed_StructNewOp : Typed_Op<"struct_new", [MemoryEffects<[]>, OwnershipOpInterface]> {
  let summary = "a structure whose fields are zeros, without references";
  let description = "Example: `%s = typed.struct_new : !typed.list<tuple<f64, si64>>`";
  let results = (outs Res<Typed_ListType, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Typed_FieldGetOp : Typed_Op<"field_get", [OwnershipOpInterface]> {
  let summary = "a field of a structure";
  let description = [{
    One that owns memory comes with a reference of its own.

    Example: `%x = typed.field_get %s[1] : !typed.list<tuple<f64, si64>> -> si64`
  }];
  let arguments = (ins Arg<Typed_ListType, "", [MemRead]>:$structure, I64Attr:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $structure `[` $position `]` attr-dict `:` qualified(type($structure)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Typed_FieldSetOp : Typed_Op<"field_set", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "replaces a field of a structure";
  let description = [{
    The structure takes a reference to the value and gives up the one it had. It may outlive the call:
    what a caller has lent must have gone through `typed.keep`.

    Example: `typed.field_set %x, %s[1] : si64, !typed.list<tuple<f64, si64>>`
  }];
  let arguments = (ins AnyType:$value, Typed_ListType:$structure, I64Attr:$position);
  let assemblyFormat = [{
    $value `,` $structure `[` $position `]` attr-dict `:` type($value) `,` qualified(type($structure))
  }];
  let hasVerifier = 1;
}

def Typed_KeepOp : Typed_Op<"keep", [
    MemoryEffects<[MemRead]>, OwnershipOpInterface, SameOperandsAndResultType]> {
  let summary = "a value that may outlive the call";
  let description = [{
    Memory that the caller lends for the call, as that of an array that was passed, gets an owner that
    holds the caller's object. Texts and readonly arrays without an owner are constants of the code, which
    ends with the function: they are copied.

    Example: `%k = typed.keep %a : !typed.array<1, f64, C>`
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // PYOPT_TYPED_STRUCT_OPS_TD
