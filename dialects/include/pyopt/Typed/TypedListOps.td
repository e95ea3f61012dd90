//===- TypedListOps.td - Lists that change ---------------------------------===//

#ifndef PYOPT_TYPED_LIST_OPS_TD
#define PYOPT_TYPED_LIST_OPS_TD

include "pyopt/Typed/TypedDialect.td"

class Typed_ItemOf<string holder, string item>
    : TypesMatchWith<"the item has the list's item type", holder, item,
                     "::llvm::cast<::pyopt::typed::ListType>($_self).getItem()">;

// The comparator is called with the item type and the types of all items.
class Typed_ItemsOf<string holder, string items>
    : TypesMatchWith<"each item has the list's item type", holder, items,
                     "::llvm::cast<::pyopt::typed::ListType>($_self).getItem()",
                     "[](::mlir::Type item, auto types) {"
                     " return ::llvm::all_of(types,"
                     " [&](::mlir::Type type) { return type == item; }); }">;

def Typed_ListNewOp : Typed_Op<"list_new", [MemoryEffects<[]>, OwnershipOpInterface]> {
  let summary = "a list without items";
  let description = "Example: `%l = typed.list_new : !typed.list<f64>`";
  let results = (outs Res<Typed_ListType, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Typed_ListReserveOp : Typed_Op<"list_reserve", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes room for more items; true when memory is short";
  let description = "Example: `%failed = typed.list_reserve %l, %n : !typed.list<f64>`";
  let arguments = (ins Typed_ListType:$list, SI64:$count);
  let results = (outs I1:$failed);
  let assemblyFormat = "$list `,` $count attr-dict `:` qualified(type($list))";
}

def Typed_ListLenOp : Typed_Op<"list_len", [MemoryEffects<[MemRead]>]> {
  let summary = "the number of items";
  let description = "Example: `%n = typed.list_len %l : !typed.list<f64> -> index`";
  let arguments = (ins Typed_ListType:$list);
  let results = (outs Typed_IndexLike:$result);
  let assemblyFormat = "$list attr-dict `:` qualified(type($list)) `->` type($result)";
}

def Typed_ListGetOp : Typed_Op<"list_get", [
    MemoryEffects<[MemRead]>, OwnershipOpInterface, Typed_ItemOf<"list", "result">]> {
  let summary = "an item, by position";
  let description = [{
    The position is in range (checks stand before it, wrap-around is done). An item that owns
    memory comes with a reference of its own.

    Example: `%x = typed.list_get %l[%i : index] : !typed.list<f64>`
  }];
  let arguments = (ins Typed_ListType:$list, Typed_IndexLike:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $list `[` $position `:` type($position) `]` attr-dict `:` qualified(type($list))
  }];
}

def Typed_ListSetOp : Typed_Op<"list_set", [
    MemoryEffects<[MemRead, MemWrite]>, Typed_ItemOf<"list", "item">]> {
  let summary = "replaces an item, by position";
  let description = [{
    The position is in range. The list takes a reference to the item and gives up the one it had.

    Example: `typed.list_set %x, %l[%i : si64] : !typed.list<f64>`
  }];
  let arguments = (ins AnyType:$item, Typed_ListType:$list, Typed_IndexLike:$position);
  let assemblyFormat = [{
    $item `,` $list `[` $position `:` type($position) `]` attr-dict `:` qualified(type($list))
  }];
}

def Typed_ListPushOp : Typed_Op<"list_push", [
    MemoryEffects<[MemRead, MemWrite]>, Typed_ItemsOf<"list", "items">]> {
  let summary = "puts items to the end of a list that has room for them";
  let description = [{
    The list takes a reference to each item.

    Example: `typed.list_push %x, %y to %l : !typed.list<f64>`
  }];
  let arguments = (ins Typed_ListType:$list, Variadic<AnyType>:$items);
  let assemblyFormat = "$items `to` $list attr-dict `:` qualified(type($list))";
}

def Typed_ListGrowOp : Typed_Op<"list_grow", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "puts numbers to the end of a list that has room for them; others must set them";
  let description = "Example: `typed.list_grow %l, %n : !typed.list<f64>`";
  let arguments = (ins Typed_ListType:$list, SI64:$count);
  let assemblyFormat = "$list `,` $count attr-dict `:` qualified(type($list))";
}

def Typed_ListTruncateOp : Typed_Op<"list_truncate", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "drops the items from a position on, which is no more than the length";
  let description = "Example: `typed.list_truncate %l, %n : !typed.list<f64>`";
  let arguments = (ins Typed_ListType:$list, SI64:$length);
  let assemblyFormat = "$list `,` $length attr-dict `:` qualified(type($list))";
}

#endif // PYOPT_TYPED_LIST_OPS_TD
