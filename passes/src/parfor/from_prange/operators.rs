//! Recognition of reductions: loop-carried values that one operator combines with something in each
//! iteration.

use super::{
    body::{argument, body, sources, targets, terminator},
    carried::OTHER_USE,
    combined::{Combined, refuses, step},
    is_float,
};
use crate::infra::{BlockExt, OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, UnaryKind},
    typed::array_type,
};

/// What combines a loop-carried value with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'c> {
    /// The operator of this reduction.
    Operator(&'static str),
    /// A reduction of the program.
    Combiner(Combined<'c>),
}

/// Follows the uses of a loop-carried value through the loop body.
pub(super) struct Flow<'c, 'a> {
    operation: OperationRef<'c, 'a>,
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
    operation: OperationRef<'c, 'a>,
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
    operation: OperationRef<'c, 'a>,
    position: usize,
) -> Option<OperationRef<'c, 'a>> {
    let mut flow = Flow::new(operation, position);
    let _ = flow.follow(argument(operation, position));
    flow.refused
}

/// The values derived from a loop-carried value in an iteration, if a user-defined reduction
/// combines it.
pub(super) fn whole<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    position: usize,
) -> Option<Vec<Value<'c, 'a>>> {
    let mut flow = Flow::new(operation, position);
    flow.follow(argument(operation, position)).ok()?;
    flow.reached.push(operation.result_value(position));
    matches!(flow.kind, Some(Kind::Combiner(_))).then_some(flow.reached)
}

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Nothing is followed yet.
    pub fn new(operation: OperationRef<'c, 'a>, position: usize) -> Self {
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
            if user.is("scf.yield") && user.parent() == Some(self.operation) {
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
            if user.is("scf.yield") && user.parent() == Some(self.operation) {
                if r#use.operand != self.position {
                    return Err("is moved to another variable");
                }
                continue;
            }
            let next = match (user.full_name(), targets(r#use)) {
                (_, Some(next)) => next,
                ("arith.select", _) if r#use.operand > 0 => user.result_values(),
                ("typed.binary", _) => {
                    let kind = combination(user, r#use.operand);
                    if kind.is_none() && is_extreme(user) {
                        return Err("is the second argument of min or max: a NaN would be \
                                    forgotten or not; let it be the first one");
                    }
                    self.combine(user, kind.map(Kind::Operator))?;
                    user.result_values()
                }
                ("typed.array_expr", _) => {
                    let kind = elementwise(user, r#use.operand);
                    self.combine(user, kind.map(Kind::Operator))?;
                    user.result_values()
                }
                ("typed.call", _) => {
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
                .all(|source| has(source) || source.defined_by("ub.poison").is_some()),
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
fn combination<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    operand: usize,
) -> Option<&'static str> {
    Some(
        match operation
            .attr("kind")
            .and_then(BinaryKind::from_attribute)?
        {
            BinaryKind::Add => "add",
            BinaryKind::Sub if operand == 0 => "add",
            BinaryKind::Mul => "mul",
            BinaryKind::TrueDiv if operand == 0 => "mul",
            // The operator gives its right operand where one is NaN.
            BinaryKind::Min | BinaryKind::Max
                if operand == 1 && is_float(operation.result_value(0).ty()) =>
            {
                return None;
            }
            BinaryKind::Min => "min",
            BinaryKind::Max => "max",
            BinaryKind::And => "and",
            BinaryKind::Or => "or",
            BinaryKind::Xor => "xor",
            _ => return None,
        },
    )
}

fn is_extreme<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    let kind = operation.attr("kind").and_then(BinaryKind::from_attribute);
    matches!(kind, Some(BinaryKind::Min | BinaryKind::Max))
}

/// The reduction of an array by an expression of which it is an operand: its elements are combined
/// by one operator with values that don't depend on the array, or by `np.minimum` or `np.maximum`
/// (`npmin` and `npmax`).
pub(super) fn elementwise<'c: 'a, 'a>(
    expression: OperationRef<'c, 'a>,
    operand: usize,
) -> Option<&'static str> {
    let (array, result) = (
        expression.operand_value(operand),
        expression.result_value(0),
    );
    let (of, made) = (array_type(array.ty())?, array_type(result.ty())?);
    if (of.rank, of.element) != (made.rank, made.element) {
        return None;
    }
    let block = body(expression);
    let element = block.argument_value(operand);
    let combined = terminator(block).operand_value(0);
    let operation = combined.defining_op()?;
    let users = element.uses();
    match operation.full_name() {
        "typed.binary" => match users[..] {
            [only] if only.user == operation => combination(operation, only.operand),
            _ => None,
        },
        // The element, if it is better than or as good as the other one, or NaN.
        "arith.select" if operation.operand_value(1) == element => {
            let other = operation.operand_value(2);
            let either = operation.operand_value(0).defined_by("typed.binary")?;
            let compare = either.operand_value(0).defined_by("typed.compare")?;
            let nan = either.operand_value(1).defined_by("typed.unary")?;
            let expected = either.attr("kind").and_then(BinaryKind::from_attribute)
                == Some(BinaryKind::Or)
                && compare.operand_values() == [element, other]
                && nan.operand_value(0) == element
                && nan.attr("kind").and_then(UnaryKind::from_attribute) == Some(UnaryKind::IsNan)
                && users
                    .iter()
                    .all(|one| [compare, nan, operation].contains(&one.user));
            match compare.attr("kind").and_then(CompareKind::from_attribute)? {
                CompareKind::Le if expected => Some("npmin"),
                CompareKind::Ge if expected => Some("npmax"),
                _ => None,
            }
        }
        _ => None,
    }
}
