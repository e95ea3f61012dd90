//! Compilation requests as the Python side writes them: tagged tuples.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyopt_frontend::marshal;
use pyopt_passes::compile::{ObjectBlock, ObjectCode};
use pyopt_runtime::c_functions;
use pyopt_runtime::device::registry::OpenDevice;

use crate::classes;
use crate::compiler::{
    self, Binding, CompileError, Compiled, DeviceTarget, ErrorKind, ErrorModel, Function, Options,
    Prototype, Request, StencilOptions,
};
use crate::detached::compiling;
use crate::errors;
use crate::function_cache;
use crate::host::VERSION;
use crate::objmode::ObjectCall;
use crate::overloads;
use crate::specialisation::Specialisation;
use crate::types::{ArgumentTypes, TypeDesc};
use crate::{device_contexts, devices};

/// Compiles `functions` (the first is the one to call) for arguments of the given types. `attributes` are
/// those of modules that the functions use. With `c_entry` C code can call the code, too.
#[pyfunction]
#[pyo3(signature = (functions, attributes, arguments, returns, c_entry = false, device = None))]
pub fn compile(
    py: Python<'_>,
    functions: Vec<Bound<'_, PyTuple>>,
    attributes: &Bound<'_, PyDict>,
    arguments: &ArgumentTypes,
    returns: Option<String>,
    c_entry: bool,
    device: Option<&str>,
) -> PyResult<Specialisation> {
    let device = devices::opened(py, device)?;
    let mut request = request(&functions, attributes, arguments, returns, c_entry)?;
    request.device = device.as_deref().map(DeviceTarget::of);
    device_contexts::prepare(py, &mut request)?;
    let work = || compiler::load(compiler::generate(&request)?);
    let compiled = compiling(py, work)?;
    let compiled = compiled.map_err(|error| errors::to_python(py, *error))?;
    specialisation(py, &functions, request, compiled, device)
}

/// The parameters whose values the function of such a request is to be compiled for: those of
/// `literally`.
#[pyfunction]
pub fn literal_parameters(
    py: Python<'_>,
    functions: Vec<Bound<'_, PyTuple>>,
    attributes: &Bound<'_, PyDict>,
    arguments: &ArgumentTypes,
) -> PyResult<Vec<usize>> {
    let request = request(&functions, attributes, arguments, None, false)?;
    let found = compiling(py, || compiler::literal_parameters(&request))?;
    found.map_err(|error| errors::to_python(py, *error))
}

/// The types of the arguments of such a request where what is passed without items is of what the function
/// puts in; `None` where nothing is put in.
#[pyfunction]
pub fn filled_arguments(
    py: Python<'_>,
    functions: Vec<Bound<'_, PyTuple>>,
    attributes: &Bound<'_, PyDict>,
    arguments: &ArgumentTypes,
) -> PyResult<Option<ArgumentTypes>> {
    let request = request(&functions, attributes, arguments, None, false)?;
    let found = compiling(py, || compiler::filled_arguments(&request))?;
    Ok(found.map(ArgumentTypes::from))
}

/// Compiles as [`compile`] does, unless this or an earlier process has kept what that makes. Besides the
/// code, gives whether it was there, and why nothing is kept of it, if that is so.
#[pyfunction]
#[pyo3(signature = (functions, attributes, arguments, returns, c_entry = false, device = None))]
pub fn compile_cached(
    py: Python<'_>,
    functions: Vec<Bound<'_, PyTuple>>,
    attributes: &Bound<'_, PyDict>,
    arguments: &ArgumentTypes,
    returns: Option<String>,
    c_entry: bool,
    device: Option<&str>,
) -> PyResult<(Specialisation, bool, Option<String>)> {
    let device = devices::opened(py, device)?;
    let mut request = request(&functions, attributes, arguments, returns, c_entry)?;
    request.device = device.as_deref().map(DeviceTarget::of);
    device_contexts::prepare(py, &mut request)?;
    let answer = compiling(py, || function_cache::compile(&request))?;
    let answer = answer.map_err(|error| errors::to_python(py, *error))?;
    let made = specialisation(py, &functions, request, answer.compiled, device)?;
    Ok((made, answer.found, answer.refused))
}

fn request(
    functions: &[Bound<'_, PyTuple>],
    attributes: &Bound<'_, PyDict>,
    arguments: &ArgumentTypes,
    returns: Option<String>,
    c_entry: bool,
) -> PyResult<Request> {
    Ok(Request {
        arguments: arguments.all().to_vec(),
        returns: returns.as_deref().map(desc).transpose()?,
        c_entry,
        ..self::functions(functions, attributes)?
    })
}

/// Binds code to the live functions that it is of, and says what the user should know.
fn specialisation(
    py: Python<'_>,
    functions: &[Bound<'_, PyTuple>],
    request: Request,
    mut compiled: Compiled,
    device: Option<Arc<OpenDevice>>,
) -> PyResult<Specialisation> {
    for warning in &compiled.warnings {
        errors::warn(py, warning)?;
    }
    let original = |block: &ObjectBlock| {
        let symbol = |other: &Function| other.symbol == block.function;
        let index = request.functions.iter().position(symbol);
        let Some(index) = index else {
            let body = overloads::body(py, &block.function);
            return body.ok_or_else(|| PyValueError::new_err("a block of an unknown function"));
        };
        let Description(.., function, _) = functions[index].extract()?;
        Ok::<_, PyErr>(function)
    };
    let named = |symbol: &str| {
        let index = request
            .functions
            .iter()
            .position(|one| one.symbol == symbol)?;
        let Description(.., target) = functions[index].extract().ok()?;
        Some(target)
    };
    crate::functions::bind(py, &mut compiled.returns, &named)?;
    let objects = compiled.objects.iter().map(|object| match &object.code {
        ObjectCode::Block(block) => ObjectCall::of_block(object, block, &original(block)?, &named),
        ObjectCode::Function(name) => {
            ObjectCall::of_function(py, object, name, &compiled.sites, &named)
        }
    });
    let objects = objects.collect::<PyResult<_>>()?;
    Ok(Specialisation::new(request, compiled, objects, device))
}

/// A request for functions alone, as `pyopt.bindings` describes them.
pub fn functions(
    functions: &[Bound<'_, PyTuple>],
    attributes: &Bound<'_, PyDict>,
) -> PyResult<Request> {
    Ok(Request {
        functions: functions.iter().map(function).collect::<PyResult<_>>()?,
        attributes: bindings(attributes)?,
        arguments: Vec::new(),
        returns: None,
        c_entry: false,
        device: None,
        enters_devices: false,
    })
}

fn desc(text: &str) -> PyResult<TypeDesc> {
    TypeDesc::parse(text).map_err(PyValueError::new_err)
}

/// A function as the Python side describes it.
#[derive(FromPyObject)]
struct Description<'py>(
    /// Symbol.
    String,
    /// Marshalled code object.
    Vec<u8>,
    /// What each name is bound to.
    Bound<'py, PyDict>,
    /// Parameters with defaults.
    Vec<(String, Bound<'py, PyTuple>)>,
    /// Options of a stencil.
    Option<Bound<'py, PyTuple>>,
    /// The decorator's options.
    Option<Bound<'py, PyDict>>,
    /// The function itself.
    Bound<'py, PyAny>,
    /// The object that is called: a compiled function, or the function.
    Bound<'py, PyAny>,
);

fn function(fields: &Bound<'_, PyTuple>) -> PyResult<Function> {
    let Description(symbol, code, bindings, defaults, stencil, options, _, _) = fields.extract()?;
    let code = marshal::load_code(&code, VERSION).map_err(|error| {
        let error = CompileError::plain(ErrorKind::Unsupported, error);
        errors::to_python(fields.py(), *error)
    })?;
    Ok(Function {
        symbol,
        code,
        bindings: self::bindings(&bindings)?,
        defaults: defaults
            .into_iter()
            .map(|(name, value)| Ok((name, binding(&value)?)))
            .collect::<PyResult<_>>()?,
        stencil: stencil.as_ref().map(stencil_options).transpose()?,
        options: options.as_ref().map(read_options).transpose()?,
    })
}

/// `{name: binding}`, sorted by name.
fn bindings(fields: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Binding)>> {
    let mut bindings = fields
        .iter()
        .map(|(name, value)| Ok((name.extract()?, binding(value.cast()?)?)))
        .collect::<PyResult<Vec<(String, Binding)>>>()?;
    bindings.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(bindings)
}

/// `(mode, neighborhood or None, cval or None, [standard indexing])`.
fn stencil_options(fields: &Bound<'_, PyTuple>) -> PyResult<StencilOptions> {
    let (mode, neighborhood, cval, standard_indexing): (_, _, Option<Bound<'_, PyTuple>>, _) =
        fields.extract()?;
    Ok(StencilOptions {
        mode,
        neighborhood,
        cval: cval.as_ref().map(binding).transpose()?,
        standard_indexing,
    })
}

/// `(tag, …)`.
fn binding(fields: &Bound<'_, PyTuple>) -> PyResult<Binding> {
    let tag: String = fields.get_item(0)?.extract()?;
    let field = |index: usize| fields.get_item(index);
    Ok(match tag.as_str() {
        "module" => Binding::Module(field(1)?.extract()?),
        "named" => Binding::Named(field(1)?.extract()?),
        "function" => Binding::Function(field(1)?.extract()?),
        "none" => Binding::None,
        "bool" => Binding::Bool(field(1)?.extract()?),
        "int" => match field(1)?.extract::<i64>() {
            Ok(value) => Binding::Int(value),
            Err(_) => Binding::UInt(field(1)?.extract()?),
        },
        "float" => Binding::Float(field(1)?.extract()?),
        "complex" => Binding::Complex(field(1)?.extract()?, field(2)?.extract()?),
        "str" => Binding::Str(field(1)?.extract()?),
        "bytes" => Binding::Bytes(field(1)?.extract()?),
        "tuple" => {
            let items: Vec<Bound<'_, PyTuple>> = field(1)?.extract()?;
            Binding::Tuple(items.iter().map(binding).collect::<PyResult<_>>()?)
        }
        "frozenset" => {
            let items: Vec<Bound<'_, PyTuple>> = field(1)?.extract()?;
            Binding::FrozenSet(items.iter().map(binding).collect::<PyResult<_>>()?)
        }
        "slice" => {
            let parts: Vec<Bound<'_, PyTuple>> = field(1)?.extract()?;
            Binding::Slice(parts.iter().map(binding).collect::<PyResult<_>>()?)
        }
        "ellipsis" => Binding::Ellipsis,
        "named_tuple" => Binding::NamedTuple(classes::describe(field(1)?.extract()?)),
        "tuple_of" => {
            let items: Vec<Bound<'_, PyTuple>> = field(2)?.extract()?;
            Binding::TupleOf {
                class: classes::describe(field(1)?.extract()?),
                items: items.iter().map(binding).collect::<PyResult<_>>()?,
            }
        }
        "declared" => Binding::Declared {
            value: Box::new(binding(&field(1)?.extract()?)?),
            ty: desc(&field(2)?.extract::<String>()?)?,
        },
        "exception_class" => Binding::ExceptionClass(field(1)?.extract()?),
        "exception" => {
            let arguments: Vec<Bound<'_, PyTuple>> = field(2)?.extract()?;
            Binding::Exception {
                class: Box::new(binding(&field(1)?.extract()?)?),
                arguments: arguments.iter().map(binding).collect::<PyResult<_>>()?,
            }
        }
        "frozen" => Binding::Frozen {
            ty: desc(&field(1)?.extract::<String>()?)?,
            shape: field(2)?.extract()?,
            data: field(3)?.extract()?,
        },
        "scalar" => Binding::Scalar {
            ty: desc(&field(1)?.extract::<String>()?)?,
            value: Box::new(binding(&field(2)?.extract()?)?),
        },
        "type" => Binding::Type(desc(&field(1)?.extract::<String>()?)?),
        "c_function" => {
            let (name, address) = (field(1)?.extract::<String>()?, field(3)?.extract()?);
            let ty = desc(&field(2)?.extract::<String>()?)?;
            match c_functions::symbol(&name, address) {
                _ if address == 0 => Binding::Opaque(format!("the null pointer '{name}'")),
                Some(symbol) => Binding::CFunction {
                    name: symbol,
                    ty,
                    address: 0,
                },
                None => Binding::CFunction { name, ty, address },
            }
        }
        "opaque" => Binding::Opaque(field(1)?.extract()?),
        _ => {
            return Err(PyValueError::new_err(format!(
                "unknown kind of binding '{tag}'"
            )));
        }
    })
}

fn read_options(options: &Bound<'_, PyDict>) -> PyResult<Options> {
    let get = |name: &str| options.as_any().get_item(name);
    Ok(Options {
        parallel: get("parallel")?.extract()?,
        parallel_off: get("parallel_off")?.extract()?,
        context_manager: get("context_manager")?.extract()?,
        fastmath: get("fastmath")?.extract()?,
        error_model: get("error_model")?
            .extract::<Option<String>>()?
            .map(|model| match model.as_str() {
                "numpy" => ErrorModel::Numpy,
                _ => ErrorModel::Python,
            }),
        boundscheck: get("boundscheck")?.extract()?,
        debug: get("debug")?.extract()?,
        unoptimized: get("_dbg_optnone")?.extract()?,
        nogil: get("nogil")?.extract()?,
        inline: get("inline")?.extract()?,
        prototypes: prototypes(&get("prototypes")?)?,
        compiles: get("compiles")?.extract()?,
    })
}

/// `[([argument], result or None)]`.
fn prototypes(declared: &Bound<'_, PyAny>) -> PyResult<Vec<Prototype>> {
    let declared: Vec<(Vec<String>, Option<String>)> = declared.extract()?;
    let prototypes = declared.into_iter().map(|(arguments, returns)| {
        let arguments = arguments.iter().map(|text| desc(text));
        let returns = returns.as_deref().map(desc).transpose()?;
        Ok((arguments.collect::<PyResult<_>>()?, returns))
    });
    prototypes.collect()
}
