//! Facts about the Python of an environment.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

/// What that interpreter says of itself.
pub struct Environment {
    /// The folder of its installed packages.
    pub site_packages: PathBuf,
    /// The end of an extension module's file name.
    pub extension_suffix: String,
    /// The folder of libpython.
    pub library_folder: PathBuf,
}

impl Environment {
    /// Asks the interpreter.
    pub fn query(workspace: &Workspace) -> Result<Self> {
        let code = "import sysconfig as s; \
                    print(s.get_path('purelib'), *s.get_config_vars('EXT_SUFFIX', 'LIBDIR'), sep='\\n')";
        let text =
            process::output(Command::new(workspace.venv_program("python")).args(["-c", code]))
                .with_context(|| {
                    let venv = workspace.venv();
                    let venv = venv.strip_prefix(&workspace.root).unwrap_or(&venv);
                    let venv = venv.display();
                    format!("the Python of {venv} does not run; remove {venv} and try again")
                })?;
        let mut lines = text.lines();
        let mut next = || lines.next().context("sysconfig gave too few values");
        Ok(Self {
            site_packages: next()?.into(),
            extension_suffix: next()?.to_owned(),
            library_folder: next()?.into(),
        })
    }
}
