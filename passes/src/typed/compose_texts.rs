//! Writes the parts of a text to one place.
//!
//! `a + ", " + b` is two concatenations, of which the first one is copied into the second, and so are the
//! digits of `f"{name}: {number}"`: each is memory that is asked for, written, read once and given back.

use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
    emit::Emit,
    ops::{func, marks, typed},
};
use melior::ir::{
    BlockRef, OperationRef, Type, Value,
    attribute::{IntegerAttribute, StringAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use std::collections::HashMap;

/// The `typed-compose-texts` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A call of `pyopt_text_concat` takes the parts of those whose results only it uses, in one block, \
                  and ints in the place of their digits: it becomes a call of `pyopt_text_compose`, which has \
                  the number of parts, bits that say which of them are ints, and the parts.",
    dialects: &["func", "typed"],
    statistics: &[StatisticSpec::new(
        "merged",
        "texts that are no longer made on the way to another one",
    )],
    ..PassSpec::new(
        "typed-compose-texts",
        "write the parts of a text to one place",
        run,
    )
};

/// What puts texts behind each other: their number, and the texts.
const CONCAT: &str = "pyopt_text_concat";
/// What writes an int.
const OF_INT: &str = "pyopt_text_of_int";
/// What does both.
const COMPOSE: &str = "pyopt_text_compose";

/// So many parts have a bit in a word.
const MOST_BITS: usize = 63;
/// So many ints the runtime has places for.
const MOST_INTS: u32 = 8;

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let declared = module.nested_ops::<func::Func>().into_iter();
    let natives: HashMap<_, _> = declared
        .filter_map(|function| Some((function.sym_name(), function.str_attr(marks::NATIVE)?)))
        .filter(|(_, native)| [CONCAT, OF_INT].contains(native))
        .collect();
    if !natives.values().any(|native| *native == CONCAT) {
        return Ok(());
    }
    let mut pass = Pass {
        cx,
        builder: Builder::new(cx.context(), module),
        module,
        natives,
        composing: Vec::new(),
    };
    for block in module
        .post_order()
        .into_iter()
        .flat_map(OperationExt::nested_blocks)
    {
        let calls = block.operation_list().into_iter();
        let calls = calls.filter_map(typed::Call::of);
        // A text takes in all that is made for it at once.
        let last: Vec<_> = calls
            .filter(|call| pass.calls(*call, CONCAT) && !pass.is_part(*call, block))
            .collect();
        for call in last {
            pass.compose(block, call);
        }
    }
    Ok(())
}

struct Pass<'x, 'c, 'a> {
    cx: &'x PassContext<'c>,
    builder: Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    /// The runtime's functions of the module, by the symbols under which it calls them.
    natives: HashMap<&'c str, &'c str>,
    /// The types and symbols of those that this pass has declared.
    composing: Vec<(Type<'c>, String)>,
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// Whether the result of a call is part of one text alone, which is made in the same block.
    fn is_part(&self, call: typed::Call<'c, 'a>, block: BlockRef<'c, 'a>) -> bool {
        let uses = call.result_values().into_iter().flat_map(ValueExt::uses);
        let users: Vec<_> = uses.map(|one| one.user).collect();
        match users[..] {
            [user] => {
                let text = typed::Call::of(user).filter(|text| self.calls(*text, CONCAT));
                text.is_some() && user.parent_block() == Some(block)
            }
            _ => false,
        }
    }

    /// Has a concatenation take the parts of what is made for it alone.
    fn compose(&mut self, block: BlockRef<'c, 'a>, call: typed::Call<'c, 'a>) {
        let (mut parts, mut taken, mut ints) = (Vec::new(), Vec::new(), 0_i64);
        let may_be_int =
            |parts: &Vec<_>, ints: i64| parts.len() < MOST_BITS && ints.count_ones() < MOST_INTS;
        let mut waiting: Vec<_> = call.inputs()[1..].iter().rev().copied().collect();
        while let Some(part) = waiting.pop() {
            let maker = typed::Call::defining(part)
                .filter(|maker| maker.parent_block() == Some(block) && self.is_part(*maker, block));
            match maker {
                Some(maker) if self.calls(maker, CONCAT) => {
                    waiting.extend(maker.inputs()[1..].iter().rev());
                    taken.push(maker);
                }
                Some(maker) if may_be_int(&parts, ints) && self.calls(maker, OF_INT) => {
                    ints |= 1 << parts.len();
                    parts.push(maker.inputs()[0]);
                    taken.push(maker);
                }
                _ => parts.push(part),
            }
        }
        if taken.is_empty() {
            return;
        }
        self.cx.bump("merged", taken.len() as u64);
        self.builder.before(*call).at(call.location());
        let word = call.inputs()[0].ty();
        let number = |value: i64| {
            let value = IntegerAttribute::new(word, value).into();
            self.builder.typed_constant(word, value)
        };
        let inputs = [&[number(parts.len() as i64), number(ints)], &parts[..]].concat();
        let results: Vec<_> = call.result_values().iter().map(|one| one.ty()).collect();
        let symbol = self.declare(&inputs, &results);
        self.builder.before(*call).at(call.location());
        let made = typed::Call::create(&self.builder, &symbol, &inputs, &[], &results);
        self.builder.replace_op(*call, &made.result_values());
        // Those that use others come first.
        for maker in taken {
            self.builder.erase_op(*maker);
        }
    }

    /// Whether a call is one of a function of the runtime.
    fn calls(&self, call: typed::Call<'c, 'a>, native: &str) -> bool {
        self.natives
            .get(call.callee())
            .is_some_and(|known| *known == native)
    }

    /// The symbol of the composing function for operands of these types.
    fn declare(&mut self, inputs: &[Value<'c, 'a>], results: &[Type<'c>]) -> String {
        let context = self.cx.context();
        let inputs: Vec<_> = inputs.iter().map(|input| input.ty()).collect();
        let ty = Type::from(FunctionType::new(context, &inputs, results));
        if let Some((_, symbol)) = self.composing.iter().find(|(known, _)| *known == ty) {
            return symbol.clone();
        }
        let symbol = (0..)
            .map(|number| format!("compose.{number}"))
            .find(|symbol| self.module.lookup_symbol(symbol).is_none())
            .expect("there are more numbers than symbols");
        let body = self
            .module
            .region_at(0)
            .entry()
            .expect("a module has a block");
        self.builder.at_end(body).at(self.module.location());
        let function = func::Func::create(&self.builder, &symbol, ty);
        function.set_sym_visibility(Some("private"));
        function.set_attr(marks::NATIVE, StringAttribute::new(context, COMPOSE));
        self.composing.push((ty, symbol.clone()));
        symbol
    }
}
