//! Branch-free elementary functions in our own IR, so that loops that call them vectorise.
//!
//! Written once for both precisions: in double precision, intermediate results are unevaluated sums
//! of two floats where one isn't accurate enough, and each result is within one unit in the last
//! place; single precision is computed in double precision with shorter polynomials and rounded.

mod double;
mod exponential;
mod far;
mod inverse;
mod logarithm;
mod number;
mod other;
mod trigonometric;

use self::number::{Float, Math};
use super::{control_flow::module_block, emit::Emit, externals::Externals};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassFailure, PassResult, RegionExt,
    ops::{func, marks::ELEMENTARY, math},
    parse_operation,
};
use melior::ir::OperationRef;

/// What the symbols of the functions start with.
pub(super) const PREFIX: &str = "pyopt.";

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

/// The function that an operation of `math` or a call of libm computes.
pub(super) fn of(operation: OperationRef) -> Option<&'static Elementary> {
    if let Some(call) = func::Call::of(operation) {
        let callee = call.callee();
        let is_callee = |name: &str| callee == name || callee.strip_suffix('f') == Some(name);
        return FUNCTIONS.iter().find(|function| is_callee(function.name));
    }
    let name = match operation.full_name() {
        math::PowF::NAME => "pow",
        name => name.strip_prefix("math.")?,
    };
    FUNCTIONS.iter().find(|function| function.name == name)
}

impl Elementary {
    /// The symbol of the function; of single precision it has doubles, too.
    pub(super) fn symbol(&self, single: bool) -> String {
        let suffix = if single { ".single" } else { "" };
        format!("{PREFIX}{}{suffix}", self.name)
    }

    /// Adds the function to a module.
    pub(super) fn define<'c: 'a, 'a>(
        &self,
        cx: &PassContext<'c>,
        builder: &Builder<'c, 'a>,
        module: OperationRef<'c, 'a>,
        single: bool,
    ) -> PassResult {
        let symbol = self.symbol(single);
        if module.lookup_symbol(&symbol).is_some() {
            return Ok(());
        }
        let parameters = match self.body {
            Body::Unary(_) | Body::Near(_) => "%x: f64",
            Body::Binary(_) => "%x: f64, %y: f64",
        };
        let shell = format!(
            r#"func.func private @{symbol}({parameters}) -> f64
              attributes {{{ELEMENTARY}, passthrough = ["alwaysinline"]}} {{ return %x : f64 }}"#
        );
        let definition = parse_operation(cx.context(), &shell, &symbol)
            .ok_or_else(|| PassFailure::Message(format!("{symbol} does not parse")))?;
        let body = module_block(module).expect("a module has a block");
        let function = func::Func::of(builder.at_end(body).insert(definition));

        let block = function.and_then(|function| function.body().entry());
        let block = block.expect("it has a body");
        let end = block.terminator_op().and_then(func::Return::of);
        let end = end.expect("it returns");
        builder.before(*end);
        let externals = Externals::default();
        let emit = Emit::new(builder, &externals);
        let math = Math::new(&emit, single);
        let x = math.float(block.argument_value(0));
        let result = match self.body {
            Body::Unary(body) | Body::Near(body) => body(x),
            Body::Binary(body) => body(x, math.float(block.argument_value(1))),
        };
        end.set_operands(&[math.value(result)]);
        match self.body {
            Body::Near(_) => far::define(cx, builder, module, self.name),
            Body::Unary(_) | Body::Binary(_) => Ok(()),
        }
    }
}
