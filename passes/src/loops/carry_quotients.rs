//! Strength reduction of divisions: quotients and remainders of what a loop counts are counted along.
//!
//! `for i in range(n): y, x = i // width, i % width` divides twice in each iteration, and so does a loop over
//! `np.ndindex` or `np.ndenumerate`, once for each axis but the first. From one iteration to the next the
//! remainder grows by one; where it would be the divisor it starts again, and the quotient grows. A division
//! takes as long as ten to twenty such steps, and isn't vectorised either.
//!
//! Quotients that are divided again, as they are for three axes, are the dividends of a further place, which
//! changes only where the one before starts again.

use super::carried::{Carried, carry};
use crate::{
    analysis::{affine::constant_of, interval::Intervals},
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec, REMARKS,
        RegionExt, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{arith, func, marks, scf, typed},
    },
};
use melior::ir::{
    OperationRef, TypeLike, Value, attribute::IntegerAttribute, operation::OperationLike,
    r#type::IntegerType,
};
use pyopt_dialects::enums::BinaryKind;

/// The `typed-carry-quotients` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes divisions by a value of before the loop, no constant, that each iteration of a loop with \
        a step of one does: those of its position, of this plus values of before the loop, and of quotients of \
        these, none of them negative. The loop carries their quotients and remainders.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "carried",
        "quotients and remainders that loops count instead of dividing",
    )],
    ..PassSpec::new(
        "typed-carry-quotients",
        "count quotients and remainders along with the position of a loop",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // A loop that is replaced takes those in it along: they come first.
    let loops = function.post_order().into_iter();
    for r#loop in loops.filter_map(scf::For::of) {
        let places = places(r#loop);
        if places.is_empty() {
            continue;
        }
        let location = r#loop.location();
        let count = count(&builder, r#loop, &places);
        for _ in 0..count {
            let message = "counts a quotient or remainder along instead of dividing";
            cx.transformed("carried", location, message);
        }
    }
    Ok(())
}

/// A division of an iteration.
#[derive(Clone, Copy)]
struct Division<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    dividend: Value<'c, 'a>,
    divisor: Value<'c, 'a>,
    is_quotient: bool,
}

impl<'c: 'a, 'a> Division<'c, 'a> {
    /// The division that an operation is, of numbers that aren't negative, by one that isn't known.
    fn of(operation: OperationRef<'c, 'a>, intervals: &mut Intervals) -> Option<Self> {
        let is_quotient = match arith::Op::of(operation) {
            Some(arith::Op::DivUI(_)) => true,
            Some(arith::Op::RemUI(_)) => false,
            _ => match typed::Binary::of(operation)?.kind() {
                BinaryKind::FloorDiv => true,
                BinaryKind::Mod => false,
                _ => return None,
            },
        };
        let operands = operation.operand_values();
        let (dividend, divisor) = (operands[0], operands[1]);
        let is_word = dividend.ty().is_index()
            || IntegerType::try_from(dividend.ty())
                .is_ok_and(|integer| integer.is_signed() && integer.width() == 64);
        let is_natural = |value, intervals: &mut Intervals| intervals.of(value).low >= 0;
        (is_word
            && constant_of(divisor).is_none()
            && is_natural(divisor, intervals)
            && is_natural(dividend, intervals))
        .then_some(Self {
            operation,
            dividend,
            divisor,
            is_quotient,
        })
    }
}

/// The divisions of a dividend by a divisor, and those of the quotient.
struct Place<'c, 'a> {
    dividend: Value<'c, 'a>,
    divisor: Value<'c, 'a>,
    divisions: Vec<Division<'c, 'a>>,
    inner: Vec<Self>,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// The results that are quotients.
    fn quotients(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let quotients = self.divisions.iter().filter(|one| one.is_quotient);
        quotients.map(|one| one.operation.result_value(0))
    }

    /// Whether anything but the divisions of inner places uses the quotient.
    fn needs_quotient(&self) -> bool {
        let divide = |user: OperationRef<'c, 'a>| {
            let inner = self.inner.iter().flat_map(|place| &place.divisions);
            inner.into_iter().any(|division| division.operation == user)
        };
        let users = self.quotients().flat_map(|quotient| quotient.users());
        users.into_iter().any(|user| !divide(user))
    }
}

/// The places of what a loop counts.
fn places<'c: 'a, 'a>(r#loop: scf::For<'c, 'a>) -> Vec<Place<'c, 'a>> {
    let body = r#loop.region().entry().expect("a loop has a body");
    let position = body.argument_value(0);
    if constant_of(r#loop.step()) != Some(1) || !position.ty().is_index() {
        return Vec::new();
    }
    let mut intervals = Intervals::default();
    let operations = body.operation_list().into_iter();
    let mut divisions: Vec<_> = operations
        .filter_map(|operation| Division::of(operation, &mut intervals))
        .filter(|division| !division.divisor.is_inside(*r#loop))
        .collect();
    let counts = |dividend| offsets(r#loop, dividend).is_some();
    take_places(&mut divisions, &counts)
}

/// Takes the divisions of some dividends, and of their quotients, out of a list.
fn take_places<'c: 'a, 'a>(
    divisions: &mut Vec<Division<'c, 'a>>,
    is_dividend: &dyn Fn(Value<'c, 'a>) -> bool,
) -> Vec<Place<'c, 'a>> {
    let mut places: Vec<Place> = Vec::new();
    divisions.retain(|division| {
        if !is_dividend(division.dividend) {
            return true;
        }
        let (dividend, divisor) = (division.dividend, division.divisor);
        let same = |place: &&mut Place| place.dividend == dividend && place.divisor == divisor;
        match places.iter_mut().find(same) {
            Some(place) => place.divisions.push(*division),
            None => places.push(Place {
                dividend,
                divisor,
                divisions: vec![*division],
                inner: Vec::new(),
            }),
        }
        false
    });
    for place in &mut places {
        let quotients: Vec<_> = place.quotients().collect();
        place.inner = take_places(divisions, &|dividend| quotients.contains(&dividend));
    }
    places
}

/// What a dividend is more than the position of a loop; `None` if it doesn't count with it.
fn offsets<'c: 'a, 'a>(
    r#loop: scf::For<'c, 'a>,
    dividend: Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    let body = r#loop.region().entry()?;
    if dividend == body.argument_value(0) {
        return Some(Vec::new());
    }
    if let Some(cast) = typed::Cast::defining(dividend) {
        let is_position = cast.operand() == body.argument_value(0);
        return is_position.then(Vec::new);
    }
    let sum = typed::Binary::defining(dividend).filter(|sum| sum.kind() == BinaryKind::Add)?;
    let with = |counting, fixed: Value<'c, 'a>| {
        let outside = Some(fixed).filter(|fixed| !fixed.is_inside(*r#loop))?;
        let mut offsets = offsets(r#loop, counting)?;
        offsets.push(outside);
        Some(offsets)
    };
    with(sum.lhs(), sum.rhs()).or_else(|| with(sum.rhs(), sum.lhs()))
}

/// What a loop carries for a place. All numbers are of `index`.
struct Counter<'c, 'a> {
    divisor: Value<'c, 'a>,
    /// What the quotient grows by: nothing where the divisor is zero, for which all quotients and
    /// remainders are.
    growth: Value<'c, 'a>,
    remainder: Number<'c, 'a>,
    quotient: Option<Number<'c, 'a>>,
    inner: Vec<Self>,
}

/// A carried number: what it is at first, and what stands for it in the body.
#[derive(Clone, Copy)]
struct Number<'c, 'a> {
    init: Value<'c, 'a>,
    here: Value<'c, 'a>,
}

/// Has a loop carry the quotients and remainders of places; how many these are.
fn count<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#loop: scf::For<'c, 'a>,
    places: &[Place<'c, 'a>],
) -> usize {
    let body = r#loop.region().entry().expect("a loop has a body");
    let counters: Vec<_> = places
        .iter()
        .map(|place| {
            builder.before(*r#loop);
            let offsets = offsets(r#loop, place.dividend).unwrap_or_default();
            let lower = r#loop.lower_bound();
            let first = offsets.into_iter().fold(lower, |sum, offset| {
                let offset = builder.cast(offset, builder.index_type());
                builder.bin(arith::AddI::NAME, sum, offset)
            });
            counter(builder, r#loop, place, first)
        })
        .collect();
    let numbers: Vec<_> = counters.iter().flat_map(Counter::numbers).collect();
    let end = body
        .terminator_op()
        .expect("a loop's body ends with a yield");
    builder.before(end);
    let next = counters
        .iter()
        .flat_map(|counter| counter.advance(builder))
        .collect::<Vec<_>>();
    let carried: Vec<_> = numbers
        .iter()
        .zip(next)
        .map(|(number, next)| Carried {
            init: number.init,
            here: number.here,
            next,
        })
        .collect();
    let stand_ins: Vec<_> = numbers
        .iter()
        .filter_map(|number| number.here.defining_op())
        .collect();
    carry(builder, r#loop, &carried, &stand_ins);
    numbers.len()
}

/// Makes the counter of a place, with operations in the body that stand for its numbers in place of the
/// divisions.
fn counter<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#loop: scf::For<'c, 'a>,
    place: &Place<'c, 'a>,
    first: Value<'c, 'a>,
) -> Counter<'c, 'a> {
    let body = r#loop.region().entry().expect("a loop has a body");
    builder.before(*r#loop);
    let (zero, one) = (builder.index(0), builder.index(1));
    let divisor = builder.cast(place.divisor, builder.index_type());
    let is_zero = builder.cmpi(CmpInt::Eq, divisor, zero);
    let growth = builder.select(is_zero, zero, one);
    let divide = |name| match constant_of(first) {
        Some(0) => zero,
        _ => {
            let result = builder.bin(name, first, builder.select(is_zero, one, divisor));
            builder.select(is_zero, zero, result)
        }
    };
    let (quotient, remainder) = (divide(arith::DivUI::NAME), divide(arith::RemUI::NAME));
    let needs_quotient = place.needs_quotient();
    let inner = place
        .inner
        .iter()
        .map(|inner| counter(builder, r#loop, inner, quotient))
        .collect();

    let stand_in = |name| {
        builder.at_start(body);
        builder.bin(name, body.argument_value(0), divisor)
    };
    let remainder = Number {
        init: remainder,
        here: stand_in(arith::RemUI::NAME),
    };
    let quotient = needs_quotient.then(|| Number {
        init: quotient,
        here: stand_in(arith::DivUI::NAME),
    });
    for division in &place.divisions {
        let number = match division.is_quotient {
            true => quotient,
            false => Some(remainder),
        };
        if let Some(number) = number {
            builder.before(division.operation);
            let value = natural(builder, number.here, division.operation);
            builder.replace_op(division.operation, &[value]);
        } else {
            builder.erase_op(division.operation);
        }
    }
    Counter {
        divisor,
        growth,
        remainder,
        quotient,
        inner,
    }
}

/// A number of `index` in the type of a division's result, marked as not negative.
fn natural<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    division: OperationRef<'c, 'a>,
) -> Value<'c, 'a> {
    let ty = division.result_value(0).ty();
    if ty == number.ty() {
        return number;
    }
    let value = builder.cast(number, ty);
    if let Some(cast) = value.defining_op() {
        let zero = IntegerAttribute::new(builder.i(64), 0);
        cast.set_attr(marks::MINIMUM, zero);
    }
    value
}

impl<'c: 'a, 'a> Counter<'c, 'a> {
    /// All numbers that are carried for it, in order.
    fn numbers(&self) -> Vec<Number<'c, 'a>> {
        let own = [Some(self.remainder), self.quotient];
        let inner = self.inner.iter().flat_map(Self::numbers);
        own.into_iter().flatten().chain(inner).collect()
    }

    /// What these are in the next iteration.
    fn advance(&self, builder: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (zero, one) = (builder.index(0), builder.index(1));
        let more = builder.bin(arith::AddI::NAME, self.remainder.here, one);
        let starts_again = builder.cmpi(CmpInt::Uge, more, self.divisor);
        let others = self.numbers().split_off(1);
        if others.is_empty() {
            return vec![builder.select(starts_again, zero, more)];
        }
        let types = vec![builder.index_type(); 1 + others.len()];
        let (branch, yes, no) = builder.scf_if(starts_again, &types);
        builder.at_end(yes);
        let grown = self
            .quotient
            .map(|quotient| builder.bin(arith::AddI::NAME, quotient.here, self.growth));
        let inner = self.inner.iter().flat_map(|inner| inner.advance(builder));
        let next: Vec<_> = [Some(zero), grown]
            .into_iter()
            .flatten()
            .chain(inner)
            .collect();
        builder.scf_yield(&next);
        builder.at_end(no);
        let same = others.iter().map(|number| number.here);
        let next: Vec<_> = [more].into_iter().chain(same).collect();
        builder.scf_yield(&next);
        builder.after(branch);
        branch.result_values()
    }
}
