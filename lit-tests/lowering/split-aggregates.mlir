// RUN: %pyopt %s --pass-pipeline='builtin.module(split-aggregates)' | FileCheck %s

// A complex number that a loop carries: what is put into it is passed as it is.
// CHECK-LABEL: llvm.func @carried(
// CHECK: %[[RE:.*]] = llvm.extractvalue %[[START:.*]][0]
// CHECK-NEXT: %[[IM:.*]] = llvm.extractvalue %[[START]][1]
// CHECK-NEXT: llvm.br ^[[LOOP:.*]](%{{.*}}, %[[RE]], %[[IM]] : i64, f32, f32)
// CHECK: ^[[LOOP]](%{{.*}}: i64, %[[RE:.*]]: f32, %[[IM:.*]]: f32):
// CHECK: %[[HALF:.*]] = llvm.insertvalue %[[RE]], %{{.*}}[0]
// CHECK: %[[WHOLE:.*]] = llvm.insertvalue %[[IM]], %[[HALF]][1]
// CHECK: %[[NEXT:.*]] = llvm.fadd
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%{{.*}}, %[[RE]], %[[NEXT]] : i64, f32, f32), ^{{.*}}
// CHECK: llvm.store %[[WHOLE]], %{{.*}}
llvm.func @carried(%p: !llvm.ptr, %n: i64, %start: !llvm.struct<(f32, f32)>) {
  llvm.br ^loop(%n, %start : i64, !llvm.struct<(f32, f32)>)
^loop(%i: i64, %z: !llvm.struct<(f32, f32)>):
  %re = llvm.extractvalue %z[0] : !llvm.struct<(f32, f32)>
  %sum = llvm.fadd %re, %re : f32
  %next = llvm.insertvalue %sum, %z[1] : !llvm.struct<(f32, f32)>
  %less = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %less, ^loop(%i, %next : i64, !llvm.struct<(f32, f32)>), ^end
^end:
  llvm.store %z, %p : !llvm.struct<(f32, f32)>, !llvm.ptr
  llvm.return
}

// A function with a status returns at one place. What a failure leaves open is poison.
// CHECK-LABEL: llvm.func @status(
// CHECK: llvm.cond_br
// CHECK: %[[OPEN:.*]] = llvm.mlir.poison : f64
// CHECK: llvm.br ^[[EXIT:.*]](%[[SITE:.*]], %[[OPEN]] : i32, f64)
// CHECK: llvm.br ^[[EXIT]](%{{.*}}, %{{.*}} : i32, f64)
// CHECK: ^[[EXIT]](%[[STATUS:.*]]: i32, %[[VALUE:.*]]: f64):
// CHECK: %[[PART:.*]] = llvm.insertvalue %[[STATUS]], %{{.*}}[0]
// CHECK: %[[ALL:.*]] = llvm.insertvalue %[[VALUE]], %[[PART]][1]
// CHECK: llvm.return %[[ALL]]
// CHECK-NOT: llvm.return
// CHECK: }
llvm.func @status(%fails: i1, %x: f64) -> !llvm.struct<(i32, f64)> {
  %none = llvm.mlir.poison : !llvm.struct<(i32, f64)>
  llvm.cond_br %fails, ^failed, ^done
^failed:
  %site = llvm.mlir.constant(3 : i32) : i32
  %failed = llvm.insertvalue %site, %none[0] : !llvm.struct<(i32, f64)>
  llvm.return %failed : !llvm.struct<(i32, f64)>
^done:
  %zero = llvm.mlir.constant(0 : i32) : i32
  %half = llvm.insertvalue %zero, %none[0] : !llvm.struct<(i32, f64)>
  %whole = llvm.insertvalue %x, %half[1] : !llvm.struct<(i32, f64)>
  llvm.return %whole : !llvm.struct<(i32, f64)>
}

// Structs in structs and arrays of a few elements are split to the bottom; both sides of a branch may go to
// one block.
// CHECK-LABEL: llvm.func @nested(
// CHECK: llvm.cond_br %{{.*}}, ^[[END:.*]](%{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i32), ^[[END]](%{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i32)
// CHECK: ^[[END]](%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32):
llvm.func @nested(%c: i1, %a: !llvm.struct<(array<2 x i64>, struct<(i32)>)>, %b: !llvm.struct<(array<2 x i64>, struct<(i32)>)>) -> !llvm.struct<(array<2 x i64>, struct<(i32)>)> {
  llvm.cond_br %c, ^end(%a : !llvm.struct<(array<2 x i64>, struct<(i32)>)>), ^end(%b : !llvm.struct<(array<2 x i64>, struct<(i32)>)>)
^end(%r: !llvm.struct<(array<2 x i64>, struct<(i32)>)>):
  llvm.return %r : !llvm.struct<(array<2 x i64>, struct<(i32)>)>
}

// Left alone: returns of a number, a struct that is returned once, an array of many elements, the arguments of
// the function.
// CHECK-LABEL: llvm.func @number(
// CHECK-COUNT-2: llvm.return
llvm.func @number(%c: i1, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^first, ^second
^first:
  llvm.return %a : i32
^second:
  llvm.return %b : i32
}

// CHECK-LABEL: llvm.func @once(
// CHECK-NEXT: llvm.return %arg0
llvm.func @once(%a: !llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, i32)> {
  llvm.return %a : !llvm.struct<(i32, i32)>
}

// CHECK-LABEL: llvm.func @many(
// CHECK: llvm.br ^{{.*}}(%{{.*}} : !llvm.array<9 x i64>)
llvm.func @many(%a: !llvm.array<9 x i64>) -> !llvm.array<9 x i64> {
  llvm.br ^end(%a : !llvm.array<9 x i64>)
^end(%r: !llvm.array<9 x i64>):
  llvm.return %r : !llvm.array<9 x i64>
}

// An array of many elements in a struct is a part of its own: elements that are put there one by one are passed
// with it.
// CHECK-LABEL: llvm.func @filled(
// CHECK: %[[FILLED:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[1, 8]
// CHECK: %[[ARRAY:.*]] = llvm.extractvalue %[[FILLED]][1]
// CHECK: llvm.br ^{{.*}}(%{{.*}}, %[[ARRAY]] : i64, !llvm.array<9 x i64>)
llvm.func @filled(%a: !llvm.struct<(i64, array<9 x i64>)>, %i: i64) -> !llvm.struct<(i64, array<9 x i64>)> {
  %b = llvm.insertvalue %i, %a[0] : !llvm.struct<(i64, array<9 x i64>)>
  %c = llvm.insertvalue %i, %b[1, 8] : !llvm.struct<(i64, array<9 x i64>)>
  llvm.br ^end(%c : !llvm.struct<(i64, array<9 x i64>)>)
^end(%r: !llvm.struct<(i64, array<9 x i64>)>):
  llvm.return %r : !llvm.struct<(i64, array<9 x i64>)>
}
