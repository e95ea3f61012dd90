//! `py-lift-with`: makes functions of `with objmode(…)` blocks.
//!
//! Numba's `WithLifting`. The block's body becomes a `py.func` of its own, which object mode runs;
//! its arguments are the values that the body uses, its result is the variable that the block hands
//! out, whose type `objmode` names. An exception leaves the function like any other, so the
//! handler of the `with` statement goes.

use super::{
    bindings::{Bindings, erase_unused},
    blocks::{Blocks, copy_blocks, erase_unreachable},
    edges::Edge,
    inlining::jump,
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassFailure,
    PassResult, PassSpec, Report, Severity, StatisticSpec, ValueExt,
};
use melior::ir::{
    Attribute, BlockRef, Identifier, OperationRef, Region, Value,
    attribute::{
        ArrayAttribute, DenseI32ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute,
        StringAttribute, TypeAttribute,
    },
    operation::OperationLike,
    r#type::FunctionType,
};
use pyopt_dialects::py::{PyAttribute, object_type};

/// The attribute of a function that object mode runs: the types of what it hands out, by name.
const OBJMODE: &str = "py.objmode";

/// `with objmode(…)`.
pub static PASS: PassSpec = PassSpec {
    description: "The body of a `with objmode(x=\"type\")` block becomes a function, marked \
                  `py.objmode = {x = \"type\"}`, and the block a call of it. A block that is left \
                  by return, break or continue, that is inside a try block, or that hands out more \
                  than one variable is an error.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("lifted", "blocks that became functions")],
    ..PassSpec::new("py-lift-with", "make functions of objmode blocks", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    let bindings = Bindings::read(cx.context(), root);
    if !bindings.mentions("objmode") {
        return Ok(());
    }
    for function in operations.filter(|operation| operation.is("py.func")) {
        let mut count = 0;
        for enter in function.nested("py.enter_context") {
            let manager = enter.operand_value(0).defined_by("py.call");
            let is_objmode =
                |call: &OperationRef<'c, '_>| bindings.is_ours(call.operand_value(0), "objmode");
            if let Some(manager) = manager.filter(is_objmode) {
                let symbol = function.required("sym_name", function.symbol_name())?;
                let lifting = With::of(cx, &bindings, function, enter, manager)?;
                lifting.lift(&format!("{symbol}.objmode.{count}"))?;
                cx.bump("lifted", 1);
                count += 1;
            }
        }
    }
    Ok(())
}

/// A `with objmode` statement.
struct With<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: Builder<'c, 'a>,
    function: OperationRef<'c, 'a>,
    enter: OperationRef<'c, 'a>,
    manager: OperationRef<'c, 'a>,
    /// The call of `__exit__` at the end of the body.
    leave: OperationRef<'c, 'a>,
    /// Where an exception in the body goes.
    handlers: Vec<BlockRef<'c, 'a>>,
    /// The types of what is handed out, by name.
    outputs: DictionaryAttribute<'c>,
}

impl<'p, 'c: 'a, 'a> With<'p, 'c, 'a> {
    fn of(
        cx: &'p PassContext<'c>,
        bindings: &Bindings<'c, 'a>,
        function: OperationRef<'c, 'a>,
        enter: OperationRef<'c, 'a>,
        manager: OperationRef<'c, 'a>,
    ) -> PassResult<Self> {
        let exit = enter.result_value(0);
        let (calls, others): (Vec<_>, Vec<_>) = exit
            .users()
            .into_iter()
            .partition(|user| user.is("py.call"));
        let &[leave] = calls.as_slice() else {
            return Err(refuse(
                cx,
                enter,
                "a with objmode block can't be left by return, break or continue",
                "set a variable in the block and decide behind it",
            ));
        };
        let protected = [enter, leave].into_iter().any(|operation| {
            let end = operation.parent_block().and_then(BlockExt::terminator_op);
            end.is_some_and(|end| Edge::of(end).iter().any(|edge| edge.unwind))
        });
        if protected {
            let hint = "put the try statement into the block, or into a function of its own";
            return Err(refuse(
                cx,
                enter,
                "a with objmode block can't be inside a try block",
                hint,
            ));
        }
        if enter.result_value(1).has_uses() {
            let hint = "leave out 'as …'";
            return Err(refuse(cx, enter, "objmode gives no value", hint));
        }
        Ok(Self {
            handlers: others.into_iter().flat_map(handler_of).collect(),
            outputs: outputs(cx, bindings, manager)?,
            builder: Builder::new(cx.context(), function),
            cx,
            function,
            enter,
            manager,
            leave,
        })
    }

    fn lift(&self, symbol: &str) -> PassResult {
        let before = self
            .enter
            .parent_block()
            .expect("the operation is in a block");
        let behind = self
            .enter
            .next_in_block()
            .expect("a block has a terminator");
        let start = self.builder.split_block(behind);
        self.builder.at_end(before).at(self.enter.location());
        jump(&self.builder, start, &[]);
        let last = self
            .leave
            .parent_block()
            .expect("the operation is in a block");
        let rest = self.builder.split_block(self.leave);
        self.builder.at_end(last).at(self.leave.location());
        jump(&self.builder, rest, &[]);
        self.builder.before(self.leave);
        let none = self.none();
        self.builder.replace_op(self.leave, &[none]);

        let body = self.body(start, rest);
        for end in body.iter().filter_map(|block| block.terminator_op()) {
            if end.is("py.return") {
                let message = "a with objmode block can't be left by return, break or continue";
                return Err(refuse(self.cx, end, message, "return behind the block"));
            }
            self.drop_handler(end);
        }
        erase_unreachable(self.function);

        let body = self.body(start, rest);
        let taken = taken(&body);
        let given = given(&body);
        if given.len() > 1 || given.len() != self.outputs.len() {
            let message = format!(
                "a with objmode block hands out one variable that objmode gives the type of; here \
                 {} of {} are used behind it",
                given.len(),
                self.outputs.len()
            );
            let hint = "hand out one tuple, and unpack it behind the block";
            return Err(refuse(self.cx, self.enter, &message, hint));
        }
        self.outline(symbol, &body, last, &taken, given.first().copied());

        let object = object_type(self.cx.context());
        let branch = before.terminator_op().expect("a block has a terminator");
        self.builder.before(branch).at(self.enter.location());
        let binding = FlatSymbolRefAttribute::new(self.cx.context(), symbol).into();
        let callee = self
            .builder
            .value("py.global", &[], object, &[("binding", binding)]);
        let operands: Vec<_> = [callee].into_iter().chain(taken).collect();
        let result = self.builder.value("py.call", &operands, object, &[]);
        if let Some(value) = given.first() {
            value.replace_uses_if(result, |r#use| {
                let block = r#use.user.parent_block();
                block.is_some_and(|block| !body.contains(&block))
            });
        }
        branch.set_successor_block(0, rest);
        self.enter.erase();
        if self.manager.is_unused() {
            let operands = self.manager.operand_values();
            self.manager.erase();
            operands.into_iter().for_each(erase_unused);
        }
        erase_unreachable(self.function);
        Ok(())
    }

    fn none(&self) -> Value<'c, 'a> {
        let none = PyAttribute::None.to_attribute(self.cx.context());
        let object = object_type(self.cx.context());
        self.builder
            .value("py.constant", &[], object, &[("value", none)])
    }

    /// The blocks of the body, each behind those that dominate it.
    fn body(&self, start: BlockRef<'c, 'a>, rest: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
        let mut found = vec![start];
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for next in block.successor_list() {
                if next != rest && !self.handlers.contains(&next) && !found.contains(&next) {
                    found.push(next);
                    open.push(next);
                }
            }
        }
        let flow = Blocks::of(self.function).expect("the function has a body");
        let ordered = flow.graph.order.iter().map(|&block| flow.blocks[block]);
        ordered.filter(|block| found.contains(block)).collect()
    }

    /// Lets exceptions leave the function that the body becomes.
    fn drop_handler(&self, end: OperationRef<'c, 'a>) {
        let edges = Edge::of(end);
        let Some(unwind) = edges.last().filter(|edge| edge.unwind) else {
            return;
        };
        if !self.handlers.contains(&unwind.target) {
            return;
        }
        self.builder.before(end);
        if end.is("py.try_br") {
            jump(&self.builder, edges[0].target, &edges[0].passed(end));
            end.erase();
            return;
        }
        let passed: usize = edges.iter().map(|edge| edge.passed(end).len()).sum();
        let mut operands = end.operand_values();
        operands.truncate(operands.len() - unwind.passed(end).len());
        let own = operands.len() + unwind.passed(end).len() - passed;
        let sizes: Vec<i32> = match end.full_name() {
            "py.for_iter" => [1, edges[0].passed(end).len(), edges[1].passed(end).len(), 0]
                .map(|size| size as i32)
                .to_vec(),
            _ => vec![i32::from(own > 0), i32::from(own > 1), 0],
        };
        let sizes = DenseI32ArrayAttribute::new(self.cx.context(), &sizes).into();
        let attributes = [("operandSegmentSizes", sizes)];
        // All operands of `py.reraise` are in one segment.
        let attributes = if end.is("py.reraise") {
            &[][..]
        } else {
            &attributes
        };
        let targets: Vec<_> = edges[..edges.len() - 1]
            .iter()
            .map(|edge| edge.target)
            .collect();
        let targets: Vec<_> = targets.iter().map(|target| &**target).collect();
        self.builder
            .op_with(end.full_name(), &operands, &[], attributes, |made| {
                made.add_successors(&targets)
            });
        end.erase();
    }

    /// Makes the function of the body.
    fn outline(
        &self,
        symbol: &str,
        body: &[BlockRef<'c, 'a>],
        last: BlockRef<'c, 'a>,
        taken: &[Value<'c, 'a>],
        given: Option<Value<'c, 'a>>,
    ) {
        let context = self.cx.context();
        let object = object_type(context);
        let names: Vec<Attribute> = (0..taken.len())
            .map(|index| StringAttribute::new(context, &format!("v{index}")).into())
            .collect();
        let ty = FunctionType::new(context, &vec![object; taken.len()], &[object]);
        let globals = self
            .function
            .attr("globals")
            .expect("a function has globals");
        self.builder.before(self.function).at(self.enter.location());
        let made = self.builder.op_with(
            "py.func",
            &[],
            &[],
            &[
                ("sym_name", StringAttribute::new(context, symbol).into()),
                ("function_type", TypeAttribute::new(ty.into()).into()),
                ("arg_names", ArrayAttribute::new(context, &names).into()),
                ("globals", globals),
                (OBJMODE, self.outputs.into()),
            ],
            |function| function.add_regions([Region::new()]),
        );
        let region = made.region_at(0);
        let entry = self
            .builder
            .append_block(region, &vec![object; taken.len()]);
        let arguments = entry.argument_values();
        let mut mapping: Vec<_> = taken.iter().copied().zip(arguments).collect();
        let copies = copy_blocks(&self.builder, region, body, &mut mapping);
        self.builder.at_end(entry).at(self.enter.location());
        jump(&self.builder, copies[0], &[]);
        let end = body.iter().position(|block| *block == last);
        let end = copies[end.expect("the last block is in the body")].terminator_op();
        let end = end.expect("a block has a terminator");
        self.builder.before(end);
        let result = match given {
            None => self.none(),
            Some(value) => {
                let copied = mapping.iter().find(|(original, _)| *original == value);
                copied.expect("the body defines the value").1
            }
        };
        self.builder.op("py.return", &[result], &[], &[]);
        end.erase();
    }
}

/// The blocks that control comes through, from where an exception enters to where `__exit__` is
/// called with it.
fn handler_of<'c: 'a, 'a>(call: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let mut blocks = Vec::new();
    let mut next = call.parent_block();
    while let Some(block) = next {
        blocks.push(block);
        let &[before] = block.predecessor_blocks().as_slice() else {
            break;
        };
        let end = before.terminator_op();
        let enters = |end| {
            Edge::of(end)
                .iter()
                .any(|edge| edge.unwind && edge.target == block)
        };
        next = (!end.is_some_and(enters) && !blocks.contains(&before)).then_some(before);
    }
    blocks
}

fn refuse<'c>(
    cx: &PassContext<'c>,
    operation: OperationRef<'c, '_>,
    message: &str,
    hint: &str,
) -> PassFailure {
    let report = Report::new(Severity::Error, operation.location(), message);
    cx.fail(report.note(operation.location(), format!("hint: {hint}")))
}

/// The values that blocks use and don't define, in the order of their uses.
fn taken<'c: 'a, 'a>(body: &[BlockRef<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let mut taken: Vec<Value> = Vec::new();
    for operation in body.iter().flat_map(|block| block.operation_list()) {
        for operand in operation.operand_values() {
            if !body.contains(&operand.defining_block()) && !taken.contains(&operand) {
                taken.push(operand);
            }
        }
    }
    taken
}

/// The values that blocks define and others use.
fn given<'c: 'a, 'a>(body: &[BlockRef<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let mut values = Vec::new();
    for block in body {
        values.extend(block.argument_values());
        let results = block.operation_list().into_iter();
        values.extend(results.flat_map(OperationExt::result_values));
    }
    values.retain(|value| {
        let mut homes = value
            .users()
            .into_iter()
            .filter_map(OperationExt::parent_block);
        homes.any(|home| !body.contains(&home))
    });
    values
}

/// The keyword arguments of `objmode`: constant strings.
fn outputs<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    bindings: &Bindings<'c, 'a>,
    manager: OperationRef<'c, 'a>,
) -> PassResult<DictionaryAttribute<'c>> {
    let names = manager.array_attr("keywords").unwrap_or_default();
    let values = manager.operand_values().split_off(1);
    let hint = "write objmode(x=\"int64\")";
    if names.len() != values.len() {
        let message = "objmode takes the types of variables by name";
        return Err(refuse(cx, manager, message, hint));
    }
    let mut entries = Vec::new();
    for (name, value) in names.into_iter().zip(values) {
        let ty = bindings
            .constant(value)
            .filter(|ty| ty.string_value().is_some());
        let Some(ty) = ty else {
            return Err(refuse(
                cx,
                manager,
                "objmode takes types as constant strings",
                hint,
            ));
        };
        let name = name.string_value().unwrap_or_default();
        entries.push((Identifier::new(cx.context(), name), ty));
    }
    Ok(DictionaryAttribute::new(cx.context(), &entries))
}
