//===- Interfaces.td - What operations say of themselves ------------------===//
//
// Facts that passes ask for, where upstream has no interface for them. Effects
// on memory are `MemoryEffectOpInterface`, views `ViewLikeOpInterface`. An
// operation of any dialect that implements these is handled by every pass; its
// name stands nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef PYOPT_INTERFACES_TD
#define PYOPT_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The error slot: raising writes to it, so that raising operations are
/// neither deleted nor reordered, while loads of arrays may still move.
def ErrorResource : Resource<"::pyopt::ErrorResource">;

def RaisingOpInterface : OpInterface<"RaisingOpInterface"> {
  let description = [{
    An operation that may raise an exception. What it raises depends on the
    operation with its operands and attributes; what operations in its regions
    raise isn't counted. Whoever raises something writes to the error resource
    in `getEffects`, or doesn't tell its effects.

    An operation that doesn't implement this raises nothing if its effects are
    known and don't include a write to the error resource, and anything else.
  }];
  let cppNamespace = "::pyopt";
  let methods = [
    InterfaceMethod<"What the operation may raise.", "::pyopt::Raises", "getRaises", (ins), [{}],
      [{ return ::pyopt::Raises::Anything; }]>
  ];
}

/// Raises, and does nothing else that others see.
def Raises : TraitList<[RaisingOpInterface, MemoryEffects<[MemWrite<ErrorResource>]>]>;

def OwnershipOpInterface : OpInterface<"OwnershipOpInterface"> {
  let description = [{
    Who holds the references to the owners of memory that go through an
    operation. A result that isn't owned borrows from the operands: it is a
    view of them, holds them, or selects one. A consumed operand hands its
    reference over: the operation, its region or its successor gives it back.
  }];
  let cppNamespace = "::pyopt";
  let methods = [
    InterfaceMethod<"Whether a result is a reference of its user's own.",
      "bool", "ownsResult", (ins "unsigned":$result), [{}], [{ return true; }]>,
    InterfaceMethod<"Whether the operation takes the reference of an operand over.",
      "bool", "consumesOperand", (ins "unsigned":$operand), [{}], [{ return false; }]>
  ];
}

def ReleasingOpInterface : OpInterface<"ReleasingOpInterface"> {
  let description = [{
    An operation that lists the values whose references are given back when an
    exception leaves the function at it.
  }];
  let cppNamespace = "::pyopt";
  let methods = [
    InterfaceMethod<"The values that are released.",
      "::mlir::MutableOperandRange", "getOwnedMutable">
  ];
}

#endif // PYOPT_INTERFACES_TD
