//===- MarksDialect.td - The pyopt dialect: what passes note on operations -===//

#ifndef PYOPT_MARKS_DIALECT_TD
#define PYOPT_MARKS_DIALECT_TD

include "mlir/IR/OpBase.td"
include "pyopt/Parfor/ParforAttributes.td"

/// A discardable attribute, `pyopt.key`, of one of the kinds.
class Pyopt_Mark<string name, list<Attr> allowed, string holder, string meaning,
                 string writer, string reader, string end> : AnyAttrOf<allowed> {
  string key = name;
  /// The C++ class that all kinds have in common.
  string cppClass = !if(!eq(!size(allowed), 1), !head(allowed).storageType, "::mlir::Attribute");
  /// The operations that it is on.
  string on = holder;
  /// What it says of them.
  string says = meaning;
  /// The passes that write and read it.
  string writtenBy = writer;
  string readBy = reader;
  /// When it goes.
  string dies = end;
}

/// The patterns of the library's own loops.
def Pyopt_LibraryPattern : ConfinedAttr<Parfor_PatternKindAttr, [AttrConstraint<CPred<
    "::llvm::is_contained({::pyopt::parfor::PatternKind::Numpy, ::pyopt::parfor::PatternKind::Reduction},"
    " ::llvm::cast<::pyopt::parfor::PatternKindAttr>($_self).getValue())">, "that the library's loops have: numpy or reduction">]>;

defset list<Pyopt_Mark> Pyopt_Marks = {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Pyopt_Entry : Pyopt_Mark<"entry", [UnitAttr, StrAttr],
    "`func.func`, `llvm.func`",
    "the host calls it; once symbols change, the name by which the host knows it",
    "`infer-types`, `typed-expand-generators`, `typed-to-memref`, `typed-to-abi`",
    "`typed-expand-generators`, `typed-to-memref`, `typed-to-abi`, the host", "stays">;

def Pyopt_CEntry : Pyopt_Mark<"c_entry", [UnitAttr],
    "`py.specialize`, `func.func`", "C code calls it: it gets an entry point with C's calling convention",
    "the host, `infer-types`", "`infer-types`, `typed-to-abi`", "`typed-to-abi`">;

def Pyopt_Function : Pyopt_Mark<"function", [StrAttr],
    "`func.func`, `llvm.func`", "the name of the Python function that it comes from",
    "`infer-types`, passes that make functions of parts of others, `py-to-object-mode`",
    "`typed-to-abi`, `name-subprograms`, `parfor-diagnostics`, and passes that copy it", "stays">;

def Pyopt_Signature : Pyopt_Mark<"signature", [TypeAttrOf<FunctionType>],
    "`func.func`, `llvm.func`", "its type before the conversion",
    "`typed-to-memref`, `typed-to-abi`", "`typed-to-abi`, `name-subprograms`, the host",
    "stays on entry points">;

def Pyopt_Generator : Pyopt_Mark<"generator", [UnitAttr],
    "`func.func`", "its body is that of a generator: it ends with `typed.end_generator`",
    "`infer-types`", "`typed-expand-generators`", "`typed-expand-generators`">;

def Pyopt_Parfor : Pyopt_Mark<"parfor", [UnitAttr],
    "`func.func`", "it is the outlined body of a parallel loop",
    "`parfor-to-threads`", "`typed-hoist-allocations`", "stays">;

def Pyopt_Device : Pyopt_Mark<"device", [UnitAttr],
    "`builtin.module`; `func.func`, `llvm.func`",
    "it holds what runs on the device; it is a kernel",
    "`parfor-to-gpu`",
    "`typed-to-memref`, `llvm-to-gpu`, `kernels-to-host`, `typed-to-abi`",
    "with the module">;

def Pyopt_Image : Pyopt_Mark<"image", [StrAttr],
    "`builtin.module` that holds what runs on the device",
    "the code of its kernels, as the device takes it",
    "`kernels-to-llvm-ir`, and passes of devices' own", "`typed-to-abi`", "with the module">;

def Pyopt_Origins : Pyopt_Mark<"origins", [DenseI64ArrayAttr],
    "`func.func`, an outlined loop body",
    "the origin of each argument's memory: the number of an allocation of the launching function, "
    "-1 for an argument of that, -2 for any",
    "`parfor-to-threads`", "alias analysis of arrays", "stays">;

def Pyopt_Elementary : Pyopt_Mark<"elementary", [UnitAttr],
    "`func.func`, `llvm.func`", "it computes an elementary function",
    "`expand-elementary`", "`set-fastmath`", "stays">;

def Pyopt_Fastmath : Pyopt_Mark<"fastmath", [StrArrayAttr],
    "`func.func`, `llvm.func`", "the fast-math flags that its decorator names, which may be none",
    "`infer-types`", "`typed-inline-calls`, `set-fastmath`", "stays">;

def Pyopt_Libm : Pyopt_Mark<"libm", [StrAttr],
    "`func.func`, declared",
    "the function of the C library that it is, by the name that the one of doubles has",
    "`typed-to-memref`", "`expand-elementary`", "stays">;

def Pyopt_Header : Pyopt_Mark<"header", [I64Attr],
    "`llvm.load`, `llvm.store`",
    "the word that it accesses in the header of a container, such as its length or where its items are",
    "`typed-to-memref`", "`tag-accesses`", "`tag-accesses`">;

def Pyopt_Alive : Pyopt_Mark<"alive", [UnitAttr],
    "operations of `typed` on containers; `llvm.load`",
    "the container whose header it reads exists wherever its value is defined",
    "`typed-to-memref`", "`hoist-headers`", "`tag-accesses`">;

def Pyopt_Environment : Pyopt_Mark<"environment", [DictArrayAttr],
    "`llvm.func` of object mode", "the table of the objects that it refers to",
    "`py-to-object-mode`", "the host", "stays">;

//===----------------------------------------------------------------------===//
// Functions that the host runs
//===----------------------------------------------------------------------===//

def Pyopt_Object : Pyopt_Mark<"object", [AnyAttr],
    "`func.func`, declared", "the code that the interpreter runs for it",
    "`infer-types`", "`typed-to-memref`, `typed-to-abi`", "`typed-to-abi`">;

def Pyopt_Linked : Pyopt_Mark<"linked", [StrAttr],
    "`func.func`, declared", "the symbol by which the host knows its machine code",
    "`infer-types`", "`typed-to-memref`, `typed-to-abi`", "`typed-to-abi`">;

def Pyopt_Native : Pyopt_Mark<"native", [StrAttr],
    "`func.func`, declared",
    "the function of the runtime that does its work, with values in slots",
    "`infer-types`", "`typed-to-memref`, `typed-to-abi`", "`typed-to-abi`">;

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

def Pyopt_Objects : Pyopt_Mark<"objects", [DictArrayAttr],
    "`builtin.module`",
    "what the host has to run; compiled code passes it an index in the list",
    "`typed-to-abi`", "the host", "stays">;

def Pyopt_Sites : Pyopt_Mark<"sites", [DictArrayAttr],
    "`builtin.module`", "where exceptions are raised, and which",
    "`typed-to-abi`", "`typed-to-abi`, the host", "stays">;

//===----------------------------------------------------------------------===//
// Closures and calls
//===----------------------------------------------------------------------===//

def Pyopt_Captures : Pyopt_Mark<"captures", [I64Attr],
    "`py.func`; `py.make_function`",
    "how many of its first parameters are the free variables of a closure; that its part is a "
    "tuple of so many values of them",
    "`py-convert-closures`", "`infer-types`", "`infer-types`, with its operation">;

def Pyopt_CapturedDefaults : Pyopt_Mark<"captured_defaults", [DenseI64ArrayAttr],
    "`py.func`",
    "which of its other parameters have as their defaults the values of its last captured ones",
    "`py-convert-closures`", "`infer-types`", "`infer-types`, with its operation">;

def Pyopt_Reason : Pyopt_Mark<"reason", [StrAttr],
    "`py.make_function`", "why no values can take the place of its cells",
    "`py-convert-closures`", "`infer-types`", "`infer-types`, with its operation">;

def Pyopt_Literals : Pyopt_Mark<"literals", [TypedArrayAttrBase<ArrayAttr, "array of pairs">],
    "`py.specialize`",
    "pairs of the number and the value of an argument that the function is specialised for",
    "the host, for functions of the library and for `literally`", "`infer-types`",
    "`infer-types`, with its operation">;

def Pyopt_LiteralParameters : Pyopt_Mark<"literal_parameters", [DenseI64ArrayAttr],
    "`py.func`", "the parameters whose values it is specialised for",
    "`py-literals`", "`infer-types`, the host", "`infer-types`, with its operation">;

def Pyopt_Combiner : Pyopt_Mark<"combiner", [FlatSymbolRefAttr],
    "`typed.call`", "the combiner that it is a step of",
    "`infer-types`", "`typed-inline-calls`, `parfor-from-prange`", "with its operation">;

def Pyopt_NoCombiner : Pyopt_Mark<"no_combiner", [StrAttr],
    "`typed.call` of a reduction", "why it isn't a step of one",
    "`infer-types`", "`typed-inline-calls`, `parfor-from-prange`", "with its operation">;

def Pyopt_Role : Pyopt_Mark<"role", [Parfor_LibraryRoleAttr],
    "`typed.call` of the overload library",
    "what its result is: the elements of the first argument that the second one selects; the first "
    "argument with the sizes that the second one lists; an array of the items of a list; where a table has a key. "
    "Or all that it does: make slots of a table, whose entries stay",
    "`infer-types`, as the library's source says",
    "array analysis, `parfor-from-comprehension`, `typed-share-lookups`, `typed-lend-items`",
    "with its operation">;

//===----------------------------------------------------------------------===//
// Loops and ranges
//===----------------------------------------------------------------------===//

def Pyopt_Prange : Pyopt_Mark<"prange", [UnitAttr, Pyopt_LibraryPattern],
    "`typed.range`, `scf.for`",
    "its iterations may run in any order; the pattern of the parallel loop that it may become, which "
    "is the option of `parallel={…}` that it belongs to, or nothing for a `prange` of the program",
    "`infer-types`, `typed-range-to-for`", "`typed-expand-try`, `typed-range-to-for`, `parfor-from-prange`",
    "`parfor-from-prange`">;

def Pyopt_SerialPrange : Pyopt_Mark<"serial_prange", [UnitAttr],
    "`scf.for`", "it is a `prange` inside of a parallel loop",
    "`parfor-from-prange`", "`parfor-diagnostics`, `parfor-collapse-nests`", "with its operation">;

def Pyopt_Settled : Pyopt_Mark<"settled", [UnitAttr],
    "`scf.for`", "its order has been decided",
    "`typed-interchange-loops`, `typed-tile-loops`, `typed-unroll-and-jam`",
    "`typed-interchange-loops`, `typed-tile-loops`, `typed-unroll-and-jam`",
    "with its operation">;

def Pyopt_Hoisted : Pyopt_Mark<"hoisted", [UnitAttr],
    "`scf.for`", "it is the original loop, which runs what the chunks leave",
    "`typed-hoist-checks`", "`typed-hoist-checks`, `typed-version-wraparound`",
    "with its operation">;

def Pyopt_Schedule : Pyopt_Mark<"schedule", [Parfor_ScheduleAttr],
    "`parfor.loop`, `parfor.launch`", "how threads get its iterations",
    "`parfor-schedule`, and passes that copy it", "`typed-to-abi`", "with its operation">;

def Pyopt_Rare : Pyopt_Mark<"rare", [UnitAttr],
    "`parfor.loop`", "it isn't worth more code than a plain loop nest",
    "`parfor-from-setitem`, `parfor-from-inplace-binop`", "passes that lower or fuse loops",
    "with its operation">;

def Pyopt_Reassoc : Pyopt_Mark<"reassoc", [UnitAttr, DenseI64ArrayAttr],
    "`typed.binary`; `parfor.loop`",
    "it may be done in any order; which of its reductions may, 1 or 0 for each",
    "`parfor-from-prange`, `parfor-to-scf`",
    "`parfor-to-scf`, `typed-hoist-checks`, `typed-to-memref`, and passes that remake loops",
    "with its operation">;

def Pyopt_Reduces : Pyopt_Mark<"reduces", [StrArrayAttr],
    "`parfor.loop` over chunks", "its further reductions",
    "`parfor-from-prange`", "`parfor-diagnostics`, `parfor-collapse-nests`", "with its operation">;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Pyopt_Ascending : Pyopt_Mark<"ascending", [UnitAttr],
    "`typed.binary`, a sum", "it is at least its first operand: an item of an ascending range",
    "`typed-range-to-for`", "analysis of intervals, `typed-version-wraparound`",
    "with its operation">;

def Pyopt_Minimum : Pyopt_Mark<"minimum", [I64Attr],
    "`typed.binary`, `typed.cast`, `arith.subi`", "a lower bound of its result",
    "`typed-range-to-for`", "analysis of intervals", "with its operation">;

def Pyopt_Inplace : Pyopt_Mark<"inplace", [UnitAttr],
    "`typed.assign`", "it is the assignment of an in-place operator",
    "`infer-types`", "`parfor-from-inplace-binop`, `parfor-from-setitem`", "with its operation">;

def Pyopt_Assigned : Pyopt_Mark<"assigned", [UnitAttr],
    "`typed.array_expr`", "it is computed as part of the assignment of its value",
    "`parfor-from-numpy`", "`parfor-from-setitem`, `parfor-from-inplace-binop`",
    "with its operation">;

def Pyopt_Kernel : Pyopt_Mark<"kernel", [FlatSymbolRefAttr],
    "`stencil.apply`", "the function that its region is to be filled with",
    "`infer-types`", "`infer-types`", "`infer-types`">;

def Pyopt_Types : Pyopt_Mark<"types", [TypeArrayAttr],
    "`parfor.launch`; `typed.exception`",
    "the types before the conversion of its reductions; of its arguments",
    "`typed-to-memref`", "`typed-to-memref`, `typed-to-abi`", "with its operation">;

def Pyopt_Turns : Pyopt_Mark<"turns", [I64Attr],
    "`py.getitem`", "it takes an item for a turn of an unrolled loop: how many items the tuple was found to have",
    "`py-unroll-tuples`, `infer-types`", "`infer-types`", "`infer-types`">;

//===----------------------------------------------------------------------===//
// Variables that debuggers show
//===----------------------------------------------------------------------===//

def Pyopt_Variable : Pyopt_Mark<"variable", [StrAttr],
    "`llvm.alloca`", "the name of the variable that is there",
    "`store-variables`", "`describe-variables`", "`describe-variables`">;

def Pyopt_VariableType : Pyopt_Mark<"variable_type", [TypeAttr],
    "`llvm.alloca`", "the type that the variable has in Python",
    "`store-variables`", "`describe-variables`", "`describe-variables`">;

def Pyopt_Argument : Pyopt_Mark<"argument", [I64Attr],
    "`llvm.alloca`", "the variable is the parameter of this number, from one",
    "`store-variables`", "`describe-variables`", "`describe-variables`">;
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

def Marks_Dialect : Dialect {
  let name = "pyopt";
  let cppNamespace = "::pyopt::marks";
  let summary = "what passes note on operations of all dialects";
  let description = [{
    The dialect has no operations and no types, only discardable attributes, by which a pass tells
    later ones what it knows of an operation. A `pyopt` attribute that isn't declared here, or of
    another kind, is an error. None is on an argument or a result of a function.

    | Attribute | Kind | On | Says | Written by | Read by | Ends |
    |---|---|---|---|---|---|---|
    }] # !interleave(!foreach(mark, Pyopt_Marks,
        "| `pyopt." # mark.key # "` | " # mark.summary # " | " # mark.on # " | " # mark.says
        # " | " # mark.writtenBy # " | " # mark.readBy # " | " # mark.dies # " |"), "\n    ");
  let discardableAttrs = !dag(ins, !foreach(mark, Pyopt_Marks, mark.cppClass),
                                !foreach(mark, Pyopt_Marks, mark.key));
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // PYOPT_MARKS_DIALECT_TD
