//! What values of `py` are known to be before inference: constants, modules, functions by name.

use super::mentions::IMPORTED;
use crate::infra::{
    AttributeExt, BlockExt, OperationExt, RegionExt, ValueExt, erase_unused,
    ops::{AnyOp, arith, py},
};
use melior::{
    Context,
    ir::{
        Attribute, OperationRef, TypeLike, Value,
        attribute::{ArrayAttribute, FloatAttribute, IntegerAttribute, StringAttribute},
        r#type::IntegerType,
    },
};
use pyopt_dialects::{
    enums::{PyBinaryKind, PyUnaryKind},
    py::PyAttribute,
};
use std::collections::HashMap;

/// How the symbol ends that is bound where a function is the maker of a constant.
const CALLED: &str = ".<called>";

/// The symbol that is bound where a function is the maker of a constant: who names it gets that.
pub(crate) fn made_by(maker: &str) -> String {
    format!("{maker}{CALLED}")
}

/// The bindings and functions of a module.
pub(crate) struct Bindings<'c, 'a> {
    context: &'c Context,
    values: HashMap<&'c str, Attribute<'c>>,
    functions: HashMap<&'c str, py::Func<'c, 'a>>,
}

impl<'c: 'a, 'a> Bindings<'c, 'a> {
    /// Reads a module.
    pub fn read(context: &'c Context, module: OperationRef<'c, 'a>) -> Self {
        let mut bindings = Self {
            context,
            values: HashMap::new(),
            functions: HashMap::new(),
        };
        let body = module.region_at(0).entry();
        for operation in body.into_iter().flat_map(BlockExt::operation_list) {
            match py::Op::of(operation) {
                Some(py::Op::Binding(binding)) => {
                    bindings.values.insert(binding.sym_name(), binding.value());
                }
                Some(py::Op::Func(function)) => {
                    bindings.functions.insert(function.sym_name(), function);
                }
                _ => {}
            }
        }
        bindings
    }

    /// The lifted functions by symbol.
    pub fn function(&self, symbol: &str) -> Option<py::Func<'c, 'a>> {
        self.functions.get(symbol).copied()
    }

    /// What a symbol is bound to.
    pub fn binding(&self, symbol: &str) -> Option<Attribute<'c>> {
        self.values.get(symbol).copied()
    }

    /// Whether anything is bound to a constant that a function makes.
    pub fn have_made(&self) -> bool {
        self.values.keys().any(|symbol| symbol.ends_with(CALLED))
    }

    /// Whether a symbol is bound to a constant that a function makes.
    pub fn is_made(&self, symbol: &str) -> bool {
        match self.binding(symbol).map(PyAttribute::from) {
            Some(PyAttribute::Function(maker)) => self.binding(&made_by(maker)).is_some(),
            _ => false,
        }
    }

    /// The qualified name of a host's module, function or class that a value is.
    pub fn name_of(&self, value: Value<'c, 'a>) -> Option<String> {
        match py::Op::of(value.defining_op()?)? {
            read @ (py::Op::Global(_) | py::Op::LoadCell(_)) => {
                let symbol = bound_symbol(read)?;
                match self.binding(symbol).map(PyAttribute::from) {
                    Some(PyAttribute::Module(name) | PyAttribute::Named(name)) => Some(name.into()),
                    Some(_) => None,
                    // A global without a binding is a builtin, unless a function has the name.
                    None if self.functions.contains_key(symbol) => None,
                    None if matches!(read, py::Op::LoadCell(_)) => None,
                    None => Some(format!("builtins.{}", symbol.rsplit('.').next()?)),
                }
            }
            py::Op::GetAttr(attribute) => {
                let name = self.attribute_name(attribute)?;
                match self.binding(&name).map(PyAttribute::from) {
                    None => Some(name),
                    Some(PyAttribute::Module(name) | PyAttribute::Named(name)) => Some(name.into()),
                    Some(_) => None,
                }
            }
            _ => None,
        }
    }

    /// The qualified name that an attribute of a host's module or class has.
    fn attribute_name(&self, attribute: py::GetAttr<'c, 'a>) -> Option<String> {
        let owner = self.name_of(attribute.object())?;
        Some(format!("{owner}.{}", attribute.name()))
    }

    /// Whether it is known that a module or class doesn't have the attribute.
    pub fn lacks(&self, attribute: py::GetAttr<'c, 'a>) -> bool {
        let bound = dotted_symbol(*attribute).and_then(|symbol| self.binding(&symbol));
        let name = match bound.map(PyAttribute::from) {
            Some(PyAttribute::Named(name)) => Some(name.to_string()),
            Some(_) => None,
            None => self.attribute_name(attribute),
        };
        name.is_some_and(|name| self.binding(&format!("<missing {name}>")).is_some())
    }

    /// Whether something of ours may be meant by a name at all: a quick look at what is bound.
    pub fn mentions(&self, name: &str) -> bool {
        let is_ours = |value: &Attribute<'c>| match PyAttribute::from(*value) {
            PyAttribute::Module(module) => module == "pyopt" || module == "numba",
            PyAttribute::Named(named) => named.rsplit('.').next() == Some(name),
            _ => false,
        };
        self.values.values().any(is_ours)
    }

    /// Whether a value is what has one of two qualified names: Numba's and ours.
    pub fn is_ours(&self, value: Value<'c, 'a>, name: &str) -> bool {
        self.name_of(value).is_some_and(|found| {
            let own = found
                .strip_prefix("pyopt.")
                .or(found.strip_prefix("numba."));
            own == Some(name)
        })
    }

    /// The lifted function that a value is.
    pub fn callee(&self, value: Value<'c, 'a>) -> Option<py::Func<'c, 'a>> {
        let symbol = match py::Op::of(value.defining_op()?)? {
            py::Op::GetAttr(attribute) => self
                .imported_name(attribute.object(), attribute.name())
                .or_else(|| self.attribute_name(attribute))?,
            py::Op::ImportFrom(import) => self.imported_name(import.module(), import.name())?,
            read => bound_symbol(read)?.to_string(),
        };
        match self.binding(&symbol).map(PyAttribute::from) {
            Some(PyAttribute::Function(function)) => self.function(function),
            Some(_) => None,
            None => self.function(&symbol),
        }
    }

    /// The symbol of an attribute of a module that a function imports.
    fn imported_name(&self, module: Value<'c, 'a>, name: &str) -> Option<String> {
        let import = py::Import::of(module.defining_op()?)?;
        let is_absolute = self.constant(import.level())?.integer_value() == Some(0);
        let has_names = !matches!(
            PyAttribute::from(self.constant(import.fromlist())?),
            PyAttribute::None
        );
        let imported = match has_names {
            true => import.name(),
            // What is imported then is the package that the module is in.
            false => import.name().split('.').next()?,
        };
        match PyAttribute::from(self.binding(&format!("{IMPORTED}{imported}"))?) {
            PyAttribute::Module(module) if is_absolute => {
                Some(format!("{IMPORTED}{module}.{name}"))
            }
            _ => None,
        }
    }

    /// The constant that a value is on every path.
    pub fn constant(&self, value: Value<'c, 'a>) -> Option<Attribute<'c>> {
        let found = match py::Op::of(value.defining_op()?)? {
            py::Op::Constant(constant) => constant.value(),
            py::Op::GetAttr(attribute) => self.binding(&self.attribute_name(attribute)?)?,
            py::Op::BuildTuple(tuple) => {
                let elements = tuple.elements().into_iter();
                let elements: Option<Vec<_>> =
                    elements.map(|element| self.constant(element)).collect();
                ArrayAttribute::new(self.context, &elements?).into()
            }
            py::Op::BuildString(text) => {
                let parts = text.elements().into_iter();
                let parts: Option<String> = parts
                    .map(|part| self.constant(part)?.string_value())
                    .collect();
                StringAttribute::new(self.context, &parts?).into()
            }
            py::Op::Format(format) => {
                let plain = format.conversion().is_empty() && format.spec().is_none();
                let value = self.constant(format.value()).filter(|_| plain)?;
                StringAttribute::new(self.context, &text(value)?).into()
            }
            py::Op::Unary(unary) => self.unary(unary.kind(), self.constant(unary.operand())?)?,
            py::Op::Binary(binary) => {
                let (lhs, rhs) = (self.constant(binary.lhs())?, self.constant(binary.rhs())?);
                self.binary(binary.kind(), lhs, rhs)?
            }
            read => self.binding(bound_symbol(read)?)?,
        };
        is_constant(found).then_some(found)
    }

    /// The items of a global tuple: constants, functions and modules.
    pub fn tuple(&self, value: Value<'c, 'a>) -> Option<Vec<Attribute<'c>>> {
        let symbol = bound_symbol(py::Op::of(value.defining_op()?)?)?;
        self.binding(symbol)?.elements()
    }

    /// An int of the program.
    pub fn int(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value).into()
    }

    fn float(&self, value: f64) -> Attribute<'c> {
        let f64 = melior::ir::Type::float64(self.context);
        FloatAttribute::new(self.context, f64, value).into()
    }

    fn unary(&self, kind: PyUnaryKind, operand: Attribute<'c>) -> Option<Attribute<'c>> {
        match (kind, number(operand)?) {
            (PyUnaryKind::Neg, Number::Int(value)) => value.checked_neg().map(|it| self.int(it)),
            (PyUnaryKind::Pos, Number::Int(value)) => Some(self.int(value)),
            (PyUnaryKind::Invert, Number::Int(value)) => Some(self.int(!value)),
            (PyUnaryKind::Neg, Number::Float(value)) => Some(self.float(-value)),
            (PyUnaryKind::Pos, Number::Float(value)) => Some(self.float(value)),
            _ => None,
        }
    }

    /// An operator on constants, where its result is a constant and no error.
    fn binary(
        &self,
        kind: PyBinaryKind,
        lhs: Attribute<'c>,
        rhs: Attribute<'c>,
    ) -> Option<Attribute<'c>> {
        if let (Some(lhs), Some(rhs)) = (lhs.string_value(), rhs.string_value()) {
            let joined = StringAttribute::new(self.context, &format!("{lhs}{rhs}"));
            return (kind == PyBinaryKind::Add).then(|| joined.into());
        }
        let value = match (number(lhs)?, number(rhs)?) {
            (Number::Int(lhs), Number::Int(rhs)) if kind == PyBinaryKind::TrueDiv => {
                // Ints that a float holds exactly: their quotient is rounded once.
                let exact = |value: i64| value.unsigned_abs() <= 1 << 53;
                (rhs != 0 && exact(lhs) && exact(rhs))
                    .then(|| Number::Float(lhs as f64 / rhs as f64))?
            }
            (Number::Int(lhs), Number::Int(rhs)) => Number::Int(integers(kind, lhs, rhs)?),
            (lhs, rhs) => Number::Float(floats(kind, lhs.exactly()?, rhs.exactly()?)?),
        };
        Some(match value {
            Number::Int(value) => self.int(value),
            Number::Float(value) => self.float(value),
        })
    }
}

/// Removes what values were computed from, as far as it has no other use. It is for values that were
/// replaced because it is known what they are: computing them raises nothing.
pub(crate) fn erase_known<'c: 'a, 'a>(values: impl IntoIterator<Item = Value<'c, 'a>>) {
    erase_unused(values, |operation| {
        matches!(
            AnyOp::of(operation),
            AnyOp::Arith(arith::Op::Constant(_))
                | AnyOp::Py(
                    py::Op::Truth(_)
                        | py::Op::Is(_)
                        | py::Op::Unary(_)
                        | py::Op::Compare(_)
                        | py::Op::Constant(_)
                        | py::Op::Global(_)
                        | py::Op::FreeCell(_)
                        | py::Op::GetAttr(_)
                        | py::Op::BuildTuple(_)
                )
        ) || py::LoadCell::of(operation)
            .is_some_and(|load| py::FreeCell::defining(load.cell()).is_some())
    });
}

/// The symbol of the binding that a global, or a free variable that is read, has.
pub(super) fn bound_symbol<'c: 'a, 'a>(read: py::Op<'c, 'a>) -> Option<&'c str> {
    match read {
        py::Op::Global(global) => Some(global.binding()),
        py::Op::LoadCell(load) => Some(py::FreeCell::defining(load.cell())?.binding()),
        _ => None,
    }
}

/// The symbol that ends with the dotted name that an operation reads: attributes and constant items of
/// a global or free variable, as `settings.LIMIT` and `functions["add"]`.
pub(super) fn dotted_symbol<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<String> {
    match py::Op::of(operation)? {
        py::Op::GetAttr(attribute) => {
            let owner = dotted_symbol(attribute.object().defining_op()?)?;
            Some(format!("{owner}.{}", attribute.name()))
        }
        py::Op::GetItem(item) => {
            let owner = dotted_symbol(item.object().defining_op()?)?;
            let key = py::Constant::defining(item.index())?.value();
            match key.string_value() {
                Some(text) => Some(format!("{owner}[\"{text}\"]")),
                None if key.bool_value().is_some() => None,
                None => Some(format!("{owner}[{}]", key.integer_value()?)),
            }
        }
        read => bound_symbol(read).map(Into::into),
    }
}

/// The symbol that ends with the dotted name that a call of `getattr` or `hasattr` asks for.
pub(super) fn asked_symbol<'c: 'a, 'a>(call: py::Call<'c, 'a>) -> Option<String> {
    let arguments = call.args();
    let [object, name, ..] = arguments.as_slice() else {
        return None;
    };
    let owner = dotted_symbol(object.defining_op()?)?;
    let name = py::Constant::defining(*name)?.value().string_value()?;
    Some(format!("{owner}.{name}"))
}

/// Whether an attribute can be the value of a `py.constant`.
fn is_constant(attribute: Attribute) -> bool {
    match PyAttribute::from(attribute) {
        PyAttribute::None | PyAttribute::Ellipsis | PyAttribute::Bytes(_) => true,
        PyAttribute::BigInt(_) | PyAttribute::Complex(..) => true,
        PyAttribute::Slice(_) => true,
        PyAttribute::Other(other) => match other.elements() {
            Some(elements) => elements.into_iter().all(is_constant),
            None => other.string_value().is_some() || is_number(other),
        },
        _ => false,
    }
}

/// Whether an attribute is a number of Python's: those of NumPy have types of their own.
fn is_number(attribute: Attribute) -> bool {
    let r#type = attribute.value_type();
    match IntegerType::try_from(r#type) {
        Ok(integer) => integer.is_signless() && [1, 64].contains(&integer.width()),
        Err(_) => r#type.is_f64(),
    }
}

/// A number of Python's that is no truth value.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    /// The number as a float, if a float can be it.
    fn exactly(self) -> Option<f64> {
        match self {
            Self::Int(value) => (value.unsigned_abs() <= 1 << 53).then_some(value as f64),
            Self::Float(value) => Some(value),
        }
    }
}

fn number(attribute: Attribute) -> Option<Number> {
    if attribute.bool_value().is_some() {
        return None;
    }
    let int = attribute.integer_value().map(Number::Int);
    int.or_else(|| attribute.float_value().map(Number::Float))
}

/// What `str` makes of a constant, for the kinds whose text is simple.
fn text(attribute: Attribute) -> Option<String> {
    if let Some(value) = attribute.string_value() {
        return Some(value.into());
    }
    match number(attribute)? {
        Number::Int(value) => Some(value.to_string()),
        Number::Float(_) => None,
    }
}

fn integers(kind: PyBinaryKind, lhs: i64, rhs: i64) -> Option<i64> {
    let shift = u32::try_from(rhs).ok();
    match kind {
        PyBinaryKind::Add => lhs.checked_add(rhs),
        PyBinaryKind::Sub => lhs.checked_sub(rhs),
        PyBinaryKind::Mul => lhs.checked_mul(rhs),
        PyBinaryKind::FloorDiv => {
            let quotient = lhs.checked_div(rhs)?;
            let inexact = lhs % rhs != 0 && (lhs < 0) != (rhs < 0);
            Some(quotient - i64::from(inexact))
        }
        PyBinaryKind::Mod => {
            let rest = lhs.checked_rem(rhs)?;
            Some(if rest != 0 && (rest < 0) != (rhs < 0) {
                rest + rhs
            } else {
                rest
            })
        }
        PyBinaryKind::Pow => lhs.checked_pow(shift?),
        PyBinaryKind::And => Some(lhs & rhs),
        PyBinaryKind::Or => Some(lhs | rhs),
        PyBinaryKind::Xor => Some(lhs ^ rhs),
        PyBinaryKind::LShift => {
            let factor = 1i64.checked_shl(shift.filter(|&shift| shift < 63)?)?;
            lhs.checked_mul(factor)
        }
        PyBinaryKind::RShift => Some(lhs >> shift?.min(63)),
        PyBinaryKind::TrueDiv | PyBinaryKind::MatMul => None,
    }
}

fn floats(kind: PyBinaryKind, lhs: f64, rhs: f64) -> Option<f64> {
    match kind {
        PyBinaryKind::Add => Some(lhs + rhs),
        PyBinaryKind::Sub => Some(lhs - rhs),
        PyBinaryKind::Mul => Some(lhs * rhs),
        PyBinaryKind::TrueDiv if rhs != 0.0 => Some(lhs / rhs),
        _ => None,
    }
}
