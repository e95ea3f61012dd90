# Exceptional flow: a block ends where a variable changes that its handler sees.
# RUN: %py-translate %s | %pyopt --py-translate-bytecode | FileCheck %s


# The handler sees `value` before and after the assignment, `count` never.
# CHECK-LABEL: py.func @caught
# CHECK: %[[UNBOUND:.*]] = py.unbound
# CHECK: %[[VALUE:.*]] = py.call %arg0()
# CHECK-NEXT: py.try_br ^[[NEXT:.*]] unwind ^[[HANDLER:.*]](%[[UNBOUND]])
# CHECK: ^[[NEXT]]:
# CHECK: py.call %arg0(%[[VALUE]])
# CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER]](%[[VALUE]])
# CHECK: ^[[HANDLER]](%[[E:.*]]: !py.object, %[[SEEN:.*]]: !py.object):
# CHECK: %[[PREVIOUS:.*]] = py.push_exc_info %[[E]]
# CHECK: %[[TYPE:.*]] = py.global @{{.*}}ValueError
# CHECK: %[[MATCHES:.*]] = py.exc_match %[[E]], %[[TYPE]]
# CHECK-NEXT: py.try_br ^[[TEST:.*]] unwind ^[[CLEANUP:.*]]
# CHECK: ^[[TEST]]:
# CHECK-NEXT: cf.cond_br %[[MATCHES]]
# CHECK: py.check_bound %[[SEEN]] "value"
# CHECK: py.reraise %[[E]] unwind ^[[CLEANUP]]
# CHECK: ^[[CLEANUP]](%[[SECOND:.*]]: !py.object):
# CHECK-NEXT: py.pop_except %[[PREVIOUS]]
# CHECK-NEXT: py.reraise %[[SECOND]]
def caught(f):
    try:
        value = f()
        count = f(value)
        return count
    except ValueError:
        return value


# CHECK-LABEL: py.func @context
# CHECK: %[[EXIT:.*]], %[[ENTERED:.*]] = py.enter_context %arg0
# CHECK: py.call %[[ENTERED]]()
# CHECK-NEXT: py.try_br ^{{.*}} unwind ^[[HANDLER:.*]]
# CHECK: py.call %[[EXIT]](%{{.*}}, %{{.*}}, %{{.*}})
# CHECK: ^[[HANDLER]](%[[E:.*]]: !py.object):
# CHECK: py.with_except_start %[[EXIT]](%[[E]])
def context(manager):
    with manager as f:
        return f()


# A loop in a protected range unwinds where the iterator raises.
# CHECK-LABEL: py.func @loop
# CHECK: py.for_iter %{{.*}}, ^{{.*}}, ^{{.*}} unwind ^[[HANDLER:.*]]
# CHECK: py.raise %{{.*}} unwind ^[[HANDLER]]
# CHECK: ^[[HANDLER]](%{{.*}}: !py.object):
def loop(items):
    try:
        for item in items:
            raise item
    finally:
        items.close()


# CHECK-LABEL: py.func @groups
# CHECK: py.exc_group_match
# CHECK: py.prep_reraise_star
def groups(f):
    try:
        f()
    except* ValueError:
        pass
