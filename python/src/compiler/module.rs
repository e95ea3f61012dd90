//! A request as an MLIR module: `py.code`, `py.binding` and the `py.specialize` that starts inference.

use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseElementsAttribute, DictionaryAttribute, FloatAttribute,
    IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, Block, BlockLike, Identifier, Location, Module, Operation, Type};
use pyopt_dialects::ops::{marks, py};
use pyopt_dialects::py::PyAttribute;
use pyopt_dialects::records::Record;
use pyopt_dialects::typed::array_type;
use pyopt_dialects::view::{self, Place};
use pyopt_frontend::attributes::{bytes_attribute, integer_attribute};
use pyopt_frontend::code_op::{FunctionAttributes, append_code};
use pyopt_passes::infra::OperationAttributes;
use pyopt_passes::linking::{self, LibraryCall};
use pyopt_passes::pipelines::UNTYPED_STAGES;
use pyopt_passes::{COMPILES, PROTOTYPES};

use super::{
    Binding, CompileError, ErrorKind, ErrorModel, Function, Options, Prototype, Request,
    StencilOptions,
};
use crate::literal_texts;
use crate::types::{ArrayType, Elem, Kind, Layout, LiteralKind, TypeDesc};

/// Symbol of the specialisation that a request asks for.
pub const ENTRY: &str = "entry";

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// Writes the module of a request.
pub fn build<'c>(context: &'c Context, request: &Request) -> Result<Module<'c>> {
    let builder = Builder { context, request };
    let module = Module::new(Location::unknown(context));
    builder.add_functions(&module.body())?;
    builder.add_specialization(&module)?;
    Ok(module)
}

/// Writes a module that asks for a function of the library.
pub fn build_library<'c>(context: &'c Context, call: &LibraryCall) -> Result<Module<'c>> {
    let unreadable = |text: &str| {
        let message = format!("'{text}' cannot be read");
        CompileError::plain(ErrorKind::Lowering, message)
    };
    let arguments = call.arguments.iter().map(|text| {
        let ty = Type::parse(context, text).ok_or_else(|| unreadable(text))?;
        Ok(TypeAttribute::new(ty).into())
    });
    let arguments: Vec<Attribute> = arguments.collect::<Result<_>>()?;
    let literals = call.literals.iter().map(|(at, text)| {
        let value = Attribute::parse(context, text).ok_or_else(|| unreadable(text))?;
        let at = integer_attribute(context, *at as i64).into();
        Ok(ArrayAttribute::new(context, &[at, value]).into())
    });
    let literals: Vec<Attribute> = literals.collect::<Result<_>>()?;
    let function = linking::lift(context, call.function)
        .map_err(|reason| CompileError::plain(ErrorKind::Lowering, reason))?;
    let module = Module::new(Location::unknown(context));
    module.body().append_operation(function);
    let end = Place::end(context, &module.body(), Location::unknown(context));
    let request = py::Specialize::create(&end, call.function, &arguments, ENTRY);
    if !literals.is_empty() {
        view::set_attribute(*request, marks::LITERALS, Some(&literals[..]));
    }
    Ok(module)
}

/// Adds the functions of a request, and what their names mean, to the body of a module that is behind the
/// untyped stages; they go through these on their own.
pub fn extend<'c>(context: &'c Context, body: &Block<'c>, request: &Request) -> Result<()> {
    let mut module = Module::new(Location::unknown(context));
    Builder { context, request }.add_functions(&module.body())?;
    let stages = UNTYPED_STAGES.text(&UNTYPED_STAGES.default_options());
    super::driver::run(context, &mut module, &stages)?;
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        body.append_operation(Operation::clone(&operation));
        next = operation.next_in_block();
    }
    Ok(())
}

/// Adds a function in MLIR's syntax to the body of a module.
pub fn append_function<'c>(
    context: &'c Context,
    body: &Block<'c>,
    text: &str,
) -> std::result::Result<(), String> {
    let invalid = || format!("what it has written isn't valid:\n{text}");
    let module = Module::parse(context, text).filter(|module| module.as_operation().verify());
    let module = module.ok_or_else(invalid)?;
    let function = module.body().first_operation().ok_or_else(invalid)?;
    body.append_operation(Operation::clone(&function));
    // What it calls is declared behind it, and by others that call the same.
    let mut known = Vec::new();
    let mut next = body.first_operation();
    while let Some(operation) = next {
        known.extend(operation.symbol_name().map(ToOwned::to_owned));
        next = operation.next_in_block();
    }
    let mut next = function.next_in_block();
    while let Some(declared) = next {
        let is_new = |name| !known.iter().any(|one| one == name);
        if declared.symbol_name().is_none_or(is_new) {
            body.append_operation(Operation::clone(&declared));
        }
        next = declared.next_in_block();
    }
    Ok(())
}

struct Builder<'c, 'r> {
    context: &'c Context,
    request: &'r Request,
}

impl<'c> Builder<'c, '_> {
    fn add_functions(&self, body: &Block<'c>) -> Result<()> {
        for function in &self.request.functions {
            self.add_function(body, function)?;
        }
        for (name, value) in &self.request.attributes {
            // A function is found by its own name.
            let mut functions = self.request.functions.iter();
            if !functions.any(|function| function.symbol == *name) {
                self.add_binding(body, name, value)?;
            }
        }
        Ok(())
    }

    /// Adds the code and the bindings of a function. They are named after the function, globals too:
    /// functions of different modules may use one name for different things.
    fn add_function(&self, body: &Block<'c>, function: &Function) -> Result<()> {
        let symbol = &function.symbol;
        let code = &function.code;
        let positional = &code.local_names[..code.argument_count as usize];
        let (mut defaults, mut keyword_defaults) = (Vec::new(), Vec::new());
        for (name, value) in &function.defaults {
            let value = self.constant(value)?;
            match positional.iter().any(|parameter| **parameter == **name) {
                true => defaults.push(value),
                false => keyword_defaults.push((Identifier::new(self.context, name), value)),
            }
        }
        let attributes = FunctionAttributes {
            defaults: (!defaults.is_empty()).then(|| ArrayAttribute::new(self.context, &defaults)),
            keyword_defaults: (!keyword_defaults.is_empty())
                .then(|| DictionaryAttribute::new(self.context, &keyword_defaults)),
            options: function
                .options
                .as_ref()
                .map(|options| self.options(options))
                .transpose()?,
        };
        append_code(self.context, body, code, symbol, symbol, attributes)
            .map_err(|error| CompileError::new(ErrorKind::Unsupported, error))?;
        for (name, value) in &function.bindings {
            self.add_binding(body, &format!("{symbol}.{name}"), value)?;
        }
        Ok(())
    }

    fn add_binding(&self, body: &Block<'c>, name: &str, value: &Binding) -> Result<()> {
        let end = Place::end(self.context, body, Location::unknown(self.context));
        py::Binding::create(&end, name, self.constant(value)?);
        Ok(())
    }

    fn add_specialization(&self, module: &Module<'c>) -> Result<()> {
        let Some(function) = self.request.functions.first() else {
            return Err(CompileError::plain(
                ErrorKind::Lowering,
                "a request without functions",
            ));
        };
        let arguments = self
            .request
            .arguments
            .iter()
            .map(|desc| Ok(TypeAttribute::new(self.type_of(desc.unliteral())?).into()))
            .collect::<Result<Vec<Attribute>>>()?;
        let literals: Vec<Attribute> = self
            .request
            .arguments
            .iter()
            .enumerate()
            .filter_map(|(at, desc)| {
                let value = match *desc {
                    TypeDesc::Literal(LiteralKind::Int, value) => {
                        integer_attribute(self.context, value).into()
                    }
                    TypeDesc::Literal(LiteralKind::Bool, value) => {
                        BoolAttribute::new(self.context, value != 0).into()
                    }
                    TypeDesc::Literal(LiteralKind::Text, number) => {
                        bytes_attribute(self.context, &literal_texts::text(number)).into()
                    }
                    _ => return None,
                };
                let at = integer_attribute(self.context, at as i64).into();
                Some(ArrayAttribute::new(self.context, &[at, value]).into())
            })
            .collect();
        let returns = self.request.returns.as_ref();
        let returns = returns.map(|desc| self.type_of(desc)).transpose()?;
        let end = Place::end(
            self.context,
            &module.body(),
            Location::unknown(self.context),
        );
        let request = py::Specialize::create(&end, &function.symbol, &arguments, ENTRY);
        request.set_result_type(returns);
        if self.request.c_entry {
            let unit = Some(Attribute::unit(self.context));
            view::set_attribute(*request, marks::C_ENTRY, unit);
        }
        if !literals.is_empty() {
            view::set_attribute(*request, marks::LITERALS, Some(&literals[..]));
        }
        Ok(())
    }

    fn type_of(&self, desc: &TypeDesc) -> Result<Type<'c>> {
        let text = desc.to_string();
        Type::parse(self.context, &text).ok_or_else(|| {
            CompileError::plain(
                ErrorKind::Lowering,
                format!("the type '{text}' cannot be read"),
            )
        })
    }

    fn attribute(&self, text: &str) -> Result<Attribute<'c>> {
        Attribute::parse(self.context, text).ok_or_else(|| {
            CompileError::plain(
                ErrorKind::Lowering,
                format!("the attribute '{text}' cannot be read"),
            )
        })
    }

    fn text(&self, text: &str) -> StringAttribute<'c> {
        bytes_attribute(self.context, text.as_bytes())
    }

    fn float(&self, value: f64) -> Attribute<'c> {
        FloatAttribute::new(self.context, Type::float64(self.context), value).into()
    }

    fn constant(&self, value: &Binding) -> Result<Attribute<'c>> {
        let context = self.context;
        let attribute = match value {
            Binding::Module(name) => PyAttribute::Module(name).to_attribute(context),
            Binding::Named(name) => PyAttribute::Named(name).to_attribute(context),
            Binding::Function(symbol) => return self.function(symbol),
            Binding::None => PyAttribute::None.to_attribute(context),
            Binding::Bool(value) => BoolAttribute::new(context, *value).into(),
            Binding::Int(value) => integer_attribute(context, *value).into(),
            Binding::UInt(value) => PyAttribute::BigInt(&value.to_string()).to_attribute(context),
            Binding::Float(value) => self.float(*value),
            Binding::Complex(re, im) => {
                PyAttribute::Complex(self.float(*re), self.float(*im)).to_attribute(context)
            }
            Binding::Str(text) => self.text(text).into(),
            Binding::Bytes(bytes) => PyAttribute::Bytes(bytes).to_attribute(context),
            Binding::Tuple(items) => {
                let items: Result<Vec<_>> = items.iter().map(|item| self.constant(item)).collect();
                ArrayAttribute::new(context, &items?).into()
            }
            Binding::FrozenSet(items) => {
                let items: Result<Vec<_>> = items.iter().map(|item| self.constant(item)).collect();
                let items = ArrayAttribute::new(context, &items?).into();
                PyAttribute::FrozenSet(items).to_attribute(context)
            }
            Binding::Slice(parts) => {
                let parts: Result<Vec<_>> = parts.iter().map(|part| self.constant(part)).collect();
                let parts = ArrayAttribute::new(context, &parts?).into();
                PyAttribute::Slice(parts).to_attribute(context)
            }
            Binding::NamedTuple(class) => self.attribute(&class.to_string())?,
            Binding::TupleOf { class, items } => {
                let items: Result<Vec<_>> = items.iter().map(|item| self.constant(item)).collect();
                let items = ArrayAttribute::new(context, &items?).into();
                let class = self.attribute(&class.to_string())?;
                PyAttribute::TupleOf(class, items).to_attribute(context)
            }
            Binding::Declared { value, ty } => {
                let ty = TypeAttribute::new(self.type_of(ty)?).into();
                PyAttribute::Declared(self.constant(value)?, ty).to_attribute(context)
            }
            Binding::ExceptionClass(names) => {
                PyAttribute::ExceptionClass(self.texts(names)).to_attribute(context)
            }
            Binding::Exception { class, arguments } => {
                let arguments: Result<Vec<_>> =
                    arguments.iter().map(|one| self.constant(one)).collect();
                let arguments = ArrayAttribute::new(context, &arguments?).into();
                PyAttribute::Exception(self.constant(class)?, arguments).to_attribute(context)
            }
            Binding::Ellipsis => PyAttribute::Ellipsis.to_attribute(context),
            Binding::Frozen { ty, shape, data } => return self.frozen(ty, shape, data),
            Binding::Scalar { ty, value } => return self.scalar(ty, value),
            Binding::Type(ty) => TypeAttribute::new(self.type_of(ty)?).into(),
            Binding::CFunction { name, ty, address } => {
                let ty = TypeAttribute::new(self.type_of(ty)?).into();
                PyAttribute::CFunction(name, ty, *address as i64).to_attribute(context)
            }
            Binding::Opaque(ty) => PyAttribute::Opaque(0, ty).to_attribute(context),
        };
        Ok(attribute)
    }

    /// A function of the request, or the stencil whose kernel it is.
    fn function(&self, symbol: &str) -> Result<Attribute<'c>> {
        let mut functions = self.request.functions.iter();
        let stencil = functions
            .find(|one| one.symbol == symbol)
            .and_then(|one| one.stencil.as_ref());
        let attribute = match stencil {
            None => PyAttribute::Function(symbol).to_attribute(self.context),
            Some(options) => PyAttribute::Stencil(symbol, self.stencil_options(options)?)
                .to_attribute(self.context),
        };
        Ok(attribute)
    }

    fn stencil_options(&self, options: &StencilOptions) -> Result<Attribute<'c>> {
        let mut entries = vec![("mode", self.text(&options.mode).into())];
        if let Some(neighborhood) = &options.neighborhood {
            let pairs: Vec<Attribute> = neighborhood
                .iter()
                .map(|(low, high)| {
                    let pair = [low, high].map(|one| integer_attribute(self.context, *one).into());
                    ArrayAttribute::new(self.context, &pair).into()
                })
                .collect();
            entries.push((
                "neighborhood",
                ArrayAttribute::new(self.context, &pairs).into(),
            ));
        }
        if let Some(cval) = &options.cval {
            entries.push(("cval", self.constant(cval)?));
        }
        if !options.standard_indexing.is_empty() {
            entries.push(("standard_indexing", self.texts(&options.standard_indexing)));
        }
        Ok(self.dictionary(&entries).into())
    }

    /// The elements of a frozen array.
    fn frozen(&self, ty: &TypeDesc, shape: &[i64], data: &[u8]) -> Result<Attribute<'c>> {
        let elem = match ty {
            TypeDesc::Array(array) => array.elem,
            _ => {
                return Err(CompileError::plain(
                    ErrorKind::Lowering,
                    "a frozen value without elements",
                ));
            }
        };
        if elem.kind() == Kind::Record {
            return self.records(ty, shape, data);
        }
        if elem.kind() == Kind::Time {
            let numbers = TypeDesc::Array(ArrayType {
                elem: Elem::I64,
                ndim: shape.len() as u8,
                layout: Layout::C,
                readonly: true,
            });
            return self.ticks(self.frozen(&numbers, shape, data)?, elem);
        }
        let dims: String = shape.iter().map(|extent| format!("{extent}x")).collect();
        let text = format!("tensor<{dims}{elem}>");
        let tensor = Type::parse(self.context, &text).ok_or_else(|| {
            CompileError::plain(
                ErrorKind::Lowering,
                format!("the type '{text}' cannot be read"),
            )
        })?;
        let attribute = match elem {
            Elem::Bool => {
                let values: Vec<i32> = data.iter().map(|byte| i32::from(*byte != 0)).collect();
                DenseElementsAttribute::bool_values(tensor, &values)
            }
            _ => DenseElementsAttribute::raw_buffer(tensor, data),
        };
        Ok(attribute.into())
    }

    /// Bytes as records: the innermost dimension has those of its records one behind the other.
    fn records(&self, ty: &TypeDesc, shape: &[i64], data: &[u8]) -> Result<Attribute<'c>> {
        let of = self.type_of(ty)?;
        let record = array_type(of).and_then(|array| Record::of(array.element));
        let size = record.map_or(1, |record| record.size);
        let bytes = match shape {
            [] => vec![size],
            [outer @ .., last] => [outer, &[last * size]].concat(),
        };
        let numbers = TypeDesc::Array(ArrayType {
            elem: Elem::U8,
            ndim: bytes.len() as u8,
            layout: Layout::C,
            readonly: true,
        });
        let of = TypeAttribute::new(of);
        let bytes = self.frozen(&numbers, &bytes, data)?;
        Ok(PyAttribute::Ticks(bytes, of.into()).to_attribute(self.context))
    }

    /// Integers as times.
    fn ticks(&self, ticks: Attribute<'c>, elem: Elem) -> Result<Attribute<'c>> {
        let of = TypeAttribute::new(self.type_of(&TypeDesc::Scalar(elem))?);
        Ok(PyAttribute::Ticks(ticks, of.into()).to_attribute(self.context))
    }

    /// A NumPy scalar: a number of a type.
    fn scalar(&self, ty: &TypeDesc, value: &Binding) -> Result<Attribute<'c>> {
        let float = |ty: Type<'c>, value| FloatAttribute::new(self.context, ty, value).into();
        if let (Binding::Int(ticks), TypeDesc::Scalar(elem)) = (value, ty)
            && elem.kind() == Kind::Time
        {
            return self.ticks(integer_attribute(self.context, *ticks).into(), *elem);
        }
        let r#type = self.type_of(ty)?;
        Ok(match (value, ty) {
            (Binding::Bool(value), _) => BoolAttribute::new(self.context, *value).into(),
            (Binding::Int(value), _) => IntegerAttribute::new(r#type, *value).into(),
            // The bits are those of the unsigned number.
            (Binding::UInt(value), _) => IntegerAttribute::new(r#type, *value as i64).into(),
            (Binding::Float(value), _) => float(r#type, *value),
            (Binding::Complex(re, im), TypeDesc::Scalar(elem)) => {
                let part = if *elem == Elem::C64 {
                    Elem::F32
                } else {
                    Elem::F64
                };
                let part = self.type_of(&TypeDesc::Scalar(part))?;
                PyAttribute::Complex(float(part, *re), float(part, *im)).to_attribute(self.context)
            }
            _ => {
                return Err(CompileError::plain(
                    ErrorKind::Lowering,
                    format!("a NumPy scalar of type {ty} is no number"),
                ));
            }
        })
    }

    fn options(&self, options: &Options) -> Result<DictionaryAttribute<'c>> {
        let flag = |value: bool| BoolAttribute::new(self.context, value).into();
        // The body in the place of a call would not convert what is passed.
        let inline = options.inline && options.prototypes.is_empty();
        let mut entries = vec![
            ("boundscheck", flag(options.boundscheck)),
            (
                "inline",
                self.text(if inline { "always" } else { "never" }).into(),
            ),
            ("parallel", flag(options.parallel)),
        ];
        if let Some(model) = options.error_model {
            let model = match model {
                ErrorModel::Python => "python",
                ErrorModel::Numpy => "numpy",
            };
            entries.push(("error_model", self.text(model).into()));
        }
        if options.context_manager {
            entries.push(("context_manager", flag(true)));
        }
        if let Some(flags) = &options.fastmath {
            entries.push(("fastmath", self.texts(flags)));
        }
        if !options.prototypes.is_empty() {
            let prototypes = options.prototypes.iter().map(|one| self.prototype(one));
            let prototypes: Vec<_> = prototypes.collect::<Result<_>>()?;
            entries.push((
                PROTOTYPES,
                ArrayAttribute::new(self.context, &prototypes).into(),
            ));
            if options.compiles {
                entries.push((COMPILES, Attribute::unit(self.context)));
            }
        }
        Ok(self.dictionary(&entries))
    }

    fn prototype(&self, (arguments, returns): &Prototype) -> Result<Attribute<'c>> {
        let ty = |desc| Ok(TypeAttribute::new(self.type_of(desc)?).into());
        let arguments: Vec<_> = arguments.iter().map(ty).collect::<Result<_>>()?;
        let arguments = ArrayAttribute::new(self.context, &arguments).into();
        let returns = match returns {
            Some(returns) => ty(returns)?,
            None => Attribute::unit(self.context),
        };
        Ok(ArrayAttribute::new(self.context, &[arguments, returns]).into())
    }

    fn texts(&self, texts: &[String]) -> Attribute<'c> {
        let texts: Vec<Attribute> = texts.iter().map(|text| self.text(text).into()).collect();
        ArrayAttribute::new(self.context, &texts).into()
    }

    fn dictionary(&self, entries: &[(&str, Attribute<'c>)]) -> DictionaryAttribute<'c> {
        let entries: Vec<_> = entries
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        DictionaryAttribute::new(self.context, &entries)
    }
}
