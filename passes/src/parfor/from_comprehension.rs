//! Makes parallel loops of list comprehensions: of numbers, or whose list is converted to an array.

use super::{effects::Footprint, emit::mapped, from_prange::is_number, nest::NestBuilder};
use crate::infra::{
    BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt,
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::typed::array_type;

/// The `parfor-from-comprehension` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`np.array([f(i) for i in range(n)])` becomes a `parfor.loop` that yields the \
                  array: a loop that does nothing but compute an item and put it to the end of a \
                  fresh list, which nobody sees but the conversion to an array. A list of lists \
                  becomes an array of two dimensions when all have one length that is known before. \
                  A list of numbers that stays one gets its length first, and then its items. \
                  Other loops are left as they are.",
    anchor: "func.func",
    dialects: &["arith", "parfor", "typed"],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-comprehension",
        "make parallel loops of comprehensions",
        run,
    )
};

/// The pattern of the loops.
const PATTERN: &str = "comprehension";

/// The function of the library that makes an array of a list.
const ARRAY_OF_LIST: &str = "pyopt.library.array_of_list(";

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // A conversion removes lists, also those inside of the one that it was about, and copies others.
    while let Some(found) = function
        .nested("typed.list_new")
        .into_iter()
        .find_map(Comprehension::of)
    {
        found.convert(&builder);
        cx.bump("loops", 1);
    }
    while let Some(found) = function
        .nested("typed.list_new")
        .into_iter()
        .find_map(Filling::of_numbers)
    {
        found.convert(&builder);
        cx.bump("loops", 1);
    }
    Ok(())
}

/// Whether a loop fills a list in a form that this pass converts.
pub(super) fn is_comprehension<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    operation.nested("typed.list_push").into_iter().any(|push| {
        let list = push.operand_value(1).defined_by("typed.list_new");
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
    list: OperationRef<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    /// The operations that reserve room for an item, check that, and append the item.
    steps: [OperationRef<'c, 'a>; 3],
}

/// A list that becomes an array.
struct Comprehension<'c, 'a> {
    filling: Filling<'c, 'a>,
    /// What fills the items, if these are lists.
    inner: Option<Filling<'c, 'a>>,
    /// The conversion to an array.
    conversion: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> Filling<'c, 'a> {
    /// The loop that fills a list, and the list's only other use.
    fn of(list: OperationRef<'c, 'a>) -> Option<(Self, OperationRef<'c, 'a>)> {
        let (filling, consumers) = Self::with_consumers(list)?;
        match consumers[..] {
            [consumer] => Some((filling, consumer)),
            _ => None,
        }
    }

    /// The loop that fills a list of numbers, which has no use before it is filled.
    fn of_numbers(list: OperationRef<'c, 'a>) -> Option<Self> {
        let (filling, consumers) = Self::with_consumers(list)?;
        let block = list.parent_block()?;
        let order = block.operation_list();
        let place = |operation| order.iter().position(|one| *one == operation);
        let filled = place(filling.operation)?;
        let comes_later = |consumer: &OperationRef<'c, 'a>| {
            let mut outer = Some(*consumer);
            while let Some(operation) = outer.filter(|one| one.parent_block() != Some(block)) {
                outer = operation.parent();
            }
            outer.and_then(place).is_some_and(|at| at > filled)
        };
        let fits = is_number(filling.item().ty())
            && consumers.iter().all(comes_later)
            && independent(&filling.rest());
        fits.then_some(filling)
    }

    /// The loop that fills a list, and what else uses it.
    fn with_consumers(list: OperationRef<'c, 'a>) -> Option<(Self, Vec<OperationRef<'c, 'a>>)> {
        let uses = list.result_value(0).uses();
        // The list may also be what is pushed to another one.
        let only = |name: &str, operand: usize| {
            let mut found = uses
                .iter()
                .filter(|one| one.user.is(name) && one.operand == operand);
            let first = found.next().filter(|_| found.next().is_none())?;
            Some(first.user)
        };
        let (reserve, push) = (only("typed.list_reserve", 0)?, only("typed.list_push", 1)?);
        let [check] = reserve.result_value(0).users()[..] else {
            return None;
        };
        let consumers = uses
            .iter()
            .map(|one| one.user)
            .filter(|user| ![reserve, push].contains(user));

        let block = push.parent_block()?;
        let operation = block.parent().filter(|parent| parent.is("scf.for"))?;
        let counts = [(0, 0), (2, 1)].into_iter().all(|(operand, wanted)| {
            let bound = operation
                .operand_value(operand)
                .defined_by("arith.constant");
            bound.and_then(|bound| bound.int_attr("value")) == Some(wanted)
        });
        let together = [reserve, check]
            .into_iter()
            .all(|step| step.parent_block() == Some(block));
        let plain = counts
            && together
            && check.is("typed.raise_if")
            && reserve
                .operand_value(1)
                .defined_by("typed.constant")?
                .int_attr("value")
                == Some(1)
            && operation.result_values().is_empty()
            && operation.parent_block() == list.parent_block();
        let filling = Self {
            list,
            operation,
            steps: [reserve, check, push],
        };
        plain.then(|| (filling, consumers.collect()))
    }

    /// Gives the list its length, and sets its items in a loop.
    fn convert(&self, builder: &Builder<'c, 'a>) {
        let [reserve, check, _] = self.steps;
        builder
            .before(self.operation)
            .at(melior::ir::operation::OperationLike::location(
                &self.operation,
            ));
        let count = natural(builder, self.count());
        let word = reserve.operand_value(1).ty();
        let items = builder.value("typed.cast", &[count], word, &[]);
        let reserved = builder.clone_op(reserve, &[(reserve.operand_value(1), items)]);
        let failed = (reserve.result_value(0), reserved.result_value(0));
        builder.clone_op(check, &[failed]);
        let list = self.list.result_value(0);
        builder.op("typed.list_grow", &[list, items], &[], &[]);
        NestBuilder::new(&[count], PATTERN).build(builder, |indices| {
            let mut mapping = Vec::new();
            self.copy(builder, indices[0], &[], &mut mapping);
            let item = mapped(&mapping, self.item());
            builder.op("typed.list_set", &[item, list, indices[0]], &[], &[]);
            Vec::new()
        });
        builder.erase_op(self.operation);
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
        self.operation.region_at(0).entry()
    }

    /// What is done in an iteration besides filling the list.
    fn rest(&self) -> Vec<OperationRef<'c, 'a>> {
        let all = self
            .body()
            .map(BlockExt::operation_list)
            .unwrap_or_default();
        let other = |one: &OperationRef<'c, 'a>| !self.steps.contains(one) && !one.is_terminator();
        all.into_iter().filter(other).collect()
    }

    fn item(&self) -> Value<'c, 'a> {
        self.steps[2].operand_value(0)
    }

    fn count(&self) -> Value<'c, 'a> {
        self.operation.operand_value(1)
    }
}

/// Whether operations have no effects that another iteration sees.
fn independent<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>]) -> bool {
    operations
        .iter()
        .all(|operation| !Footprint::of(*operation).writes_anything())
}

impl<'c: 'a, 'a> Comprehension<'c, 'a> {
    fn of(list: OperationRef<'c, 'a>) -> Option<Self> {
        let (filling, conversion) = Filling::of(list)?;
        let converts = conversion.is("typed.call")
            && conversion
                .symbol_attr("callee")
                .is_some_and(|callee| callee.starts_with(ARRAY_OF_LIST))
            && conversion.operand_values().len() == 1
            && conversion.parent_block() == list.parent_block();
        let array = array_type(conversion.result_types().first().copied()?)?;
        if !converts {
            return None;
        }
        let item = filling.item();
        if array.rank == 1 && array.element == item.ty() {
            return independent(&filling.rest()).then_some(Self {
                filling,
                inner: None,
                conversion,
            });
        }
        let (inner, consumer) = Filling::of(item.defined_by("typed.list_new")?)?;
        let fixed = !inner
            .count()
            .defining_block()
            .parent()
            .is_some_and(|parent| parent.is_within(filling.operation));
        let mut outer = filling.rest();
        outer.retain(|one| ![inner.list, inner.operation].contains(one));
        let matches = array.rank == 2
            && array.element == inner.item().ty()
            && consumer == filling.steps[2]
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
            .before(filling.operation)
            .at(melior::ir::operation::OperationLike::location(
                &filling.operation,
            ));
        let count = natural(builder, filling.count());
        let mut extents = vec![count];
        if let Some(inner) = &self.inner {
            // An array of no rows has no columns either.
            let columns = natural(builder, inner.count());
            let none = builder.cmpi(CmpInt::Eq, count, builder.index(0));
            extents.push(builder.select(none, count, columns));
        }
        let made = NestBuilder::new(&extents, PATTERN)
            .fresh(self.conversion.result_types()[0])
            .build(builder, |indices| {
                let mut mapping = Vec::new();
                let item = match &self.inner {
                    None => {
                        filling.copy(builder, indices[0], &[], &mut mapping);
                        filling.item()
                    }
                    Some(inner) => {
                        let within = [inner.list, inner.operation];
                        filling.copy(builder, indices[0], &within, &mut mapping);
                        inner.copy(builder, indices[1], &[], &mut mapping);
                        inner.item()
                    }
                };
                vec![mapped(&mapping, item)]
            });
        builder.replace_op(self.conversion, &made.fresh());
        builder.erase_op(filling.operation);
        builder.erase_op(filling.list);
    }
}

/// A number of iterations: none if it is negative.
fn natural<'c: 'a, 'a>(builder: &Builder<'c, 'a>, count: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = builder.index(0);
    let positive = builder.cmpi(CmpInt::Sgt, count, zero);
    builder.select(positive, count, zero)
}
