//! Putting the body of a lifted function in the place of a call.

use super::{function::PyFunction, protect::Handler};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassResult, RegionExt, ValueExt,
    ops::{cf, py, typed},
};
use melior::ir::{
    Attribute, BlockRef, Value, attribute::StringAttribute, operation::OperationLike,
};
use pyopt_dialects::{enums::FunctionKind, py::object_type};

/// A call whose arguments are matched with the parameters of its callee.
pub(super) struct Inlining<'c, 'a> {
    call: py::Call<'c, 'a>,
    function: PyFunction<'c, 'a>,
    /// For each parameter what it is.
    sources: Vec<Source<'c, 'a>>,
}

/// Where the value of a parameter comes from.
enum Source<'c, 'a> {
    Value(Value<'c, 'a>),
    Constant(Attribute<'c>),
    /// `*args`.
    Tuple(Vec<Value<'c, 'a>>),
    /// `**kwargs`.
    Dict(Vec<(&'c str, Value<'c, 'a>)>),
}

/// The default of a parameter.
#[derive(Clone, Copy)]
pub(super) enum Default<'c, 'a> {
    /// Known from the function's definition.
    Constant(Attribute<'c>),
    /// Computed where the function is made.
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Inlining<'c, 'a> {
    /// Matches a call with a function. `None` where it is left to inference: it doesn't fit, or a
    /// call makes no result but a generator.
    pub fn of(
        call: py::Call<'c, 'a>,
        callee: py::Func<'c, 'a>,
        defaults: &dyn Fn(&PyFunction<'c, 'a>, usize) -> Option<Default<'c, 'a>>,
    ) -> PassResult<Option<Self>> {
        Self::of_kind(FunctionKind::Function, call, callee, defaults)
    }

    /// As [`Self::of`], of a generator whose body takes the place of the generator and of all that is done with
    /// it.
    pub fn of_delegate(
        call: py::Call<'c, 'a>,
        callee: py::Func<'c, 'a>,
        defaults: &dyn Fn(&PyFunction<'c, 'a>, usize) -> Option<Default<'c, 'a>>,
    ) -> PassResult<Option<Self>> {
        Self::of_kind(FunctionKind::Generator, call, callee, defaults)
    }

    fn of_kind(
        kind: FunctionKind,
        call: py::Call<'c, 'a>,
        callee: py::Func<'c, 'a>,
        defaults: &dyn Fn(&PyFunction<'c, 'a>, usize) -> Option<Default<'c, 'a>>,
    ) -> PassResult<Option<Self>> {
        let function = PyFunction::read(*callee)?;
        if callee.kind() != kind || callee.namespaced() {
            return Ok(None);
        }
        let sources = sources(call, &function, defaults);
        Ok(sources.map(|sources| Self {
            call,
            function,
            sources,
        }))
    }

    /// Puts the callee's body in the place of the call; what it raises goes where it went from the
    /// call. Returns the blocks that were made from it.
    pub fn apply(self, builder: &Builder<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
        let call = self.call;
        let object = object_type(builder.context());
        let body = self.function.operation.body();
        let block = call.parent_block().expect("a call is in a block");
        let region = block.region().expect("a block is in a region");

        let handler = block.terminator_op().and_then(Handler::of);

        builder.before(*call);
        let arguments = values(builder, self.sources);
        let rest = builder.split_block(*call);

        let entry = body.entry().expect("a function has a body");
        let mapping: Vec<_> = entry.argument_values().into_iter().zip(arguments).collect();
        let before = region.block_list().len();
        builder.clone_region(body, region, &mapping);
        let made = region.block_list().split_off(before);
        // What is a variable of the callee's isn't one of the caller's.
        for operation in made.iter().flat_map(|copy| copy.operation_list()) {
            if operation.isa::<typed::Variable>() {
                operation.erase();
            }
        }
        builder.at_end(block).at(call.location());
        go_on(builder, handler.as_ref(), made[0], &[]);
        let ends: Vec<_> = made
            .iter()
            .filter_map(|copy| copy.terminator_op())
            .collect();
        let returns: Vec<_> = ends.iter().copied().filter_map(py::Return::of).collect();
        // What one place alone returns is the result itself: a function that is returned stays known.
        let only = match returns.as_slice() {
            [only] => Some(only.value()),
            _ => None,
        };
        let result = only.unwrap_or_else(|| rest.push_argument(object, call.location()));
        call.result().replace_all_uses(result);
        for end in ends {
            if let Some(end) = py::Return::of(end) {
                builder.before(*end);
                let values: &[_] = if only.is_some() { &[] } else { &[end.value()] };
                go_on(builder, handler.as_ref(), rest, values);
                end.erase();
            } else if let Some(handler) = &handler {
                handler.protect(builder, end);
            }
        }
        call.erase();
        made
    }
}

/// The values that a call gives a function's parameters, which are made where the builder stands; `None` where the
/// call doesn't fit.
pub(super) fn arguments<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    call: py::Call<'c, 'a>,
    function: &PyFunction<'c, 'a>,
    defaults: &dyn Fn(&PyFunction<'c, 'a>, usize) -> Option<Default<'c, 'a>>,
) -> Option<Vec<Value<'c, 'a>>> {
    Some(values(builder, sources(call, function, defaults)?))
}

fn values<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sources: Vec<Source<'c, 'a>>,
) -> Vec<Value<'c, 'a>> {
    let sources = sources.into_iter().map(|source| match source {
        Source::Value(value) => value,
        Source::Constant(constant) => py::Constant::create(builder, constant).result(),
        Source::Tuple(items) => py::BuildTuple::create(builder, &items).result(),
        Source::Dict(entries) => build_dict(builder, &entries),
    });
    sources.collect()
}

/// Makes the dict of keywords that no other parameter takes.
fn build_dict<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    entries: &[(&'c str, Value<'c, 'a>)],
) -> Value<'c, 'a> {
    let mut parts = Vec::with_capacity(2 * entries.len());
    for (name, value) in entries {
        let name = StringAttribute::new(builder.context(), name).into();
        parts.extend([py::Constant::create(builder, name).result(), *value]);
    }
    py::BuildMap::create(builder, &parts).result()
}

/// Ends a block, whose exceptions go to a handler if there is one.
pub(super) fn go_on<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    handler: Option<&Handler<'c, 'a>>,
    target: BlockRef<'c, 'a>,
    values: &[Value<'c, 'a>],
) {
    match handler {
        Some(handler) => handler.branch(builder, target, values),
        None => jump(builder, target, values),
    }
}

/// Makes a branch.
pub(super) fn jump<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    target: BlockRef<'c, 'a>,
    values: &[Value<'c, 'a>],
) {
    cf::Branch::create(builder, values, target);
}

/// Matches the arguments of a call with parameters, as Python does.
fn sources<'c: 'a, 'a>(
    call: py::Call<'c, 'a>,
    function: &PyFunction<'c, 'a>,
    defaults: &dyn Fn(&PyFunction<'c, 'a>, usize) -> Option<Default<'c, 'a>>,
) -> Option<Vec<Source<'c, 'a>>> {
    let mut positional = call.args();
    let keywords: Vec<_> = call
        .keywords()
        .unwrap_or_default()
        .into_iter()
        .filter_map(AttributeExt::string_value)
        .collect();
    let by_keyword = positional.split_off(positional.len() - keywords.len());
    let named = function.defaults.len();
    let takes = named - function.keyword_only;
    if positional.len() > takes && !function.varargs {
        return None;
    }
    let extra = positional.split_off(takes.min(positional.len()));
    let mut slots: Vec<Option<Value>> = positional.into_iter().map(Some).collect();
    slots.resize(named, None);
    let mut others = Vec::new();
    for (keyword, value) in keywords.into_iter().zip(by_keyword) {
        let position = function.parameters[..named]
            .iter()
            .position(|parameter| *parameter == keyword)
            .filter(|position| *position >= function.positional_only);
        let Some(position) = position else {
            others.push((keyword, value));
            continue;
        };
        if slots[position].replace(value).is_some() {
            return None;
        }
    }
    if !others.is_empty() && !function.varkeywords {
        return None;
    }
    let mut sources = Vec::with_capacity(function.parameters.len());
    for (index, slot) in slots.into_iter().enumerate() {
        sources.push(match slot {
            Some(value) => Source::Value(value),
            None => match defaults(function, index)? {
                Default::Constant(constant) => Source::Constant(constant),
                Default::Value(value) => Source::Value(value),
            },
        });
    }
    if function.varargs {
        sources.push(Source::Tuple(extra));
    }
    if function.varkeywords {
        sources.push(Source::Dict(others));
    }
    Some(sources)
}
