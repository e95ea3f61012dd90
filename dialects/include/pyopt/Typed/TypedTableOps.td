//===- TypedTableOps.td - Dicts and sets -----------------------------------===//

#ifndef PYOPT_TYPED_TABLE_OPS_TD
#define PYOPT_TYPED_TABLE_OPS_TD

include "pyopt/Typed/TypedDialect.td"

// Dicts and sets are hash tables: entries in the order of insertion, and an index of slots, which hold
// the number of an entry and a part of its key's hash. How keys are hashed, compared and found is
// written in the library (python/pyopt/library/tables.py), on top of these operations.

class Typed_KeyOf<string table, string key>
    : TypesMatchWith<"the key has the table's key type", table, key,
                     "::pyopt::typed::getKeyType($_self)">;

class Typed_ValueOf<string table, string value>
    : TypesMatchWith<"the value has the dict's value type", table, value,
                     "::llvm::cast<::pyopt::typed::DictType>($_self).getValue()">;

def Typed_TableNumber : I32EnumAttr<"TableNumber", "a number that a table is described by", [
    I32EnumAttrCase<"Size", 0, "size">, I32EnumAttrCase<"End", 1, "end">,
    I32EnumAttrCase<"Mask", 2, "mask">, I32EnumAttrCase<"Limit", 3, "limit">]> {
  let cppNamespace = "::pyopt::typed";
  let genSpecializedAttr = 0;
}
def Typed_TableNumberAttr : EnumAttr<Typed_Dialect, Typed_TableNumber, "table_number">;

def Typed_TableNewOp : Typed_Op<"table_new", [MemoryEffects<[]>, OwnershipOpInterface]> {
  let summary = "a dict or set without entries";
  let description = "Example: `%d = typed.table_new : !typed.dict<si64, f64>`";
  let results = (outs Res<Typed_AnyTable, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Typed_TableGrowOp : Typed_Op<"table_grow", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes room for more entries; true when memory is short";
  let description = [{
    Entries that have no slot yet get room for one. Slots move, and so do entries where some were removed.

    Example: `%failed = typed.table_grow %d, %n : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_AnyTable:$table, SI64:$more);
  let results = (outs I1:$failed);
  let assemblyFormat = "$table `,` $more attr-dict `:` qualified(type($table))";
}

def Typed_TableCopyOp : Typed_Op<"table_copy", [
    AllTypesMatch<["table", "made"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "puts the entries of a table into an empty one; true when memory is short";
  let description = [{
    Keys and values are the same objects. Nothing is hashed, since slots have the hashes.

    Example: `%failed = typed.table_copy %d to %e : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_AnyTable:$table, Typed_AnyTable:$made);
  let results = (outs I1:$failed);
  let assemblyFormat = "$table `to` $made attr-dict `:` qualified(type($table))";
}

def Typed_TableGetOp : Typed_Op<"table_get", [MemoryEffects<[MemRead]>]> {
  let summary = "a number that a table is described by";
  let description = [{
    `size` is the number of entries, `end` the number behind the last entry, which counts removed ones too;
    `mask` is the number of slots less one, 0 where entries have none; `limit` is what `end` can be
    before the table must grow.

    Example: `%n = typed.table_get size %d : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_TableNumberAttr:$number, Typed_AnyTable:$table);
  let results = (outs SI64:$result);
  let assemblyFormat = "$number $table attr-dict `:` qualified(type($table))";
}

def Typed_TableSlotOp : Typed_Op<"table_slot", [MemoryEffects<[MemRead]>]> {
  let summary = "a slot: the number of an entry plus one in the low half, part of the hash in the high one";
  let description = [{
    The position is no more than the mask.

    Example: `%s = typed.table_slot %d[%i] : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_AnyTable:$table, SI64:$position);
  let results = (outs UI64:$result);
  let assemblyFormat = "$table `[` $position `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableSetSlotOp : Typed_Op<"table_set_slot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "replaces a slot";
  let description = "Example: `typed.table_set_slot %s, %d[%i] : !typed.dict<si64, f64>`";
  let arguments = (ins UI64:$slot, Typed_AnyTable:$table, SI64:$position);
  let assemblyFormat = "$slot `,` $table `[` $position `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableHasOp : Typed_Op<"table_has", [MemoryEffects<[MemRead]>]> {
  let summary = "whether an entry wasn't removed";
  let description = "Example: `%b = typed.table_has %d[%i] : !typed.dict<si64, f64>`";
  let arguments = (ins Typed_AnyTable:$table, SI64:$entry);
  let results = (outs I1:$result);
  let assemblyFormat = "$table `[` $entry `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableKeyOp : Typed_Op<"table_key", [
    MemoryEffects<[MemRead]>, OwnershipOpInterface, Typed_KeyOf<"table", "result">]> {
  let summary = "the key of an entry";
  let description = [{
    One that owns memory comes with a reference of its own.

    Example: `%k = typed.table_key %d[%i] : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_AnyTable:$table, SI64:$entry);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$table `[` $entry `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableValueOp : Typed_Op<"table_value", [
    MemoryEffects<[MemRead]>, OwnershipOpInterface, Typed_ValueOf<"table", "result">]> {
  let summary = "the value of an entry";
  let description = [{
    One that owns memory comes with a reference of its own.

    Example: `%v = typed.table_value %d[%i] : !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_DictType:$table, SI64:$entry);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$table `[` $entry `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableSetValueOp : Typed_Op<"table_set_value", [
    MemoryEffects<[MemRead, MemWrite]>, Typed_ValueOf<"table", "value">]> {
  let summary = "replaces the value of an entry";
  let description = [{
    The dict takes a reference to the value and gives up the one it had.

    Example: `typed.table_set_value %v, %d[%i] : !typed.dict<si64, f64>`
  }];
  let arguments = (ins AnyType:$value, Typed_DictType:$table, SI64:$entry);
  let assemblyFormat = "$value `,` $table `[` $entry `]` attr-dict `:` qualified(type($table))";
}

def Typed_TablePushOp : Typed_Op<"table_push", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "puts an entry behind the last one of a table that has room for it";
  let description = [{
    The table takes a reference to the key and the value of a dict, the key of a set. Its slot must be set.

    Example: `typed.table_push %k, %v to %d : si64, f64 to !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_AnyTable:$table, Variadic<AnyType>:$parts);
  let assemblyFormat = "$parts `to` $table attr-dict `:` type($parts) `to` qualified(type($table))";
  let hasVerifier = 1;
}

def Typed_TableRemoveOp : Typed_Op<"table_remove", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "gives up an entry, whose slot was set to that of removed ones";
  let description = "Example: `typed.table_remove %d[%i] : !typed.dict<si64, f64>`";
  let arguments = (ins Typed_AnyTable:$table, SI64:$entry);
  let assemblyFormat = "$table `[` $entry `]` attr-dict `:` qualified(type($table))";
}

def Typed_TableClearOp : Typed_Op<"table_clear", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "gives up all entries";
  let description = "Example: `typed.table_clear %d : !typed.dict<si64, f64>`";
  let arguments = (ins Typed_AnyTable:$table);
  let assemblyFormat = "$table attr-dict `:` qualified(type($table))";
}

class Typed_BorrowingOp<string mnemonic> : Typed_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<OwnershipOpInterface, ["ownsResult"]>]>;

def Typed_DictViewOp : Typed_BorrowingOp<"dict_view"> {
  let summary = "the keys, values or items of a dict";
  let description = [{
    Example: `%k = typed.dict_view %d : !typed.dict<si64, f64> -> !typed.dict_view<!typed.dict<si64, f64>, "keys">`
  }];
  let arguments = (ins Typed_DictType:$dict);
  let results = (outs Typed_DictViewType:$result);
  let assemblyFormat = "$dict attr-dict `:` qualified(type($dict)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Typed_ViewedDictOp : Typed_BorrowingOp<"viewed_dict"> {
  let summary = "the dict of a view";
  let description = [{
    Example: `%d = typed.viewed_dict %k : !typed.dict_view<!typed.dict<si64, f64>, "keys"> -> !typed.dict<si64, f64>`
  }];
  let arguments = (ins Typed_DictViewType:$view);
  let results = (outs Typed_DictType:$result);
  let assemblyFormat = "$view attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // PYOPT_TYPED_TABLE_OPS_TD
