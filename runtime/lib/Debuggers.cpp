//===- Debuggers.cpp - What gdb and perf learn of loaded code -------------===//
//
// LLVM's plugins, which have no C API or look for their other half among the
// process's exported symbols: an extension module exports none.
//
//===----------------------------------------------------------------------===//

#include "llvm-c/Error.h"
#include "llvm-c/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebuggerSupport.h"
#include "llvm/ExecutionEngine/Orc/Debugging/PerfSupportPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h"

using namespace llvm;
using namespace llvm::orc;

namespace {

using Symbol = std::pair<const char *, ExecutorAddr>;

/// Lets plugins find functions of this library by name.
Error define(LLJIT &jit, ArrayRef<Symbol> symbols) {
  SymbolMap map;
  for (auto [name, address] : symbols)
    map[jit.mangleAndIntern(name)] = {address, JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return jit.getProcessSymbolsJITDylib()->define(absoluteSymbols(std::move(map)));
}

Error describeToPerf(LLJIT &jit) {
  auto *layer = dyn_cast<ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (!layer)
    return createStringError("the loader has no place for perf's plugin");
  const Symbol symbols[] = {
      {"llvm_orc_registerJITLoaderPerfStart",
       ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfStart)},
      {"llvm_orc_registerJITLoaderPerfEnd",
       ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfEnd)},
      {"llvm_orc_registerJITLoaderPerfImpl",
       ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderPerfImpl)}};
  if (Error error = define(jit, symbols))
    return error;
  auto lines = DebugInfoPreservationPlugin::Create();
  if (!lines)
    return lines.takeError();
  layer->addPlugin(std::move(*lines));
  auto perf = PerfSupportPlugin::Create(jit.getExecutionSession().getExecutorProcessControl(),
                                        *jit.getProcessSymbolsJITDylib(), /*EmitDebugInfo=*/true,
                                        /*EmitUnwindInfo=*/false);
  if (!perf)
    return perf.takeError();
  layer->addPlugin(std::move(*perf));
  return Error::success();
}

} // namespace

/// Registers what is loaded from now on with gdb.
extern "C" LLVMErrorRef pyoptDescribeToGdb(LLVMOrcLLJITRef raw) {
  auto &jit = *reinterpret_cast<LLJIT *>(raw);
  const Symbol symbol = {"llvm_orc_registerJITLoaderGDBAllocAction",
                         ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBAllocAction)};
  if (Error error = define(jit, symbol))
    return wrap(std::move(error));
  return wrap(enableDebuggerSupport(jit));
}

/// Writes what is loaded from now on to a dump, which `perf inject --jit` reads.
extern "C" LLVMErrorRef pyoptDescribeToPerf(LLVMOrcLLJITRef raw) {
  return wrap(describeToPerf(*reinterpret_cast<LLJIT *>(raw)));
}
