//! A dialect in IRDL, without C++.
use pyopt_passes::prelude::{ops::typed, *};

pub static SCALE: Extension = Extension {
    name: "scale",
    version: env!("PYOPT_EXTENSION"),
    irdl: &[include_str!("../dialect/scale.mlir")],
    interfaces: &[("scale.twice", &COMPUTES)],
    passes: &[&LOWER],
    at: &[(Place::At(&AFTER_FUSION), "scale-lower")],
    ..Extension::NONE
};

/// The operation has no effects, raises nothing and may be moved.
static COMPUTES: InterfaceModel = InterfaceModel {
    raises: Some(|_| Raises::Nothing),
    accesses: Some(|_, _| (false, false)),
    speculatable: Some(|_| true),
    cost: Some(|_| Some(1)),
    ..InterfaceModel::NONE
};

static LOWER: PassSpec = PassSpec {
    anchor: "func.func",
    dialects: &["typed"],
    ..PassSpec::new("scale-lower", "twice a number is a sum", lower)
};

fn lower<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let b = Builder::new(cx.context(), function);
    for twice in function.pre_order().into_iter().filter(|one| one.is("scale.twice")) {
        b.before(twice).at(twice.location());
        let value = twice.operand_values()[0];
        let sum = typed::Binary::create(&b, typed::BinaryKind::Add, value, value).result();
        b.replace_op(twice, &[sum]);
    }
    Ok(())
}

#[cfg(feature = "python")]
#[pyo3::pymodule(gil_used = false)]
fn _core(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    pyopt_python::init(module, &[&SCALE])
}
