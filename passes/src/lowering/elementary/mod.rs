//! Branch-free elementary functions in our own IR, so that loops that call them vectorise.
//!
//! Written once for both precisions: in double precision, intermediate results are unevaluated sums
//! of two floats where one isn't accurate enough, and each result is within one unit in the last
//! place; single precision is computed in double precision with shorter polynomials and rounded.

mod device;
mod double;
mod exponential;
mod far;
mod gamma;
mod hyperbolic;
mod inverse;
mod logarithm;
mod number;
mod other;
mod plain;
mod trigonometric;

use self::number::{Float, Math};
use super::{control_flow::module_block, emit::Emit, externals::Externals};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassFailure, PassResult,
    RegionExt,
    ops::{
        func,
        marks::{ELEMENTARY, LIBM},
        math,
    },
    parse_operation,
};
use melior::ir::OperationRef;
use std::collections::{HashMap, HashSet};

/// A function that has a branch-free version.
pub(super) struct Elementary {
    /// Its name in libm.
    pub(super) name: &'static str,
    body: Body,
}

enum Body {
    /// A function of one number.
    Unary(fn(Float) -> Float),
    /// A function of one number that calls libm for some arguments.
    Near(fn(Float) -> Float),
    /// A function of two numbers.
    Binary(for<'m> fn(Float<'m>, Float<'m>) -> Float<'m>),
}

macro_rules! functions {
    ($($kind:ident $module:ident $($name:ident)+;)*) => {
        &[$($(Elementary {
            name: stringify!($name),
            body: Body::$kind($module::$name),
        },)+)*]
    };
}

static FUNCTIONS: &[Elementary] = functions! {
    Unary exponential exp exp2 expm1 sinh cosh tanh;
    Unary logarithm log log2 log10 log1p;
    Binary logarithm pow;
    Near trigonometric sin cos tan;
    Unary inverse atan asin acos;
    Binary inverse atan2;
    Unary other erf cbrt;
};

/// Functions that devices have in a version of their own in double precision.
static OF_DEVICES: &[Elementary] = functions! {
    Unary plain exp log erf;
};

/// Functions that devices alone have: libm's are good enough for the host.
static ON_DEVICES: &[Elementary] = functions! {
    Unary hyperbolic asinh acosh atanh;
    Binary hyperbolic hypot;
    Unary gamma tgamma lgamma erfc;
};

/// Functions that devices lack even where they have those of C.
static OF_NO_LIBRARY: &[Elementary] = functions! {
    Binary hyperbolic log_of_length;
};

/// What functions for far arguments are made of on devices.
static PARTS: &[Elementary] = functions! {
    Unary trigonometric near_sin near_cos;
};

/// Where code runs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Target {
    /// There is a libm.
    Host,
    /// There is none.
    Device,
    /// The functions of C are there, under other names.
    DeviceWithLibrary,
}

impl Target {
    /// The functions that have a version of ours there.
    fn functions(self) -> impl Iterator<Item = &'static Elementary> {
        let (general, on_devices, of_none): (&[_], &[_], &[_]) = match self {
            Self::Host => (FUNCTIONS, &[], &[]),
            Self::Device => (FUNCTIONS, ON_DEVICES, OF_NO_LIBRARY),
            Self::DeviceWithLibrary => (&[], &[], OF_NO_LIBRARY),
        };
        general.iter().chain(on_devices).chain(of_none)
    }
}

/// Adds the exact remainder to a module for a device; gives its name.
pub(super) fn define_remainder<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
) -> PassResult<&'static str> {
    device::define_remainder(cx, builder, module)?;
    Ok(device::REMAINDER_SYMBOL)
}

/// The functions of a module that calls of elementary functions call.
pub(super) struct Callees<'c> {
    /// Those of libm that have a version without branches.
    libm: HashMap<&'c str, &'static Elementary>,
    /// The versions without branches.
    expanded: HashSet<String>,
    target: Target,
}

impl<'c> Callees<'c> {
    /// Finds those of a module, by their marks.
    pub(super) fn of(module: OperationRef<'c, '_>, target: Target) -> Self {
        let mut found = Self {
            libm: HashMap::new(),
            expanded: HashSet::new(),
            target,
        };
        let find = |name: &str| Elementary::find(name, target);
        for function in module.nested_ops::<func::Func>() {
            let name = function.sym_name();
            if function.flag_attr(ELEMENTARY) {
                found.expanded.insert(name.to_owned());
            } else if let Some(of_libm) = function.str_attr(LIBM).and_then(find) {
                found.libm.insert(name, of_libm);
            }
        }
        found
    }

    /// The function that an operation of `math` or a call of libm computes.
    pub(super) fn computed(&self, operation: OperationRef<'c, '_>) -> Option<&'static Elementary> {
        match func::Call::of(operation) {
            Some(call) => self.libm.get(call.callee()).copied(),
            None => Elementary::find(name(operation)?, self.target),
        }
    }

    /// Erases the declarations of libm's functions that have a version of ours and are called no more.
    pub(super) fn erase_unused<'a>(&self, builder: &Builder<'c, 'a>, module: OperationRef<'c, 'a>)
    where
        'c: 'a,
    {
        let calls = module.nested_ops::<func::Call>().into_iter();
        let called: HashSet<_> = calls.map(|call| call.callee()).collect();
        for function in module.nested_ops::<func::Func>() {
            let name = function.sym_name();
            if self.libm.contains_key(name) && !called.contains(name) {
                builder.erase_op(*function);
            }
        }
    }

    /// Adds a version without branches.
    pub(super) fn add(&mut self, symbol: &str) {
        self.expanded.insert(symbol.to_owned());
    }

    /// Whether a call is one of a version without branches.
    pub(super) fn is_expanded(&self, call: func::Call<'c, '_>) -> bool {
        self.expanded.contains(call.callee())
    }
}

/// What libm calls the function that an operation of `math` computes.
fn name(operation: OperationRef) -> Option<&'static str> {
    use math::Op;
    Some(match Op::of(operation)? {
        Op::Exp(_) => "exp",
        Op::Exp2(_) => "exp2",
        Op::ExpM1(_) => "expm1",
        Op::Sinh(_) => "sinh",
        Op::Cosh(_) => "cosh",
        Op::Tanh(_) => "tanh",
        Op::Log(_) => "log",
        Op::Log2(_) => "log2",
        Op::Log10(_) => "log10",
        Op::Log1p(_) => "log1p",
        Op::PowF(_) => "pow",
        Op::Sin(_) => "sin",
        Op::Cos(_) => "cos",
        Op::Tan(_) => "tan",
        Op::Atan(_) => "atan",
        Op::Asin(_) => "asin",
        Op::Acos(_) => "acos",
        Op::Atan2(_) => "atan2",
        Op::Erf(_) => "erf",
        Op::Cbrt(_) => "cbrt",
        _ => return None,
    })
}

impl Elementary {
    /// The function that libm calls so.
    fn find(name: &str, target: Target) -> Option<&'static Self> {
        target.functions().find(|function| function.name == name)
    }

    /// How a target computes the function.
    fn body(&self, single: bool, target: Target) -> &Body {
        let mut own = OF_DEVICES.iter().filter(|own| own.name == self.name);
        match target {
            Target::Device if !single => own.next().map_or(&self.body, |own| &own.body),
            _ => &self.body,
        }
    }

    /// The symbol of the function; of single precision it has doubles, too.
    pub(super) fn symbol(&self, single: bool) -> String {
        let suffix = if single { ".single" } else { "" };
        format!("pyopt.{}{suffix}", self.name)
    }

    /// Adds the function to a module.
    pub(super) fn define<'c: 'a, 'a>(
        &self,
        cx: &PassContext<'c>,
        builder: &Builder<'c, 'a>,
        module: OperationRef<'c, 'a>,
        single: bool,
        target: Target,
    ) -> PassResult {
        let symbol = self.symbol(single);
        if module.lookup_symbol(&symbol).is_some() {
            return Ok(());
        }
        let body = self.body(single, target);
        let parameters = match body {
            Body::Unary(_) | Body::Near(_) => "%x: f64",
            Body::Binary(_) => "%x: f64, %y: f64",
        };
        let shell = format!(
            r#"func.func private @{symbol}({parameters}) -> f64
              attributes {{{ELEMENTARY}, passthrough = ["alwaysinline"]}} {{ return %x : f64 }}"#
        );
        let definition = parse_operation(cx.context(), &shell, &symbol)
            .ok_or_else(|| PassFailure::Message(format!("{symbol} does not parse")))?;
        let contents = module_block(module).expect("a module has a block");
        let function = func::Func::of(builder.at_end(contents).insert(definition));

        let block = function.and_then(|function| function.body().entry());
        let block = block.expect("it has a body");
        let end = block.terminator_op().and_then(func::Return::of);
        let end = end.expect("it returns");
        builder.before(*end);
        let externals = Externals::default();
        let emit = Emit::new(builder, &externals);
        let math = Math::new(&emit, single);
        let x = math.float(block.argument_value(0));
        let result = match body {
            Body::Unary(body) | Body::Near(body) => body(x),
            Body::Binary(body) => body(x, math.float(block.argument_value(1))),
        };
        end.set_operands(&[math.value(result)]);
        match (body, target) {
            (Body::Near(_), Target::Host) => far::define(cx, builder, module, self.name),
            (Body::Near(_), Target::Device | Target::DeviceWithLibrary) => {
                for part in PARTS {
                    part.define(cx, builder, module, false, target)?;
                }
                device::define_far(cx, builder, module, self.name)
            }
            (Body::Unary(_) | Body::Binary(_), _) => Ok(()),
        }
    }
}
