//! A Python process that compiles one source file after the other.

use anyhow::{Context as _, Result};
use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// For each file named on a line of standard input: writes a line with the size of its .pyc, and
/// that. Where the file doesn't compile the size is 0, and the reason follows on the line.
const COMPILE: &str = "\
import importlib._bootstrap_external as external, sys, warnings
warnings.simplefilter('ignore')
for line in sys.stdin:
    path = line[:-1]
    try:
        with open(path, 'rb') as file:
            source = file.read()
        code = compile(source, path, 'exec', dont_inherit=True)
        data = external._code_to_timestamp_pyc(code, 0, len(source) & 0xFFFFFFFF)
        reason = ''
    except Exception as error:
        data, reason = b'', f' {type(error).__name__}: {error}'.replace(chr(10), ' ')
    sys.stdout.buffer.write(f'{len(data)}{reason}'.encode(errors='replace') + b'\\n')
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
";

/// A Python process that compiles source files.
pub struct Compiler {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Compiler {
    /// Starts the process.
    pub fn start(python: &Path) -> Result<Self> {
        let mut process = Command::new(python)
            .args(["-I", "-c", COMPILE])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| {
                format!(
                    "can't run {}, which compiles .py files; --python names another one",
                    python.display()
                )
            })?;
        let requests = process.stdin.take().context("a pipe was asked for")?;
        let answers = process.stdout.take().context("a pipe was asked for")?;
        Ok(Self {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    /// The `.pyc` of a source file, or why there is none.
    pub fn compile(&mut self, path: &Path) -> Result<Result<Vec<u8>, String>> {
        writeln!(self.requests, "{}", path.display())?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let (size, reason) = head
            .trim_end()
            .split_once(' ')
            .unwrap_or((head.trim_end(), ""));
        let size: usize = size
            .parse()
            .with_context(|| format!("the Python that compiles stopped at {}", path.display()))?;
        if size == 0 {
            return Ok(Err(reason.into()));
        }
        let mut bytes = vec![0; size];
        self.answers.read_exact(&mut bytes)?;
        Ok(Ok(bytes))
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether a file is Python source.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py")
}
