//! What the integration tests share: the compiled fixtures, and lifting.

#![allow(dead_code, reason = "each test program uses a part of it")]

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        BlockLike, Location, Module, OperationRef,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
use pyopt_frontend::{
    code::CodeObject,
    code_op::{FunctionAttributes, append_code},
    lift::{Form, lift},
    pyc,
    version::Version,
};
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// The bytes of a file in `tests/data`.
pub fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read(path).expect("fixture is readable")
}

/// The code of a module among the fixtures.
pub fn module(name: &str) -> Arc<CodeObject> {
    pyc::load(&data(name)).expect("fixture is well-formed").code
}

/// The code of a function of `functions.py`.
pub fn function(name: &str) -> Arc<CodeObject> {
    let module = module("functions.pyc");
    let mut codes = module
        .constants
        .iter()
        .filter_map(|constant| constant.as_code());
    codes
        .find(|code| &*code.name == name)
        .expect("fixture has the function")
        .clone()
}

/// A context with what lifting needs.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    pyopt_dialects::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    for dialect in ["py", "cf"] {
        context.get_or_load_dialect(dialect);
    }
    context
}

/// A module with the `py.code` operations of a function.
pub fn code_module<'c>(context: &'c Context, code: &CodeObject) -> Module<'c> {
    let module = Module::new(Location::unknown(context));
    append_code(
        context,
        &module.body(),
        code,
        &code.name,
        "m",
        FunctionAttributes::default(),
    )
    .unwrap();
    module
}

/// The `py.code` operations of a module.
pub fn code_operations<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let operations = std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    });
    operations
        .filter(|operation| operation.has_attribute("bytecode"))
        .collect()
}

/// Lifts a function and those nested in it; the text of the functions, or of the first diagnostic.
pub fn lifted(code: &CodeObject, flags: OperationPrintingFlags) -> String {
    let context = context();
    let codes = code_module(&context, code);
    assert!(codes.as_operation().verify());
    let module = Module::new(Location::unknown(&context));
    for operation in code_operations(&codes) {
        match lift(&context, operation, Form::Values) {
            Ok(function) => module.body().append_operation(function),
            Err(diagnostic) => return diagnostic.to_string(),
        };
    }
    assert!(module.as_operation().verify(), "{}", module.as_operation());
    module.as_operation().to_string_with_flags(flags).unwrap()
}

/// A Python interpreter of this machine.
pub struct Interpreter(PathBuf);

impl Interpreter {
    /// How it is called.
    pub fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// A run of it that neither environment nor current directory influence.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.0);
        command.arg("-I");
        command
    }

    /// The .pyc of a source text.
    pub fn compile(&self, source: &str) -> Vec<u8> {
        const COMPILE: &str = "\
import importlib._bootstrap_external as external, sys, warnings
warnings.simplefilter('ignore')
code = compile(sys.argv[1], 'test.py', 'exec', dont_inherit=True)
sys.stdout.buffer.write(external._code_to_timestamp_pyc(code, 0, 0))
";
        let output = self.command().args(["-c", COMPILE, source]).output();
        let output = output.expect("the interpreter runs");
        assert!(output.status.success(), "{output:?}");
        output.stdout
    }
}

/// The interpreter of a version: `python3.12` on `PATH`, or where pyenv has it.
pub fn interpreter(version: Version) -> Option<Interpreter> {
    let name = PathBuf::from(format!("python{version}"));
    let root = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let installed = root.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let installed = installed.into_iter().flatten().filter_map(Result::ok);
    let prefix = format!("{version}.");
    let installed = installed
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        .map(|entry| entry.path().join("bin").join(&name));
    let mut candidates = std::iter::once(name.clone()).chain(installed);
    let is_version = format!(
        "import sys; sys.exit(sys.version_info[:2] != ({}, {}))",
        version.major, version.minor
    );
    let found = candidates.find(|python| {
        let run = Command::new(python)
            .args(["-I", "-c", &is_version])
            .output();
        run.is_ok_and(|output| output.status.success())
    });
    found.map(Interpreter)
}
