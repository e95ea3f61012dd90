//! Calls: of Python functions, which are specialised, and of what the registry knows.

use super::{access, prototypes};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            addresses, arrays, bits, choices, closures, combiners, dtypes::dtype_argument,
            exceptions, first_class, formatting, iteration, linking, lists, objects, optional,
            overloads, packed_keywords, sequences, tables, texts, times, tuples, wrappers,
        },
        functions,
        issue::{Stop, Typing, stop},
        program::{specialization::Literals, uses::Demand},
        refusals, rules,
        val::{Val, values},
    },
    infra::{
        OperationExt,
        ops::{marks, typed},
    },
    py::function::PyFunction,
    types::{
        addresses::signature,
        choices::is_choice,
        display::display,
        functions::{self as function_types, function},
        lists::is_any_list,
        names,
        number::Number,
        optional::is_optional,
        sequences::is_own,
        tables::Table,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::UnaryKind,
    py::PyAttribute,
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// `callee(arguments)`: an overload of the host's, if there is one for them, or else what the compiler
/// has.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    mut arguments: Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match TypedType::from(callee.ty) {
        TypedType::Named(name) => {
            arguments.function = name;
            if name == "builtins.bool"
                && let ([operand], []) = (&*arguments.positional, &*arguments.keywords)
                && is_optional(operand.ty)
            {
                // Overloads are asked about a value, where there is one.
                return rules::truth(e, *operand);
            }
            let result = overloads::call_or(e, name, &arguments, |e| {
                let arguments = overloads::with_iterables(e, name, arguments.clone())?;
                call_known(e, callee, arguments)
            })?;
            match name {
                "builtins.iter" => iteration::iterator_of(e, result),
                _ => Ok(result),
            }
        }
        TypedType::Method(receiver, name) => {
            let receiver = receiver_of(callee, receiver);
            if !overloads::knows_method(name) {
                overloads::note_method(e, receiver, name, &arguments);
                return call_known(e, callee, arguments);
            }
            overloads::call_method_or(e, receiver, name, &arguments, |e| {
                check_method(e, receiver, name)?;
                call_known(e, callee, arguments.clone())
            })
        }
        TypedType::Sequence(..) if is_own(callee.ty) => {
            overloads::call_method_or(e, callee, "__call__", &arguments, |e| {
                call_known(e, callee, arguments.clone())
            })
        }
        _ => call_known(e, callee, arguments),
    }
}

/// Refuses a method that only other types have, by overloads.
fn check_method<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, receiver: Val<'c, 'a>, name: &str) -> Typing<()> {
    let builder = e.builder.take();
    let found = access::known_attribute(e, receiver, name);
    e.builder = builder;
    match TypedType::from(found?.ty) {
        TypedType::Method(..) => Ok(()),
        _ => stop(format!(
            "'{name}' of {} can't be called",
            display(receiver.ty)
        )),
    }
}

/// Calls what the compiler has.
fn call_known<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    mut arguments: Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let takes_optionals = takes_optionals(e, callee);
    if !takes_optionals {
        optional::unwrap_arguments(e, &mut arguments);
    }
    if is_method_of_text(callee.ty) || !takes_optionals && !keeps_wrappers(callee.ty) {
        wrappers::held_by_arguments(e, &mut arguments);
    }
    match TypedType::from(callee.ty) {
        TypedType::Function(symbol) => call_function(e, symbol, &arguments),
        TypedType::Named(name) => functions::call(e, name, &arguments),
        TypedType::Sequence(..) if let Some(signature) = function_types::signature(callee.ty) => {
            first_class::call(e, callee, signature, &arguments)
        }
        TypedType::Sequence(..) if is_choice(callee.ty) => choices::call(e, callee, &arguments),
        TypedType::Sequence(..) if let Some(symbol) = function(callee.ty) => {
            closures::call(e, callee, symbol, arguments)
        }
        TypedType::Method(receiver, name) => {
            arguments.function = name;
            let receiver = receiver_of(callee, receiver);
            call_method(e, receiver, name, &arguments)
        }
        TypedType::DType(element) => {
            arguments.function = "dtype";
            functions::convert(e, &arguments, element)
        }
        TypedType::Literal(value) => match PyAttribute::from(value) {
            PyAttribute::ObjectCode(_, parts) => objects::call(e, value, parts, &arguments),
            PyAttribute::NamedTuple(..) => sequences::construct(e, value, &arguments),
            PyAttribute::ExceptionClass(names) => exceptions::call(e, names, &arguments),
            _ => arrays::call_literal(e, callee, &arguments),
        },
        TypedType::CFunction(_) if let Some(signature) = signature(callee.ty) => {
            addresses::call(e, callee, signature, &arguments)
        }
        _ => stop(format!("{} can't be called", display(callee.ty))),
    }
}

/// Whether a callee may keep values that hold others, or asks for their types: what puts items into
/// containers, and Python functions, the library's among them.
fn keeps_wrappers(callee: Type) -> bool {
    match TypedType::from(callee) {
        TypedType::Function(_) => true,
        TypedType::Named(name) => {
            name.starts_with("pyopt.library.") || makes_text(name) || name == "builtins.type"
        }
        TypedType::Method(receiver, name) => {
            is_any_list(receiver) || Table::of(receiver).is_some() || is_format(receiver, name)
        }
        _ => false,
    }
}

/// Whether a callee is a method of texts that takes texts and numbers.
fn is_method_of_text(callee: Type) -> bool {
    matches!(TypedType::from(callee), TypedType::Method(receiver, name)
        if texts::has_characters(receiver) && !is_format(receiver, name))
}

/// Whether a function makes a text of any value.
fn makes_text(name: &str) -> bool {
    matches!(name, "builtins.print" | "builtins.repr" | "builtins.str")
}

/// Whether a method is `str.format` or `str.format_map`.
fn is_format(receiver: Type, name: &str) -> bool {
    matches!(name, "format" | "format_map") && texts::is_text(receiver)
}

/// Whether a callee can do something with None instead of a value: compiled functions, exceptions
/// and named tuples, some methods of texts, and what stands for operators that can.
fn takes_optionals<'c, 'a>(e: &Emit<'_, 'c, 'a>, callee: Val<'c, 'a>) -> bool {
    match TypedType::from(callee.ty) {
        TypedType::Function(symbol) => e.program.function(symbol).is_some(),
        TypedType::Named(name) => {
            names::is_exception(name)
                || makes_text(name)
                || name.starts_with("operator.")
                || name.starts_with("pyopt.library.intrinsics.table_")
                || matches!(name, "builtins.bool" | "builtins.isinstance")
        }
        TypedType::Literal(_) => true,
        TypedType::Method(receiver, name) => {
            is_format(receiver, name)
                || texts::takes_none(receiver, name)
                || (name == "append" && optional::has_room_for_none(receiver))
        }
        _ => function(callee.ty).is_some(),
    }
}

/// What a bound method is bound to.
fn receiver_of<'c, 'a>(method: Val<'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
    Val { ty, ..method }
}

fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if name == "__hash__" {
        let [] = arguments.bind([], 0)?;
        return functions::call(e, "builtins.hash", &Arguments::new(&[receiver], None));
    }
    if access::is_method_of_items(receiver.ty, name) {
        if name == "__len__" {
            let [] = arguments.bind([], 0)?;
            return functions::call(e, "builtins.len", &Arguments::new(&[receiver], None));
        }
        let item = arguments.one()?;
        return match name {
            "__contains__" => rules::contains(e, item, receiver),
            _ => rules::item(e, receiver, item),
        };
    }
    if array_type(receiver.ty).is_some() {
        return arrays::call_method(e, receiver, name, arguments);
    }
    if is_any_list(receiver.ty) {
        return lists::call_method(e, receiver, name, arguments);
    }
    if tables::has_method(receiver.ty, name) {
        return tables::call_method(e, receiver, name, arguments);
    }
    if packed_keywords::has_method(receiver, name) {
        return packed_keywords::call_method(e, receiver, name, arguments);
    }
    if is_format(receiver.ty, name) {
        return match name {
            "format_map" => formatting::format_map_method(e, receiver, arguments),
            _ => formatting::format_method(e, receiver, arguments),
        };
    }
    if texts::has_method(receiver.ty, name) {
        return texts::call_method(e, receiver, name, arguments);
    }
    let class = match TypedType::from(receiver.ty) {
        TypedType::Slice(_) => "slice",
        TypedType::Range(_) => "range",
        _ if tuples::has_method(receiver.ty, name) => "tuple",
        _ => "",
    };
    let method = bits::method(receiver.ty, name);
    if let Some(source) = method.or_else(|| library::find(&format!("{class}.{name}"))) {
        let mut arguments = arguments.clone();
        arguments.positional.insert(0, receiver);
        return rules::call_library(e, source, &arguments);
    }
    if let TypedType::Function(_) | TypedType::Named(_) = TypedType::from(receiver.ty) {
        return functions::call_ufunc_method(e, receiver, name, arguments);
    }
    if times::of(receiver).is_some() && name == "astype" {
        let element = dtype_argument(e, arguments.one()?)?;
        return times::astype(e, receiver, element);
    }
    if name == "view" && bits::has_view(receiver.ty) {
        let target = dtype_argument(e, arguments.one()?)?;
        return bits::view(e, receiver, target);
    }
    // The other methods of numbers.
    let [] = arguments.bind([], 0)?;
    Ok(match (name, receiver.number()) {
        ("conjugate", Some(Number::Complex(_))) => e.unary(UnaryKind::Conj, receiver),
        _ => receiver,
    })
}

/// Calls a Python function, specialised for the types of the arguments.
pub(crate) fn call_function<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    symbol: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let function = match (e.program.function(symbol), library::find(symbol)) {
        (Some(function), _) => function,
        (None, Some(source)) => e.program.library_function(source)?,
        (None, None) => return stop(format!("'{symbol}' is not a function of this module")),
    };
    refusals::check_kind(function.operation.kind())?;
    let mut arguments = arguments.clone();
    for value in arguments.values_mut() {
        let passed = closures::of_method(e, *value)?;
        *value = iteration::as_argument(e, passed)?;
    }
    let inputs = bind(e, &function, &arguments)?;
    let (mut inputs, wanted) = prototypes::convert(e, &function, inputs)?;
    let caller = &e.program.specializations[e.specialization];
    if caller.function.symbol == function.symbol {
        for (input, own) in inputs.iter_mut().zip(caller.arguments.clone()) {
            *input = lists::for_recursion(e, *input, own)?;
        }
    }
    let types: Vec<_> = inputs.iter().map(|input| input.ty).collect();
    let by_value = e.program.is_by_value(&function);
    let literals = literals(&function, &inputs, arguments.of_literals, by_value)?;
    if let Some(result) = linking::call_known(e, &function, &inputs, &literals) {
        return Ok(result);
    }
    let (location, caller) = (e.location, e.specialization);
    let Some(id) = e
        .program
        .demand(function.clone(), types, literals, wanted, location, caller)
    else {
        return Err(Stop::issue(format!(
            "too many specialisations: {}() is called with ever new types",
            function.name()
        ))
        .hint("pass arguments of the same types on every level of the recursion"));
    };
    if function.library.is_none() {
        e.callee = Some(id);
    }
    for demand in e.program.specializations[id].demands.clone() {
        let is_library = function.library.is_some();
        if let Some(input) = inputs.get(demand.index) {
            e.pass_demand(*input, demand, is_library);
        }
        if let Some(closure) = arguments.closure
            && let Some(ty) = closures::with_value(e.context(), closure.ty, demand.index, demand.ty)
        {
            e.pass_demand(closure, Demand { ty, ..demand }, is_library);
        }
    }
    if e.program.specializations[id].grows {
        return Err(Stop::issue(format!(
            "the type of what {}() returns grows with every level of the recursion",
            function.name()
        ))
        .hint("return values of one type on every level"));
    }
    let result = e.program.specializations[id].result;
    // Without a type the callee is to blame, or a recursion.
    let Some(ty) = result.ty else {
        if e.is_emitting() {
            e.program.unresolved = Some(id);
        }
        return Err(Stop::Unknown);
    };
    if e.is_emitting() {
        if let Some(result) = linking::call_compiled(e, id, &inputs, ty) {
            return Ok(result);
        }
        e.program.want(id);
    }
    let combiner = combiners::of_call(e, &function, &inputs, ty);
    let role = function.library.and_then(|source| source.role);
    let callee = e.program.specializations[id].symbol.clone();
    Ok(e.op(ty, |b| {
        let call = typed::Call::create(b, &callee, &values(&inputs), &[], &[ty]);
        if let Some(role) = role {
            call.set_attr(marks::ROLE, role.to_attribute(b.context()));
        }
        if let Some((key, note)) = combiner {
            call.set_attr(key, note);
        }
        call
    }))
}

/// The values of those arguments that a function wants to know, or of all for one that was chosen by
/// them or is specialised for them. None and types need no value.
fn literals<'c>(
    function: &PyFunction<'c, '_>,
    inputs: &[Val<'c, '_>],
    of_literals: bool,
    by_value: bool,
) -> Typing<Literals<'c>> {
    // What is marked is checked for these, too: a value that they ask for may be another argument's.
    let of_literals = of_literals && function.library.is_none();
    let of_all = of_literals || by_value;
    let mut literals = Vec::new();
    if of_all {
        let known = inputs.iter().enumerate();
        literals.extend(known.filter_map(|(at, input)| Some((at, input.constant()?))));
    }
    for &at in function.literal_parameters() {
        let Some(input) = inputs.get(at) else {
            break;
        };
        let has_value = input.number().is_some() || TypedType::from(input.ty) == TypedType::Str;
        match input.constant() {
            Some(literal) if !of_all => literals.push((at, literal)),
            None if has_value => return Err(needs_value(function, at, of_literals)),
            _ => {}
        }
    }
    let known = function
        .library
        .map_or(&[] as &[usize], |source| source.known);
    for &at in known {
        let literal = inputs.get(at).and_then(Val::constant);
        literals.extend(literal.map(|literal| (at, literal)));
    }
    Ok(literals)
}

/// Refuses an argument whose value isn't known.
fn needs_value(function: &PyFunction, at: usize, of_literals: bool) -> Stop {
    let name = function.parameters[at];
    if of_literals {
        return Stop::issue(format!(
            "literally() needs a value that is known when the function is compiled: the argument \
             '{name}'"
        ));
    }
    let function = match function.library {
        Some(source) => source.public_name(),
        None => function.name(),
    };
    let message = format!("the argument '{name}' of {function} must be a constant");
    Stop::issue(message).hint("write the value in the call")
}

/// The arguments in the order of the parameters, without the defaults at the end.
fn bind<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: &PyFunction<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Vec<Val<'c, 'a>>> {
    let name = function.called_name();
    let named = function.defaults.len();
    let positional = named - function.keyword_only;
    let given = arguments.positional.len();
    if given > positional && !function.varargs {
        let (positional, given) = (positional - function.captures, given - function.captures);
        let plural = if positional == 1 { "" } else { "s" };
        let were = if given == 1 { "was" } else { "were" };
        return stop(format!(
            "{name}() takes {positional} positional argument{plural} but {given} {were} given"
        ));
    }
    let mut slots: Vec<Option<Val>> = vec![None; named];
    let mut others: Vec<(&str, Val)> = Vec::new();
    for (slot, value) in slots.iter_mut().take(positional).zip(&arguments.positional) {
        *slot = Some(*value);
    }
    for &(keyword, value) in &arguments.keywords {
        let position = function.parameters[..named]
            .iter()
            .position(|parameter| *parameter == keyword)
            .filter(|position| *position >= function.positional_only);
        let is_new = match position {
            Some(position) => slots[position].replace(value).is_none(),
            None if function.varkeywords => {
                let is_new = others.iter().all(|(other, _)| *other != keyword);
                others.push((keyword, value));
                is_new
            }
            None => {
                return stop(format!(
                    "{name}() got an unexpected keyword argument '{keyword}'"
                ));
            }
        };
        if !is_new {
            return stop(format!(
                "{name}() got multiple values for argument '{keyword}'"
            ));
        }
    }
    for &(parameter, captured) in &function.captured_defaults {
        slots[parameter] = slots[parameter].or(slots[captured]);
    }
    let missing: Vec<_> = (0..named)
        .filter(|&index| slots[index].is_none() && function.defaults[index].is_none())
        .map(|index| (index, function.parameters[index]))
        .collect();
    if let Some(&(first, _)) = missing.first() {
        let kind = if first < positional {
            "positional"
        } else {
            "keyword-only"
        };
        return stop(format!(
            "{name}() missing {} required {kind} argument{}: {}",
            missing.len(),
            if missing.len() == 1 { "" } else { "s" },
            enumerate(&missing)
        ));
    }
    let rest = arguments.positional.get(positional..).unwrap_or_default();
    let passed = if rest.is_empty() && others.is_empty() {
        slots
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1)
    } else {
        named
    };
    let mut inputs = Vec::new();
    for (slot, default) in slots.into_iter().zip(&function.defaults).take(passed) {
        inputs.push(match (slot, default) {
            (Some(value), _) => value,
            (None, Some(default)) => rules::constant(e, *default)?,
            (None, None) => unreachable!("missing arguments are reported above"),
        });
    }
    if !rest.is_empty() || function.varargs && !others.is_empty() {
        inputs.push(e.tuple(rest));
    }
    if !others.is_empty() {
        inputs.push(packed_keywords::pack(e, &others));
    }
    Ok(inputs)
}

/// `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`: as Python lists missing arguments.
fn enumerate(missing: &[(usize, &str)]) -> String {
    let quoted: Vec<_> = missing
        .iter()
        .map(|(_, name)| format!("'{name}'"))
        .collect();
    match quoted.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [start @ .., last] => format!("{}, and {last}", start.join(", ")),
        [] => String::new(),
    }
}
