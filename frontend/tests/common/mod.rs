//! What the integration tests share: the compiled fixtures.

use pyopt_frontend::{code::CodeObject, pyc};
use std::{path::Path, sync::Arc};

/// The bytes of a file in `tests/data`.
pub fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read(path).expect("fixture is readable")
}

/// The code of a function of `functions.py`.
pub fn function(name: &str) -> Arc<CodeObject> {
    let module = pyc::load(&data("functions.pyc"))
        .expect("fixture is well-formed")
        .code;
    let mut codes = module
        .constants
        .iter()
        .filter_map(|constant| constant.as_code());
    codes
        .find(|code| &*code.name == name)
        .expect("fixture has the function")
        .clone()
}
