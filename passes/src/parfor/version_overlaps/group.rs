//! Groups of statements of a block that would be one loop if their arrays were apart and of one shape.

use crate::{
    analysis::{
        effects::{Footprint, Raises, may_alias},
        nest::Nest,
        shape::{rank, storage},
        sizes::Derivation,
    },
    infra::{
        BlockExt, OperationExt, OperationInterfaces, ValueExt,
        ops::{AnyOp, parfor, typed},
    },
    parfor::{assignment::is_assigned_directly, fuse::legality::may_merge_if_apart},
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::typed::array_type;

/// At most so many pairs of arrays are compared: each costs some nanoseconds whenever it is asked.
const MOST_PAIRS: usize = 12;
/// At most so many operations get a second version.
const MOST_OPERATIONS: usize = 256;

/// An array that a member reads or writes.
#[derive(Clone, Copy)]
struct Touch<'c, 'a> {
    array: Value<'c, 'a>,
    writes: bool,
}

/// A statement that is or will be a parallel loop.
pub(super) struct Member<'c, 'a> {
    /// Its operations: the last one is the statement, an expression that is computed in it stands before.
    operations: Vec<OperationRef<'c, 'a>>,
    touches: Vec<Touch<'c, 'a>>,
    /// The loop, if it is one already.
    nest: Option<Nest<'c, 'a>>,
    /// The array whose shape the loop will have.
    space: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Member<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let footprint = Footprint::of(operation);
        if footprint.unknown || footprint.raises > Raises::Shape {
            return None;
        }
        match AnyOp::of(operation) {
            AnyOp::Parfor(parfor::Op::Loop(_)) => Self::of_loop(operation, &footprint),
            AnyOp::Typed(typed::Op::Assign(assign)) => {
                let expression = typed::ArrayExpr::defining(assign.value());
                let expression = expression.filter(|one| is_assigned_directly(*one));
                let inputs = match expression {
                    Some(expression) => expression.inputs(),
                    None => vec![assign.value()],
                };
                let expression = expression.map(|one| one.operation());
                let operations = expression.into_iter().chain([operation]).collect();
                let mut member = Self::of_arrays(operations, &inputs, assign.target())?;
                let array = assign.target();
                member.touches.push(Touch {
                    array,
                    writes: true,
                });
                Some(member)
            }
            AnyOp::Typed(typed::Op::ArrayExpr(expression)) if !is_assigned_directly(expression) => {
                let space = space_of(expression.result())?;
                Self::of_arrays(vec![operation], &expression.inputs(), space)
            }
            AnyOp::Typed(typed::Op::Reduce(reduce)) => {
                let space = space_of(reduce.array())?;
                Self::of_arrays(vec![operation], &[reduce.array()], space)
            }
            _ => None,
        }
    }

    fn of_loop(operation: OperationRef<'c, 'a>, footprint: &Footprint<'c, 'a>) -> Option<Self> {
        let outside = |array: &Value<'c, 'a>| {
            let mut array = *array;
            while array.is_inside(operation) {
                array = array.defining_op()?.view_source()?;
            }
            Some(array)
        };
        let touch = |writes| move |array| Touch { array, writes };
        let reads = footprint.reads.iter().filter_map(outside).map(touch(false));
        let writes = footprint.writes.iter().filter_map(outside).map(touch(true));
        Some(Self {
            operations: vec![operation],
            touches: reads.chain(writes).collect(),
            nest: Some(Nest::of(operation)?),
            space: None,
        })
    }

    fn of_arrays(
        operations: Vec<OperationRef<'c, 'a>>,
        inputs: &[Value<'c, 'a>],
        space: Value<'c, 'a>,
    ) -> Option<Self> {
        let arrays = inputs
            .iter()
            .filter(|input| array_type(input.ty()).is_some());
        let fits = |array: &Value<'c, 'a>| rank(*array) <= rank(space);
        (rank(space) > 0 && inputs.iter().all(fits)).then(|| Self {
            operations,
            touches: arrays
                .map(|array| Touch {
                    array: *array,
                    writes: false,
                })
                .collect(),
            nest: None,
            space: Some(space),
        })
    }

    /// The statement.
    pub fn operation(&self) -> OperationRef<'c, 'a> {
        *self.operations.last().expect("a member has operations")
    }

    /// Whether a later statement could be merged with this one if arrays were apart and had one shape.
    fn may_merge(&self, later: &Self) -> bool {
        match (&self.nest, &later.nest) {
            (Some(one), Some(other)) => may_merge_if_apart(one, other),
            (None, None) => {
                let spaces = self.space.zip(later.space);
                spaces.is_some_and(|(one, other)| looks_like(one, other))
                    && self
                        .conflicts(later)
                        .all(|(one, other)| storage(one) != storage(other) || one == other)
            }
            _ => false,
        }
    }

    /// Whether only the run-time comparison makes the merge with a later statement possible.
    fn needs_version(&self, later: &Self) -> bool {
        // What overlaps the target of an assignment is copied before it.
        let is_copied = |written: Value<'c, 'a>| {
            let mut touches = self.touches.iter();
            self.space.is_some() && touches.any(|touch| touch.writes && touch.array == written)
        };
        let apart = self.conflicts(later).any(|(one, other)| {
            storage(one) != storage(other) && may_alias(one, other) && !is_copied(other)
        });
        let spaces = self.space.zip(later.space);
        apart || spaces.is_some_and(|(one, other)| !same_shape(one, other))
    }

    /// The pairs of arrays of both of which at least one is written.
    fn conflicts<'s>(
        &'s self,
        later: &'s Self,
    ) -> impl Iterator<Item = (Value<'c, 'a>, Value<'c, 'a>)> + 's {
        self.touches.iter().flat_map(move |one| {
            let others = later
                .touches
                .iter()
                .filter(|other| one.writes || other.writes);
            others.map(|other| (one.array, other.array))
        })
    }
}

/// The array whose shape the loop of an array's elements has: that of an expression is the shape of its first
/// operand of the same rank.
fn space_of<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let Some(expression) = typed::ArrayExpr::defining(array) else {
        return Some(array);
    };
    let mut inputs = expression.inputs().into_iter();
    space_of(inputs.find(|input| rank(*input) == rank(array))?)
}

/// Whether two arrays can be expected to have one shape: both are whole, or the same part of one.
fn looks_like<'c: 'a, 'a>(one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    if one == other {
        return true;
    }
    let parts = [one, other].map(|array| array.defining_op().and_then(typed::Op::of));
    rank(one) == rank(other)
        && match parts {
            [Some(typed::Op::View(one)), Some(typed::Op::View(other))] => {
                one.subscripts() == other.subscripts() && looks_like(one.array(), other.array())
            }
            [
                Some(typed::Op::Transpose(one)),
                Some(typed::Op::Transpose(other)),
            ] => one.permutation() == other.permutation() && looks_like(one.array(), other.array()),
            _ => [one, other].map(storage) == [one, other],
        }
}

/// Whether two arrays are known to have one shape.
fn same_shape<'c: 'a, 'a>(one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    let mut known = Derivation::default();
    let mut dimensions = 0..rank(one);
    rank(one) == rank(other)
        && dimensions.all(|at| known.dimension(one, at) == known.dimension(other, at))
}

/// Statements that follow each other and would be one loop.
#[derive(Default)]
pub(super) struct Group<'c, 'a> {
    /// The statements, in order.
    pub members: Vec<Member<'c, 'a>>,
    /// The arrays that are written, with those that they must not overlap. No pair is there twice.
    pub written: Vec<(Value<'c, 'a>, Vec<Value<'c, 'a>>)>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// Adds a statement, or returns it if it doesn't belong to the others.
    fn add(&mut self, member: Member<'c, 'a>) -> Option<Member<'c, 'a>> {
        if !self
            .members
            .iter()
            .all(|earlier| earlier.may_merge(&member))
        {
            return Some(member);
        }
        self.members.push(member);
        let written = self.pairs();
        let pairs: usize = written.iter().map(|(_, others)| others.len()).sum();
        let operations: usize = self.operations().map(|one| one.pre_order().len()).sum();
        if pairs > MOST_PAIRS || operations > MOST_OPERATIONS {
            return self.members.pop();
        }
        self.written = written;
        None
    }

    fn pairs(&self) -> Vec<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
        let mut found: Vec<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> = Vec::new();
        let touches: Vec<_> = self.members.iter().flat_map(|one| &one.touches).collect();
        for array in touches.iter().filter(|one| one.writes).map(|one| one.array) {
            if found.iter().any(|(other, _)| *other == array) {
                continue;
            }
            let mut others = Vec::new();
            for other in touches.iter().map(|one| one.array) {
                let is_paired = found
                    .iter()
                    .any(|(one, with)| *one == other && with.contains(&array));
                if storage(other) != storage(array)
                    && may_alias(array, other)
                    && !is_paired
                    && !others.contains(&other)
                {
                    others.push(other);
                }
            }
            found.push((array, others));
        }
        found
    }

    /// Whether the comparison is worth it: a statement writes to an array, and two can't be merged without it.
    fn is_worth_it(&self) -> bool {
        let writes = |member: &Member| member.touches.iter().any(|touch| touch.writes);
        let mut earlier = self.members.iter().enumerate();
        self.members.iter().any(writes)
            && earlier.any(|(at, one)| {
                let mut later = self.members[at + 1..].iter();
                later.any(|later| one.needs_version(later))
            })
    }

    /// The operations of all statements.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> + '_ {
        self.members
            .iter()
            .flat_map(|member| member.operations.iter().copied())
    }

    /// The array whose shape all must have.
    pub fn space(&self) -> Option<Value<'c, 'a>> {
        self.members.first()?.space
    }

    /// The arrays whose shape is compared: not those that the group makes.
    pub fn shaped(&self) -> Vec<Value<'c, 'a>> {
        let members = self.members.iter().filter(|member| member.space.is_some());
        let touched = members.flat_map(|member| member.touches.iter().map(|touch| touch.array));
        let mut arrays: Vec<Value<'c, 'a>> = Vec::new();
        for array in touched.filter(|array| !self.makes(*array)) {
            if !arrays.contains(&array) {
                arrays.push(array);
            }
        }
        arrays
    }

    /// All arrays that are compared.
    pub fn compared(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let pairs = self.written.iter();
        let pairs = pairs.flat_map(|(array, others)| others.iter().copied().chain([*array]));
        let pairs: Vec<_> = pairs.collect();
        self.shaped().into_iter().chain(self.space()).chain(pairs)
    }

    fn makes(&self, array: Value<'c, 'a>) -> bool {
        self.operations()
            .any(|one| one.result_values().contains(&array))
    }
}

/// The groups of a block that are worth a version.
pub(super) fn groups<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Group<'c, 'a>> {
    let mut groups = vec![Group::default()];
    for operation in block.operation_list() {
        let waits = typed::ArrayExpr::of(operation).is_some_and(is_assigned_directly);
        if waits || operation.is_pure() && operation.region_list().is_empty() {
            continue;
        }
        let last = groups.last_mut().expect("there is one");
        match Member::of(operation) {
            Some(member) => {
                if let Some(member) = last.add(member) {
                    let mut next = Group::default();
                    next.add(member);
                    groups.push(next);
                }
            }
            None => groups.push(Group::default()),
        }
    }
    groups.retain(Group::is_worth_it);
    groups
}
