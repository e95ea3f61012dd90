// RUN: %pyopt %s | %pyopt | FileCheck %s

// CHECK-LABEL: func.func @dicts(
func.func @dicts(%k: si64, %v: f64, %i: si64, %s: ui64) -> f64 {
  // CHECK: %[[D:.*]] = typed.table_new : !typed.dict<si64, f64>
  %d = typed.table_new : !typed.dict<si64, f64>
  // CHECK: typed.table_grow %[[D]], %{{.*}} : !typed.dict<si64, f64>
  %failed = typed.table_grow %d, %i : !typed.dict<si64, f64>
  // CHECK: typed.table_copy %[[D]] to %{{.*}} : !typed.dict<si64, f64>
  %e = typed.table_new : !typed.dict<si64, f64>
  %failed_copy = typed.table_copy %d to %e : !typed.dict<si64, f64>
  // CHECK: typed.table_push %{{.*}}, %{{.*}} to %[[D]] : si64, f64 to !typed.dict<si64, f64>
  typed.table_push %k, %v to %d : si64, f64 to !typed.dict<si64, f64>
  // CHECK: typed.table_set_slot %{{.*}}, %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  typed.table_set_slot %s, %d[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_slot %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  %slot = typed.table_slot %d[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_get size %[[D]] : !typed.dict<si64, f64>
  %size = typed.table_get size %d : !typed.dict<si64, f64>
  // CHECK: typed.table_has %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  %has = typed.table_has %d[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_key %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  %key = typed.table_key %d[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_set_value %{{.*}}, %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  typed.table_set_value %v, %d[%i] : !typed.dict<si64, f64>
  // CHECK: %[[K:.*]] = typed.dict_view %[[D]] : !typed.dict<si64, f64> -> !typed.dict_view<!typed.dict<si64, f64>, "keys">
  %keys = typed.dict_view %d : !typed.dict<si64, f64> -> !typed.dict_view<!typed.dict<si64, f64>, "keys">
  // CHECK: typed.viewed_dict %[[K]]
  %same = typed.viewed_dict %keys : !typed.dict_view<!typed.dict<si64, f64>, "keys"> -> !typed.dict<si64, f64>
  // CHECK: %[[V:.*]] = typed.table_value %{{.*}}[%{{.*}}] : !typed.dict<si64, f64>
  %value = typed.table_value %same[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_remove %[[D]][%{{.*}}] : !typed.dict<si64, f64>
  typed.table_remove %d[%i] : !typed.dict<si64, f64>
  // CHECK: typed.table_clear %[[D]] : !typed.dict<si64, f64>
  typed.table_clear %d : !typed.dict<si64, f64>
  return %value : f64
}

// CHECK-LABEL: func.func @sets(
func.func @sets(%s: !typed.set<tuple<si64, f64>>, %k: tuple<si64, f64>) {
  // CHECK: typed.table_push %{{.*}} to %{{.*}} : tuple<si64, f64> to !typed.set<tuple<si64, f64>>
  typed.table_push %k to %s : tuple<si64, f64> to !typed.set<tuple<si64, f64>>
  return
}
