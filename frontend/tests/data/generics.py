"""Type parameters and aliases, since CPython 3.12; read here by `super()` and slices too."""

type Pair[T] = tuple[T, T]
type Name = str


def first[T: int, *Rest, **Options](items: Pair[T], *rest: *Rest) -> T:
    return items[0]


def constrained[T: (int, str)](item: T = 1, *, key=None):
    return item


class Stack[T]:
    limit = 10
    type Items = list[T]

    def push[S](self, item: S, bound: limit = limit) -> T:
        return super().push(item)

    def top(self):
        return super(Stack, self).top, super().limit

    def part(self, items, i, j):
        items[i:j] = items[j:i]
        return [lambda: (x, y) for x in items for y in items if not x == y]


async def delegate(items):
    return [await item for item in items]
