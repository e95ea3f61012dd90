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

def CostOpInterface : OpInterface<"CostOpInterface"> {
  let description = [{
    How long an operation takes, in simple ones such as an addition; those in
    its regions and its callee aside. It decides how many threads a loop is
    worth, so an estimate that is wrong costs time and nothing else.

    An operation that doesn't implement this takes as long as a simple one if
    it is pure and has no regions, and no time if it is a constant or a
    terminator. Any other may take any time.
  }];
  let cppNamespace = "::pyopt";
  let methods = [
    InterfaceMethod<"The cost; none if it may take any time.",
      "::std::optional<int64_t>", "getCost", (ins), [{}], [{ return 1; }]>
  ];
}

def ElementLoopOpInterface : OpInterface<"ElementLoopOpInterface"> {
  let description = [{
    An operation on whole arrays that becomes a loop over elements, which may
    run on threads and be fused with others: it profits from sizes that are
    known to be equal, and isn't small however it looks. It takes arrays for
    their elements: what it doesn't consume it holds no longer than it runs.
  }];
  let cppNamespace = "::pyopt";
}

#endif // PYOPT_INTERFACES_TD
