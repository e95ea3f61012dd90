// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-lend-items)' | FileCheck %s

!l = !typed.list<!typed.str>
!d = !typed.dict<!typed.str, !l>

// The list keeps its item meanwhile, also when the call raises.
// CHECK-LABEL: @read
func.func @read(%l: !l, %i: index) -> si64 {
  // CHECK: %[[X:.*]] = typed.list_get %arg0[%arg1 : index] {borrowed}
  // CHECK-NEXT: typed.call @length(%[[X]]) : (!typed.str) -> si64
  // CHECK-NEXT: return
  %x = typed.list_get %l[%i : index] : !l
  %n = typed.call @length(%x) releasing(%x : !typed.str) : (!typed.str) -> si64
  typed.release %x : !typed.str
  func.return %n : si64
}

// CHECK-LABEL: @key
func.func @key(%d: !d, %i: si64, %s: !typed.str) -> i1 {
  // CHECK: typed.table_key %arg0[%arg1] {borrowed}
  // CHECK-NEXT: typed.compare
  // CHECK-NEXT: return
  %x = typed.table_key %d[%i] : !d
  %e = typed.compare eq %x, %s : !typed.str
  typed.release %x : !typed.str
  func.return %e : i1
}

// What is put to the end of a list takes nothing out of it.
// CHECK-LABEL: @pushed
func.func @pushed(%l: !l, %i: index) {
  // CHECK: typed.list_get %{{.*}} {borrowed}
  %x = typed.list_get %l[%i : index] : !l
  typed.list_push %x to %l : !l
  typed.release %x : !typed.str
  func.return
}

// CHECK-LABEL: @replaced
func.func @replaced(%l: !l, %i: index, %s: !typed.str) -> i1 {
  // CHECK-NOT: borrowed
  // CHECK: typed.release
  %x = typed.list_get %l[%i : index] : !l
  typed.list_set %s, %l[%i : index] : !l
  %e = typed.compare eq %x, %s : !typed.str
  typed.release %x : !typed.str
  func.return %e : i1
}

// The callee may replace items of the list, which may be the same one.
// CHECK-LABEL: @replaced_in_call
func.func @replaced_in_call(%l: !l, %m: !l, %i: index, %s: !typed.str) -> i1 {
  // CHECK-NOT: borrowed
  // CHECK: typed.release
  %x = typed.list_get %l[%i : index] : !l
  %b = typed.call @replaced(%m, %i, %s) releasing(%x : !typed.str) : (!l, index, !typed.str) -> i1
  %e = typed.compare eq %x, %s : !typed.str
  typed.release %x : !typed.str
  func.return %e : i1
}

// Nobody knows what this one does.
// CHECK-LABEL: @unknown_callee
func.func @unknown_callee(%l: !l, %i: index) {
  // CHECK-NOT: borrowed
  // CHECK: typed.release
  %x = typed.list_get %l[%i : index] : !l
  typed.call @unknown(%x) releasing(%x : !typed.str) : (!typed.str) -> ()
  typed.release %x : !typed.str
  func.return
}

// The list goes before its item is compared.
// CHECK-LABEL: @released
func.func @released(%i: index, %s: !typed.str) -> i1 {
  // CHECK-NOT: borrowed
  // CHECK: typed.release %{{.*}} : !typed.list
  // CHECK: typed.release %{{.*}} : !typed.str
  %l = typed.list_new : !l
  %x = typed.list_get %l[%i : index] : !l
  typed.release %l : !l
  %e = typed.compare eq %x, %s : !typed.str
  typed.release %x : !typed.str
  func.return %e : i1
}

// The inner list lives as long as its item, and the dict longer.
// CHECK-LABEL: @inner
func.func @inner(%d: !d, %j: si64, %i: index) -> si64 {
  // CHECK: typed.table_value %{{.*}} {borrowed}
  // CHECK-NEXT: typed.list_get %{{.*}} {borrowed}
  // CHECK-NEXT: typed.call
  // CHECK-NEXT: return
  %l = typed.table_value %d[%j] : !d
  %x = typed.list_get %l[%i : index] : !l
  %n = typed.call @length(%x) releasing(%l, %x : !l, !typed.str) : (!typed.str) -> si64
  typed.release %x : !typed.str
  typed.release %l : !l
  func.return %n : si64
}

// The item outlives the reference on the inner list.
// CHECK-LABEL: @outlived
func.func @outlived(%d: !d, %j: si64, %i: index) -> si64 {
  // CHECK: typed.table_value %{{.*}} {borrowed}
  // CHECK-NEXT: typed.list_get %{{[^ ]*}}[%{{.*}}] : !typed.list
  // CHECK: typed.release %{{.*}} : !typed.str
  %l = typed.table_value %d[%j] : !d
  %x = typed.list_get %l[%i : index] : !l
  typed.release %l : !l
  %n = typed.call @length(%x) releasing(%x : !typed.str) : (!typed.str) -> si64
  typed.release %x : !typed.str
  func.return %n : si64
}

// A structure keeps its fields until one is replaced.
!s = !typed.list<tuple<!l, si64>>
// CHECK-LABEL: @field
func.func @field(%s: !s, %i: index, %x: !typed.str) -> i1 {
  // CHECK: typed.field_get %arg0[0] {borrowed}
  // CHECK-NEXT: typed.list_set
  // CHECK-NEXT: typed.field_get %arg0[0] :
  // CHECK: typed.field_set
  // CHECK: typed.release %{{.*}} : !typed.list
  %l = typed.field_get %s[0] : !s -> !l
  typed.list_set %x, %l[%i : index] : !l
  typed.release %l : !l
  %m = typed.field_get %s[0] : !s -> !l
  %new = typed.list_new : !l
  typed.field_set %new, %s[0] : !l, !s
  %e = typed.compare eq %x, %x : !typed.str
  typed.release %m : !l
  typed.release %new : !l
  func.return %e : i1
}

// A function that the host keeps may take items out of the containers that it is passed, of no others.
// CHECK-LABEL: @linked
func.func @linked(%l: !l, %d: !d, %m: !typed.list<si64>, %i: index) -> i1 {
  // CHECK: %[[X:.*]] = typed.list_get %arg0[%arg3 : index] {borrowed}
  // CHECK: %[[Y:.*]] = typed.list_get %arg0[%arg3 : index] :
  // CHECK: typed.release %[[Y]]
  %x = typed.list_get %l[%i : index] : !l
  typed.call @sort(%m) releasing(%x : !typed.str) : (!typed.list<si64>) -> ()
  %e = typed.compare eq %x, %x : !typed.str
  typed.release %x : !typed.str
  %y = typed.list_get %l[%i : index] : !l
  typed.call @update(%d) releasing(%y : !typed.str) : (!d) -> ()
  %f = typed.compare eq %y, %y : !typed.str
  typed.release %y : !typed.str
  func.return %f : i1
}

// Where only slots are made, the entries stay.
// CHECK-LABEL: @slots
func.func @slots(%d: !d, %i: si64) -> i1 {
  // CHECK: typed.table_key %arg0[%arg1] {borrowed}
  %x = typed.table_key %d[%i] : !d
  typed.call @update(%d) releasing(%x : !typed.str) {pyopt.role = #parfor<library_role slots>} : (!d) -> ()
  %e = typed.compare eq %x, %x : !typed.str
  typed.release %x : !typed.str
  func.return %e : i1
}

func.func private @sort(!typed.list<si64>) attributes {pyopt.linked = "pyopt.library.sort_runs.7"}
func.func private @update(!d) attributes {pyopt.linked = "pyopt.library.dict_update.7"}

func.func private @length(%s: !typed.str) -> si64 {
  %n = typed.call @native(%s) : (!typed.str) -> si64
  func.return %n : si64
}

func.func private @native(!typed.str) -> si64 attributes {pyopt.native = "pyopt_text_mix"}
func.func private @unknown(!typed.str)
