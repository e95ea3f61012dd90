// Inner functions with a cache look into a dict first, which is one more free variable.
// RUN: %pyopt %s --split-input-file --py-keep-results | FileCheck %s

py.binding @m.cache = #py.named<"functools.cache">
py.binding @m.lru_cache = #py.named<"functools.lru_cache">
py.binding @m.wraps = #py.named<"functools.wraps">

// CHECK-LABEL: py.func @all(
// CHECK: %[[CELL:.*]] = py.make_cell
// CHECK: %[[OWN:.*]] = py.make_cell
// CHECK: %[[RESULTS:.*]] = py.build_map()
// CHECK-NEXT: py.store_cell %[[CELL]] = %[[RESULTS]]
// CHECK-NEXT: %[[CELLS:.*]] = py.build_tuple(%[[OWN]], %[[CELL]])
// CHECK-NEXT: %[[MADE:.*]] = py.make_function @all.inner flags 8(%[[CELLS]])
// CHECK-NEXT: py.store_cell %[[OWN]] = %[[MADE]]
// CHECK-NEXT: %[[READ:.*]] = py.load_cell %[[OWN]] "inner"
// CHECK-NEXT: %[[CLEAR:.*]] = py.getattr %[[RESULTS]] "clear"
// CHECK-NEXT: py.call %[[CLEAR]]()
// CHECK-NEXT: py.call %[[READ]](%arg0)
py.func @all(%n) attributes {arg_names = ["n"], globals = "m"} {
  %own = py.make_cell
  %cache = py.global @m.cache
  %cells = py.build_tuple(%own)
  %inner = py.make_function @all.inner flags 8(%cells)
  %kept = py.call %cache(%inner)
  py.store_cell %own = %kept
  %read = py.load_cell %own "inner"
  %clear = py.getattr %read "cache_clear"
  %none = py.call %clear()
  %result = py.call %read(%n)
  py.return %result
}

// The only argument is the key. Every way out keeps what is returned.
// CHECK-LABEL: py.func @all.inner(%arg0)
// CHECK-SAME: freevars = ["inner", ".results"]
// CHECK-NEXT: %[[FREE:.*]] = py.free_cell 1 @all.inner..results
// CHECK-NEXT: %[[RESULTS:.*]] = py.load_cell %[[FREE]] ".results" free
// CHECK-NEXT: %[[IN:.*]] = py.contains %arg0 in %[[RESULTS]]
// CHECK-NEXT: %[[FOUND:.*]] = py.truth %[[IN]]
// CHECK-NEXT: cf.cond_br %[[FOUND]], ^[[HIT:bb[0-9]+]], ^[[COMPUTE:bb[0-9]+]]
// CHECK: ^[[COMPUTE]]:
// CHECK: py.setitem %[[RESULTS]][%arg0] = %arg0
// CHECK-NEXT: py.return %arg0
// CHECK: py.setitem %[[RESULTS]][%arg0] = %[[VALUE:.*]]{{$}}
// CHECK-NEXT: py.return %[[VALUE]]
// CHECK: ^[[HIT]]:
// CHECK-NEXT: %[[ITEM:.*]] = py.getitem %[[RESULTS]][%arg0]
// CHECK-NEXT: py.return %[[ITEM]]
py.func @all.inner(%k) attributes {arg_names = ["k"], freevars = ["inner"], globals = "m"} {
  %truth = py.truth %k
  cf.cond_br %truth, ^small, ^large
^small:
  py.return %k
^large:
  %cell = py.free_cell 0 @all.inner.inner
  %inner = py.load_cell %cell "inner" free
  %value = py.call %inner(%k)
  py.return %value
}

// -----

// Of some results those stay that were asked for last. Several arguments are a tuple.
// CHECK-DAG: py.binding @pyopt.keep_recent = #py.named<"pyopt.keep_recent">
// CHECK-DAG: py.binding @pyopt.recent_result = #py.named<"pyopt.recent_result">
py.binding @m.lru_cache = #py.named<"functools.lru_cache">

// CHECK-LABEL: py.func @some(
// CHECK-NEXT: %[[CELL:.*]] = py.make_cell
// CHECK-NEXT: %[[RESULTS:.*]] = py.build_map()
// CHECK-NEXT: py.store_cell %[[CELL]] = %[[RESULTS]]
// CHECK-NEXT: %[[CELLS:.*]] = py.build_tuple(%[[CELL]])
// CHECK-NEXT: %[[MADE:.*]] = py.make_function @some.inner flags 8(%[[CELLS]])
// CHECK-NEXT: py.return %[[MADE]]
py.func @some() attributes {arg_names = [], globals = "m"} {
  %lru_cache = py.global @m.lru_cache
  %size = py.constant 5
  %cache = py.call %lru_cache(%size) keywords ["maxsize"]
  %inner = py.make_function @some.inner flags 0()
  %kept = py.call %cache(%inner)
  py.return %kept
}

// CHECK-LABEL: py.func @some.inner(%arg0, %arg1)
// CHECK: %[[KEY:.*]] = py.build_tuple(%arg0, %arg1)
// CHECK: %[[SIZE:.*]] = py.constant 5
// CHECK-NEXT: %[[KEEP:.*]] = py.global @pyopt.keep_recent
// CHECK-NEXT: py.call %[[KEEP]](%{{.*}}, %[[KEY]], %arg0, %[[SIZE]])
// CHECK-NEXT: py.return %arg0
// CHECK: %[[RECENT:.*]] = py.global @pyopt.recent_result
// CHECK-NEXT: %[[ITEM:.*]] = py.call %[[RECENT]](%{{.*}}, %[[KEY]])
// CHECK-NEXT: py.return %[[ITEM]]
py.func @some.inner(%k, %l) attributes {arg_names = ["k", "l"], globals = "m"} {
  py.return %k
}

// -----

py.binding @m.lru_cache = #py.named<"functools.lru_cache">

// Where no result is kept nothing is left of the cache.
// CHECK-LABEL: py.func @nothing(
// CHECK-NEXT: %[[MADE:.*]] = py.make_function @nothing.inner
// CHECK-NEXT: py.return %[[MADE]]
py.func @nothing() attributes {arg_names = [], globals = "m"} {
  %lru_cache = py.global @m.lru_cache
  %size = py.constant 0
  %cache = py.call %lru_cache(%size)
  %inner = py.make_function @nothing.inner flags 0()
  %kept = py.call %cache(%inner)
  py.return %kept
}

// CHECK-LABEL: py.func @nothing.inner
// CHECK-NEXT: py.return
py.func @nothing.inner(%k) attributes {arg_names = ["k"], globals = "m"} {
  py.return %k
}

// -----

py.binding @m.cache = #py.named<"functools.cache">
py.binding @m.wraps = #py.named<"functools.wraps">

// Generators, functions with **kwargs, those with other decorators or other uses, and sizes that aren't known
// are left alone.
// CHECK-LABEL: py.func @others(
// CHECK-NOT: py.build_map
// CHECK-LABEL: py.func generator @others.generator
// CHECK-NEXT: py.yield
// CHECK-LABEL: py.func @others.keywords
// CHECK-NEXT: py.return
// CHECK-LABEL: py.func @others.wrapped
// CHECK-NEXT: py.return
// CHECK-LABEL: py.func @others.twice
// CHECK-NEXT: py.return
py.func @others(%x) attributes {arg_names = ["x"], globals = "m"} {
  %cache = py.global @m.cache
  %generator = py.make_function @others.generator flags 0()
  %0 = py.call %cache(%generator)
  %keywords = py.make_function @others.keywords flags 0()
  %1 = py.call %cache(%keywords)
  %wraps = py.global @m.wraps
  %wrapped = py.make_function @others.wrapped flags 0()
  %2 = py.call %wraps(%wrapped)
  %twice = py.make_function @others.twice flags 0()
  %3 = py.call %cache(%twice)
  %4 = py.call %twice(%x)
  py.return %4
}

py.func generator @others.generator(%k) attributes {arg_names = ["k"], globals = "m"} {
  %sent = py.yield %k
  py.return %k
}
py.func @others.keywords(%k) attributes {arg_names = ["k"], globals = "m", varkeywords} {
  py.return %k
}
py.func @others.wrapped(%k) attributes {arg_names = ["k"], globals = "m"} {
  py.return %k
}
py.func @others.twice(%k) attributes {arg_names = ["k"], globals = "m"} {
  py.return %k
}
