//! What becomes of a value that a loop carries.

use crate::infra::{BlockExt, OperationExt, RegionExt, ValueExt};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::enums::BinaryKind;

/// What a carried value of an `scf.for` is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Carried {
    /// The same in every iteration.
    Invariant,
    /// Local to an iteration: nobody uses what the one before left.
    Private,
    /// Combined with one value an iteration, by this kind of reduction.
    Reduction(&'static str),
    /// An iteration needs what the one before left, for this reason.
    Dependent(&'static str),
}

impl Carried {
    /// Looks at one carried value of a loop.
    pub fn of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, position: usize) -> Self {
        let body = body(operation);
        let argument = body.argument_value(1 + position);
        let yielded = terminator(body).operand_value(position);
        if yielded == argument || yielded == operation.operand_value(3 + position) {
            return Self::Invariant;
        }
        let unused = !operation.result_value(position).has_uses();
        let mut flow = Flow::new(operation, position);
        if unused && flow.is_dead_end(argument) {
            return Self::Private;
        }
        if !argument.has_uses() {
            return Self::Dependent("is that of the last iteration after the loop");
        }
        let mut flow = Flow::new(operation, position);
        match flow.reduce(argument) {
            Ok(()) => match flow.kind {
                Some(kind) => Self::Reduction(kind),
                None => Self::Invariant,
            },
            Err(reason) => Self::Dependent(reason),
        }
    }
}

/// Follows a carried value through the body of its loop.
struct Flow<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    position: usize,
    /// All values that are the carried one, possibly combined with others.
    reached: Vec<Value<'c, 'a>>,
    kind: Option<&'static str>,
}

const OTHER_USE: &str = "is used for something else than one reduction";

impl<'c: 'a, 'a> Flow<'c, 'a> {
    fn new(operation: OperationRef<'c, 'a>, position: usize) -> Self {
        Self {
            operation,
            position,
            reached: Vec::new(),
            kind: None,
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
    fn is_dead_end(&mut self, value: Value<'c, 'a>) -> bool {
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

    /// Whether the value goes into one reduction and nowhere else.
    fn reduce(&mut self, argument: Value<'c, 'a>) -> Result<(), &'static str> {
        self.follow(argument)?;
        // Where paths meet, all of them must bring the carried value.
        for value in self.reached.clone() {
            self.check_sources(value)?;
        }
        let yielded = terminator(body(self.operation)).operand_value(self.position);
        if self.reached.contains(&yielded) {
            Ok(())
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

/// The values that a branch's or an inner loop's yield goes to.
fn targets_of_yield<'c: 'a, 'a>(
    parent: OperationRef<'c, 'a>,
    position: usize,
) -> Vec<Value<'c, 'a>> {
    match parent.full_name() {
        "scf.for" => targets_of_init(parent, position),
        _ => parent
            .result_values()
            .get(position)
            .copied()
            .into_iter()
            .collect(),
    }
}

/// The values that an inner loop's initial value goes to.
fn targets_of_init<'c: 'a, 'a>(inner: OperationRef<'c, 'a>, position: usize) -> Vec<Value<'c, 'a>> {
    vec![
        body(inner).argument_value(1 + position),
        inner.result_value(position),
    ]
}

fn body<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    operation
        .region_at(0)
        .entry()
        .expect("a verified loop has a body")
}

fn terminator<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> OperationRef<'c, 'a> {
    block
        .terminator_op()
        .expect("structured blocks end with a yield")
}
