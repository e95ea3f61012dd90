//===- TypedGeneratorOps.td - Generators ------------------------------------===//
//
// A generator's body as inference leaves it, and the state that
// `typed-expand-generators` keeps it in.
//
//===----------------------------------------------------------------------===//

#ifndef PYOPT_TYPED_GENERATOR_OPS_TD
#define PYOPT_TYPED_GENERATOR_OPS_TD

/// What generators keep while they are suspended.
def Typed_GeneratorResource : Resource<"::pyopt::typed::GeneratorResource">;

def Typed_YieldValueOp : Typed_Op<"yield_value", [
    DeclareOpInterfaceMethods<RaisingOpInterface, ["getRaises"]>]> {
  let summary = "suspends the generator and hands out an item";
  let description = [{
    Anything may happen before the generator is resumed.

    Example: `typed.yield_value %0 : si64`
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Typed_EndGeneratorOp : Typed_Op<"end_generator", [Terminator]> {
  let summary = "ends the generator: there are no more items";
  let description = [{
    Example: `typed.end_generator`
  }];
  let assemblyFormat = "attr-dict";
}

def Typed_NewGeneratorOp : Typed_Op<"new_generator", [
    RaisingOpInterface, OwnershipOpInterface,
    MemoryEffects<[MemAlloc<Typed_OwnerResource>, MemWrite<ErrorResource>]>]> {
  let summary = "makes the state of a generator that wasn't resumed yet";
  let description = [{
    The state are words: first the owners that values in it refer to, null at
    first, then where to resume, 0 at first, then values. It is the only
    operation of its function that may raise.

    Example: `%g = typed.new_generator owners 1 words 5 : !typed.generator<@f.next, f64>`
  }];
  let arguments = (ins I64Attr:$owners, I64Attr:$words);
  let results = (outs Typed_GeneratorType:$result);
  let assemblyFormat = "`owners` $owners `words` $words attr-dict `:` qualified(type($result))";
}

def Typed_GeneratorLoadOp : Typed_Op<"generator_load", [
    MemoryEffects<[MemRead<Typed_GeneratorResource>]>, OwnershipOpInterface]> {
  let summary = "a value in the state of a generator";
  let description = [{
    `word` is where the value is, `owner` where its owners are.

    Example: `%0 = typed.generator_load %g[3, 0] : !typed.generator<@f.next, f64> -> f64`
  }];
  let arguments = (ins Typed_GeneratorType:$generator, I64Attr:$word, I64Attr:$owner);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $generator `[` $word `,` $owner `]` attr-dict `:` qualified(type($generator)) `->` type($result)
  }];
}

def Typed_GeneratorStoreOp : Typed_Op<"generator_store", [
    MemoryEffects<[MemWrite<Typed_GeneratorResource>, MemWrite<Typed_OwnerResource>]>]> {
  let summary = "replaces a value in the state of a generator";
  let description = [{
    The state has references of its own on what the value owns.

    Example: `typed.generator_store %0, %g[3, 0] : f64, !typed.generator<@f.next, f64>`
  }];
  let arguments = (ins AnyType:$value, Typed_GeneratorType:$generator, I64Attr:$word,
                       I64Attr:$owner);
  let assemblyFormat = [{
    $value `,` $generator `[` $word `,` $owner `]` attr-dict `:` type($value) `,`
    qualified(type($generator))
  }];
}

#endif // PYOPT_TYPED_GENERATOR_OPS_TD
