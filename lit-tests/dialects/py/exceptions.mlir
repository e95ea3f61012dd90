// Round trip of unwinding, exception and context operations.
// RUN: %pyopt %s | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s

// CHECK-LABEL: py.func @handled
py.func @handled(%f, %type) attributes {arg_names = ["f", "type"], globals = "m"} {
  %zero = py.constant 0 : i64
  cf.br ^body
^body:
  %0 = py.call %f()
  // CHECK: py.try_br ^[[THEN:.*]](%{{.*}}) unwind ^[[HANDLER:.*]](%{{.*}})
  py.try_br ^then(%0) unwind ^handler(%zero)
// CHECK: ^[[THEN]](%{{.*}}: !py.object):
^then(%value: !py.object):
  py.return %value
// CHECK: ^[[HANDLER]](%[[E:.*]]: !py.object, %{{.*}}: !py.object):
^handler(%exception: !py.object, %x: !py.object):
  // CHECK: %[[P:.*]] = py.push_exc_info %[[E]]
  %previous = py.push_exc_info %exception
  // CHECK: py.exc_match %[[E]], %
  %matches = py.exc_match %exception, %type
  // CHECK: py.try_br ^{{.*}} unwind ^{{.*}}{{$}}
  py.try_br ^test unwind ^cleanup
^test:
  cf.cond_br %matches, ^taken, ^other
^taken:
  // CHECK: py.pop_except %[[P]]
  py.pop_except %previous
  py.return %x
^other:
  // CHECK: py.reraise %[[E]] unwind ^
  py.reraise %exception unwind ^cleanup
^cleanup(%second: !py.object):
  py.pop_except %previous
  // CHECK: py.reraise %{{[^ ]*}}{{$}}
  py.reraise %second
}

// CHECK-LABEL: py.func @terminators
py.func @terminators(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: py.for_iter %{{.*}}, ^{{.*}}, ^{{.*}} unwind ^{{.*}}(%{{.*}})
  py.for_iter %a, ^body, ^exit unwind ^handler(%a)
^body(%item: !py.object):
  // CHECK: py.raise %{{.*}} from %{{.*}} unwind ^
  py.raise %item from %a unwind ^handler(%item)
^exit:
  // CHECK: py.raise unwind ^
  py.raise unwind ^handler(%a)
^handler(%exception: !py.object, %x: !py.object):
  // CHECK: %{{.*}}, %{{.*}} = py.exc_group_match %{{.*}}, %
  %rest, %match = py.exc_group_match %exception, %a
  // CHECK: py.prep_reraise_star %{{.*}}, %
  %star = py.prep_reraise_star %rest, %match
  // CHECK: py.load_assertion_error
  %error = py.load_assertion_error
  py.return %star
}

// CHECK-LABEL: py.func @context
py.func @context(%manager, %exception) attributes {arg_names = ["manager", "exception"], globals = "m"} {
  // CHECK: %[[EXIT:.*]], %{{.*}} = py.enter_context %
  %exit, %value = py.enter_context %manager
  // CHECK: py.enter_async_context %
  %aexit, %awaitable = py.enter_async_context %manager
  // CHECK: py.with_except_start %[[EXIT]](%{{.*}})
  %0 = py.with_except_start %exit(%exception)
  py.return %0
}
