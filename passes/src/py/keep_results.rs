//! `py-keep-results`: inner functions with a cache (`functools.cache`, `lru_cache`) keep their results in a dict.
//!
//! The dict is made where the function is, and is one more free variable of it, so that later passes and
//! inference see nothing but a closure that looks into a dict first.

use super::{
    bindings::{Bindings, erase_known},
    function::PyFunction,
    function_object::CLOSURE,
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    StatisticSpec, ValueExt,
    ops::{cf, py},
};
use melior::ir::{
    OperationRef, Value,
    attribute::{IntegerAttribute, StringAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use pyopt_dialects::{enums::FunctionKind, py::PyAttribute};
use std::collections::BTreeMap;

/// What makes a function with a cache of one, or of how many results are kept.
const DECORATORS: [&str; 2] = ["functools.cache", "functools.lru_cache"];

/// How many results `lru_cache` keeps unless it is told.
const DEFAULT_SIZE: i64 = 128;

/// The name of the variable that holds the results, which no program can have.
const RESULTS: &str = ".results";

/// The functions that keep a number of results: those that were asked for last.
const RECENT: &str = "pyopt.recent_result";
const KEEP: &str = "pyopt.keep_recent";

/// Functions that keep their results.
pub static PASS: PassSpec = PassSpec {
    description: "Where a function object is only made to be passed to `functools.cache` or `lru_cache`, it \
                  takes the place of the call's result, and gets a dict as a free variable. The function looks \
                  up its arguments there first, and puts in what it returns. Of as many results as \
                  `maxsize` says those stay that were asked for last.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("kept", "function objects with a cache")],
    ..PassSpec::new(
        "py-keep-results",
        "have inner functions with a cache keep their results",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let makers = root.nested_ops::<py::MakeFunction>();
    if makers.is_empty() {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let mut by_code: BTreeMap<&str, Vec<py::MakeFunction>> = BTreeMap::new();
    for maker in makers {
        by_code.entry(maker.code()).or_default().push(maker);
    }
    let builder = Builder::new(cx.context(), root);
    let mut keeps_some = false;
    for (code, makers) in by_code {
        let cached: Option<Vec<_>> = makers
            .into_iter()
            .map(|maker| Cached::of(&bindings, maker))
            .collect();
        let function = bindings.function(code);
        // All objects of a function share its code, so they all have a cache, of one size.
        if let (Some(cached), Some(function)) = (cached, function)
            && cached.iter().all(|one| one.size == cached[0].size)
            && may_keep(function)?
        {
            let size = cached[0].size;
            keeps_some |= size.is_some_and(|size| size > 0);
            cx.bump("kept", cached.len() as u64);
            if size != Some(0) {
                keep(&builder, function, size);
            }
            for one in cached {
                one.replace(&builder, size != Some(0));
            }
        }
    }
    if keeps_some {
        for name in [RECENT, KEEP] {
            bind(&builder, &bindings, root, name);
        }
    }
    Ok(())
}

/// Binds the name of a function of the library, unless it is bound.
fn bind<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    bindings: &Bindings<'c, 'a>,
    root: OperationRef<'c, 'a>,
    name: &str,
) {
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    if let Some(first) = first.filter(|_| bindings.binding(name).is_none()) {
        let value = PyAttribute::Named(name).to_attribute(builder.context());
        py::Binding::create(builder.before(first), name, value);
    }
}

/// Whether a function gives a result for its arguments, all of which have names.
fn may_keep(function: py::Func) -> PassResult<bool> {
    let is_plain = function.kind() == FunctionKind::Function;
    Ok(is_plain && !PyFunction::read(*function)?.varkeywords)
}

/// A function object that is made to be passed to what gives it a cache.
struct Cached<'c, 'a> {
    maker: py::MakeFunction<'c, 'a>,
    call: py::Call<'c, 'a>,
    /// How many results are kept; all without a number.
    size: Option<i64>,
}

impl<'c: 'a, 'a> Cached<'c, 'a> {
    fn of(bindings: &Bindings<'c, 'a>, maker: py::MakeFunction<'c, 'a>) -> Option<Self> {
        let &[user] = maker.result().users().as_slice() else {
            return None;
        };
        let call = py::Call::of(user)?;
        let is_argument = call.args() == [maker.result()] && call.keywords().is_none();
        let size = is_argument.then(|| size_of(bindings, call.callee()))??;
        Some(Self { maker, call, size })
    }

    /// Puts the function object in the place of what has the cache, with a dict if results are kept.
    fn replace(self, builder: &Builder<'c, 'a>, has_results: bool) {
        let mut maker = self.maker;
        let region = maker.parent_block().and_then(BlockExt::region);
        let start = region.and_then(RegionExt::entry);
        if let Some(start) = start.filter(|_| has_results) {
            // Functions may refer to those that are made later, and so to their results.
            builder.at_start(start).at(maker.location());
            let cell = py::MakeCell::create(builder, None).result();
            builder.before(*maker);
            let results = py::BuildMap::create(builder, &[]).result();
            py::StoreCell::create(builder, cell, results);
            let mut parts = maker.parts();
            let own = (maker.flags() & CLOSURE != 0)
                .then(|| parts.pop())
                .flatten();
            let tuple = own.and_then(py::BuildTuple::defining);
            let mut cells = tuple.map_or_else(Vec::new, py::BuildTuple::elements);
            cells.push(cell);
            parts.push(py::BuildTuple::create(builder, &cells).result());
            let flags = maker.flags() | CLOSURE;
            let with_results = py::MakeFunction::create(builder, maker.code(), flags, &parts);
            builder.replace_op(*maker, &[with_results.result()]);
            erase_known(own);
            maker = with_results;
            for name in names(self.call.result(), maker) {
                clear_instead(builder, name, results);
            }
        }
        let decorator = self.call.callee();
        builder.replace_op(*self.call, &[maker.result()]);
        match py::Call::defining(decorator) {
            Some(factory) => {
                let operands = factory.operand_values();
                builder.erase_op(*factory);
                erase_known(operands);
            }
            None => erase_known([decorator]),
        }
    }
}

/// The values that a function object with a cache is known to be: itself, and what is read of a variable that
/// holds nothing else.
fn names<'c: 'a, 'a>(object: Value<'c, 'a>, maker: py::MakeFunction<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut names = vec![object];
    let block = maker.parent_block();
    // What is made where a function begins is there wherever the variable is read.
    let is_first = block.is_some_and(|block| block.predecessor_blocks().is_empty());
    for store in object.users().into_iter().filter_map(py::StoreCell::of) {
        let users = store.cell().users();
        let stores = users.iter().filter(|user| user.isa::<py::StoreCell>());
        if is_first && stores.count() == 1 {
            let loads = users.into_iter().filter_map(py::LoadCell::of);
            names.extend(loads.map(py::LoadCell::result));
        }
    }
    names
}

/// Calls of `cache_clear` of a function object empty its results.
fn clear_instead<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    object: Value<'c, 'a>,
    results: Value<'c, 'a>,
) {
    for get in object.users().into_iter().filter_map(py::GetAttr::of) {
        if get.name() == "cache_clear" {
            builder.before(*get).at(get.location());
            let clear = py::GetAttr::create(builder, results, "clear").result();
            builder.replace_op(*get, &[clear]);
        }
    }
}

/// How many results a decorator keeps; nothing where it is no cache.
fn size_of<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    decorator: Value<'c, 'a>,
) -> Option<Option<i64>> {
    let is_cache = |value| {
        let name = bindings.name_of(value)?;
        DECORATORS.iter().position(|known| *known == name)
    };
    match is_cache(decorator) {
        Some(0) => return Some(None),
        Some(_) => return Some(Some(DEFAULT_SIZE)),
        None => {}
    }
    let call = py::Call::defining(decorator)?;
    is_cache(call.callee()).filter(|which| *which == 1)?;
    let keywords: Vec<_> = call.keywords().into_iter().flatten().collect();
    let arguments = call.args();
    let first_named = arguments.len().checked_sub(keywords.len())?;
    let mut size = Some(DEFAULT_SIZE);
    for (index, argument) in arguments.into_iter().enumerate() {
        let name = match index.checked_sub(first_named) {
            Some(at) => keywords[at].string_value()?,
            None => ["maxsize", "typed"].get(index)?,
        };
        let value = bindings.constant(argument)?;
        match name {
            "maxsize" if PyAttribute::from(value) == PyAttribute::None => size = None,
            "maxsize" => size = Some(value.integer_value()?.max(0)),
            // Arguments of other types are told apart by specialisation.
            "typed" => {}
            _ => return None,
        }
    }
    Some(size)
}

/// Has a function look up its arguments among its results, and keep what it returns.
fn keep<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: py::Func<'c, 'a>, size: Option<i64>) {
    let context = builder.context();
    let Some(entry) = function.body().entry() else {
        return;
    };
    // Where the function begins its variables are.
    let is_variable = |one: &OperationRef| one.isa::<py::FreeCell>() || one.isa::<py::MakeCell>();
    let mut operations = entry.operation_list().into_iter();
    let Some(first) = operations.find(|one| !is_variable(one)) else {
        return;
    };
    let mut names = function.freevars().unwrap_or_default();
    let index = names.len() as i64;
    names.push(StringAttribute::new(context, RESULTS).into());
    function.set_freevars(Some(&names));

    let returns = function.nested_ops::<py::Return>();
    builder.at(function.location());
    let compute = builder.split_block(first);
    let found = builder.append_block(function.body(), &[]);
    builder.at_end(entry).at(function.location());
    let binding = format!("{}.{RESULTS}", function.sym_name());
    let cell = py::FreeCell::create(builder, index, &binding).result();
    let results = py::LoadCell::create(builder, cell, RESULTS);
    results.set_free(true);
    let results = results.result();
    let key = match *entry.argument_values() {
        [only] => only,
        ref several => py::BuildTuple::create(builder, several).result(),
    };
    let is_kept = py::Contains::create(builder, key, results).result();
    let is_kept = py::Truth::create(builder, is_kept).result();
    cf::CondBranch::create(builder, is_kept, &[], &[], found, compute);

    let call = |name: &str, arguments: &[Value<'c, 'a>]| {
        let callee = py::Global::create(builder, name).result();
        py::Call::create(builder, callee, arguments).result()
    };
    builder.at_end(found).at(function.location());
    let value = match size {
        None => py::GetItem::create(builder, results, key).result(),
        Some(_) => call(RECENT, &[results, key]),
    };
    py::Return::create(builder, value);
    for end in returns {
        builder.before(*end).at(end.location());
        match size {
            None => {
                py::SetItem::create(builder, results, key, end.value());
            }
            Some(size) => {
                let size = IntegerAttribute::new(IntegerType::new(context, 64).into(), size);
                let size = py::Constant::create(builder, size.into()).result();
                call(KEEP, &[results, key, end.value(), size]);
            }
        }
    }
}
