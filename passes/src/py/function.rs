//! Python functions as inference sees them.

use crate::{
    infra::{
        AttributeExt, OperationAttributes, PassResult, dictionary_entry,
        ops::{marks, py},
    },
    types::names::last_part,
};
use melior::ir::{Attribute, OperationRef, Type};
use pyopt_dialects::enums::FunctionKind;
use pyopt_library::Source;

/// The entry of a function's options with its declared signatures: pairs of the types of the arguments and
/// the type of the result, or a unit where that is to be inferred.
pub const PROTOTYPES: &str = "prototypes";

/// The entry of a function's options that says that calls with other types than the declared ones are
/// compiled for these.
pub const COMPILES: &str = "compiles";

/// A declared signature.
#[derive(Clone, Debug)]
pub(crate) struct Prototype<'c> {
    /// The types of the parameters; of `*args` one for each further argument.
    pub arguments: Vec<Type<'c>>,
    /// The type of the result, where it is declared.
    pub returns: Option<Type<'c>>,
}

/// A Python function: its operation and its parameters.
#[derive(Clone, Debug)]
pub(crate) struct PyFunction<'c, 'a> {
    /// The symbol.
    pub symbol: &'c str,
    /// The `py.func`.
    pub operation: py::Func<'c, 'a>,
    /// The parameters' names, `*args` last.
    pub parameters: Vec<&'c str>,
    /// How many of them can only be passed by keyword.
    pub keyword_only: usize,
    /// How many of them can only be passed by position.
    pub positional_only: usize,
    /// How many of them are the free variables of a closure, which come first.
    pub captures: usize,
    /// Those whose default is the value of another one, a captured parameter: both positions.
    pub captured_defaults: Vec<(usize, usize)>,
    /// Whether the last one takes all positional arguments that are left.
    pub varargs: bool,
    /// Whether there is a parameter for all other keywords.
    pub varkeywords: bool,
    /// The default of each parameter, `*args` excepted.
    pub defaults: Vec<Option<Attribute<'c>>>,
    /// Whether a call makes a generator.
    pub is_generator: bool,
    /// The parameters that `literally` is called with.
    pub literals: Vec<usize>,
    /// Where it comes from if it is of the overload library.
    pub library: Option<&'static Source>,
}

impl<'c, 'a> PyFunction<'c, 'a> {
    /// Reads a `py.func`.
    pub fn read(operation: OperationRef<'c, 'a>) -> PassResult<Self> {
        let function = py::Func::of(operation);
        let function = operation.required(py::Func::ARG_NAMES_ATTR, function)?;
        let parameters: Vec<_> = function
            .arg_names()
            .into_iter()
            .filter_map(AttributeExt::string_value)
            .collect();
        let keyword_only = function.kwonlyargcount() as usize;
        let varargs = function.varargs();
        let varkeywords = function.varkeywords();
        let named = parameters.len() - usize::from(varargs) - usize::from(varkeywords);
        let mut defaults = vec![None; named];
        let positional = function.defaults().unwrap_or_default();
        let first = (named - keyword_only).saturating_sub(positional.len());
        for (slot, value) in defaults[first..].iter_mut().zip(positional) {
            *slot = Some(value);
        }
        if let Some(dictionary) = function.kwdefaults() {
            for (slot, name) in defaults.iter_mut().zip(&parameters) {
                *slot = slot.or_else(|| dictionary_entry(dictionary, name));
            }
        }
        let captures = operation.int_attr(marks::CAPTURES).unwrap_or(0) as usize;
        let captured_defaults = captured_defaults(function);
        for &(parameter, _) in &captured_defaults {
            defaults[parameter] = None;
        }
        Ok(Self {
            symbol: function.sym_name(),
            operation: function,
            keyword_only,
            captures,
            captured_defaults,
            positional_only: function.posonlyargcount() as usize,
            varargs,
            varkeywords,
            defaults,
            parameters,
            is_generator: function.kind() == FunctionKind::Generator,
            literals: operation
                .i64_array_attr(marks::LITERAL_PARAMETERS)
                .unwrap_or_default()
                .into_iter()
                .map(|position| position as usize)
                .collect(),
            library: None,
        })
    }

    /// What is wrong with a number of arguments. A function with `*args` takes any number of them
    /// where they aren't packed yet, else one tuple.
    pub fn count_problem(&self, given: usize, packs: bool) -> Option<String> {
        let name = self.called_name();
        let missing = (given..self.defaults.len()).find(|&index| self.defaults[index].is_none());
        if let Some(index) = missing {
            let parameter = self.parameters[index];
            return Some(format!(
                "{name}() missing 1 required positional argument: '{parameter}'"
            ));
        }
        let takes = self.parameters.len() - usize::from(self.varkeywords);
        (given > takes && !(packs && self.varargs))
            .then(|| format!("{name}() takes {takes} positional arguments but {given} were given"))
    }

    /// The error model that the function's decorator asks for.
    pub fn error_model(&self) -> Option<&'c str> {
        dictionary_entry(self.operation.options()?, "error_model")?.string_value()
    }

    /// Whether the function's decorator asks for indices to be checked.
    pub fn boundscheck(&self) -> bool {
        let options = self.operation.options();
        let given = options.and_then(|options| dictionary_entry(options, "boundscheck"));
        given.and_then(AttributeExt::bool_value).unwrap_or(false)
    }

    /// The names of the fast-math flags that the function's decorator asks for; nothing where it says nothing.
    pub fn fastmath(&self) -> Option<Attribute<'c>> {
        dictionary_entry(self.operation.options()?, "fastmath")
    }

    /// The signatures that the function's decorator declares: calls are converted to one of them.
    pub fn prototypes(&self) -> Vec<Prototype<'c>> {
        let options = self.operation.options();
        let declared = options.and_then(|options| dictionary_entry(options, PROTOTYPES));
        let declared = declared.and_then(AttributeExt::elements);
        let prototypes = declared.unwrap_or_default().into_iter().filter_map(|one| {
            let [arguments, returns] = one.elements()?[..] else {
                return None;
            };
            let arguments = arguments.elements()?.into_iter();
            Some(Prototype {
                arguments: arguments
                    .map(AttributeExt::type_value)
                    .collect::<Option<_>>()?,
                returns: returns.type_value(),
            })
        });
        prototypes.collect()
    }

    /// Whether calls with other types than the declared ones are compiled for these, not converted.
    pub fn compiles(&self) -> bool {
        let options = self.operation.options();
        options.is_some_and(|options| dictionary_entry(options, COMPILES).is_some())
    }

    /// The parameters whose values it is specialised for.
    pub fn literal_parameters(&self) -> &[usize] {
        match self.library {
            Some(source) => source.literals,
            None => &self.literals,
        }
    }

    /// The name for messages and tracebacks: what follows the module in the symbol.
    pub fn name(&self) -> &'c str {
        self.operation
            .str_attr("qualname")
            .unwrap_or_else(|| self.symbol.rsplit('.').next().unwrap_or(self.symbol))
    }

    /// The name that a program calls it by: of one of the library that of what it implements.
    pub fn called_name(&self) -> &'c str {
        let public = self.library.map(Source::public_name);
        public.map_or_else(|| self.name(), |name| last_part(name))
    }
}

/// The parameters of a function whose default is the value of another one, a captured parameter: the positions
/// of both.
pub(crate) fn captured_defaults(function: py::Func) -> Vec<(usize, usize)> {
    let captures = function.int_attr(marks::CAPTURES).unwrap_or(0) as usize;
    let own = function.i64_array_attr(marks::CAPTURED_DEFAULTS);
    let own = own.unwrap_or_default();
    let first = captures - own.len();
    (first..)
        .zip(own)
        .map(|(captured, parameter)| (captures + parameter as usize, captured))
        .collect()
}
