//! Recognition of reductions: loop-carried values that one operator combines with something in each
//! iteration.

use super::{
    body::{argument, body, sources, targets, terminator},
    carried::OTHER_USE,
    combined::{Combined, refuses, step},
};
use crate::{
    analysis::reduction::is_float,
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, arith, scf, typed, ub},
    },
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::{
    enums::{BinaryKind, CombineKind, CompareKind, UnaryKind},
    typed::array_type,
};

/// What combines a loop-carried value with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'c> {
    /// The operator of this reduction.
    Operator(CombineKind),
    /// A reduction of the program.
    Combiner(Combined<'c>),
}

/// Follows the uses of a loop-carried value through the loop body.
pub(super) struct Flow<'c, 'a> {
    operation: scf::For<'c, 'a>,
    position: usize,
    /// The values derived from the loop-carried one: itself, possibly combined with others.
    reached: Vec<Value<'c, 'a>>,
    kind: Option<Kind<'c>>,
    /// What combines it with others.
    combining: Vec<OperationRef<'c, 'a>>,
    /// A call of a user-defined reduction that is invalid for its argument types.
    refused: Option<OperationRef<'c, 'a>>,
}

/// The operations that combine a reduced loop-carried value with others.
pub(super) fn combining<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
) -> Vec<OperationRef<'c, 'a>> {
    let mut flow = Flow::new(operation, position);
    match flow.follow(argument(operation, position)) {
        Ok(()) => flow.combining,
        Err(_) => Vec::new(),
    }
}

/// The call of a user-defined reduction, with a loop-carried value as argument, that is invalid for
/// its argument types.
pub(super) fn refused<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
) -> Option<OperationRef<'c, 'a>> {
    let mut flow = Flow::new(operation, position);
    let _ = flow.follow(argument(operation, position));
    flow.refused
}

/// The values derived from a loop-carried value in an iteration, if a user-defined reduction
/// combines it.
pub(super) fn whole<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
) -> Option<Vec<Value<'c, 'a>>> {
    let mut flow = Flow::new(operation, position);
    flow.follow(argument(operation, position)).ok()?;
    flow.reached.push(operation.result_value(position));
    matches!(flow.kind, Some(Kind::Combiner(_))).then_some(flow.reached)
}

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Nothing is followed yet.
    pub fn new(operation: scf::For<'c, 'a>, position: usize) -> Self {
        Self {
            operation,
            position,
            reached: Vec::new(),
            kind: None,
            combining: Vec::new(),
            refused: None,
        }
    }

    fn reach(&mut self, value: Value<'c, 'a>) -> bool {
        let new = !self.reached.contains(&value);
        if new {
            self.reached.push(value);
        }
        new
    }

    /// Whether the loop-carried value influences nothing but its own next value.
    pub fn is_dead_end(&mut self, value: Value<'c, 'a>) -> bool {
        if !self.reach(value) {
            return true;
        }
        value.uses().into_iter().all(|r#use| {
            let (user, operand) = (r#use.user, r#use.operand);
            if user.isa::<scf::Yield>() && user.parent() == Some(*self.operation) {
                return operand == self.position;
            }
            let plain = || user.is_pure() && user.region_list().is_empty();
            let next = match targets(r#use) {
                Some(next) => next,
                None if plain() => user.result_values(),
                None => return false,
            };
            next.into_iter().all(|value| self.is_dead_end(value))
        })
    }

    /// The reduction that a value is an operand of; it must have no other use.
    pub fn reduce(mut self, argument: Value<'c, 'a>) -> Result<Option<Kind<'c>>, &'static str> {
        self.follow(argument)?;
        // At a join, all incoming values must derive from the loop-carried one.
        for value in self.reached.clone() {
            self.check_sources(value)?;
        }
        let yielded = terminator(body(self.operation)).operand_value(self.position);
        if self.reached.contains(&yielded) {
            Ok(self.kind)
        } else {
            Err("is replaced in an iteration that another one sees")
        }
    }

    fn follow(&mut self, value: Value<'c, 'a>) -> Result<(), &'static str> {
        if !self.reach(value) {
            return Ok(());
        }
        for r#use in value.uses() {
            let user = r#use.user;
            if user.isa::<scf::Yield>() && user.parent() == Some(*self.operation) {
                if r#use.operand != self.position {
                    return Err("is moved to another variable");
                }
                continue;
            }
            let next = match (AnyOp::of(user), targets(r#use)) {
                (_, Some(next)) => next,
                (AnyOp::Arith(arith::Op::Select(_)), _)
                    if r#use.operand != arith::Select::CONDITION_OPERAND =>
                {
                    user.result_values()
                }
                (AnyOp::Typed(typed::Op::Binary(binary)), _) => {
                    let kind = combination(binary, r#use.operand);
                    if kind.is_none() && is_extreme(binary) {
                        return Err("is the second argument of min or max: a NaN would be \
                                    forgotten or not; let it be the first one");
                    }
                    self.combine(user, kind.map(Kind::Operator))?;
                    user.result_values()
                }
                (AnyOp::Typed(typed::Op::ArrayExpr(expression)), _) => {
                    let kind = elementwise(expression, r#use.operand);
                    self.combine(user, kind.map(Kind::Operator))?;
                    user.result_values()
                }
                (AnyOp::Typed(typed::Op::Call(_)), _) => {
                    if refuses(user).is_some() {
                        self.refused.get_or_insert(user);
                    }
                    self.combine(user, step(user, r#use.operand).map(Kind::Combiner))?;
                    user.result_values()
                }
                _ => return Err(OTHER_USE),
            };
            for value in next {
                self.follow(value)?;
            }
        }
        Ok(())
    }

    fn combine(
        &mut self,
        operation: OperationRef<'c, 'a>,
        kind: Option<Kind<'c>>,
    ) -> Result<(), &'static str> {
        let kind = kind.ok_or(OTHER_USE)?;
        match (*self.kind.get_or_insert(kind), kind) {
            (known, kind) if known == kind => {
                self.combining.push(operation);
                Ok(())
            }
            (Kind::Combiner(one), Kind::Combiner(other)) if one.name == other.name => {
                Err("is the first argument of its reduction in one place, the second in another")
            }
            _ => Err("is reduced by two different operators"),
        }
    }

    fn check_sources(&self, value: Value<'c, 'a>) -> Result<(), &'static str> {
        let has = |value: Value<'c, 'a>| self.reached.contains(&value);
        if value == argument(self.operation, self.position) {
            return Ok(());
        }
        let ok = match (sources(value), value.defining_op()) {
            // An incoming poison value is never used.
            (Some(sources), _) => sources
                .into_iter()
                .all(|source| has(source) || ub::Poison::defining(source).is_some()),
            // Combined once with something else.
            (None, Some(operation)) => {
                let operands = operation.operand_values().into_iter();
                operands.filter(|operand| has(*operand)).count() == 1
            }
            (None, None) => false,
        };
        if ok {
            Ok(())
        } else {
            Err("is replaced in an iteration that another one sees")
        }
    }
}

/// The reduction of a value by an operator of which it is an operand.
fn combination(binary: typed::Binary, operand: usize) -> Option<CombineKind> {
    let is_left = operand == typed::Binary::LHS_OPERAND;
    Some(match binary.kind() {
        BinaryKind::Add => CombineKind::Add,
        BinaryKind::Sub if is_left => CombineKind::Add,
        BinaryKind::Mul => CombineKind::Mul,
        BinaryKind::TrueDiv if is_left => CombineKind::Mul,
        // The operator gives its right operand where one is NaN.
        BinaryKind::Min | BinaryKind::Max if !is_left && is_float(binary.result().ty()) => {
            return None;
        }
        BinaryKind::Min => CombineKind::Min,
        BinaryKind::Max => CombineKind::Max,
        BinaryKind::And => CombineKind::And,
        BinaryKind::Or => CombineKind::Or,
        BinaryKind::Xor => CombineKind::Xor,
        _ => return None,
    })
}

fn is_extreme(binary: typed::Binary) -> bool {
    matches!(binary.kind(), BinaryKind::Min | BinaryKind::Max)
}

/// The reduction of an array by an expression of which it is an operand: its elements are combined
/// by one operator with values that don't depend on the array, or by `np.minimum` or `np.maximum`
/// (`npmin` and `npmax`).
pub(super) fn elementwise(expression: typed::ArrayExpr, operand: usize) -> Option<CombineKind> {
    let of = array_type(expression.inputs()[operand].ty())?;
    let made = array_type(expression.result().ty())?;
    if (of.rank, of.element) != (made.rank, made.element) {
        return None;
    }
    let block = expression.body().entry()?;
    let element = block.argument_value(operand);
    let combined = typed::Yield::of(terminator(block))?.values()[0];
    let operation = combined.defining_op()?;
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Binary(binary)) => match element.uses()[..] {
            [only] if only.user == operation => combination(binary, only.operand),
            _ => None,
        },
        AnyOp::Arith(arith::Op::Select(select)) if select.true_value() == element => better(select),
        _ => None,
    }
}

/// The kind of extreme that a choice is: the element, if it is better than or as good as the other
/// one, or NaN.
fn better(select: arith::Select) -> Option<CombineKind> {
    let (element, other) = (select.true_value(), select.false_value());
    let either = typed::Binary::defining(select.condition())?;
    let compare = typed::Compare::defining(either.lhs())?;
    let nan = typed::Unary::defining(either.rhs())?;
    let within = [*compare, *nan, *select];
    let expected = either.kind() == BinaryKind::Or
        && (compare.lhs(), compare.rhs()) == (element, other)
        && nan.operand() == element
        && nan.kind() == UnaryKind::IsNan
        && element.uses().iter().all(|one| within.contains(&one.user));
    match compare.kind() {
        CompareKind::Le if expected => Some(CombineKind::NpMin),
        CompareKind::Ge if expected => Some(CombineKind::NpMax),
        _ => None,
    }
}
