//! What calls of the host's functions and methods do with the functions and iterators that they get.

/// What a call does with a function object or an iterator among its arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Consumer {
    /// It gives a number, a text or nothing, and keeps nothing.
    Reads,
    /// It goes through iterators before it returns: the result, and for a method the object, has items of them.
    Collects,
    /// It gives an iterator that has the arguments.
    Wraps,
}

/// Functions by qualified name; a name that ends with a dot stands for all of a module. Sorted.
const FUNCTIONS: &[(&str, Consumer)] = &[
    ("builtins.all", Consumer::Reads),
    ("builtins.any", Consumer::Reads),
    ("builtins.bool", Consumer::Reads),
    ("builtins.bytearray", Consumer::Reads),
    ("builtins.bytes", Consumer::Reads),
    ("builtins.dict", Consumer::Collects),
    ("builtins.enumerate", Consumer::Wraps),
    ("builtins.filter", Consumer::Wraps),
    ("builtins.float", Consumer::Reads),
    ("builtins.frozenset", Consumer::Collects),
    ("builtins.hash", Consumer::Reads),
    ("builtins.int", Consumer::Reads),
    ("builtins.isinstance", Consumer::Reads),
    ("builtins.iter", Consumer::Wraps),
    ("builtins.len", Consumer::Reads),
    ("builtins.list", Consumer::Collects),
    ("builtins.map", Consumer::Wraps),
    ("builtins.max", Consumer::Collects),
    ("builtins.min", Consumer::Collects),
    ("builtins.next", Consumer::Collects),
    ("builtins.print", Consumer::Reads),
    ("builtins.range", Consumer::Reads),
    ("builtins.repr", Consumer::Reads),
    ("builtins.reversed", Consumer::Wraps),
    ("builtins.set", Consumer::Collects),
    ("builtins.sorted", Consumer::Collects),
    ("builtins.str", Consumer::Reads),
    ("builtins.sum", Consumer::Collects),
    ("builtins.tuple", Consumer::Collects),
    ("builtins.zip", Consumer::Wraps),
    ("collections.Counter", Consumer::Collects),
    ("collections.OrderedDict", Consumer::Collects),
    ("collections.deque", Consumer::Collects),
    ("functools.reduce", Consumer::Collects),
    ("heapq.merge", Consumer::Wraps),
    ("heapq.nlargest", Consumer::Collects),
    ("heapq.nsmallest", Consumer::Collects),
    ("itertools.", Consumer::Wraps),
    ("math.", Consumer::Reads),
    ("numpy.", Consumer::Collects),
];

/// Methods of containers and texts that get iterators. Sorted.
const METHODS: &[(&str, Consumer)] = &[
    ("difference", Consumer::Collects),
    ("difference_update", Consumer::Reads),
    ("extend", Consumer::Collects),
    ("extendleft", Consumer::Collects),
    ("intersection", Consumer::Reads),
    ("intersection_update", Consumer::Reads),
    ("isdisjoint", Consumer::Reads),
    ("issubset", Consumer::Reads),
    ("issuperset", Consumer::Reads),
    ("join", Consumer::Reads),
    ("subtract", Consumer::Collects),
    ("symmetric_difference", Consumer::Collects),
    ("symmetric_difference_update", Consumer::Collects),
    ("union", Consumer::Collects),
    ("update", Consumer::Collects),
];

/// What a function of the host's does with its arguments, if that is known.
pub(super) fn function(name: &str) -> Option<Consumer> {
    let module = name.rfind('.').map_or("", |dot| &name[..=dot]);
    find(FUNCTIONS, name).or_else(|| find(FUNCTIONS, module))
}

/// What a method does with an iterator, whatever it is a method of.
pub(super) fn method(name: &str) -> Option<Consumer> {
    find(METHODS, name)
}

/// Whether an argument is a function that is called for items, and not an item itself: by its name, or as the
/// first one of a function of the host's.
pub(super) fn is_called(name: &str, position: usize, keyword: Option<&str>) -> bool {
    match keyword {
        Some(keyword) => matches!(keyword, "key" | "func"),
        None => name == "functools.reduce" && position == 0,
    }
}

fn find(table: &[(&str, Consumer)], name: &str) -> Option<Consumer> {
    let at = table.binary_search_by(|(known, _)| (*known).cmp(name));
    at.ok().map(|at| table[at].1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        for table in [super::FUNCTIONS, super::METHODS] {
            assert!(table.is_sorted_by_key(|(name, _)| name));
        }
    }
}
