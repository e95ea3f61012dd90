# Generators, coroutines and asynchronous generators.
# RUN: %py-translate %s | %pyopt --py-translate-bytecode | FileCheck %s


# CHECK-LABEL: py.func generator @delegates
# CHECK: %[[ITERATOR:.*]] = py.get_yield_from_iter %arg0
# CHECK: cf.br ^[[STEP:.*]](%{{.*}} : !py.object)
# CHECK: ^[[STEP]](%[[SENT:.*]]: !py.object):
# CHECK: %[[RESULT:.*]], %[[DONE:.*]] = py.send %[[ITERATOR]], %[[SENT]]
# CHECK: cf.cond_br %[[DONE]], ^[[END:.*]](%[[RESULT]] : !py.object), ^
# CHECK: %[[RESUMED:.*]] = py.yield %[[RESULT]]
# CHECK: cf.br ^[[STEP]](%[[RESUMED]] : !py.object)
# CHECK: ^[[END]](%[[RETURNED:.*]]: !py.object):
# CHECK-NEXT: py.return %[[RETURNED]]
def delegates(items):
    return (yield from items)


# CHECK-LABEL: py.func coroutine @coroutine
# CHECK: py.enter_async_context %arg0
# CHECK: py.get_awaitable %{{.*}} of "__aenter__"
# CHECK: py.get_aiter
# CHECK: py.get_anext
# CHECK: py.end_async_for
# CHECK: py.get_awaitable %{{.*}} of "__aexit__"
async def coroutine(manager):
    async with manager as items:
        async for item in items:
            await item


# CHECK-LABEL: py.func async_generator @asynchronous
# CHECK: %[[WRAPPED:.*]] = py.async_gen_wrap %arg0
# CHECK: py.yield %[[WRAPPED]]
async def asynchronous(item):
    yield item
