//! Polynomials with known coefficients.
use pyopt_passes::prelude::{ops::typed, *};
pyopt_dialects::include_dialects!();

pub static POLY: Extension = Extension {
    name: "poly",
    version: env!("PYOPT_EXTENSION"),
    dialects: &[&poly::DIALECT],
    passes: &[&LOWER],
    rewrites: &[&NEGATE],
    at: &[(Place::After("typed-inline-calls"), "poly-negate"), (Place::At(&AFTER_FUSION), "poly-lower")],
    ..Extension::NONE
};

static LOWER: PassSpec = PassSpec {
    anchor: "func.func",
    dialects: &["arith", "typed"],
    ..PassSpec::new("poly-lower", "evaluate polynomials by Horner's rule", lower)
};

fn lower<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let b = Builder::new(cx.context(), function);
    for eval in function.nested_ops::<poly::Eval>() {
        let Some(polynomial) = poly::Constant::defining(eval.polynomial()) else {
            return Err(cx.error(eval.location(), "the polynomial isn't a constant"));
        };
        b.before(*eval).at(eval.location());
        let terms = polynomial.value().into_iter().map(|term| b.float(eval.result().ty(), term));
        let sum = terms.reduce(|sum, term| {
            let product = typed::Binary::create(&b, typed::BinaryKind::Mul, sum, eval.at());
            typed::Binary::create(&b, typed::BinaryKind::Add, product.result(), term).result()
        });
        b.replace_op(*eval, sum.as_slice());
        erase_unused([polynomial.result()], |_| true);
    }
    Ok(())
}

static NEGATE: RewriteSpec = RewriteSpec::new(
    "poly-negate",
    "the negated value is that of the negated polynomial",
    Point::AfterInference,
    &[poly::Eval::NAME],
    |_, block| block.operation_list().into_iter().filter(|one| negated(*one).is_some()).collect(),
    |cx, operation| {
        let Some(eval) = negated(operation) else { return Ok(()) };
        cx.builder.before(operation).at(operation.location());
        let polynomial = poly::Neg::create(&cx.builder, eval.polynomial()).result();
        let value = poly::Eval::create(&cx.builder, polynomial, eval.at()).result();
        cx.builder.replace_op(operation, &[value]);
        Ok(())
    },
);

fn negated<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<poly::Eval<'c, 'a>> {
    let negation = typed::Unary::of(operation)?;
    poly::Eval::defining(negation.operand()).filter(|_| negation.kind() == typed::UnaryKind::Neg)
}

#[cfg(feature = "python")]
#[pyo3::pymodule(gil_used = false)]
fn _core(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    pyopt_python::init(module, &[&POLY])
}
