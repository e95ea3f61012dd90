//! A module's code object as `py.code` and `py.binding` operations.

use crate::{
    attributes::to_attribute,
    code::CodeObject,
    code_op::{FunctionAttributes, append_code},
    diagnostic::Diagnostic,
    namespace::{Definition, Meaning, Namespace, global_attributes, global_names},
    tables::Position,
    well_known,
};
use melior::{
    Context,
    ir::{
        Attribute, Block, Identifier, Location,
        attribute::{ArrayAttribute, DictionaryAttribute, FloatAttribute},
        r#type::Type,
    },
};
use pyopt_dialects::{ops::py, py::PyAttribute, view::Place};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Appends the functions of a module to the body of an MLIR module, and what the names they use
/// mean.
///
/// `globals` prefixes the bindings. A function has its name as symbol; a number follows where that
/// is taken. What could not be resolved is returned: it matters only to a function that needs it.
pub fn append_module<'c>(
    context: &'c Context,
    body: &Block<'c>,
    module: &CodeObject,
    globals: &str,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let namespace = Namespace::new(module)?;
    let mut writer = Writer {
        context,
        body,
        module,
        globals,
        namespace: &namespace,
        symbols: symbols(&namespace),
        diagnostics: Vec::new(),
    };
    for (position, text) in &namespace.notes {
        writer.report(*position, text.clone());
    }
    writer.bind_names()?;
    for function in namespace.reachable_functions() {
        writer.append_function(function)?;
    }
    Ok(writer.diagnostics)
}

/// The symbols of the functions that names of the module mean.
fn symbols(namespace: &Namespace) -> BTreeMap<usize, String> {
    let mut uses: HashMap<String, u32> = HashMap::new();
    let symbols = namespace.reachable_functions().into_iter().map(|function| {
        let name = namespace.functions[function].code.name.to_string();
        let count = uses.entry(name.clone()).or_default();
        *count += 1;
        let symbol = match *count {
            1 => name,
            count => format!("{name}.{}", count - 1),
        };
        (function, symbol)
    });
    symbols.collect()
}

struct Writer<'c, 'a> {
    context: &'c Context,
    body: &'a Block<'c>,
    module: &'a CodeObject,
    globals: &'a str,
    namespace: &'a Namespace,
    /// The symbols of the functions that are written.
    symbols: BTreeMap<usize, String>,
    diagnostics: Vec<Diagnostic>,
}

impl<'c> Writer<'c, '_> {
    fn report(&mut self, position: Position, message: String) {
        self.diagnostics
            .push(Diagnostic::new(self.module, position, message));
    }

    /// Binds the names that functions use, and the constants of modules that they reach through
    /// names.
    fn bind_names(&mut self) -> Result<(), Diagnostic> {
        let mut names: BTreeMap<String, Position> = BTreeMap::new();
        let mut numbers = BTreeSet::new();
        for function in self.symbols.keys() {
            let code = &self.namespace.functions[*function].code;
            for (name, position) in global_names(code)? {
                names.entry(name).or_insert(position);
            }
            for path in global_attributes(code)? {
                if let Some(Meaning::Module(module)) = self.namespace.names.get(&path[0]) {
                    numbers.insert(format!("{module}.{}", path[1..].join(".")));
                }
            }
        }
        for (name, position) in names {
            let meaning = self.namespace.names.get(&name);
            let builtin = format!("builtins.{name}");
            let attribute = match meaning {
                Some(meaning) => self.meaning_attribute(meaning),
                None if well_known::is_builtin(&name) => {
                    Ok(PyAttribute::Named(&builtin).to_attribute(self.context))
                }
                None => Err("the module does not define it".into()),
            };
            match attribute {
                Ok(attribute) => self.bind(&format!("{}.{name}", self.globals), attribute),
                Err(reason) => self.report(
                    position,
                    format!("the global name '{name}' is not resolved: {reason}"),
                ),
            }
        }
        for qualified_name in numbers {
            if let Some(number) = well_known::module_number(&qualified_name) {
                let attribute =
                    FloatAttribute::new(self.context, Type::float64(self.context), number);
                self.bind(&qualified_name, attribute.into());
            }
        }
        Ok(())
    }

    fn bind(&self, symbol: &str, value: Attribute<'c>) {
        let location = Location::new(self.context, &self.module.filename, 0, 0);
        let end = Place::end(self.context, self.body, location);
        py::Binding::create(&end, symbol, value);
    }

    fn append_function(&mut self, function: usize) -> Result<(), Diagnostic> {
        let Definition {
            code,
            defaults,
            keyword_defaults,
            options,
        } = &self.namespace.functions[function];
        let position = Position {
            line: u32::try_from(code.first_line).ok(),
            ..Position::default()
        };
        let mut attributes = FunctionAttributes::default();
        let values: Result<Vec<_>, _> = defaults
            .iter()
            .map(|value| self.meaning_attribute(value))
            .collect();
        match values {
            Ok(values) if values.is_empty() => {}
            Ok(values) => attributes.defaults = Some(ArrayAttribute::new(self.context, &values)),
            Err(reason) => self.report(
                position,
                format!(
                    "a default value of '{}' is not resolved: {reason}",
                    code.name
                ),
            ),
        }
        match self.dictionary(keyword_defaults) {
            Ok(values) if values.is_empty() => {}
            Ok(values) => attributes.keyword_defaults = Some(values),
            Err(reason) => self.report(
                position,
                format!(
                    "a default value of '{}' is not resolved: {reason}",
                    code.name
                ),
            ),
        }
        match options.as_ref().map(|options| self.dictionary(options)) {
            None => {}
            Some(Ok(options)) => attributes.options = Some(options),
            Some(Err(reason)) => self.report(
                position,
                format!("an option of '{}' is not resolved: {reason}", code.name),
            ),
        }
        append_code(
            self.context,
            self.body,
            code,
            &self.symbols[&function],
            self.globals,
            attributes,
        )
    }

    fn symbol(&self, function: usize) -> Result<&str, String> {
        let symbol = self
            .symbols
            .get(&function)
            .ok_or("it is a function that has no name in the module");
        Ok(symbol?)
    }

    fn dictionary(&self, entries: &[(String, Meaning)]) -> Result<DictionaryAttribute<'c>, String> {
        let entries = entries.iter().map(|(name, value)| {
            Ok((
                Identifier::new(self.context, name),
                self.meaning_attribute(value)?,
            ))
        });
        let entries: Result<Vec<_>, String> = entries.collect();
        Ok(DictionaryAttribute::new(self.context, &entries?))
    }

    /// The attribute of a meaning, or why it has none.
    fn meaning_attribute(&self, meaning: &Meaning) -> Result<Attribute<'c>, String> {
        let attribute = match meaning {
            Meaning::Constant(value) => {
                return to_attribute(self.context, value)
                    .ok_or_else(|| format!("it is a constant of type '{}'", value.type_name()));
            }
            Meaning::Module(name) => PyAttribute::Module(name),
            Meaning::Named(name) => PyAttribute::Named(name),
            Meaning::Function(function) => PyAttribute::Function(self.symbol(*function)?),
            Meaning::Stencil(kernel, options) => {
                let options = self.dictionary(options)?.into();
                return Ok(
                    PyAttribute::Stencil(self.symbol(*kernel)?, options).to_attribute(self.context)
                );
            }
            Meaning::Tuple(_) => {
                return Err("it is a tuple with parts that are not constants".into());
            }
            Meaning::Unknown(reason) => return Err(reason.clone()),
            Meaning::Map(_) => return Err("it is a dictionary".into()),
            Meaning::Decorator(..) => return Err("it is a decorator".into()),
            Meaning::Package(..) | Meaning::Code(_) | Meaning::Null => {
                return Err("it is not a value".into());
            }
        };
        Ok(attribute.to_attribute(self.context))
    }
}
