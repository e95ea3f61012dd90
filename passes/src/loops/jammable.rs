//! Nests of two loops whose outer iterations may be jammed: done several at once, by one loop over
//! the inner positions.
//!
//! Jammed, the iterations `(i, j)` of a group of `i` are done in the order of `j`, and for one `j`
//! in that of `i`. So two accesses of one element keep their order if they are of one outer
//! iteration, or of one inner position.

use super::{
    carried::{has_order, is_float},
    interchange_loops::interchangeable,
};
use crate::{
    analysis::{
        affine::{constant_of, counts_with},
        effects::{Footprint, Raises, may_alias},
        element_access::ElementAccess,
    },
    infra::{
        Access, BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt,
        OperationInterfaces, RegionExt, ValueExt,
        ops::{func, marks, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, TypeLike, Value};
use pyopt_dialects::typed::{Layout, array_type};
use std::collections::HashSet;

/// Operations in the inner loop up to which it gets the most copies.
const SMALL: usize = 8;
/// Operations beyond which it isn't unrolled.
const LARGE: usize = 24;
/// The most loops that are jammed in one.
const MOST_LOOPS: usize = 4;
/// The most accesses of arrays in the outer loop: each is compared with each that stores.
const MOST_ACCESSES: usize = 64;

/// What is gained by jamming.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gain {
    /// Positions next to each other load elements next to each other: their sums become vectors.
    Vectors,
    /// The sums of several outer iterations don't wait for each other.
    Latency,
    /// What each outer iteration adds to the same row is added in registers: the row is loaded and
    /// stored once for all of them.
    Rows,
}

/// A part of the body of the outer loop.
pub(crate) enum Segment<'c, 'a> {
    /// Operations that are done for one outer iteration after the other.
    Straight(Vec<OperationRef<'c, 'a>>),
    /// A loop that is jammed, as those in it are.
    Loop(scf::For<'c, 'a>),
}

/// The loop to unroll, and those in it to jam.
pub(crate) struct Nest<'c, 'a> {
    pub(crate) outer: scf::For<'c, 'a>,
    pub(crate) body: BlockRef<'c, 'a>,
    /// What is in the body, from straight operations to straight operations, of which there may be
    /// none. What the outer loop carries is used in the last ones alone.
    pub(crate) segments: Vec<Segment<'c, 'a>>,
    /// The values that vary with the outer loop, or from one copy of its body to the next.
    varying: HashSet<Key>,
    /// The pairs of arrays that must share no memory, which isn't known.
    pub(crate) disjoint: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// What is gained.
    pub(crate) gain: Gain,
    /// How many outer iterations are done at once.
    pub(crate) copies: usize,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// The nest that starts with a loop, if jamming it is legal and profitable.
    pub(crate) fn of(outer: scf::For<'c, 'a>) -> Option<Self> {
        let body = outer.region().entry()?;
        if outer.flag_attr(marks::SETTLED)
            || constant_of(outer.step()) != Some(1)
            || !body.argument_value(0).ty().is_index()
        {
            return None;
        }
        let touches = touches(body)?;
        let writes = touches.iter().filter(|touch| touch.writes);
        let written = writes.map(|touch| touch.array.key()).collect();
        let arguments = body.argument_values();
        let mut accesses = Accesses {
            outer,
            position: arguments[0],
            varying: arguments.iter().map(Identity::key).collect(),
            written,
            touches,
        };
        accesses.propagate(body);
        if !accesses.raises_first(body) {
            return None;
        }
        let (segments, gains) = accesses.segments(body)?;
        let (gain, copies) = gains.into_iter().reduce(|one, other| {
            let gain = if one.0 == Gain::Rows { other.0 } else { one.0 };
            (gain, 4)
        })?;
        let has_stores = segments.iter().any(|segment| match segment {
            Segment::Straight(_) => false,
            Segment::Loop(inner) => inner.pre_order().into_iter().any(stores),
        });
        let copies = match gain {
            Gain::Vectors if !has_stores && segments.len() == 3 => 2 * copies,
            _ => copies,
        };
        if gain != Gain::Vectors && interchangeable(outer).is_some() {
            return None;
        }
        let disjoint = accesses.conflicts(&segments)?;
        Some(Self {
            outer,
            body,
            segments,
            varying: accesses.varying,
            disjoint,
            gain,
            copies,
        })
    }

    /// What stands before the only inner loop, that, its body, and what stands behind it; nothing if
    /// there are several inner loops, or if the outer loop carries something.
    pub(crate) fn single(&self) -> Option<Single<'_, 'c, 'a>> {
        match &self.segments[..] {
            [
                Segment::Straight(before),
                Segment::Loop(inner),
                Segment::Straight(after),
            ] if self.outer.results().is_empty() => Some(Single {
                before,
                inner: *inner,
                inner_body: inner.region().entry()?,
                after,
            }),
            _ => None,
        }
    }

    /// Whether an operation is done for each copy of the outer body, and not once for all of them: what it
    /// computes varies, or it computes nothing. Checks are the same for all copies.
    pub(crate) fn varies(&self, operation: OperationRef<'c, 'a>) -> bool {
        let results = operation.result_values();
        let computes_nothing = results.is_empty() && !operation.isa::<typed::RaiseIf>();
        let mut keys = results.iter().map(Identity::key);
        computes_nothing || keys.any(|key| self.varying.contains(&key))
    }

    /// Emits whether arrays overlap that must not; nothing if none may.
    pub(crate) fn overlap(&self, builder: &Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
        let overlaps =
            |(one, other): &(_, _)| typed::Overlaps::create(builder, *one, *other).result();
        let overlap = self.disjoint.iter().map(overlaps);
        overlap.reduce(|one, other| builder.or(one, other))
    }
}

/// The parts of a nest of two loops.
#[derive(Clone, Copy)]
pub(crate) struct Single<'n, 'c, 'a> {
    pub(crate) before: &'n [OperationRef<'c, 'a>],
    pub(crate) inner: scf::For<'c, 'a>,
    pub(crate) inner_body: BlockRef<'c, 'a>,
    pub(crate) after: &'n [OperationRef<'c, 'a>],
}

/// What one operation of the outer body, or in a loop in it, does to one array.
struct Touch<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    writes: bool,
}

impl<'c: 'a, 'a> Touch<'c, 'a> {
    /// The one element, if it is one.
    fn element(&self) -> Option<ElementAccess<'c, 'a>> {
        ElementAccess::of(self.operation)
    }

    /// The segment that it is in.
    fn place(&self, segments: &[Segment<'c, 'a>]) -> Option<usize> {
        segments.iter().position(|segment| match segment {
            Segment::Straight(operations) => {
                let mut operations = operations.iter();
                operations.any(|operation| self.operation.is_within(*operation))
            }
            Segment::Loop(inner) => self.operation.is_within(**inner),
        })
    }
}

/// What the operations of a block touch, and those in them; nothing if that isn't known, if one makes an
/// array, or if one may raise, other than a check of the block itself.
fn touches<'c: 'a, 'a>(body: BlockRef<'c, 'a>) -> Option<Vec<Touch<'c, 'a>>> {
    let mut touches = Vec::new();
    let operations = body.operation_list().into_iter();
    for operation in operations.flat_map(|operation| operation.pre_order()) {
        let mut footprint = Footprint::default();
        footprint.add_alone(operation);
        let is_check = operation.isa::<typed::RaiseIf>() && operation.parent_block() == Some(body);
        let mut effects = operation.effects().unwrap_or_default().into_iter();
        if is_check {
            continue;
        }
        if footprint.unknown
            || footprint.raises != Raises::Nothing
            || effects.any(|effect| effect.access == Access::Allocate)
        {
            return None;
        }
        for (arrays, writes) in [(footprint.reads, false), (footprint.writes, true)] {
            touches.extend(arrays.into_iter().map(|array| Touch {
                operation,
                array,
                writes,
            }));
        }
        if touches.len() > MOST_ACCESSES {
            return None;
        }
    }
    Some(touches)
}

/// Whether an iteration of a loop waits for the one before: some float that it carries isn't a sum in any
/// order.
fn waits<'c: 'a, 'a>(inner: scf::For<'c, 'a>) -> bool {
    (0..inner.results().len()).any(|at| has_order(inner, at))
}

fn stores(operation: OperationRef) -> bool {
    operation.isa::<typed::Store>()
}

/// What a nest accesses.
struct Accesses<'c, 'a> {
    outer: scf::For<'c, 'a>,
    /// The outer induction variable.
    position: Value<'c, 'a>,
    /// See [`Nest::varying`].
    varying: HashSet<Key>,
    /// The arrays that are stored to.
    written: HashSet<Key>,
    touches: Vec<Touch<'c, 'a>>,
}

impl<'c: 'a, 'a> Accesses<'c, 'a> {
    /// Adds what depends on varying values, on what inner loops carry and on what the nest stores.
    fn propagate(&mut self, block: BlockRef<'c, 'a>) {
        for operation in block.operation_list() {
            if let Some(inner) = scf::For::of(operation) {
                if let Some(body) = inner.region().entry() {
                    let carried = body.argument_values().into_iter().skip(1);
                    self.vary(carried);
                    self.propagate(body);
                }
                self.vary(inner.results());
                continue;
            }
            let varies = operation.pre_order().into_iter().any(|operation| {
                let is_written =
                    |load: typed::Load<'c, 'a>| self.written.contains(&load.array().key());
                let operands = operation.operand_values();
                operands.iter().any(|operand| self.varies(*operand))
                    || typed::Load::of(operation).is_some_and(is_written)
            });
            if varies {
                self.vary(operation.result_values());
            }
        }
    }

    /// Whether what raises does so in the first iteration or never, and before anything is stored: each check
    /// is of what all iterations have in common.
    fn raises_first(&self, body: BlockRef<'c, 'a>) -> bool {
        let mut checked = Vec::new();
        let mut has_stored = false;
        body.operation_list().into_iter().all(|operation| {
            let Some(check) = typed::RaiseIf::of(operation) else {
                has_stored |= Footprint::of(operation).writes_anything();
                return true;
            };
            if checked.contains(&check.condition()) {
                return true;
            }
            checked.push(check.condition());
            let mut operands = check.operand_values().into_iter();
            !has_stored && !operands.any(|operand| self.varies(operand))
        })
    }

    fn vary(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) {
        self.varying
            .extend(values.into_iter().map(|value| value.key()));
    }

    fn varies(&self, value: Value<'c, 'a>) -> bool {
        self.varying.contains(&value.key())
    }

    /// Splits the body, with what is gained by each loop that is to be jammed.
    fn segments(
        &self,
        body: BlockRef<'c, 'a>,
    ) -> Option<(Vec<Segment<'c, 'a>>, Vec<(Gain, usize)>)> {
        let mut operations = body.operation_list();
        operations.pop();
        let carried = &body.argument_values()[1..];
        let uses_carried = |operation: &OperationRef<'c, 'a>| {
            let inside = operation.pre_order().into_iter();
            let mut operands = inside.flat_map(|inner| inner.operand_values());
            operands.any(|operand| carried.contains(&operand))
        };
        let (mut segments, mut gains, mut straight) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept_loops = 0;
        for operation in operations {
            match self.gain(operation)? {
                Some(gain) => {
                    if uses_carried(&operation) || straight.iter().any(uses_carried) {
                        return None;
                    }
                    segments.push(Segment::Straight(std::mem::take(&mut straight)));
                    segments.push(Segment::Loop(scf::For::of(operation)?));
                    gains.push(gain);
                }
                None => {
                    kept_loops += usize::from(scf::For::of(operation).is_some());
                    straight.push(operation);
                }
            }
        }
        segments.push(Segment::Straight(straight));
        (gains.len() <= MOST_LOOPS && kept_loops <= 1).then_some((segments, gains))
    }

    /// What is gained by jamming a loop, with how many iterations at once. The outer `None` forbids
    /// to jam anything around it.
    fn gain(&self, operation: OperationRef<'c, 'a>) -> Option<Option<(Gain, usize)>> {
        let inside = operation.pre_order();
        let Some(inner) = scf::For::of(operation) else {
            let is_loop = |one: &OperationRef| one.isa::<scf::For>() || one.isa::<scf::While>();
            return (inside.len() <= LARGE && !inside.iter().any(is_loop)).then_some(None);
        };
        let copies = match inside.len() - 1 {
            ..=SMALL => 8,
            size if size <= LARGE => 4,
            _ => return None,
        };
        let mut loops = Vec::new();
        for nested in inside.iter().filter(|one| !one.region_list().is_empty()) {
            let nested = scf::For::of(*nested)?;
            let mut bounds =
                [nested.lower_bound(), nested.upper_bound(), nested.step()].into_iter();
            if bounds.any(|bound| self.varies(bound)) || !nested.results().into_iter().all(is_float)
            {
                return None;
            }
            loops.push(nested);
        }
        if !inner.results().is_empty() {
            let gain = if inside.iter().any(|load| self.runs_along_a_row(*load)) {
                Gain::Vectors
            } else {
                Gain::Latency
            };
            let mut loops = loops.into_iter();
            let wait = loops.all(waits) && !self.is_reassociated();
            return Some((gain == Gain::Vectors || wait).then_some((gain, copies)));
        }
        if loops.len() > 1 {
            return None;
        }
        let mut stores = inside.iter().copied().filter_map(typed::Store::of);
        let found = stores.find_map(|store| {
            let is_same = |load: &typed::Load<'c, 'a>| {
                load.array() == store.array() && load.indices() == store.indices()
            };
            let mut loads = inside.iter().copied().filter_map(typed::Load::of);
            loads.find(is_same)?;
            let indices = store.indices();
            if indices.iter().all(|index| !index.is_inside(*inner)) {
                let waits = is_float(store.value()) && !self.is_reassociated();
                return waits.then_some((Gain::Latency, copies));
            }
            let is_row = !indices.iter().any(|index| self.varies(*index));
            is_row.then_some((Gain::Rows, 4))
        });
        Some(found)
    }

    /// Whether the function lets sums be done in any order, so that the inner loop is vectorised.
    fn is_reassociated(&self) -> bool {
        let function = self.outer.ancestor::<func::Func>();
        function.is_some_and(|function| function.attr(marks::FASTMATH).is_some())
    }

    /// Whether a load has unit stride in the outer loop.
    fn runs_along_a_row(&self, load: OperationRef<'c, 'a>) -> bool {
        let Some(load) = typed::Load::of(load) else {
            return false;
        };
        let indices = load.indices();
        let Some((last, others)) = indices.split_last() else {
            return false;
        };
        array_type(load.array().ty()).is_some_and(|array| array.layout == Layout::C)
            && counts_with(*last, self.position, &|value| !self.varies(value))
            && !others.iter().any(|index| self.varies(*index))
    }

    /// The pairs of arrays that must be disjoint for the outer iterations to be jammed; `None` if
    /// they can't be.
    fn conflicts(
        &self,
        segments: &[Segment<'c, 'a>],
    ) -> Option<Vec<(Value<'c, 'a>, Value<'c, 'a>)>> {
        let mut pairs = Vec::new();
        for write in self.touches.iter().filter(|touch| touch.writes) {
            let place = write.place(segments)?;
            for other in &self.touches {
                let (one, two) = (write.array, other.array);
                let inner = match &segments[place] {
                    _ if other.place(segments)? != place => Place::Apart,
                    Segment::Straight(_) => Place::Straight,
                    Segment::Loop(inner) => Place::Inside(*inner),
                };
                if one == two {
                    if !self.keep_order(write, other, inner) {
                        return None;
                    }
                } else if may_alias(one, two) {
                    if [one, two].iter().any(|array| array.is_inside(*self.outer)) {
                        if inner == Place::Straight {
                            continue;
                        }
                        return None;
                    }
                    if !pairs.contains(&(one, two)) && !pairs.contains(&(two, one)) {
                        pairs.push((one, two));
                    }
                }
            }
        }
        Some(pairs)
    }

    /// Whether accesses of one array keep their order: where they are of one element, they are of
    /// one outer iteration, or in an inner loop at one of its positions.
    fn keep_order(
        &self,
        write: &Touch<'c, 'a>,
        other: &Touch<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> bool {
        if place == Place::Straight {
            return true;
        }
        let (Some(one), Some(two)) = (write.element(), other.element()) else {
            return false;
        };
        let layout = array_type(write.array.ty()).map(|array| array.layout);
        if one.wraparound() || two.wraparound() || !matches!(layout, Some(Layout::C | Layout::F)) {
            return false;
        }
        let (one, two) = (one.indices(), two.indices());
        let mut indices = one.iter().zip(&two);
        if indices.any(|(index, other)| index == other && self.counts(*index, self.position)) {
            return true;
        }
        let Place::Inside(inner) = place else {
            return false;
        };
        let body = inner.region().entry();
        let is_nested = |operation: &OperationRef<'c, 'a>| !operation.region_list().is_empty();
        one == two
            && !one.iter().any(|index| self.varies(*index))
            && body.is_some_and(|body| {
                let at = body.argument_value(0);
                !body.operation_list().iter().any(is_nested)
                    && one.iter().any(|index| self.counts(*index, at))
            })
    }

    /// Whether an index is a position plus what is the same in all iterations of the nest.
    fn counts(&self, index: Value<'c, 'a>, position: Value<'c, 'a>) -> bool {
        counts_with(index, position, &|value| {
            let is_in_body = value.defining_block() == self.position.defining_block();
            !self.varies(value) && (is_in_body || !value.is_inside(*self.outer))
        })
    }
}

/// Where two accesses are.
#[derive(Clone, Copy, PartialEq)]
enum Place<'c, 'a> {
    /// In different segments.
    Apart,
    /// In one that isn't a loop.
    Straight,
    /// In one loop.
    Inside(scf::For<'c, 'a>),
}
