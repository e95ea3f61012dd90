include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Dice_Dialect : Dialect {
  let name = "dice";
  let cppNamespace = "::dice";
  let summary = "random numbers by a state that C's library has";
  let useDefaultTypePrinterParser = 1;
}

def Dice_CupType : TypeDef<Dice_Dialect, "Cup"> {
  let mnemonic = "cup";
  let summary = "a handle: the address of a state of `erand48`";
}

def Dice_RollOp : Op<Dice_Dialect, "roll"> {
  let summary = "the next random number from 0 to 1, which changes the state";
  let arguments = (ins Dice_CupType:$cup);
  let results = (outs F64:$result);
  let assemblyFormat = "$cup attr-dict";
}

def Dice_OfOp : Op<Dice_Dialect, "of"> {
  let summary = "the cup at an address";
  let arguments = (ins SI64:$address);
  let results = (outs Dice_CupType:$result);
  let assemblyFormat = "$address attr-dict";
}
