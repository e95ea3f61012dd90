# Class bodies, closures, `super()` and patterns.
# RUN: %py-translate %s | %pyopt --py-translate-bytecode | FileCheck %s


# CHECK-LABEL: py.func @make
# CHECK: %[[CELL:.*]] = py.make_cell(%arg0)
# CHECK: %[[BUILD:.*]] = py.load_build_class
# CHECK: py.make_function @"make.<locals>.Made" flags 8
# CHECK: py.call %[[BUILD]]
def make(value):
    # CHECK-LABEL: py.func @"make.<locals>.Made"()
    # CHECK-SAME: freevars = ["value"]
    # CHECK-SAME: namespaced
    # CHECK-DAG: %[[NS:.*]] = py.namespace
    # CHECK-DAG: %[[FREE:.*]] = py.free_cell 0 @"make.<locals>.Made.value"
    class Made:
        # CHECK: py.setup_annotations %[[NS]]
        # CHECK: py.load_class_deref %[[NS]] "value" or %[[FREE]]
        # CHECK: py.store_name %[[NS]] "field"
        field: int = value

        # CHECK-LABEL: py.func @"make.<locals>.Made.<locals>.method"(%arg0)
        # CHECK: %[[CLASS:.*]] = py.free_cell 0
        # CHECK: %[[SUPER:.*]] = py.global
        # CHECK: py.call_super %[[SUPER]](%[[CLASS]], %arg0)
        def method(self):
            return super().method()

    return Made


# CHECK-LABEL: py.func @matches
# CHECK: %[[MAPPING:.*]] = py.match_mapping %arg0
# CHECK: cf.cond_br %[[MAPPING]]
# CHECK: py.match_keys %arg0
# CHECK: py.match_class %arg0, %{{.*}}, %{{.*}} positional 1
def matches(subject):
    match subject:
        case {"key": value}:
            return value
        case str(value):
            return value
