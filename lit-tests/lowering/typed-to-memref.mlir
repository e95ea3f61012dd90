// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(typed-to-memref,canonicalize)' | FileCheck %s

// Signedness ends here; each operation says what it means.
// CHECK-LABEL: @py.signs(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @signs(%a: ui32, %b: ui32) -> (ui32, i1, f64, si64) {
  // CHECK-DAG: arith.cmpi ugt, %[[B]], %[[A]]
  // CHECK-DAG: arith.cmpi ult, %[[A]], %[[B]]
  // CHECK-DAG: arith.uitofp %[[A]] : i32 to f64
  // CHECK-DAG: arith.extui %[[A]] : i32 to i64
  %x = typed.binary max %a, %b : ui32
  %y = typed.compare lt %a, %b : ui32
  %z = typed.cast %a : ui32 to f64
  %w = typed.cast %a : ui32 to si64
  func.return %x, %y, %z, %w : ui32, i1, f64, si64
}

// A count out of range is never shifted by.
// CHECK-LABEL: @py.shift(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
func.func @shift(%a: si64, %b: si64) -> (si64, si64) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[WIDTH:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 63 : i64
  // CHECK: %[[OK:.*]] = arith.cmpi ult, %[[B]], %[[WIDTH]]
  // CHECK: %[[BY:.*]] = arith.select %[[OK]], %[[B]], %[[ZERO]]
  // CHECK: %[[S:.*]] = arith.shli %[[A]], %[[BY]]
  // CHECK: arith.select %[[OK]], %[[S]], %[[ZERO]]
  // CHECK: %[[MIN:.*]] = arith.minui %[[B]], %[[MOST]]
  // CHECK: arith.shrsi %[[A]], %[[MIN]]
  %l = typed.binary lshift %a, %b : si64
  %r = typed.binary rshift %a, %b : si64
  func.return %l, %r : si64, si64
}

// Neither by 0 nor by -1.
// CHECK-LABEL: @py.modulo(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
func.func @modulo(%a: si64, %b: si64) -> si64 {
  // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %c0_i64
  // CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[B]], %c-1_i64
  // CHECK: %[[BAD:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
  // CHECK: scf.if %[[BAD]] -> (i64) {
  // CHECK: } else {
  // CHECK: arith.remsi %[[A]], %[[B]]
  %r = typed.binary mod %a, %b : si64
  func.return %r : si64
}

// A power of two shifts and masks; others divide the number or its complement, in the type the number had.
// CHECK-LABEL: @py.by_constants(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i32)
func.func @by_constants(%a: si64, %b: si32) -> (si64, si64, si64, si64, si64) {
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i64
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i64
  // CHECK-DAG: %[[C10:.*]] = arith.constant 10 : i64
  // CHECK-DAG: %[[NARROW:.*]] = arith.constant 10 : i32
  // CHECK: arith.shrsi %[[A]], %[[C3]]
  // CHECK-NEXT: arith.andi %[[A]], %[[C7]]
  // CHECK-NEXT: %[[SIGN:.*]] = arith.shrsi %[[A]]
  // CHECK-NEXT: %[[POSITIVE:.*]] = arith.xori %[[A]], %[[SIGN]]
  // CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[POSITIVE]], %[[C10]]
  // CHECK-NEXT: arith.xori %[[Q]], %[[SIGN]]
  // CHECK-NOT: arith.select
  // CHECK: arith.divsi %{{.*}}, %[[NARROW]] : i32
  // CHECK-NEXT: arith.xori
  // CHECK-NEXT: arith.extsi
  %c8 = typed.constant 8 : si64
  %c10 = typed.constant 10 : si64
  %wide = typed.cast %b : si32 to si64
  %q8 = typed.binary floordiv %a, %c8 : si64
  %r8 = typed.binary mod %a, %c8 : si64
  %q10 = typed.binary floordiv %a, %c10 : si64
  %n10 = typed.binary floordiv %wide, %c10 : si64
  // The constant isn't one of the narrow type.
  // CHECK: arith.divsi %{{.*}} : i64
  %far = typed.constant 3000000000 : si64
  %qfar = typed.binary floordiv %wide, %far : si64
  func.return %q8, %r8, %q10, %n10, %qfar : si64, si64, si64, si64, si64
}

// Out of range is the least number, not poison; without a sign negative ones wrap. Narrow ones are of 32 bits.
// CHECK-LABEL: @py.truncate(
// CHECK-SAME: %[[A:.*]]: f64)
func.func @truncate(%a: f64) -> (si64, si8, ui64) {
  // CHECK-DAG: %[[BOUND:.*]] = arith.constant 9.2233720368547758E+18 : f64
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant -9.2233720368547758E+18 : f64
  // CHECK: %[[SIZE:.*]] = math.absf %[[A]]
  // CHECK: %[[FITS:.*]] = arith.cmpf olt, %[[SIZE]], %[[BOUND]]
  // CHECK: %[[USUALLY:.*]] = llvm.intr.expect.with.probability %[[FITS]], %true, {{.*}} : i1
  // CHECK: %[[GUARDED:.*]] = arith.select %[[USUALLY]], %[[A]], %[[LEAST]]
  // CHECK: arith.fptosi %[[GUARDED]] : f64 to i64
  // CHECK: %[[NARROW:.*]] = arith.fptosi %{{.*}} : f64 to i32
  // CHECK: arith.trunci %[[NARROW]] : i32 to i8
  // CHECK: %[[WRAPPED:.*]] = arith.fptosi %{{.*}} : f64 to i64
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt
  // CHECK: %[[PLAIN:.*]] = llvm.call_intrinsic "llvm.fptoui.sat.i64.f64"
  // CHECK: arith.select %[[NEGATIVE]], %[[WRAPPED]], %[[PLAIN]]
  %x = typed.cast %a : f64 to si64
  %n = typed.cast %a : f64 to si8
  %y = typed.cast %a : f64 to ui64
  func.return %x, %n, %y : si64, si8, ui64
}

// Small constant exponents are multiplications.
// CHECK-LABEL: @py.cube(
func.func @cube(%a: si64) -> si64 {
  // CHECK-COUNT-2: arith.muli
  // CHECK-NOT: call
  %c = typed.constant 3 : si64
  %r = typed.binary pow %a, %c : si64
  func.return %r : si64
}

// -----

// Whole exponents of floats that are small at run time are multiplications, too.
// CHECK-LABEL: @py.whole(
// CHECK-SAME: %[[X:.*]]: f64, %[[N:.*]]: i64)
func.func @whole(%x: f64, %n: si64) -> f64 {
  // CHECK: %[[Y:.*]] = arith.sitofp %[[N]]
  // CHECK: %[[SHIFTED:.*]] = arith.addi %[[N]], %c16_i64
  // CHECK: %[[SMALL:.*]] = arith.cmpi ule, %[[SHIFTED]], %c32_i64
  // CHECK: scf.if %[[SMALL]] -> (f64) {
  // CHECK-COUNT-4: arith.mulf
  // CHECK: arith.divf
  // CHECK: } else {
  // CHECK: math.powf %[[X]], %[[Y]]
  %y = typed.cast %n : si64 to f64
  %r = typed.binary pow %x, %y : f64
  func.return %r : f64
}

// -----

// Other exponents are left to the function.
// CHECK-LABEL: @py.any_power(
func.func @any_power(%x: f64, %y: f64) -> f64 {
  // CHECK-NOT: scf.if
  // CHECK: math.powf
  %r = typed.binary pow %x, %y : f64
  func.return %r : f64
}

// -----

// Functions of libm are declared; a function of the same name isn't taken for one.
// CHECK-DAG: func.func private @expm1(f64) -> f64 attributes {memory_effects = #llvm.memory_effects<other = none, {{.*}}>, no_unwind, pyopt.libm = "expm1", will_return}
// CHECK-DAG: func.func private @expm1f(f32) -> f32 attributes {memory_effects = #llvm.memory_effects<other = none, {{.*}}>, no_unwind, pyopt.libm = "expm1", will_return}
// CHECK-LABEL: func.func @py.expm1(
func.func @expm1(%a: f64, %b: f32) -> (f64, f32, f64) {
  // CHECK: call @expm1(%{{.*}}) : (f64) -> f64
  // CHECK: call @expm1f(%{{.*}}) : (f32) -> f32
  // CHECK: typed.call @py.expm1(
  %x = typed.unary expm1 %a : f64
  %y = typed.unary expm1 %b : f32
  %z:3 = typed.call @expm1(%x, %y) : (f64, f32) -> (f64, f32, f64)
  func.return %x, %y, %z#0 : f64, f32, f64
}

// -----

// CHECK-LABEL: @py.types(
// CHECK-SAME: memref<?x?xf32>, %{{[^:]*}}: !llvm.ptr,
// CHECK-SAME: memref<?x?xi8, strided<[?, ?]>>, %{{[^:]*}}: !llvm.ptr,
// CHECK-SAME: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr,
// CHECK-SAME: i16, %{{[^:]*}}: complex<f32>, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64)
// CHECK-SAME: pyopt.entry = "types", pyopt.signature = (!typed.array<2, f32, C>
func.func @types(%a: !typed.array<2, f32, C>, %b: !typed.array<2, i1, F>, %c: !typed.array<1, si32, bytes>,
                 %d: tuple<ui16, !typed.none, complex<f32>>, %e: !typed.range<si64>) attributes {pyopt.entry} {
  func.return
}

// A named tuple is its items.
// CHECK-LABEL: @py.named_tuple(
// CHECK-SAME: %[[X:[^:]*]]: i64, %[[Y:[^:]*]]: f64) -> (f64, i64, f64)
func.func @named_tuple(%p: !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>)
    -> (f64, !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>) {
  %t = typed.as_tuple %p : !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>
  %y = typed.tuple_get %t[1] : tuple<si64, f64> -> f64
  %q = typed.as_sequence %t : !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>
  // CHECK: return %[[Y]], %[[X]], %[[Y]]
  func.return %y, %q : f64, !typed.sequence<tuple<si64, f64>, #py.named_tuple<"Point", 0, ["x", "y"]>>
}

// CHECK-LABEL: @py.slice_part(
// CHECK-SAME: %{{[^:]*}}: i64, %[[STEP:[^:]*]]: i32)
func.func @slice_part(%s: !typed.slice<si64, !typed.none, si32>) -> si32 {
  // CHECK: return %[[STEP]]
  %0 = typed.slice_get %s[2] : !typed.slice<si64, !typed.none, si32> -> si32
  func.return %0 : si32
}

// CHECK-LABEL: @py.range_part(
// CHECK-SAME: %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[STEP:[^:]*]]: i64)
func.func @range_part(%r: !typed.range<si64>) -> si64 {
  // CHECK-NEXT: return %[[STEP]]
  %0 = typed.range_get %r[2] : !typed.range<si64>
  func.return %0 : si64
}

// A bool is a byte in memory, and true when it isn't 0.
// CHECK-LABEL: @py.bools(
// CHECK-SAME: %[[A:.*]]: memref<?xi8>
func.func @bools(%a: !typed.array<1, i1, C>, %i: index) -> i1 {
  // CHECK: %[[X:.*]] = memref.load %[[A]]
  // CHECK: %[[C:.*]] = arith.cmpi ne, %[[X]], %c0_i8
  // CHECK: %[[Y:.*]] = arith.extui %[[C]] : i1 to i8
  // CHECK: memref.store %[[Y]], %[[A]]
  %x = typed.load %a[%i] : !typed.array<1, i1, C>, index -> i1
  typed.store %x, %a[%i] : i1, !typed.array<1, i1, C>, index
  func.return %x : i1
}

// CHECK-LABEL: @py.wraparound(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %{{.*}}: !llvm.ptr, %[[I:.*]]: i64)
func.func @wraparound(%a: !typed.array<1, f64, C>, %i: si64) -> f64 {
  // CHECK: %[[AT:.*]] = arith.index_cast %[[I]]
  // CHECK: %[[N:.*]] = memref.dim %[[A]], %c0
  // CHECK: %[[NEG:.*]] = arith.cmpi slt, %[[AT]], %c0
  // CHECK: %[[RARELY:.*]] = llvm.intr.expect.with.probability %[[NEG]], %false, {{.*}} : i1
  // CHECK: %[[SUM:.*]] = arith.addi %[[AT]], %[[N]]
  // CHECK: %[[J:.*]] = arith.select %[[RARELY]], %[[SUM]], %[[AT]]
  // CHECK: memref.load %[[A]][%[[J]]]
  %x = typed.load %a[%i] wraparound : !typed.array<1, f64, C>, si64 -> f64
  func.return %x : f64
}

// Arrays through loops and branches are two values; owners are what errors release.
// CHECK-LABEL: @py.carried(
func.func @carried(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %n: index, %c: i1) -> !typed.array<1, f64, C> {
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[OWNER:.*]] = %{{.*}}) -> (memref<?xf64>, !llvm.ptr)
  // CHECK: typed.raise_if %{{.*}}, "ValueError"("no") releasing(%[[OWNER]] : !llvm.ptr)
  // CHECK: arith.select %{{.*}} : memref<?xf64>
  // CHECK: arith.select %{{.*}} : !llvm.ptr
  // CHECK: return %[[R]]#0, %[[R]]#1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!typed.array<1, f64, C>) {
    typed.raise_if %c, "ValueError"("no") releasing(%x : !typed.array<1, f64, C>)
    %y = arith.select %c, %x, %b : !typed.array<1, f64, C>
    scf.yield %y : !typed.array<1, f64, C>
  }
  func.return %r : !typed.array<1, f64, C>
}

// CHECK-LABEL: @py.empty(
func.func @empty(%n: si64) -> !typed.array<1, f32, C> {
  // CHECK: typed.raise_if %{{.*}}, "ValueError"("negative dimensions are not allowed")
  // CHECK: llvm.call_intrinsic "llvm.umul.with.overflow.i64"
  // CHECK: %[[OWNER:.*]] = call @pyopt_alloc(%{{.*}}, %c1_i32)
  // CHECK: typed.raise_if %{{.*}}, "MemoryError"
  // CHECK: llvm.getelementptr %[[OWNER]][64]
  %a = typed.empty(%n) zeroed : (si64) -> !typed.array<1, f32, C>
  func.return %a : !typed.array<1, f32, C>
}

// CHECK-LABEL: @py.counted(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %[[P:[^:]*]]: !llvm.ptr, %{{.*}}: memref<?xf32>, %[[Q:[^:]*]]: !llvm.ptr
func.func @counted(%t: tuple<!typed.array<1, f32, C>, !typed.array<1, f32, C>>) {
  // CHECK: call @pyopt_acquire(%[[P]])
  // CHECK: call @pyopt_acquire(%[[Q]])
  // CHECK: call @pyopt_release(%[[P]])
  // CHECK: call @pyopt_release(%[[Q]])
  typed.acquire %t : tuple<!typed.array<1, f32, C>, !typed.array<1, f32, C>>
  typed.release %t : tuple<!typed.array<1, f32, C>, !typed.array<1, f32, C>>
  func.return
}

// -----

// Texts have CPython's width; equal ones are one constant.
// CHECK-DAG: llvm.mlir.global internal constant @[[LATIN:pyopt.data.*]]("h\E9")
// CHECK-DAG: llvm.mlir.global internal constant @[[WIDE:pyopt.data.*]]("\AC ")
// CHECK-LABEL: @py.texts(
func.func @texts() -> (!typed.str, !typed.str, !typed.str) {
  // CHECK: llvm.mlir.addressof @[[LATIN]]
  // CHECK: llvm.mlir.addressof @[[WIDE]]
  %a = typed.constant "hé" : !typed.str
  %b = typed.constant "€" : !typed.str
  %c = typed.constant "hé" : !typed.str
  func.return %a, %b, %c : !typed.str, !typed.str, !typed.str
}

// -----

// Other sizes of a contiguous array: the pointer and the owner stay, the strides follow the sizes.
// CHECK-LABEL: @py.reshaped(
// CHECK-SAME: %{{[^:]*}}: memref<?xf64>, %[[OWNER:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i64, %[[M:[^:]*]]: i64)
func.func @reshaped(%a: !typed.array<1, f64, C>, %n: si64, %m: si64) -> !typed.array<2, f64, C> {
  // CHECK: %[[DATA:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK-NOT: pyopt_
  // CHECK: llvm.insertvalue %[[DATA]], %{{.*}}[1]
  // CHECK: llvm.insertvalue %[[N]], %{{.*}}[3, 0]
  // CHECK: llvm.insertvalue %[[M]], %{{.*}}[3, 1]
  // CHECK: llvm.insertvalue %[[M]], %{{.*}}[4, 0]
  // CHECK: return %{{.*}}, %[[OWNER]]
  %0 = typed.reshape %a(%n, %m) : !typed.array<1, f64, C>, (si64, si64) -> !typed.array<2, f64, C>
  func.return %0 : !typed.array<2, f64, C>
}

// -----

// A launch notes the typed types of its reductions, also where none of them changes.
// CHECK-LABEL: func.func @py.sum(
// CHECK: parfor.launch @body(%{{.*}}) inits(%{{.*}} : f64) reductions [add] {pyopt.types = [f64]} : f64
// CHECK: parfor.launch @py.count(%{{.*}}) inits(%{{.*}} : i64) reductions [max] {pyopt.types = [ui64]} : i64
func.func @sum(%n: index, %x: f64, %k: ui64) -> f64 {
  %r = parfor.launch @body(%n) inits(%x : f64) reductions [add] : f64
  %c = parfor.launch @count(%n) inits(%k : ui64) reductions [max] : ui64
  func.return %r : f64
}
func.func private @body(%low: index, %high: index, %x: f64) -> f64 {
  func.return %x : f64
}
func.func private @count(%low: index, %high: index, %x: ui64) -> ui64 {
  func.return %x : ui64
}

// -----

// Elements lie in the module as they would in memory, truth values in a byte each; nobody owns them.
// CHECK-DAG: llvm.mlir.global internal constant @[[SHORTS:pyopt.data.*]]("\01\00\FE\FF\03\00\04\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[BOOLS:pyopt.data.*]]("\01\00\01")
// CHECK-DAG: llvm.mlir.global internal constant @[[SPLAT:pyopt.data.*]]("\02\02\02\02")
// CHECK-DAG: llvm.mlir.global internal constant @[[EMPTY:pyopt.data.*]]("")
// CHECK-LABEL: func.func @py.arrays(
// CHECK-DAG: llvm.mlir.addressof @[[SHORTS]]
// CHECK-DAG: llvm.mlir.addressof @[[BOOLS]]
// CHECK-DAG: llvm.mlir.addressof @[[SPLAT]]
// CHECK-DAG: llvm.mlir.addressof @[[EMPTY]]
func.func @arrays() -> (!typed.array<2, si16, C, readonly>, !typed.array<1, i1, C, readonly>, !typed.array<1, ui8, C, readonly>, !typed.array<2, f64, C, readonly>) {
  %0 = typed.constant_array dense<[[1, -2], [3, 4]]> : tensor<2x2xsi16> to !typed.array<2, si16, C, readonly>
  %1 = typed.constant_array dense<[true, false, true]> : tensor<3xi1> to !typed.array<1, i1, C, readonly>
  %2 = typed.constant_array dense<2> : tensor<4xui8> to !typed.array<1, ui8, C, readonly>
  %3 = typed.constant_array dense<> : tensor<0x3xf64> to !typed.array<2, f64, C, readonly>
  func.return %0, %1, %2, %3 : !typed.array<2, si16, C, readonly>, !typed.array<1, i1, C, readonly>, !typed.array<1, ui8, C, readonly>, !typed.array<2, f64, C, readonly>
}

// -----

// Exceptions are where they were made and the owner of their arguments, whose types are kept.
func.func private @raises(si64) -> !typed.array<1, f64, C>

// CHECK-LABEL: func.func @py.exceptions(
// CHECK-SAME: %[[C:.*]]: i1, %[[N:.*]]: i64)
func.func @exceptions(%c: i1, %n: si64) {
  // CHECK: %[[S:.*]], %[[R:.*]]:2 = typed.try_call @raises(%[[N]]) : (i64) -> (i32, memref<?xf64>, !llvm.ptr)
  %s, %a = typed.try_call @raises(%n) : (si64) -> (i32, !typed.array<1, f64, C>)
  // CHECK: %[[E:.*]]:2 = typed.catch %[[S]] : i32, !llvm.ptr
  %e = typed.catch %s : !typed.exception
  // CHECK: %[[NEW:.*]]:2 = typed.exception "ValueError" with %[[C]], %[[N]] : i1, i64 {pyopt.types = [i1, si64]} : i32, !llvm.ptr
  %new = typed.exception "ValueError" with %c, %n : i1, si64 : !typed.exception
  // CHECK: %[[M:.*]] = typed.exc_match %[[E]]#0, %[[E]]#1 in ["KeyError"] : i32, !llvm.ptr
  %m = typed.exc_match %e in ["KeyError"] : !typed.exception
  // CHECK: typed.raise_value_if %[[M]], %[[NEW]]#0, %[[NEW]]#1 : i32, !llvm.ptr releasing(%[[E]]#1 : !llvm.ptr)
  typed.raise_value_if %m, %new : !typed.exception releasing(%e : !typed.exception)
  func.return
}

// Few indices are negative: what waits for an element waits for a comparison, which is expected to fail. Nothing waits
// for a store, unless a load has the same index.

// CHECK-LABEL: func.func @py.negative_indices(
// CHECK: %[[FIRST:.*]] = llvm.intr.expect.with.probability
// CHECK: arith.select %[[FIRST]]
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[SECOND:.*]] = llvm.intr.expect.with.probability
// CHECK: arith.select %[[SECOND]]
// CHECK: memref.store
// CHECK-NOT: expect
// CHECK: arith.select
// CHECK: memref.store
func.func @negative_indices(%a: !typed.array<1, si64, C>, %i: si64) {
  %x = typed.load %a[%i] wraparound : !typed.array<1, si64, C>, si64 -> si64
  typed.store %x, %a[%i] wraparound : si64, !typed.array<1, si64, C>, si64
  typed.store %x, %a[%x] wraparound : si64, !typed.array<1, si64, C>, si64
  return
}

// The runtime gives operands their sizes. What is known of them is a constant; their records hold strides where those
// don't follow from the sizes.

// CHECK-LABEL: func.func @py.repeat(
// CHECK: %[[TABLE:.*]] = llvm.alloca %{{.*}} x i64
// CHECK-COUNT-10: llvm.store
// CHECK: %[[STATUS:.*]] = call @pyopt_repeat(%{{.*}}, %[[TABLE]])
// CHECK: arith.cmpi eq, %[[STATUS]], %c1_i64
// CHECK: typed.raise_if %{{.*}}, "ValueError"("operands could not be broadcast together with shapes ({},) ({},)")
// CHECK: arith.cmpi eq, %[[STATUS]], %c2_i64
// CHECK: typed.raise_if %{{.*}}, "ValueError"("operands could not be broadcast together with shapes ({},{}) ({},{})")
// CHECK: arith.cmpi eq, %[[STATUS]], %c-1_i64
// CHECK: typed.raise_if %{{.*}}, "MemoryError"
func.func @repeat(%a: !typed.array<2, f32, F>, %b: !typed.array<1, f64, A>, %n: index, %m: index) -> f32 {
  %0:2 = typed.repeat %a, %b to(%n, %m) : !typed.array<2, f32, F>, !typed.array<1, f64, A> -> !typed.array<2, f32, F>, !typed.array<1, f64, A>
  %x = typed.load %0#0[%n, %m] : !typed.array<2, f32, F>, index, index -> f32
  return %x : f32
}

// The runtime fills a border; value, sizes, strides in bytes and the box are words on the stack.

// CHECK-LABEL: func.func @py.border(
// CHECK: %[[WORDS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: arith.muli %{{.*}}, %c8_i64
// CHECK-COUNT-10: llvm.store
// CHECK: call @pyopt_fill_border(%{{.*}}, %[[WORDS]], %c2_i64{{[_0-9]*}}, %c8_i64{{[_0-9]*}})
func.func @border(%x: complex<f32>, %a: !typed.array<2, complex<f32>, A>, %n: index, %m: index) {
  typed.fill_border %x, %a around(%n, %n) to(%m, %m) : complex<f32>, !typed.array<2, complex<f32>, A>
  return
}
