//! Modules as `py.code` and `py.binding` operations.

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{BlockLike, Location, Module, operation::OperationLike},
};
use pyopt_frontend::{bindings::append_module, pyc};

/// The bindings, functions and diagnostics of a module among the fixtures.
fn read(bytes: &[u8]) -> [String; 3] {
    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.get_or_load_dialect("py");
    let code = pyc::load(bytes).unwrap().code;
    let module = Module::new(Location::unknown(&context));
    let diagnostics = append_module(&context, &module.body(), &code, "module").unwrap();
    assert!(module.as_operation().verify());

    let (mut bindings, mut functions) = (String::new(), String::new());
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        let attribute = |name: &str| {
            operation
                .attribute(name)
                .map(|value| value.to_string())
                .unwrap_or_default()
        };
        if operation.has_attribute("bytecode") {
            let fields = ["sym_name", "defaults", "kwdefaults", "options"].map(attribute);
            functions += &format!("{}\n", fields.join(" | "));
        } else {
            bindings += &format!("{operation}\n");
        }
        next = operation.next_in_block();
    }
    let diagnostics: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    [bindings, functions, diagnostics.join("\n")]
}

#[test]
fn names_are_resolved_by_abstract_execution() {
    let [bindings, functions, diagnostics] = read(include_bytes!("data/module.pyc"));
    insta::assert_snapshot!(bindings, @r#"
    py.binding @module.M = -2.500000e+00 : f64
    py.binding @module.N = 10 : i64
    py.binding @module.SHAPE = [10, 3]
    py.binding @module.average = #py.stencil<@average, {cval = 5.000000e-01 : f64, neighborhood = [[-1, 1]]}>
    py.binding @module.cosine = #py.named<"numpy.cos">
    py.binding @module.json = #py.module<"json">
    py.binding @module.la = #py.module<"numpy.linalg">
    py.binding @module.len = #py.named<"builtins.len">
    py.binding @module.math = #py.module<"math">
    py.binding @module.np = #py.module<"numpy">
    py.binding @module.os = #py.module<"os">
    py.binding @module.pi = 3.1415926535897931 : f64
    py.binding @module.plain = #py.function<@plain>
    py.binding @module.prange = #py.named<"pyopt.prange">
    py.binding @module.sqrt = #py.named<"math.sqrt">
    py.binding @module.uses = #py.function<@uses>
    py.binding @math.tau = 6.2831853071795862 : f64
    py.binding @numpy.pi = 3.1415926535897931 : f64
    "#);
    insta::assert_snapshot!(functions, @r#"
    "plain" | [2.000000e+00] | {offset = 10 : i64} | 
    "uses" |  |  | {}
    "parallel" |  |  | {fastmath = ["fast"], parallel = true, parallel_off = ["fusion"]}
    "average" |  |  | 
    "smooth" |  |  | {}
    "#);
    insta::assert_snapshot!(diagnostics, @r"
    module.py:45:2: the option 'locals' is ignored
    module.py:60:2: the value of the option 'fastmath' is not known; it is ignored
    module.py:47:22: the global name 'CHOICE' is not resolved: it is assigned on line 27 under a condition, in a loop or under 'try'
    module.py:47:31: the global name 'counter' is not resolved: it is assigned in the function 'smooth'
    module.py:47:41: the global name 'limits' is not resolved: it is computed when the module runs
    module.py:47:53: the global name 'missing' is not resolved: the module does not define it
    module.py:64:47: the global name 'scipy' is not resolved: it is assigned on line 22 under a condition, in a loop or under 'try'
    module.py:64:25: the global name 'ufunc' is not resolved: it is the result of calling 'numba.vectorize'
    ");
}

#[test]
fn names_mean_the_same_in_other_versions() {
    let expected = read(include_bytes!("data/module.pyc"));
    assert_eq!(read(include_bytes!("data/module.3.12.pyc")), expected);
    assert_eq!(read(include_bytes!("data/module.3.13.pyc")), expected);
    assert_eq!(read(include_bytes!("data/module.3.14.pyc")), expected);
    assert_eq!(read(include_bytes!("data/module.3.15.pyc")), expected);
}
