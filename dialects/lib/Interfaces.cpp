//===- Interfaces.cpp - What operations say of themselves -----------------===//

#include "pyopt/Interfaces/Interfaces.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "pyopt/Py/Py.h"

using namespace mlir;
using namespace pyopt;

#include "pyopt/Interfaces/Interfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Operations of upstream's
//===----------------------------------------------------------------------===//

namespace {

/// A loop that may run for ever: what stands behind it must not happen before.
struct WhileRaises : RaisingOpInterface::ExternalModel<WhileRaises, scf::WhileOp> {};

/// Results are handed out of regions or callees; operands from `First` on are handed in.
template <typename Op, unsigned First>
struct Consumes : OwnershipOpInterface::ExternalModel<Consumes<Op, First>, Op> {
  bool ownsResult(Operation *, unsigned) const { return true; }
  bool consumesOperand(Operation *, unsigned operand) const { return operand >= First; }
};

constexpr unsigned none = ~0u;

} // namespace

void pyopt::registerExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::WhileOp::attachInterface<WhileRaises>(*context);
    scf::ForOp::attachInterface<Consumes<scf::ForOp, 3>>(*context);
    scf::WhileOp::attachInterface<Consumes<scf::WhileOp, 0>>(*context);
    scf::ConditionOp::attachInterface<Consumes<scf::ConditionOp, 1>>(*context);
    scf::YieldOp::attachInterface<Consumes<scf::YieldOp, 0>>(*context);
    scf::IfOp::attachInterface<Consumes<scf::IfOp, none>>(*context);
    scf::IndexSwitchOp::attachInterface<Consumes<scf::IndexSwitchOp, none>>(*context);
    scf::ExecuteRegionOp::attachInterface<Consumes<scf::ExecuteRegionOp, none>>(*context);
    scf::ParallelOp::attachInterface<Consumes<scf::ParallelOp, none>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<Consumes<func::CallOp, none>>(*context);
    func::ReturnOp::attachInterface<Consumes<func::ReturnOp, 0>>(*context);
  });
}

extern "C" void pyoptRegisterExternalModels(MlirDialectRegistry registry) {
  registerExternalModels(*unwrap(registry));
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// Tells the effects of an operation, those in its regions aside; whether they are known.
static bool effectsOf(Operation *operation,
                      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(operation)) {
    interface.getEffects(effects);
    return true;
  }
  return operation->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

Raises pyopt::raisesOf(Operation *operation) {
  if (auto interface = dyn_cast<RaisingOpInterface>(operation))
    return interface.getRaises();
  SmallVector<MemoryEffects::EffectInstance> effects;
  // A terminator only hands values on.
  if (!effectsOf(operation, effects))
    return operation->hasTrait<OpTrait::IsTerminator>() ? Raises::Nothing : Raises::Anything;
  bool writes = llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) &&
           isa<ErrorResource>(effect.getResource());
  });
  return writes ? Raises::Anything : Raises::Nothing;
}

extern "C" {

int pyoptOperationRaises(MlirOperation operation) {
  return static_cast<int>(raisesOf(unwrap(operation)));
}

/// Calls back for each effect, those in regions aside: 0 reads, 1 writes, 2 allocates, 3 frees; of
/// a value, or null; on memory, or on another resource. Whether the effects are known.
bool pyoptOperationEffects(MlirOperation operation,
                           void (*found)(void *data, int kind, MlirValue value, bool memory),
                           void *data) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (!effectsOf(unwrap(operation), effects))
    return false;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    MemoryEffects::Effect *kind = effect.getEffect();
    int number = isa<MemoryEffects::Read>(kind)       ? 0
                 : isa<MemoryEffects::Write>(kind)    ? 1
                 : isa<MemoryEffects::Allocate>(kind) ? 2
                                                      : 3;
    found(data, number, wrap(effect.getValue()),
          isa<SideEffects::DefaultResource>(effect.getResource()));
  }
  return true;
}

/// What the result is a view of; null if the operation isn't one.
MlirValue pyoptOperationViewSource(MlirOperation operation) {
  auto view = dyn_cast<ViewLikeOpInterface>(unwrap(operation));
  return wrap(view ? view.getViewSource() : Value());
}

bool pyoptOperationOwnsResult(MlirOperation operation, unsigned result) {
  auto interface = dyn_cast<OwnershipOpInterface>(unwrap(operation));
  return interface && interface.ownsResult(result);
}

/// Whether a result is told to be an address into what the operands hold.
bool pyoptOperationLendsResult(MlirOperation operation, unsigned result) {
  auto interface = dyn_cast<OwnershipOpInterface>(unwrap(operation));
  return interface && !interface.ownsResult(result);
}

bool pyoptOperationConsumesOperand(MlirOperation operation, unsigned operand) {
  auto interface = dyn_cast<OwnershipOpInterface>(unwrap(operation));
  return interface && interface.consumesOperand(operand);
}

/// The positions of the operands that are released when the operation raises; whether it lists any.
bool pyoptOperationReleased(MlirOperation operation, intptr_t *first, intptr_t *count) {
  auto interface = dyn_cast<ReleasingOpInterface>(unwrap(operation));
  if (!interface)
    return false;
  MutableOperandRange owned = interface.getOwnedMutable();
  OperandRange operands = owned;
  *first = operands.empty() ? 0 : operands.getBeginOperandIndex();
  *count = operands.size();
  return true;
}

/// Replaces the values that are released when the operation raises; whether it lists any.
bool pyoptOperationSetReleased(MlirOperation operation, intptr_t count, const MlirValue *values) {
  auto interface = dyn_cast<ReleasingOpInterface>(unwrap(operation));
  if (!interface)
    return false;
  SmallVector<Value> released;
  for (intptr_t at = 0; at < count; ++at)
    released.push_back(unwrap(values[at]));
  interface.getOwnedMutable().assign(released);
  return true;
}

/// How long an operation takes, those in its regions aside; negative where that isn't known.
int64_t pyoptOperationCost(MlirOperation operation) {
  Operation *asked = unwrap(operation);
  if (auto interface = dyn_cast<CostOpInterface>(asked))
    return interface.getCost().value_or(-1);
  if (asked->hasTrait<OpTrait::ConstantLike>() || asked->hasTrait<OpTrait::IsTerminator>())
    return 0;
  return asked->getNumRegions() == 0 && isPure(asked) ? 1 : -1;
}

bool pyoptOperationIsElementLoop(MlirOperation operation) {
  return isa<ElementLoopOpInterface>(unwrap(operation));
}

bool pyoptOperationIsLoop(MlirOperation operation) {
  return isa<LoopLikeOpInterface>(unwrap(operation));
}

/// Calls back for each dimension of a loop's iteration space: the induction variable, then lower
/// bound, upper bound and step, null where they are constants. Whether the space is known when the
/// loop is entered.
bool pyoptOperationLoopDimensions(MlirOperation operation,
                                  void (*found)(void *data, MlirValue index,
                                                const MlirValue *bounds),
                                  void *data) {
  auto loop = dyn_cast<LoopLikeOpInterface>(unwrap(operation));
  if (!loop)
    return false;
  auto indices = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!indices || !lower || !upper || !steps)
    return false;
  for (auto [index, from, to, step] : llvm::zip_equal(*indices, *lower, *upper, *steps)) {
    MlirValue bounds[] = {wrap(dyn_cast<Value>(from)), wrap(dyn_cast<Value>(to)),
                          wrap(dyn_cast<Value>(step))};
    found(data, wrap(index), bounds);
  }
  return true;
}

/// What a branch passes to a successor: how many of its first arguments the branch makes itself,
/// and the positions of the operands for the others. False if it isn't a branch.
bool pyoptOperationSuccessorOperands(MlirOperation operation, unsigned successor,
                                     intptr_t *produced, intptr_t *first, intptr_t *count) {
  auto branch = dyn_cast<BranchOpInterface>(unwrap(operation));
  if (!branch)
    return false;
  SuccessorOperands passed = branch.getSuccessorOperands(successor);
  OperandRange operands = passed.getForwardedOperands();
  *produced = passed.getProducedOperandCount();
  *first = operands.empty() ? 0 : operands.getBeginOperandIndex();
  *count = operands.size();
  return true;
}

/// Replaces the operands that a branch passes to a successor; whether it is a branch.
bool pyoptOperationSetSuccessorOperands(MlirOperation operation, unsigned successor,
                                        intptr_t count, const MlirValue *values) {
  auto branch = dyn_cast<BranchOpInterface>(unwrap(operation));
  if (!branch)
    return false;
  SmallVector<Value> passed;
  for (intptr_t at = 0; at < count; ++at)
    passed.push_back(unwrap(values[at]));
  branch.getSuccessorOperands(successor).getMutableForwardedOperands().assign(passed);
  return true;
}

/// The number of the successor that exceptions go to; -1 if they leave the function.
intptr_t pyoptOperationUnwindSuccessor(MlirOperation operation) {
  auto unwinding = dyn_cast<py::UnwindOpInterface>(unwrap(operation));
  Block *handler = unwinding ? unwinding.getUnwindDest() : nullptr;
  if (!handler)
    return -1;
  // Should an edge without an exception lead to the same block, it comes before.
  for (unsigned successor = unwrap(operation)->getNumSuccessors(); successor-- > 0;)
    if (unwrap(operation)->getSuccessor(successor) == handler)
      return successor;
  return -1;
}
}

//===----------------------------------------------------------------------===//
// Operations that are defined in Rust, or in IRDL
//===----------------------------------------------------------------------===//

namespace {

/// Answers for operations without a class, by functions; null where there is no answer.
struct Callbacks {
  int (*raises)(MlirOperation, void *);
  /// Whether an operand's memory is read (1), written (2), or both.
  int (*accesses)(MlirOperation, unsigned, void *);
  bool (*ownsResult)(MlirOperation, unsigned, void *);
  bool (*consumesOperand)(MlirOperation, unsigned, void *);
  MlirValue (*viewSource)(MlirOperation, void *);
  bool (*speculatable)(MlirOperation, void *);
  /// Negative where it may take any time.
  int64_t (*cost)(MlirOperation, void *);
  bool isLoop;
  bool isElementLoop;
  void *data;
};

struct RaisingFallback : RaisingOpInterface::FallbackModel<RaisingFallback> {
  Callbacks callbacks;
  Raises getRaises(Operation *operation) const {
    return static_cast<Raises>(callbacks.raises(wrap(operation), callbacks.data));
  }
};

struct OwnershipFallback : OwnershipOpInterface::FallbackModel<OwnershipFallback> {
  Callbacks callbacks;
  bool ownsResult(Operation *operation, unsigned result) const {
    return callbacks.ownsResult(wrap(operation), result, callbacks.data);
  }
  bool consumesOperand(Operation *operation, unsigned operand) const {
    return callbacks.consumesOperand(wrap(operation), operand, callbacks.data);
  }
};

struct ViewFallback : ViewLikeOpInterface::FallbackModel<ViewFallback> {
  Callbacks callbacks;
  Value getViewSource(Operation *operation) const {
    return unwrap(callbacks.viewSource(wrap(operation), callbacks.data));
  }
  Value getViewDest(Operation *operation) const { return operation->getResult(0); }
};

struct SpeculationFallback : ConditionallySpeculatable::FallbackModel<SpeculationFallback> {
  Callbacks callbacks;
  Speculation::Speculatability getSpeculatability(Operation *operation) const {
    return callbacks.speculatable(wrap(operation), callbacks.data)
               ? Speculation::Speculatable
               : Speculation::NotSpeculatable;
  }
};

struct CostFallback : CostOpInterface::FallbackModel<CostFallback> {
  Callbacks callbacks;
  std::optional<int64_t> getCost(Operation *operation) const {
    int64_t cost = callbacks.cost(wrap(operation), callbacks.data);
    return cost < 0 ? std::nullopt : std::optional(cost);
  }
};

struct ElementLoopFallback : ElementLoopOpInterface::FallbackModel<ElementLoopFallback> {};

/// Of a loop that has no class the regions are known, and nothing of its iteration space.
struct LoopFallback : LoopLikeOpInterface::FallbackModel<LoopFallback> {
  using Bounds = std::optional<SmallVector<OpFoldResult>>;

  SmallVector<Region *> getLoopRegions(Operation *loop) const {
    return llvm::map_to_vector(loop->getRegions(), [](Region &region) { return &region; });
  }
  bool isDefinedOutsideOfLoop(Operation *loop, Value value) const {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  }
  void moveOutOfLoop(Operation *loop, Operation *operation) const { operation->moveBefore(loop); }
  LogicalResult promoteIfSingleIteration(Operation *, RewriterBase &) const { return failure(); }
  std::optional<SmallVector<Value>> getLoopInductionVars(Operation *) const { return {}; }
  Bounds getLoopLowerBounds(Operation *) const { return {}; }
  Bounds getLoopUpperBounds(Operation *) const { return {}; }
  Bounds getLoopSteps(Operation *) const { return {}; }
  MutableArrayRef<OpOperand> getInitsMutable(Operation *) const { return {}; }
  Block::BlockArgListType getRegionIterArgs(Operation *) const { return {}; }
  std::optional<MutableArrayRef<OpOperand>> getYieldedValuesMutable(Operation *) const {
    return {};
  }
  std::optional<ResultRange> getLoopResults(Operation *) const { return {}; }
  FailureOr<LoopLikeOpInterface> replaceWithAdditionalYields(Operation *, RewriterBase &,
                                                             ValueRange, bool,
                                                             const NewYieldValuesFn &) const {
    return failure();
  }
  std::optional<APInt> getStaticTripCount(Operation *) const { return {}; }
};

struct EffectsFallback : MemoryEffectOpInterface::FallbackModel<EffectsFallback> {
  Callbacks callbacks;
  void getEffects(Operation *operation,
                  SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    bool raises = callbacks.raises && callbacks.raises(wrap(operation), callbacks.data) != 0;
    if (raises)
      effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
    for (OpOperand &operand : operation->getOpOperands()) {
      int access = callbacks.accesses(wrap(operation), operand.getOperandNumber(), callbacks.data);
      if (access & 1)
        effects.emplace_back(MemoryEffects::Read::get(), &operand);
      if (access & 2)
        effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
  }
};

template <typename Interface, typename Model>
void attach(RegisteredOperationName name, const Callbacks &callbacks) {
  name.attachInterface<Model>();
  static_cast<Model *>(name.getInterface<Interface>())->callbacks = callbacks;
}

} // namespace

/// Attaches an interface for each function that is given; whether the operation is known.
extern "C" bool pyoptAttachInterfaces(MlirContext context, MlirStringRef name,
                                      const Callbacks *callbacks) {
  auto found = RegisteredOperationName::lookup(unwrap(name), unwrap(context));
  if (!found)
    return false;
  if (callbacks->raises)
    attach<RaisingOpInterface, RaisingFallback>(*found, *callbacks);
  if (callbacks->accesses)
    attach<MemoryEffectOpInterface, EffectsFallback>(*found, *callbacks);
  if (callbacks->ownsResult && callbacks->consumesOperand)
    attach<OwnershipOpInterface, OwnershipFallback>(*found, *callbacks);
  if (callbacks->viewSource)
    attach<ViewLikeOpInterface, ViewFallback>(*found, *callbacks);
  if (callbacks->speculatable)
    attach<ConditionallySpeculatable, SpeculationFallback>(*found, *callbacks);
  if (callbacks->cost)
    attach<CostOpInterface, CostFallback>(*found, *callbacks);
  if (callbacks->isElementLoop)
    found->attachInterface<ElementLoopFallback>();
  if (callbacks->isLoop)
    found->attachInterface<LoopFallback>();
  return true;
}
