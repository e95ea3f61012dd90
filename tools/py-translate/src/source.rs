//! Where code objects come from.

use anyhow::{Context as _, Result, bail};
use pyopt_frontend::{code::CodeObject, pyc};
use std::{path::Path, process::Command, sync::Arc};

/// Compiles the file named by the first argument and writes a .pyc to standard output.
const COMPILE: &str = "\
import importlib._bootstrap_external as external, sys
with open(sys.argv[1], 'rb') as file:
    source = file.read()
code = compile(source, sys.argv[1], 'exec', dont_inherit=True)
sys.stdout.buffer.write(external._code_to_timestamp_pyc(code, 0, len(source) & 0xFFFFFFFF))
";

/// The code object of a module: of a `.py` file through `python`, of anything else as `.pyc`.
pub fn read(path: &Path, python: &Path) -> Result<Arc<CodeObject>> {
    let bytes = if path.extension().is_some_and(|extension| extension == "py") {
        compile(path, python)?
    } else {
        std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?
    };
    let pyc = pyc::load(&bytes).with_context(|| format!("{} is no usable .pyc", path.display()))?;
    Ok(pyc.code)
}

fn compile(path: &Path, python: &Path) -> Result<Vec<u8>> {
    let output = Command::new(python)
        .args(["-I", "-c", COMPILE])
        .arg(path)
        .output()
        .with_context(|| {
            format!(
                "can't run {}, which compiles .py files; --python names another one",
                python.display()
            )
        })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let reason = text.lines().last().unwrap_or("no reason given");
        bail!("{} does not compile: {reason}", path.display());
    }
    Ok(output.stdout)
}
