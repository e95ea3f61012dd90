//! Handles of a C library as values of a dialect's type.
use pyopt_passes::{
    melior::dialect::llvm::r#type as llvm_type,
    prelude::{
        ops::{builtin, llvm},
        *,
    },
};
pyopt_dialects::include_dialects!();

pub static DICE: Extension = Extension {
    name: "dice",
    version: env!("PYOPT_EXTENSION"),
    dialects: &[&dice::DIALECT],
    passes: &[&LOWER],
    at: &[(Place::At(&AFTER_FUSION), "dice-lower")],
    ..Extension::NONE
};

static LOWER: PassSpec = PassSpec {
    anchor: builtin::Module::NAME,
    dialects: &["llvm", "typed"],
    ..PassSpec::new("dice-lower", "call C's functions", lower)
};

/// The function of C's library: `double erand48(unsigned short state[3])`.
const ROLL: &str = "erand48";

fn lower<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let b = Builder::new(cx.context(), module);
    let (pointer, double) = (llvm_type::pointer(cx.context(), 0), Type::float64(cx.context()));
    let rolls = module.nested_ops::<dice::Roll>();
    if !rolls.is_empty() && module.lookup_symbol(ROLL).is_none() {
        let body = module.region_at(0).entry().expect("a module has a block");
        let declared = llvm_type::function(double, &[pointer], false);
        llvm::LLVMFunc::create(b.at_start(body).at(module.location()), ROLL, declared);
    }
    for roll in rolls {
        b.before(*roll).at(roll.location());
        let Some([address]) = fields_of(&b, roll.cup()).as_deref().and_then(|all| all.as_array().copied())
        else {
            return Err(cx.error(roll.location(), "the cup isn't one of Python's"));
        };
        // Integers of `typed` have a sign, and those of `llvm` have none.
        let word = b.to(builtin::UnrealizedConversionCast::NAME, address, b.i(64));
        let state = llvm::IntToPtr::create(&b, word, pointer).res();
        let call = llvm::Call::create(&b, &[state], &[], &[], Some(double));
        call.set_callee(Some(ROLL));
        b.replace_op(*roll, &call.result().as_slice());
    }
    for made in module.nested_ops::<dice::Of>() {
        b.before(*made).at(made.location());
        if !replace_by_fields(&b, made.result(), &[made.address()]) {
            return Err(cx.error(made.location(), "only Python has cups"));
        }
        made.erase();
    }
    Ok(())
}

#[cfg(feature = "python")]
#[pyo3::pymodule(gil_used = false)]
fn _core(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    pyopt_python::init(module, &[&DICE])
}
