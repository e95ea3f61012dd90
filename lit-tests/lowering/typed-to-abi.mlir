// RUN: %pyopt %s --split-input-file --typed-to-abi | FileCheck %s

// CHECK: pyopt.sites = [
// CHECK-SAME: exception = "ValueError"
// CHECK-SAME: function = "check", id = 1 : i64
// CHECK-SAME: message = "negative"
// CHECK-SAME: exception = "", {{.*}}function = "outer", id = 2 : i64

// CHECK: func.func private @py.check(%[[X:.*]]: i64, %[[ERR:.*]]: !llvm.ptr) -> (i32, f64) attributes {llvm.linkage = #llvm.linkage<internal>
// CHECK: cf.cond_br %{{.*}} weights([1, 1048576]), ^[[LEAVE:.*]], ^[[REST:.*]]
// CHECK: ^[[REST]]:
// CHECK: %[[OK:.*]] = arith.constant 0 : i32
// CHECK: return %[[OK]], %{{.*}} : i32, f64
// CHECK: ^[[LEAVE]]:
// CHECK: %[[ID:.*]] = arith.constant 1 : i32
// CHECK: return %[[ID]], %{{.*}} : i32, f64
func.func private @py.check(%x: i64) -> f64 attributes {pyopt.function = "check"} {
  %zero = arith.constant 0 : i64
  %bad = arith.cmpi slt, %x, %zero : i64
  typed.raise_if %bad, "ValueError"("negative")
  %y = arith.sitofp %x : i64 to f64
  func.return %y : f64
}

// Cannot raise: no status.
// CHECK: func.func private @py.plain(%{{.*}}: i64) -> i64
func.func private @py.plain(%x: i64) -> i64 {
  func.return %x : i64
}

// CHECK: func.func private @py.outer(%[[X:.*]]: i64, %{{.*}}: memref<?xf64>, %[[OWNER:.*]]: !llvm.ptr, %[[ERR:.*]]: !llvm.ptr) -> (i32, f64)
// CHECK: %[[Y:.*]] = call @py.plain(%[[X]]) : (i64) -> i64
// CHECK: %[[R:.*]]:2 = call @py.check(%[[Y]], %[[ERR]]) : (i64, !llvm.ptr) -> (i32, f64)
// CHECK: arith.cmpi ne, %[[R]]#0
// CHECK: cf.cond_br
// CHECK: return %{{.*}}, %[[R]]#1
// CHECK: call @pyopt.trace(%[[ERR]], %{{.*}})
// CHECK: call @pyopt_release(%[[OWNER]])
// CHECK: return %[[R]]#0
func.func @py.outer(%x: i64, %a: memref<?xf64>, %owner: !llvm.ptr) -> f64
    attributes {pyopt.function = "outer", pyopt.entry = "outer", pyopt.signature = (ui64, !typed.none, tuple<!typed.array<1, f64, C>>) -> f64} {
  %y = typed.call @py.plain(%x) : (i64) -> i64
  %z = typed.call @py.check(%y) releasing(%owner : !llvm.ptr) : (i64) -> f64
  func.return %z : f64
}

// -----

// CHECK: func.func @pyopt_entry_f(%[[RET:.*]]: !llvm.ptr, %[[ERR:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
// CHECK-SAME: pyopt.entry = "f", pyopt.signature = (si8, !typed.array<1, f64, C>) -> (ui8, f32)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[WIDE:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> i64
// CHECK: %[[A:.*]] = arith.trunci %[[WIDE]] : i64 to i8
// CHECK: %[[OWNER:.*]] = llvm.load %{{.*}} -> !llvm.ptr
// CHECK: %[[DATA:.*]] = llvm.load %{{.*}} -> !llvm.ptr
// CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xf64>
// CHECK: %[[R:.*]]:2 = call @py.f(%[[A]], %[[M]], %[[OWNER]])
// CHECK: %[[EXT:.*]] = arith.extui %[[R]]#0 : i8 to i64
// CHECK: llvm.store %[[EXT]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[R]]#1 : f32 to i32
// CHECK: arith.extui %[[BITS]] : i32 to i64
func.func @py.f(%x: i8, %a: memref<?xf64>, %o: !llvm.ptr) -> (i8, f32)
    attributes {pyopt.entry = "f", pyopt.signature = (si8, !typed.array<1, f64, C>) -> (ui8, f32)} {
  %y = arith.constant 1.0 : f32
  func.return %x, %y : i8, f32
}

// -----

// CHECK-LABEL: func.func private @py.launches(
// CHECK-DAG: llvm.alloca
// CHECK: %[[PARTS:.*]] = call @pyopt_parts(
// CHECK: %[[BODY:.*]] = constant @py.body.part
// CHECK: %[[STATUS:.*]] = call @pyopt_parallel(%{{.*}}, %{{.*}}, %[[PARTS]],
// CHECK: cf.cond_br
// CHECK: arith.addf
// CHECK-LABEL: func.func private @py.known(
// CHECK-SAME: %[[W:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: !llvm.ptr)
// CHECK: %[[WORK:.*]] = arith.index_cast %[[W]] : index to i64
// CHECK: call @pyopt_parts(%{{.*}}, %{{.*}}, %[[WORK]], %{{.*}}, %{{.*}})
// CHECK-LABEL: func.func private @py.body.part(
// CHECK: arith.constant -0.000000e+00 : f64
// CHECK: call @py.body(
func.func private @py.body(%lo: index, %hi: index, %a: memref<?xf64>, %o: !llvm.ptr, %s: f64) -> f64 {
  func.return %s : f64
}
func.func private @py.launches(%a: memref<?xf64>, %o: !llvm.ptr, %n: index, %s: f64) -> f64 {
  %r = parfor.launch @py.body(%n) args(%a, %o : memref<?xf64>, !llvm.ptr) inits(%s : f64)
         reductions [add] releasing(%o : !llvm.ptr) {pyopt.types = [f64]} : f64
  func.return %r : f64
}
func.func private @py.known(%a: memref<?xf64>, %o: !llvm.ptr, %n: index, %w: index, %s: f64) -> f64 {
  %r = parfor.launch @py.body(%n) args(%a, %o : memref<?xf64>, !llvm.ptr) inits(%s : f64)
         reductions [add] work(%w) {pyopt.types = [f64]} : f64
  func.return %r : f64
}

// -----

// The limit of the stack comes with the error record.
// CHECK-LABEL: func.func private @py.deep(
// CHECK-SAME: i64, %[[ERR:.*]]: !llvm.ptr) -> (i32, i64)
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[ERR]][35] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[LIMIT:.*]] = llvm.load %[[FIELD]] : !llvm.ptr -> i64
// CHECK: %[[STACK:.*]] = llvm.call_intrinsic "llvm.stacksave.p0"() : () -> !llvm.ptr
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[STACK]] : !llvm.ptr to i64
// CHECK: %[[FULL:.*]] = arith.cmpi ult, %[[ADDRESS]], %[[LIMIT]] : i64
// CHECK: cf.cond_br %[[FULL]]
func.func private @py.deep(%x: i64) -> i64 {
  %full = typed.stack_exhausted
  typed.raise_if %full, "RecursionError"("maximum recursion depth exceeded")
  %r = typed.call @py.deep(%x) : (i64) -> i64
  func.return %r : i64
}

// -----

// An exception is the id of the site that made it and the owner of its arguments, which go to slots.
// CHECK: pyopt.sites = [
// CHECK-SAME: arguments = [si64, f64]
// CHECK-SAME: exception = "KeyError"
// CHECK-SAME: id = 1 : i64
// CHECK-SAME: exception = "MemoryError"
// CHECK-SAME: id = 2 : i64
// CHECK-SAME: exception = ""
// CHECK-SAME: id = 3 : i64
// CHECK-SAME: exception = "IndexError"
// CHECK-SAME: id = 4 : i64
// Of all sites, the first for what is no site's: IndexError and KeyError are lookup errors. The
// second one is that of a MemoryError, the third that of the call.
// CHECK: llvm.mlir.global internal constant @[[TABLE:.*]]("\00\01\00\00\01")
// CHECK-LABEL: func.func private @py.raises(
// CHECK-SAME: %[[X:.*]]: i64, %[[Y:.*]]: f64, %[[ERR:.*]]: !llvm.ptr) -> (i32, !llvm.ptr)
// CHECK: %[[NEW:.*]] = call @pyopt_alloc_holder
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[NO_MEMORY:.*]] = arith.constant 2 : i32
// CHECK: cf.cond_br %{{.*}} weights([1, 1048576]), ^[[MADE:.*]](%[[NO_MEMORY]], %[[NULL]] : i32, !llvm.ptr), ^[[FILL:.*]]
// CHECK: ^[[MADE]](%[[STATUS:.*]]: i32, %[[OWNER:.*]]: !llvm.ptr):
// CHECK: ^[[FILL]]:
// CHECK: llvm.getelementptr %[[NEW]][64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.store %[[X]]
// CHECK: llvm.store
// CHECK: %[[ID:.*]] = arith.constant 1 : i32
// CHECK: cf.br ^[[MADE]](%[[ID]], %[[NEW]] : i32, !llvm.ptr)
// CHECK: call @pyopt_raise(%[[ERR]], %[[OWNER]])
// CHECK: call @pyopt_release(%[[OWNER]])
// CHECK: return %[[STATUS]]
func.func private @py.raises(%x: i64, %y: f64) -> !llvm.ptr {
  %status, %owner = typed.exception "KeyError" with %x, %y : i64, f64 {pyopt.types = [si64, f64]} : i32, !llvm.ptr
  %true = arith.constant true
  typed.raise_value_if %true, %status, %owner : i32, !llvm.ptr releasing(%owner : !llvm.ptr)
  func.return %owner : !llvm.ptr
}
// CHECK-LABEL: func.func private @py.catches(
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: f64, %[[ERR:.*]]: !llvm.ptr) -> (i32, i1)
// What has failed owns nothing.
// CHECK: %[[R:.*]]:2 = call @py.raises(
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[R]]#0
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: arith.select %[[FAILED]], %[[NULL]], %[[R]]#1
// The record is as before the call then; the exception keeps the calls that it came through.
// CHECK: %[[SITE:.*]] = arith.constant 3 : i64
// CHECK: call @pyopt_catch(%[[ERR]], %[[SITE]])
// CHECK: %[[N:.*]] = arith.constant 5 : i32
// CHECK: arith.cmpi ult, %[[R]]#0, %[[N]]
// CHECK: llvm.mlir.addressof @[[TABLE]]
func.func private @py.catches(%x: i64, %y: f64) -> i1 {
  %s, %r = typed.try_call @py.raises(%x, %y) : (i64, f64) -> (i32, !llvm.ptr)
  %status, %owner = typed.catch %s : i32, !llvm.ptr
  %m = typed.exc_match %status, %owner in ["LookupError"] : i32, !llvm.ptr
  func.return %m : i1
}
// Nobody has to hand over an error record where nothing raises.
// CHECK-LABEL: func.func private @py.silent(
// CHECK-SAME: %{{.*}}: i64) -> i32
// CHECK: call @py.id(%{{.*}}) : (i64) -> i64
// CHECK: arith.constant 4 : i32
func.func private @py.id(%x: i64) -> i64 {
  func.return %x : i64
}
func.func private @py.silent(%x: i64) -> i32 {
  %s, %r = typed.try_call @py.id(%x) : (i64) -> (i32, i64)
  %status, %owner = typed.exception "IndexError" : i32, !llvm.ptr
  func.return %status : i32
}

// -----

// Ways out that release many owners share what releases those that all of them do, the last one
// first; those that release few have code of their own.

// CHECK-LABEL: func.func private @py.many(
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: !llvm.ptr, %[[SECOND:[a-z0-9]+]]: !llvm.ptr
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: call @pyopt_release(%[[FIRST]])
// CHECK-NEXT: return %[[ONE]]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-NEXT: cf.br ^[[CHAIN:bb[0-9]+]](%[[TWO]] : i32)
// CHECK: ^[[END:bb[0-9]+]](%[[STATUS:.*]]: i32):
// CHECK-NEXT: return %[[STATUS]]
// CHECK: ^[[LAST:bb[0-9]+]](%[[GIVEN:.*]]: i32):
// CHECK-NEXT: call @pyopt_release(%[[FIRST]])
// CHECK-NEXT: cf.br ^[[END]](%[[GIVEN]] : i32)
// CHECK: call @pyopt_release(%[[SECOND]])
// CHECK-NEXT: cf.br ^[[LAST]](
// CHECK: ^[[CHAIN]](%{{.*}}: i32):
// CHECK-NEXT: call @pyopt_release(
// CHECK-NOT: call @pyopt_release(
// CHECK: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-NEXT: cf.br ^[[CHAIN]](%[[THREE]] : i32)
func.func private @py.many(%o0: !llvm.ptr, %o1: !llvm.ptr, %o2: !llvm.ptr, %o3: !llvm.ptr, %o4: !llvm.ptr, %o5: !llvm.ptr, %o6: !llvm.ptr, %o7: !llvm.ptr, %o8: !llvm.ptr, %o9: !llvm.ptr, %o10: !llvm.ptr, %o11: !llvm.ptr, %o12: !llvm.ptr, %o13: !llvm.ptr, %o14: !llvm.ptr, %o15: !llvm.ptr, %o16: !llvm.ptr, %x: i1, %y: i1, %z: i1) {
  typed.raise_if %x, "ValueError"("x") releasing(%o0 : !llvm.ptr)
  typed.raise_if %y, "ValueError"("y") releasing(%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8, %o9, %o10, %o11, %o12, %o13, %o14, %o15, %o16 : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
  typed.raise_if %z, "ValueError"("z") releasing(%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8, %o9, %o10, %o11, %o12, %o13, %o14, %o15, %o16 : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
  func.return
}

// -----

// The values of a message become the arguments of the exception on the way out; the host writes the text.
// CHECK: pyopt.sites = [{arguments = [si64, si64], {{.*}}exception = "IndexError", {{.*}}message = "{} of {}"
// CHECK-LABEL: func.func private @py.numbers(
// CHECK-SAME: %[[I:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: i1, %[[ERR:.*]]: !llvm.ptr)
// CHECK: cf.cond_br
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[ERR]][1]
// CHECK: llvm.store %[[I]], %[[AT]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[ERR]][2]
// CHECK: llvm.store %[[N]], %[[AT]]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: call @pyopt_hold(%[[ERR]], %[[TWO]])
func.func private @py.numbers(%i: i64, %n: i64, %c: i1) {
  typed.raise_if %c, "IndexError"("{} of {}") with (%i, %n : i64, i64)
  func.return
}
