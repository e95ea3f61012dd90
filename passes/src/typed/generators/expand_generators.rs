//! `typed-expand-generators`: splits each generator into a function that allocates its state and
//! one that resumes it.
//!
//! Values that are live across a `yield` are kept in the state: each is stored after its
//! definition, and loaded in each block that uses it. All else stays as it is, loops without a
//! `yield` too.

mod liveness;

use self::liveness::{block_in, kept_values};
use crate::{
    analysis::ownership::{BORROWED, owners},
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
        PassSpec, RegionExt, ValueExt,
        ops::{AnyOp, func, marks, typed},
    },
    typed::control_flow::branch::{Edge, conditional_branch, erase_unreachable, move_block},
    types::{iteration::resumed_item, layout::state_words},
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, RegionRef, Type, Value, operation::OperationLike,
    r#type::FunctionType,
};
use pyopt_dialects::typed::TypedType;
use std::collections::BTreeSet;

/// Expands generators.
pub static PASS: PassSpec = PassSpec {
    description: "A function marked `pyopt.generator` becomes one that makes a generator's state, \
        with the arguments in it, and a private one that resumes it: it gives the next item, or \
        nothing (`!typed.unbound`) when there are no more. Generators that the host gets can be \
        resumed by it.",
    dialects: &["arith", "cf", "func", "typed", "ub"],
    ..PassSpec::new(
        "typed-expand-generators",
        "make functions that resume generators",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let functions = module.nested_ops::<func::Func>();
    let exported: BTreeSet<_> = functions
        .iter()
        .filter(|function| function.flag_attr(marks::ENTRY))
        .filter_map(|function| generator_of(*function))
        .map(|(symbol, _)| symbol)
        .collect();
    for function in functions {
        if let Some((symbol, item)) = generator_of(function)
            && function.remove_attr(marks::GENERATOR)
        {
            let expansion = Expansion {
                cx,
                builder: &builder,
                function,
                symbol,
                item,
            };
            expansion.run(module, exported.contains(symbol))?;
        }
    }
    Ok(())
}

/// The resume function of the generator that a function returns, and the type of its items.
fn generator_of<'c>(function: func::Func<'c, '_>) -> Option<(&'c str, Type<'c>)> {
    let ty = FunctionType::try_from(function.function_type()).ok()?;
    match TypedType::from(ty.result(0).ok()?) {
        TypedType::Generator(symbol, item) => Some((symbol, item)),
        _ => None,
    }
}

/// The offset of a value in the state.
#[derive(Clone, Copy)]
struct Place {
    word: usize,
    owner: usize,
}

struct Expansion<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: &'p Builder<'c, 'a>,
    function: func::Func<'c, 'a>,
    symbol: &'c str,
    item: Type<'c>,
}

impl<'c: 'a, 'a> Expansion<'_, 'c, 'a> {
    fn run(&self, module: OperationRef<'c, 'a>, exported: bool) -> PassResult {
        let builder = self.builder;
        let source = self.function.body();
        let start = self.function.required("body", source.entry())?;
        erase_unreachable(source);
        let resume = module.lookup_symbol(self.symbol).and_then(func::Func::of);
        let resume = self.function.required("function that resumes it", resume)?;
        if exported {
            resume.set_sym_visibility(None);
            resume.set_attr(marks::ENTRY, Attribute::unit(self.cx.context()));
        }
        let region = resume.body();
        let generator_type = self.generator_type();
        let dispatch = builder.append_block(region, &[generator_type]);
        let generator = dispatch.argument_value(0);
        for block in source.block_list() {
            move_block(block, region);
        }

        let suspensions: Vec<_> = region
            .block_list()
            .into_iter()
            .flat_map(BlockExt::operation_list)
            .filter_map(typed::YieldValue::of)
            .collect();
        let continuations: Vec<_> = suspensions
            .iter()
            .map(|suspension| self.split_behind(**suspension))
            .collect();
        let arguments = start.argument_values();
        let kept = kept_values(builder, region, &continuations, &arguments);
        let mut owned = 0;
        let mut words = 1;
        let mut places = Vec::new();
        for value in &kept {
            self.check(*value)?;
            places.push(Place {
                word: words,
                owner: owned,
            });
            words += state_words(value.ty());
            owned += owners(value.ty());
        }
        // The state holds the owners first, then the resume point, then the values.
        for place in &mut places {
            place.word += owned;
        }
        for (value, place) in kept.iter().zip(&places) {
            self.keep(*value, *place, generator, &arguments, region);
        }
        for _ in &arguments {
            start.remove_argument(0);
        }

        let position = Place {
            word: owned,
            owner: 0,
        };
        for (number, suspension) in (1..).zip(&suspensions) {
            builder.before(**suspension).at(suspension.location());
            self.store(builder.index(number), position, generator);
            let bound = typed::Bind::create(builder, suspension.value(), self.result_type());
            func::Return::create(builder, &[bound.result()]);
            builder.erase_op(**suspension);
        }
        for block in region.block_list() {
            // Returns that are left follow a check that always fails (`typed-fold-raise`).
            if let Some(end) = block.terminator_op()
                && self.ends(end)
            {
                builder.before(end).at(end.location());
                self.return_nothing();
                builder.erase_op(end);
            }
        }
        self.dispatch(dispatch, start, &continuations, position);
        self.make_constructor(&arguments_in(&kept, &arguments), &places, owned, words);
        Ok(())
    }

    /// Whether a terminator ends the generator, and doesn't give an item yet.
    fn ends(&self, terminator: OperationRef<'c, 'a>) -> bool {
        match AnyOp::of(terminator) {
            AnyOp::Typed(typed::Op::EndGenerator(_)) => true,
            AnyOp::Func(func::Op::Return(end)) => end.operands()[0].ty() != self.result_type(),
            _ => false,
        }
    }

    fn generator_type(&self) -> Type<'c> {
        TypedType::Generator(self.symbol, self.item).to_type(self.cx.context())
    }

    /// The type of what the resume function returns: an item or nothing.
    fn result_type(&self) -> Type<'c> {
        let context = self.cx.context();
        TypedType::Unbound(resumed_item(context, self.item)).to_type(context)
    }

    /// Splits the block after a `yield` and returns the second half.
    fn split_behind(&self, suspension: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
        let block = suspension.parent_block().expect("it is in a block");
        let operations = block.operation_list();
        let at = operations.iter().position(|one| *one == suspension);
        let next = at.and_then(|at| operations.get(at + 1));
        self.builder
            .split_block(*next.expect("a terminator comes last"))
    }

    /// Refuses values that can't be kept in a state.
    fn check(&self, value: Value<'c, 'a>) -> PassResult {
        match TypedType::from(value.ty()) {
            TypedType::Iter(_) => Err(self.cx.error(
                value.location(),
                "an iterator can't be kept while a generator is suspended",
            )),
            _ => Ok(()),
        }
    }

    /// Stores a value in the state. Constants are rematerialised at their uses.
    fn keep(
        &self,
        value: Value<'c, 'a>,
        place: Place,
        generator: Value<'c, 'a>,
        arguments: &[Value<'c, 'a>],
        region: RegionRef<'c, 'a>,
    ) {
        let builder = self.builder;
        let is_argument = arguments.contains(&value);
        let home = value.defining_block();
        for block in region.block_list() {
            if block == home && !is_argument {
                continue;
            }
            let uses: Vec<_> = value
                .uses()
                .into_iter()
                .filter(|one| block_in(region, one.user) == Some(block))
                .collect();
            let Some(first) = block.first().filter(|_| !uses.is_empty()) else {
                continue;
            };
            builder.before(first).at(uses[0].user.location());
            let loaded = self.load(value.ty(), place, generator);
            if let Some(load) = loaded.defining_op()
                && is_argument
                && owners(value.ty()) > 0
            {
                // The slot isn't overwritten, and the generator outlives this resumption, so the
                // load may borrow.
                load.set_attr(BORROWED, Attribute::unit(self.cx.context()));
            }
            for one in uses {
                one.user.set_operand_value(one.operand, loaded);
            }
        }
        if is_argument {
            return;
        }
        match value.defining_op() {
            Some(operation) => builder.after(operation).at(operation.location()),
            None => builder.at_start(home).at(value.location()),
        };
        self.store(value, place, generator);
    }

    fn load(&self, ty: Type<'c>, place: Place, generator: Value<'c, 'a>) -> Value<'c, 'a> {
        let (word, owner) = (place.word as i64, place.owner as i64);
        typed::GeneratorLoad::create(self.builder, generator, word, owner, ty).result()
    }

    fn store(&self, value: Value<'c, 'a>, place: Place, generator: Value<'c, 'a>) {
        let (word, owner) = (place.word as i64, place.owner as i64);
        typed::GeneratorStore::create(self.builder, value, generator, word, owner);
    }

    fn return_nothing(&self) {
        let nothing = typed::Unbound::create(self.builder, self.result_type());
        func::Return::create(self.builder, &[nothing.result()]);
    }

    /// Jumps to the resume point. While it runs the generator is marked as finished, so that an
    /// exception ends it.
    fn dispatch(
        &self,
        dispatch: BlockRef<'c, 'a>,
        start: BlockRef<'c, 'a>,
        continuations: &[BlockRef<'c, 'a>],
        position: Place,
    ) {
        let builder = self.builder;
        let generator = dispatch.argument_value(0);
        let region = dispatch.region().expect("is in a function");
        let edge = |target| Edge {
            target,
            operands: Vec::new(),
        };
        builder.at_end(dispatch).at(self.function.location());
        let index = Type::index(self.cx.context());
        let at = self.load(index, position, generator);
        self.store(builder.index(-1), position, generator);
        for (number, target) in (0..).zip([start].iter().chain(continuations)) {
            let here = builder.cmpi(CmpInt::Eq, at, builder.index(number));
            let block = builder.block();
            let other = builder.append_block(region, &[]);
            builder.at_end(block);
            conditional_branch(builder, here, &edge(*target), &edge(other));
            builder.at_end(other);
        }
        self.return_nothing();
    }

    /// Replaces the body of the generator function: it allocates the state and stores the
    /// arguments.
    fn make_constructor(
        &self,
        arguments: &[Option<usize>],
        places: &[Place],
        owners: usize,
        words: usize,
    ) {
        let builder = self.builder;
        let ty = FunctionType::try_from(self.function.function_type());
        let inputs: Vec<_> = ty
            .into_iter()
            .flat_map(|ty| (0..ty.input_count()).filter_map(move |at| ty.input(at).ok()))
            .collect();
        let block = builder.append_block(self.function.body(), &inputs);
        builder.at_end(block).at(self.function.location());
        let (owners, words) = (owners as i64, (owners + words) as i64);
        let ty = self.generator_type();
        let generator = typed::NewGenerator::create(builder, owners, words, ty).result();
        for (argument, place) in block.argument_values().into_iter().zip(arguments) {
            if let Some(at) = place {
                self.store(argument, places[*at], generator);
            }
        }
        func::Return::create(builder, &[generator]);
    }
}

/// The index of each argument among the kept values.
fn arguments_in(kept: &[Value], arguments: &[Value]) -> Vec<Option<usize>> {
    let place = |argument: &Value| kept.iter().position(|one| one == argument);
    arguments.iter().map(place).collect()
}
