//! Where code objects come from.

use anyhow::{Context as _, Result, bail};
use pyopt_frontend::{code::CodeObject, diagnostic::Diagnostic, pyc, render, tables::Position};
use std::{path::Path, process::Command, sync::Arc};

/// Compiles the file named by the first argument and writes a .pyc to standard output. Of a syntax
/// error it writes the message and the place, a line each, and exits with [`SYNTAX_ERROR`].
const COMPILE: &str = "\
import importlib._bootstrap_external as external, sys
with open(sys.argv[1], 'rb') as file:
    source = file.read()
try:
    code = compile(source, sys.argv[1], 'exec', dont_inherit=True)
except SyntaxError as error:
    place = error.lineno, error.offset, error.end_lineno, error.end_offset
    print(error.msg, *(number or 0 for number in place), sep='\\n')
    sys.exit(3)
sys.stdout.buffer.write(external._code_to_timestamp_pyc(code, 0, len(source) & 0xFFFFFFFF))
";

const SYNTAX_ERROR: i32 = 3;

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
    if output.status.code() == Some(SYNTAX_ERROR) {
        let text = String::from_utf8_lossy(&output.stdout);
        return Err(syntax_error(path, &text).into());
    }
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let reason = text.lines().last().unwrap_or("no reason given");
        bail!("{} does not compile: {reason}", path.display());
    }
    Ok(output.stdout)
}

/// Reads what [`COMPILE`] writes of a syntax error.
fn syntax_error(path: &Path, text: &str) -> Diagnostic {
    let mut lines = text.lines();
    let message = lines.next().unwrap_or("invalid syntax").to_owned();
    let mut number = || lines.next()?.parse().ok().filter(|number| *number > 0);
    let (line, offset) = (number(), number());
    let (end_line, end_offset) = (number(), number());
    let filename: Arc<str> = path.display().to_string().into();
    let source = render::read_file(&filename).unwrap_or_default();
    let position = Position {
        line,
        end_line,
        column: byte_column(&source, line, offset),
        end_column: byte_column(&source, end_line, end_offset),
    };
    Diagnostic {
        filename,
        position,
        message,
        notes: Vec::new(),
    }
}

/// How many bytes of a line are before a character, both counted from one.
fn byte_column(source: &str, line: Option<u32>, character: Option<u32>) -> Option<u32> {
    let (line, character) = (line? as usize - 1, character? as usize - 1);
    let before = source.lines().nth(line)?.chars().take(character);
    u32::try_from(before.map(char::len_utf8).sum::<usize>()).ok()
}
