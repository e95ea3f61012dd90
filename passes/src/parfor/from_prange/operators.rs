//! Values that one operator combines with something in every iteration.

use super::{
    body::{argument, body, targets_of_init, targets_of_yield, terminator},
    carried::OTHER_USE,
};
use crate::infra::{OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::BinaryKind;

/// Follows a carried value through the body of its loop.
pub(super) struct Flow<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    position: usize,
    /// All values that are the carried one, possibly combined with others.
    reached: Vec<Value<'c, 'a>>,
    kind: Option<&'static str>,
    /// What combines it with others.
    combining: Vec<OperationRef<'c, 'a>>,
}

/// The operations that combine a carried value, which is reduced, with others.
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

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Nothing is followed yet.
    pub fn new(operation: OperationRef<'c, 'a>, position: usize) -> Self {
        Self {
            operation,
            position,
            reached: Vec::new(),
            kind: None,
            combining: Vec::new(),
        }
    }

    fn reach(&mut self, value: Value<'c, 'a>) -> bool {
        let new = !self.reached.contains(&value);
        if new {
            self.reached.push(value);
        }
        new
    }

    /// Whether nothing but the next iteration's value depends on the carried one.
    pub fn is_dead_end(&mut self, value: Value<'c, 'a>) -> bool {
        if !self.reach(value) {
            return true;
        }
        value.uses().into_iter().all(|r#use| {
            let next = match r#use.user.full_name() {
                "scf.yield" => {
                    let parent = r#use
                        .user
                        .parent()
                        .expect("a yield is inside of an operation");
                    if parent == self.operation {
                        return r#use.operand == self.position;
                    }
                    targets_of_yield(parent, r#use.operand)
                }
                "scf.for" if r#use.operand >= 3 => targets_of_init(r#use.user, r#use.operand - 3),
                _ if r#use.user.is_pure() && r#use.user.region_list().is_empty() => {
                    r#use.user.result_values()
                }
                _ => return false,
            };
            next.into_iter().all(|value| self.is_dead_end(value))
        })
    }

    /// The reduction that the value goes into; it must not go anywhere else.
    pub fn reduce(mut self, argument: Value<'c, 'a>) -> Result<Option<&'static str>, &'static str> {
        self.follow(argument)?;
        // Where paths meet, all of them must bring the carried value.
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
            let next = match user.full_name() {
                "scf.yield" => {
                    let parent = user.parent().expect("a yield is inside of an operation");
                    if parent == self.operation {
                        if r#use.operand != self.position {
                            return Err("is moved to another variable");
                        }
                        continue;
                    }
                    match parent.full_name() {
                        "scf.if" | "scf.for" => targets_of_yield(parent, r#use.operand),
                        _ => return Err(OTHER_USE),
                    }
                }
                "scf.for" if r#use.operand >= 3 => targets_of_init(user, r#use.operand - 3),
                "arith.select" if r#use.operand > 0 => user.result_values(),
                "typed.binary" => {
                    self.combine(user, r#use.operand)?;
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
        operand: usize,
    ) -> Result<(), &'static str> {
        let kind = match operation.attr("kind").and_then(BinaryKind::from_attribute) {
            Some(BinaryKind::Add) => "add",
            Some(BinaryKind::Sub) if operand == 0 => "add",
            Some(BinaryKind::Mul) => "mul",
            Some(BinaryKind::TrueDiv) if operand == 0 => "mul",
            Some(BinaryKind::Min) => "min",
            Some(BinaryKind::Max) => "max",
            Some(BinaryKind::And) => "and",
            Some(BinaryKind::Or) => "or",
            Some(BinaryKind::Xor) => "xor",
            _ => return Err(OTHER_USE),
        };
        if *self.kind.get_or_insert(kind) == kind {
            self.combining.push(operation);
            Ok(())
        } else {
            Err("is reduced by two different operators")
        }
    }

    fn check_sources(&self, value: Value<'c, 'a>) -> Result<(), &'static str> {
        let has = |value: Value<'c, 'a>| self.reached.contains(&value);
        let Some(operation) = value.defining_op() else {
            return Ok(());
        };
        let operands = operation.operand_values();
        let ok = match operation.full_name() {
            "typed.binary" => has(operands[0]) != has(operands[1]),
            "arith.select" => has(operands[1]) && has(operands[2]),
            "scf.if" => operation
                .nested_blocks()
                .into_iter()
                .all(|block| has(terminator(block).operand_value(value.position()))),
            "scf.for" => {
                has(operands[3 + value.position()])
                    && has(terminator(body(operation)).operand_value(value.position()))
            }
            _ => false,
        };
        if ok {
            Ok(())
        } else {
            Err("is replaced in an iteration that another one sees")
        }
    }
}
