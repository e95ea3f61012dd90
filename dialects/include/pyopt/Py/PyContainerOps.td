//===- PyContainerOps.td - Building, taking apart and matching containers -===//

#ifndef PYOPT_PY_CONTAINER_OPS_TD
#define PYOPT_PY_CONTAINER_OPS_TD

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

class Py_BuildOp<string kind, list<Trait> traits = []>
    : Py_ValueOp<"build_" # kind, traits> {
  let arguments = (ins Variadic<Py_ObjectType>:$elements);
  let assemblyFormat = "`(` $elements `)` attr-dict";
}

def Py_BuildTupleOp : Py_BuildOp<"tuple", [Pure]> { let summary = "a tuple of its operands"; }
def Py_BuildListOp : Py_BuildOp<"list"> { let summary = "a list of its operands"; }
def Py_BuildSetOp : Py_BuildOp<"set"> { let summary = "a set of its operands"; }
def Py_BuildStringOp : Py_BuildOp<"string"> { let summary = "concatenates strings"; }
def Py_BuildMapOp : Py_BuildOp<"map"> {
  let summary = "a dict of its operands: key, value, key, value, …";
  let hasVerifier = 1;
}

def Py_ExtendKind : I32EnumAttr<"ExtendKind", "how a container grows", [
    I32EnumAttrCase<"ListAppend", 0, "list_append">,
    I32EnumAttrCase<"ListExtend", 1, "list_extend">, I32EnumAttrCase<"SetAdd", 2, "set_add">,
    I32EnumAttrCase<"SetUpdate", 3, "set_update">,
    I32EnumAttrCase<"DictUpdate", 4, "dict_update">,
    I32EnumAttrCase<"DictMerge", 5, "dict_merge">]> {
  let cppNamespace = "::pyopt::py";
  let genSpecializedAttr = 0;
}
def Py_ExtendKindAttr : EnumAttr<Py_Dialect, Py_ExtendKind, "extend_kind">;

def Py_ExtendOp : Py_Op<"extend"> {
  let summary = "adds to a container that is being built";
  let description = [{
    `callee` is the function whose keyword arguments `dict_merge` collects, for
    the error when one is given twice.

    Example: `py.extend list_append %list, %item`, `py.extend dict_merge %keywords, %more for %f`
  }];
  let arguments = (ins Py_ExtendKindAttr:$kind, Py_ObjectType:$container, Py_ObjectType:$item,
                       Optional<Py_ObjectType>:$callee);
  let assemblyFormat = "`` $kind $container `,` $item (`for` $callee^)? attr-dict";
  let hasVerifier = 1;
}

def Py_MapAddOp : Py_Op<"map_add"> {
  let summary = "`dict[key] = value` in a dict comprehension";
  let arguments = (ins Py_ObjectType:$map, Py_ObjectType:$key, Py_ObjectType:$value);
  let assemblyFormat = "$map `[` $key `]` `=` $value attr-dict";
}

def Py_ListToTupleOp : Py_ValueOp<"list_to_tuple"> {
  let summary = "the tuple of a list that is being built";
  let arguments = (ins Py_ObjectType:$list);
  let assemblyFormat = "$list attr-dict";
}

def Py_UnpackOp : Py_Op<"unpack"> {
  let summary = "unpacks exactly as many items as it has results";
  let description = "Example: `%a, %b = py.unpack %0 : !py.object, !py.object`";
  let arguments = (ins Py_ObjectType:$sequence);
  let results = (outs Variadic<Py_ObjectType>:$items);
  let assemblyFormat = "$sequence attr-dict `:` type($items)";
}

def Py_UnpackExOp : Py_Op<"unpack_ex"> {
  let summary = "unpacks with one starred target";
  let description = "The result at position `before` is the list of the rest.";
  let arguments = (ins Py_ObjectType:$sequence, I64Attr:$before);
  let results = (outs Variadic<Py_ObjectType>:$items);
  let assemblyFormat = "$sequence `before` $before attr-dict `:` type($items)";
  let hasVerifier = 1;
}

def Py_FormatOp : Py_ValueOp<"format"> {
  let summary = "one replacement field of an f-string";
  let description = "`conversion` is `` (none), `s`, `r` or `a`.";
  let arguments = (ins Py_ObjectType:$value, StrAttr:$conversion, Optional<Py_ObjectType>:$spec);
  let assemblyFormat = "$value $conversion (`spec` $spec^)? attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

class Py_MatchKindOp<string mnemonic> : Py_Op<mnemonic> {
  let arguments = (ins Py_ObjectType:$subject);
  let results = (outs I1:$matches);
  let assemblyFormat = "$subject attr-dict";
}

def Py_MatchMappingOp : Py_MatchKindOp<"match_mapping"> {
  let summary = "whether a mapping pattern may take an object";
}
def Py_MatchSequenceOp : Py_MatchKindOp<"match_sequence"> {
  let summary = "whether a sequence pattern may take an object";
}

def Py_GetLenOp : Py_ValueOp<"get_len"> {
  let summary = "`len(object)`, whatever the name means";
  let arguments = (ins Py_ObjectType:$subject);
  let assemblyFormat = "$subject attr-dict";
}

def Py_MatchKeysOp : Py_ValueOp<"match_keys"> {
  let summary = "the tuple of a mapping's values for a tuple of keys, None when one is missing";
  let arguments = (ins Py_ObjectType:$subject, Py_ObjectType:$keys);
  let assemblyFormat = "$subject `,` $keys attr-dict";
}

def Py_MatchClassOp : Py_ValueOp<"match_class"> {
  let summary = "the tuple of attributes that a class pattern binds, None when it doesn't match";
  let description = [{
    `positional` sub-patterns take attributes by the class's `__match_args__`,
    the tuple `names` has the attributes of the others.

    Example: `%1 = py.match_class %0, %type, %names positional 2`
  }];
  let arguments = (ins Py_ObjectType:$subject, Py_ObjectType:$class_type, Py_ObjectType:$names,
                       I64Attr:$positional);
  let assemblyFormat = "$subject `,` $class_type `,` $names `positional` $positional attr-dict";
}

#endif // PYOPT_PY_CONTAINER_OPS_TD
