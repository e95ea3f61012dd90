// Round trip of generator and coroutine operations.
// RUN: %pyopt %s | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s

// CHECK-LABEL: py.func generator @generator
py.func generator @generator(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: %[[SENT:.*]] = py.yield %
  %sent = py.yield %a
  // CHECK: py.get_yield_from_iter %[[SENT]]{{$}}
  %0 = py.get_yield_from_iter %sent
  // CHECK: py.get_yield_from_iter %[[SENT]] coroutines
  %1 = py.get_yield_from_iter %sent coroutines
  // CHECK: %{{.*}}, %[[DONE:.*]] = py.send %{{.*}}, %
  %result, %done = py.send %0, %1
  // CHECK: py.bool %[[DONE]]
  %2 = py.bool %done
  py.return %2
}

// CHECK-LABEL: py.func coroutine @coroutine
py.func coroutine @coroutine(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: py.get_awaitable %{{.*}}{{$}}
  %0 = py.get_awaitable %a
  // CHECK: py.get_awaitable %{{.*}} of "__aenter__"
  %1 = py.get_awaitable %a of "__aenter__"
  // CHECK: py.get_aiter %
  %2 = py.get_aiter %a
  // CHECK: py.get_anext %
  %3 = py.get_anext %2
  // CHECK: py.end_async_for %
  py.end_async_for %a
  py.return %3
}

// CHECK-LABEL: py.func async_generator @async_generator
py.func async_generator @async_generator(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: py.async_gen_wrap %
  %0 = py.async_gen_wrap %a
  %1 = py.yield %0
  py.return %1
}
