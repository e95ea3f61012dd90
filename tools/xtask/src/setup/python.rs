//! The Python environments: `target/venv`, and those of other versions of CPython.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::progress::Step;
use crate::workspace::Workspace;

/// The packages that bring the interpreter of `target/venv`, its `venv` module and its library, where the
/// distribution has them.
const DEBIAN_PACKAGES: &[&str] = &["python3.11", "python3.11-venv", "libpython3.11-dev"];

/// What the environment should have, and what its stamp says it has. The stamp holds what was
/// installed, in full: no hash can hide a difference.
struct Environment {
    requirements: PathBuf,
    wanted: String,
    stamp: PathBuf,
    complete: bool,
}

impl Environment {
    fn read(workspace: &Workspace) -> Result<Self> {
        let requirements = workspace.root.join("python/requirements-dev.txt");
        let wanted = fs::read_to_string(&requirements)
            .with_context(|| format!("cannot read {}", requirements.display()))?;
        let stamp = workspace.venv().join("installed-requirements.txt");
        let stamped = fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
        Ok(Self {
            complete: stamped && workspace.venv_program("python").exists(),
            requirements,
            wanted,
            stamp,
        })
    }
}

/// The packages that bring an interpreter to make the environment with; none when it is complete or
/// there is an interpreter.
pub fn debian_packages(workspace: &Workspace) -> Result<&'static [&'static str]> {
    let there = !workspace.has_main_python()
        || Environment::read(workspace)?.complete
        || find_interpreter(&workspace.python).is_some();
    Ok(if there { &[] } else { DEBIAN_PACKAGES })
}

/// Creates the environment and installs the pinned packages, unless the stamp says that exactly
/// this was done.
pub fn ensure_environment(workspace: &Workspace) -> Result<()> {
    let environment = Environment::read(workspace)?;
    if environment.complete {
        return Ok(());
    }
    let version = &workspace.python;
    if !is_suitable(&workspace.venv_program("python"), version) {
        let base = find_interpreter(version).with_context(|| missing_message(version))?;
        let venv = workspace.venv();
        let venv = venv.strip_prefix(&workspace.root).unwrap_or(&venv);
        let step = Step::start(format!(
            "creating {} with {}",
            venv.display(),
            base.display()
        ));
        let mut command = Command::new(base);
        command
            .args(["-m", "venv", "--clear"])
            .arg(workspace.venv());
        process::captured(&mut command, &step, &workspace.log("venv"))?;
        step.done();
    }
    install_requirements(workspace, &environment.requirements)?;
    let stamp = environment.stamp;
    fs::write(&stamp, environment.wanted)
        .with_context(|| format!("cannot write {}", stamp.display()))
}

/// Installs the pinned packages of a requirements file into the environment.
pub fn install_requirements(workspace: &Workspace, requirements: &Path) -> Result<()> {
    let shown = requirements
        .strip_prefix(&workspace.root)
        .unwrap_or(requirements);
    let step = Step::start(format!("installing Python packages of {}", shown.display()));
    let mut pip = Command::new(workspace.venv_program("python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--requirement",
    ])
    .arg(requirements);
    process::captured(&mut pip, &step, &workspace.log("pip"))?;
    step.done();
    Ok(())
}

/// The error when there is no interpreter, after the installation of packages.
fn missing_message(version: &str) -> String {
    format!(
        "CPython {version} with its venv module and libpython is missing: neither python{version} nor python3 on PATH \
         is one, and this system's archives don't have it; install it (for example with \
         `uv python install {version}` or `pyenv install {version}`) and put python{version} on PATH"
    )
}

/// The first suitable interpreter on `PATH`, or of pyenv's. All folders are tried, because a version
/// manager's `python3.11` may only say that this version isn't selected.
pub fn find_interpreter(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    [&name, "python3"]
        .into_iter()
        .flat_map(process::on_path)
        .chain(installed_by_pyenv(&name))
        .find(|candidate| is_suitable(candidate, version))
}

/// The programs of a name in the versions that pyenv has installed, selected or not.
fn installed_by_pyenv(name: &str) -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".pyenv"));
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from).or(home);
    let versions = root.and_then(|root| fs::read_dir(root.join("versions")).ok());
    let programs = versions.into_iter().flatten().flatten();
    let mut programs: Vec<_> = programs
        .map(|version| version.path().join("bin").join(name))
        .filter(|program| program.exists())
        .collect();
    programs.sort();
    programs
}

/// Whether a program is a CPython of the supported version that can make environments (Debian's
/// lacks `ensurepip` until python3.11-venv is installed) and has the library that the extension's
/// unit tests link.
fn is_suitable(interpreter: &Path, version: &str) -> bool {
    let probe = "import ensurepip, os, platform, sys, sysconfig, venv; \
                 library = os.path.join(*sysconfig.get_config_vars('LIBDIR', 'LDLIBRARY')); \
                 assert os.path.exists(library); \
                 lock = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''; \
                 print(platform.python_implementation(), '%d.%d' % sys.version_info[:2] + lock)";
    process::output(Command::new(interpreter).args(["-c", probe]))
        .is_some_and(|found| found.trim_end() == format!("CPython {version}"))
}
