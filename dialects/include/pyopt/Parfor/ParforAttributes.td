//===- ParforAttributes.td - The parfor dialect and its attributes --------===//

#ifndef PYOPT_PARFOR_ATTRIBUTES_TD
#define PYOPT_PARFOR_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Parfor_Dialect : Dialect {
  let name = "parfor";
  let cppNamespace = "::pyopt::parfor";
  let summary = "parallel loop nests that yield values";
  let description = [{
    One operation stands for all data parallelism: prange loops, array
    expressions, fills, reductions and stencils. Fresh arrays and reductions
    are results; stores in the body are only the user's own. Because a
    temporary array is a value, fusion is inlining, and a temporary that
    nobody uses is gone.
  }];
  let dependentDialects = ["::pyopt::marks::MarksDialect"];
  let useDefaultAttributePrinterParser = 1;
}

/// An enum of the dialect.
class Parfor_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pyopt::parfor";
  let genSpecializedAttr = 0;
}

/// `npmin` and `npmax` are NumPy's: a NaN wins.
def Parfor_CombineKind : Parfor_Enum<"CombineKind", "the operator of a reduction", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"NpMin", 4, "npmin">, I32EnumAttrCase<"NpMax", 5, "npmax">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]>;

def Parfor_CombineKindAttr : EnumAttr<Parfor_Dialect, Parfor_CombineKind, "combine_kind">;

/// How the reductions of a loop combine: by operators, or by combiners, of which it has the symbols.
def Parfor_CombinationsAttr : TypedArrayAttrBase<
    AnyAttrOf<[Parfor_CombineKindAttr, FlatSymbolRefAttr]>, "operators and symbols of combiners">;

/// `numpy` and `reduction` are also loops of the library, which make and which reduce arrays.
def Parfor_PatternKind : Parfor_Enum<"PatternKind",
    "the construct that a parallel loop comes from", [
    I32EnumAttrCase<"Prange", 0, "prange">, I32EnumAttrCase<"Numpy", 1, "numpy">,
    I32EnumAttrCase<"ArrayExpr", 2, "array_expr">, I32EnumAttrCase<"Fill", 3, "fill">,
    I32EnumAttrCase<"Copy", 4, "copy">, I32EnumAttrCase<"Comprehension", 5, "comprehension">,
    I32EnumAttrCase<"Setitem", 6, "setitem">, I32EnumAttrCase<"Reduction", 7, "reduction">,
    I32EnumAttrCase<"Stencil", 8, "stencil">]>;

/// What passes know of functions of the overload library.
def Parfor_LibraryRole : Parfor_Enum<"LibraryRole",
    "what passes know of a library function", [
    I32EnumAttrCase<"Selection", 0, "selection">, I32EnumAttrCase<"Reshape", 1, "reshape">,
    I32EnumAttrCase<"ListConversion", 2, "list_conversion">,
    I32EnumAttrCase<"Lookup", 3, "lookup">, I32EnumAttrCase<"Slots", 4, "slots">]>;

def Parfor_LibraryRoleAttr : EnumAttr<Parfor_Dialect, Parfor_LibraryRole, "library_role">;

def Parfor_PatternKindAttr : EnumAttr<Parfor_Dialect, Parfor_PatternKind, "pattern_kind">;

def Parfor_PatternAttr : AttrDef<Parfor_Dialect, "Pattern"> {
  let mnemonic = "pattern";
  let summary = "what a parallel loop comes from";
  let description = [{
    The kind of construct, and for diagnostics alone a detail, such as which reduction it is: no
    pass decides by it.

    Example: `#parfor.pattern<prange>`, `#parfor.pattern<reduction "sum">`
  }];
  let parameters = (ins EnumParameter<Parfor_PatternKind>:$kind,
                        OptionalParameter<"::mlir::StringAttr">:$detail);
  let assemblyFormat = "`<` custom<PatternParts>($kind, $detail) `>`";
  /// What the views of operations give it as.
  string rustType = "::pyopt_dialects::parfor::Pattern";
}

def Parfor_PatternsAttr : TypedArrayAttrBase<Parfor_PatternAttr, "array of patterns">;

/// Static: each thread runs one part. Dynamic: there are more parts than threads, and idle threads
/// take the next one.
def Parfor_Schedule : Parfor_Enum<"Schedule",
    "how threads get the iterations of a parallel loop", [
    I32EnumAttrCase<"Static", 0, "static">, I32EnumAttrCase<"Dynamic", 1, "dynamic">]>;

def Parfor_ScheduleAttr : EnumAttr<Parfor_Dialect, Parfor_Schedule, "schedule">;

#endif // PYOPT_PARFOR_ATTRIBUTES_TD
