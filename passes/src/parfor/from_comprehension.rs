//! Makes parallel loops of list comprehensions: of numbers, or whose list is converted to an array.

use super::from_prange::{counts_from_zero, is_number};
use crate::{
    analysis::{effects::Footprint, nest::NestBuilder, sizes::library_role},
    infra::{
        AttributeExt, BlockExt, Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
        emit::mapped,
        ops::{func, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{LibraryRole, PatternKind},
    typed::array_type,
};

/// The `parfor-from-comprehension` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`np.array([f(i) for i in range(n)])` becomes a `parfor.loop` that yields the \
                  array: a loop that does nothing but compute an item and put it to the end of a \
                  fresh list, which nobody sees but the conversion to an array. A list of lists \
                  becomes an array of two dimensions when all have one length that is known before. \
                  A list of numbers that stays one gets its length first, and then its items. \
                  Other loops are left as they are.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "typed"],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-comprehension",
        "make parallel loops of comprehensions",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // A conversion removes lists, also those inside of the one that it was about, and copies others.
    while let Some(found) = function
        .nested_ops::<typed::ListNew>()
        .into_iter()
        .find_map(Comprehension::of)
    {
        found.convert(&builder);
        cx.bump("loops", 1);
    }
    while let Some(found) = function
        .nested_ops::<typed::ListNew>()
        .into_iter()
        .find_map(Filling::of_numbers)
    {
        found.convert(&builder);
        cx.bump("loops", 1);
    }
    Ok(())
}

/// Whether a loop fills a list in a form that this pass converts.
pub(super) fn is_comprehension<'c: 'a, 'a>(operation: scf::For<'c, 'a>) -> bool {
    let pushes = operation.nested_ops::<typed::ListPush>();
    pushes.into_iter().any(|push| {
        let list = typed::ListNew::defining(push.list());
        let of_list = |list| {
            let array = Comprehension::of(list).map(|found| found.filling);
            array.or_else(|| Filling::of_numbers(list))
        };
        list.and_then(of_list)
            .is_some_and(|filling| filling.operation == operation)
    })
}

/// A loop that fills a list.
struct Filling<'c, 'a> {
    list: typed::ListNew<'c, 'a>,
    operation: scf::For<'c, 'a>,
    /// Reserves room for an item.
    reserve: typed::ListReserve<'c, 'a>,
    /// Raises where there is none.
    check: typed::RaiseIf<'c, 'a>,
    /// Appends the item.
    push: typed::ListPush<'c, 'a>,
    item: Value<'c, 'a>,
}

/// A list that becomes an array.
struct Comprehension<'c, 'a> {
    filling: Filling<'c, 'a>,
    /// What fills the items, if these are lists.
    inner: Option<Filling<'c, 'a>>,
    /// The conversion to an array.
    conversion: typed::Call<'c, 'a>,
}

impl<'c: 'a, 'a> Filling<'c, 'a> {
    /// The loop that fills a list, and the list's only other use.
    fn of(list: typed::ListNew<'c, 'a>) -> Option<(Self, OperationRef<'c, 'a>)> {
        let (filling, consumers) = Self::with_consumers(list)?;
        match consumers[..] {
            [consumer] => Some((filling, consumer)),
            _ => None,
        }
    }

    /// The loop that fills a list of numbers, which has no use before it is filled.
    fn of_numbers(list: typed::ListNew<'c, 'a>) -> Option<Self> {
        let (filling, consumers) = Self::with_consumers(list)?;
        let block = list.parent_block()?;
        let order = block.operation_list();
        let place = |operation| order.iter().position(|one| *one == operation);
        let filled = place(*filling.operation)?;
        let comes_later = |consumer: &OperationRef<'c, 'a>| {
            let mut outer = Some(*consumer);
            while let Some(operation) = outer.filter(|one| one.parent_block() != Some(block)) {
                outer = operation.parent();
            }
            outer.and_then(place).is_some_and(|at| at > filled)
        };
        let fits = is_number(filling.item.ty())
            && consumers.iter().all(comes_later)
            && independent(&filling.rest());
        fits.then_some(filling)
    }

    /// The loop that fills a list, and what else uses it.
    fn with_consumers(list: typed::ListNew<'c, 'a>) -> Option<(Self, Vec<OperationRef<'c, 'a>>)> {
        let users = list.result().users();
        let reserves = users.iter().copied().filter_map(typed::ListReserve::of);
        let reserve = only(reserves)?;
        // The list may also be what is pushed to another one.
        let pushes = users.iter().copied().filter_map(typed::ListPush::of);
        let push = only(pushes.filter(|push| push.list() == list.result()))?;
        let [item] = push.items()[..] else {
            return None;
        };
        let [check] = reserve.failed().users()[..] else {
            return None;
        };
        let check = typed::RaiseIf::of(check)?;
        let consumers = users
            .into_iter()
            .filter(|user| ![*reserve, *push].contains(user));

        let block = push.parent_block()?;
        let operation = scf::For::of(block.parent()?)?;
        let count = typed::Constant::defining(reserve.count())?;
        let plain = counts_from_zero(operation)
            && [*reserve, *check]
                .into_iter()
                .all(|step| step.parent_block() == Some(block))
            && count.value().integer_value() == Some(1)
            && operation.results().is_empty()
            && operation.parent_block() == list.parent_block();
        let filling = Self {
            list,
            operation,
            reserve,
            check,
            push,
            item,
        };
        plain.then(|| (filling, consumers.collect()))
    }

    /// What fills the list in an iteration.
    fn steps(&self) -> [OperationRef<'c, 'a>; 3] {
        [*self.reserve, *self.check, *self.push]
    }

    /// Gives the list its length, and sets its items in a loop.
    fn convert(&self, builder: &Builder<'c, 'a>) {
        let at = self.operation;
        builder.before(*at).at(at.location());
        let count = natural(builder, self.count());
        let word = self.reserve.count();
        let items = typed::Cast::create(builder, count, word.ty()).result();
        let reserved = builder.clone_op(*self.reserve, &[(word, items)]);
        let failed = (self.reserve.failed(), reserved.result_value(0));
        builder.clone_op(*self.check, &[failed]);
        let list = self.list.result();
        typed::ListGrow::create(builder, list, items);
        NestBuilder::new(&[count], PatternKind::Comprehension).build(builder, |indices| {
            let mut mapping = Vec::new();
            self.copy(builder, indices[0], &[], &mut mapping);
            let item = mapped(&mapping, self.item);
            typed::ListSet::create(builder, item, list, indices[0]);
            Vec::new()
        });
        builder.erase_op(*self.operation);
    }

    /// Clones the body of an iteration, except for filling the list and for the operations named.
    fn copy(
        &self,
        builder: &Builder<'c, 'a>,
        index: Value<'c, 'a>,
        without: &[OperationRef<'c, 'a>],
        mapping: &mut Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    ) {
        if let Some(body) = self.body() {
            mapping.push((body.argument_value(0), index));
        }
        for operation in self.rest() {
            if !without.contains(&operation) {
                let copy = builder.clone_op(operation, mapping);
                let results = operation.result_values().into_iter();
                mapping.extend(results.zip(copy.result_values()));
            }
        }
    }

    fn body(&self) -> Option<BlockRef<'c, 'a>> {
        self.operation.region().entry()
    }

    /// What is done in an iteration besides filling the list.
    fn rest(&self) -> Vec<OperationRef<'c, 'a>> {
        let all = self
            .body()
            .map(BlockExt::operation_list)
            .unwrap_or_default();
        let steps = self.steps();
        let other = |one: &OperationRef<'c, 'a>| !steps.contains(one) && !one.is_terminator();
        all.into_iter().filter(other).collect()
    }

    fn count(&self) -> Value<'c, 'a> {
        self.operation.upper_bound()
    }
}

/// The only one, if there is one.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

/// Whether operations have no effects that another iteration sees.
fn independent<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>]) -> bool {
    operations
        .iter()
        .all(|operation| !Footprint::of(*operation).writes_anything())
}

impl<'c: 'a, 'a> Comprehension<'c, 'a> {
    fn of(list: typed::ListNew<'c, 'a>) -> Option<Self> {
        let (filling, conversion) = Filling::of(list)?;
        let conversion = typed::Call::of(conversion)?;
        let converts = conversion.inputs().len() == 1
            && conversion.parent_block() == list.parent_block()
            && library_role(conversion) == Some(LibraryRole::ListConversion);
        let array = array_type(conversion.result_types().first().copied()?)?;
        if !converts {
            return None;
        }
        let item = filling.item;
        if array.rank == 1 && array.element == item.ty() {
            return independent(&filling.rest()).then_some(Self {
                filling,
                inner: None,
                conversion,
            });
        }
        let (inner, consumer) = Filling::of(typed::ListNew::defining(item)?)?;
        let fixed = !inner
            .count()
            .defining_block()
            .parent()
            .is_some_and(|parent| parent.is_within(*filling.operation));
        let mut outer = filling.rest();
        outer.retain(|one| ![*inner.list, *inner.operation].contains(one));
        let matches = array.rank == 2
            && array.element == inner.item.ty()
            && consumer == *filling.push
            && inner.operation.parent_block() == filling.body()
            && fixed
            && outer.iter().all(|one| one.is_pure())
            && independent(&inner.rest());
        matches.then_some(Self {
            filling,
            inner: Some(inner),
            conversion,
        })
    }

    fn convert(&self, builder: &Builder<'c, 'a>) {
        let filling = &self.filling;
        builder
            .before(*filling.operation)
            .at(filling.operation.location());
        let count = natural(builder, filling.count());
        let mut extents = vec![count];
        if let Some(inner) = &self.inner {
            // An array of no rows has no columns either.
            let columns = natural(builder, inner.count());
            let none = builder.cmpi(CmpInt::Eq, count, builder.index(0));
            extents.push(builder.select(none, count, columns));
        }
        let made = NestBuilder::new(&extents, PatternKind::Comprehension)
            .fresh(self.conversion.result_types()[0])
            .build(builder, |indices| {
                let mut mapping = Vec::new();
                let item = match &self.inner {
                    None => {
                        filling.copy(builder, indices[0], &[], &mut mapping);
                        filling.item
                    }
                    Some(inner) => {
                        let within = [*inner.list, *inner.operation];
                        filling.copy(builder, indices[0], &within, &mut mapping);
                        inner.copy(builder, indices[1], &[], &mut mapping);
                        inner.item
                    }
                };
                vec![mapped(&mapping, item)]
            });
        builder.replace_op(*self.conversion, &made.fresh());
        builder.erase_op(*filling.operation);
        builder.erase_op(*filling.list);
    }
}

/// A number of iterations: none if it is negative.
fn natural<'c: 'a, 'a>(builder: &Builder<'c, 'a>, count: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = builder.index(0);
    let positive = builder.cmpi(CmpInt::Sgt, count, zero);
    builder.select(positive, count, zero)
}
