//! Groups of integers that are computed from each other.

use crate::{
    analysis::{
        affine::{constant_of, is_word},
        interval::{Interval, Intervals},
    },
    infra::{
        BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt, RegionExt, Use,
        ValueExt,
        emit::Emit,
        ops::{AnyOp, arith, marks, scf, typed},
    },
};
use melior::ir::{Location, OperationRef, Type, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::enums::{BinaryKind, UnaryKind};
use std::collections::{HashMap, HashSet};

/// The widest elements that groups begin with.
const ELEMENT: u32 = 16;
/// The widths to choose from.
const WIDTHS: [u32; 2] = [16, 32];

/// What a member of a group is made by.
#[derive(Clone, Copy)]
enum Maker<'c, 'a> {
    /// A conversion from a narrow type.
    Element(typed::Cast<'c, 'a>),
    /// An operation on numbers of the group; its operands from the given one on are numbers.
    Operation(OperationRef<'c, 'a>, usize),
    /// A loop carries it at a position: both the argument of the body and the result.
    Carried(scf::For<'c, 'a>, usize),
}

impl<'c: 'a, 'a> Maker<'c, 'a> {
    fn of(value: Value<'c, 'a>) -> Option<Self> {
        if !is_word(value) || value.ty().is_index() {
            return None;
        }
        let Some(operation) = value.defining_op() else {
            let r#loop = scf::For::of(value.defining_block().parent()?)?;
            return Some(Self::Carried(r#loop, value.position().checked_sub(1)?));
        };
        if operation.attr(marks::MINIMUM).is_some() || operation.flag_attr(marks::ASCENDING) {
            return None;
        }
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Cast(cast)) => {
                let from = IntegerType::try_from(cast.operand().ty()).ok()?;
                let is_element = typed::Load::defining(cast.operand()).is_some();
                (is_element && (2..=ELEMENT).contains(&from.width())).then_some(Self::Element(cast))
            }
            AnyOp::Typed(typed::Op::Binary(binary)) => {
                let is_exact = match binary.kind() {
                    BinaryKind::Add
                    | BinaryKind::Sub
                    | BinaryKind::Mul
                    | BinaryKind::Min
                    | BinaryKind::Max
                    | BinaryKind::And => true,
                    // A shift by the width or more is another one in another type.
                    BinaryKind::RShift => constant_of(binary.rhs())
                        .is_some_and(|by| (0..i128::from(WIDTHS[0])).contains(&by)),
                    _ => false,
                };
                is_exact.then_some(Self::Operation(operation, 0))
            }
            AnyOp::Typed(typed::Op::Unary(unary)) => {
                let is_exact = matches!(unary.kind(), UnaryKind::Abs | UnaryKind::Neg);
                is_exact.then_some(Self::Operation(operation, 0))
            }
            AnyOp::Arith(arith::Op::Select(_)) => Some(Self::Operation(operation, 1)),
            AnyOp::Scf(scf::Op::For(r#loop)) => Some(Self::Carried(r#loop, value.position())),
            _ => None,
        }
    }

    /// The values that have one type: what it makes.
    fn results(self) -> Vec<Value<'c, 'a>> {
        match self {
            Self::Element(cast) => vec![cast.result()],
            Self::Operation(operation, _) => vec![operation.result_value(0)],
            Self::Carried(r#loop, position) => {
                let body = r#loop.region().entry().expect("a loop has a body");
                vec![
                    body.argument_values()[position + 1],
                    r#loop.results()[position],
                ]
            }
        }
    }

    /// The operands that have the type of the results: the operation and the position.
    fn operands(self) -> Vec<(OperationRef<'c, 'a>, usize)> {
        match self {
            Self::Element(_) => Vec::new(),
            Self::Operation(operation, first) => {
                let count = operation.operand_values().len();
                (first..count).map(|at| (operation, at)).collect()
            }
            Self::Carried(r#loop, position) => {
                let body = r#loop.region().entry().expect("a loop has a body");
                let end = body.terminator_op().expect("a body ends with a yield");
                let init = r#loop.init_args_range().start + position;
                vec![(r#loop.operation(), init), (end, position)]
            }
        }
    }

    /// How many simple operations it is.
    fn cost(self) -> usize {
        match self {
            Self::Operation(operation, _) => {
                match typed::Binary::of(operation).map(|binary| binary.kind()) {
                    // LLVM has no multiplication of vectors of 64 bits that takes as long as an addition.
                    Some(BinaryKind::Mul) => 3,
                    _ => 1,
                }
            }
            _ => 0,
        }
    }
}

/// The values that are computed from elements, as far as they have few bits, connected by operations.
pub(super) struct Component<'c, 'a> {
    makers: Vec<Maker<'c, 'a>>,
    members: HashSet<Key>,
    width: u32,
}

impl<'c: 'a, 'a> Component<'c, 'a> {
    /// The groups of a function that are worth it. None has values of another one.
    pub(super) fn all(function: OperationRef<'c, 'a>) -> Vec<Self> {
        let mut intervals = Intervals::default();
        let mut taken = HashSet::new();
        let mut found = Vec::new();
        for cast in function.nested_ops::<typed::Cast>() {
            let seed = cast.result();
            let is_seed = matches!(Maker::of(seed), Some(Maker::Element(_))) && is_in_loop(*cast);
            if !is_seed || taken.contains(&seed.key()) {
                continue;
            }
            let component = Self::around(seed, &mut intervals);
            // Members of two groups would get two types.
            let is_apart = component.members.is_disjoint(&taken);
            taken.extend(component.members.iter().copied());
            if is_apart && component.is_worth_it() {
                found.push(component);
            }
        }
        found
    }

    /// Everything that is computed from an element and what it is computed with.
    fn around(seed: Value<'c, 'a>, intervals: &mut Intervals) -> Self {
        let mut component = Self {
            makers: Vec::new(),
            members: HashSet::new(),
            width: WIDTHS[0],
        };
        let mut waiting = vec![seed];
        while let Some(value) = waiting.pop() {
            if component.members.contains(&value.key()) {
                continue;
            }
            let Some(maker) = Maker::of(value) else {
                continue;
            };
            let Some(width) = width_of(maker, intervals) else {
                continue;
            };
            component.width = component.width.max(width);
            component.makers.push(maker);
            for result in maker.results() {
                component.members.insert(result.key());
                waiting.extend(result.uses().into_iter().flat_map(computed_by));
            }
            // Other elements that it is computed with; anything else needs an element to begin with.
            for (operation, at) in maker.operands() {
                let operand = operation.operand_values()[at];
                if begins_with_element(operand, BACK) {
                    waiting.push(operand);
                }
            }
        }
        component
    }

    /// Whether fewer bits are better: enough is computed for what is converted.
    fn is_worth_it(&self) -> bool {
        let gain: usize = self.makers.iter().map(|maker| maker.cost()).sum();
        let results = self.makers.iter().flat_map(|maker| maker.results());
        let extended =
            results.filter(|result| result.uses().into_iter().any(|one| !self.takes(one)));
        let operands = self.makers.iter().flat_map(|maker| maker.operands());
        let converted: HashSet<_> = operands
            .map(|(operation, at)| operation.operand_values()[at])
            .filter(|value| !self.members.contains(&value.key()) && constant_of(*value).is_none())
            .map(|value| value.key())
            .collect();
        gain >= 2 && gain > 2 * (extended.count() + converted.len())
    }

    /// Whether a use of a member does with fewer bits.
    fn takes(&self, one: Use<'c, 'a>) -> bool {
        if computed_by(one)
            .iter()
            .any(|value| self.members.contains(&value.key()))
        {
            return true;
        }
        match typed::Op::of(one.user) {
            Some(typed::Op::Cast(cast)) => {
                let to = cast.result().ty();
                to.is_float() || IntegerType::try_from(to).is_ok_and(|to| to.width() <= WIDTHS[1])
            }
            Some(typed::Op::Compare(compare)) => {
                let sides = [compare.lhs(), compare.rhs()];
                let fits = |side: Value<'c, 'a>| {
                    let constant = constant_of(side);
                    self.members.contains(&side.key())
                        || constant
                            .is_some_and(|number| type_of_width(self.width).contains(&number))
                };
                sides.into_iter().all(fits)
            }
            _ => false,
        }
    }

    /// Where it begins.
    pub(super) fn location(&self) -> Location<'c> {
        self.makers[0].results()[0].location()
    }

    /// Has everything computed in fewer bits, and says in how many.
    pub(super) fn narrow(&self, builder: &Builder<'c, 'a>) -> u32 {
        let narrow: Type = IntegerType::signed(builder.context(), self.width).into();
        let results: Vec<_> = self
            .makers
            .iter()
            .flat_map(|maker| maker.results())
            .collect();
        let operands = self.makers.iter().flat_map(|maker| maker.operands());
        let mut operands: Vec<_> = operands.collect();
        let mut extended = HashMap::new();
        for result in &results {
            for one in result.uses() {
                if !self.takes(one) {
                    extended
                        .entry(result.key())
                        .or_insert((*result, Vec::new()))
                        .1
                        .push(one);
                } else if typed::Compare::of(one.user).is_some() {
                    operands.extend([(one.user, 0), (one.user, 1)]);
                }
            }
        }
        let wide = results[0].ty();
        for (operation, at) in operands {
            let operand = operation.operand_values()[at];
            if self.members.contains(&operand.key()) || operand.ty() == narrow {
                continue;
            }
            builder.before(operation);
            operation.set_operand_value(at, builder.cast(operand, narrow));
        }
        for result in &results {
            result.set_ty(narrow);
        }
        for result in results {
            let Some((_, uses)) = extended.remove(&result.key()) else {
                continue;
            };
            match result.defining_op() {
                Some(operation) => builder.after(operation),
                None => builder.at_start(result.defining_block()),
            };
            let again = builder.cast(result, wide);
            for one in uses {
                one.user.set_operand_value(one.operand, again);
            }
        }
        self.width
    }
}

/// How far back from an operand elements are looked for.
const BACK: usize = 8;

/// Whether a value is computed from an element.
fn begins_with_element<'c: 'a, 'a>(value: Value<'c, 'a>, depth: usize) -> bool {
    match Maker::of(value) {
        Some(Maker::Element(_)) => true,
        Some(maker) if depth > 0 => {
            let mut operands = maker.operands().into_iter();
            operands.any(|(operation, at)| {
                begins_with_element(operation.operand_values()[at], depth - 1)
            })
        }
        _ => false,
    }
}

fn is_in_loop(operation: OperationRef) -> bool {
    let mut parent = operation.parent_block().and_then(|block| block.parent());
    while let Some(operation) = parent {
        if scf::For::of(operation).is_some() {
            return true;
        }
        parent = operation.parent_block().and_then(|block| block.parent());
    }
    false
}

/// What a use computes of it, of the same type.
fn computed_by<'c: 'a, 'a>(one: Use<'c, 'a>) -> Vec<Value<'c, 'a>> {
    if scf::Yield::of(one.user).is_some() {
        let parent = one.user.parent_block().and_then(|block| block.parent());
        let carried = parent
            .and_then(scf::For::of)
            .map(|r#loop| Maker::Carried(r#loop, one.operand));
        return carried.map_or(Vec::new(), Maker::results);
    }
    if let Some(r#loop) = scf::For::of(one.user) {
        let position = one.operand.checked_sub(r#loop.init_args_range().start);
        return position.map_or(Vec::new(), |position| {
            Maker::Carried(r#loop, position).results()
        });
    }
    let results = one.user.result_values();
    let of_results = |value: &Value<'c, 'a>| {
        let maker = Maker::of(*value);
        maker.is_some_and(|maker| maker.operands().contains(&(one.user, one.operand)))
    };
    results.into_iter().filter(of_results).collect()
}

/// The width that all that a maker gets and gives fits.
fn width_of<'c: 'a, 'a>(maker: Maker<'c, 'a>, intervals: &mut Intervals) -> Option<u32> {
    let operands = maker.operands().into_iter();
    let operands = operands.map(|(operation, at)| operation.operand_values()[at]);
    let values: Vec<_> = operands.chain(maker.results()).collect();
    let all: Vec<Interval> = values
        .into_iter()
        .map(|value| intervals.of(value))
        .collect();
    let fits = |width: &u32| {
        let numbers = type_of_width(*width);
        all.iter()
            .all(|one| numbers.contains(&one.low) && numbers.contains(&one.high))
    };
    WIDTHS.into_iter().find(fits)
}

/// The numbers of a signed type.
fn type_of_width(width: u32) -> std::ops::RangeInclusive<i128> {
    let end = 1_i128 << (width - 1);
    -end..=end - 1
}
