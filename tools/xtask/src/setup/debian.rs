//! Packages on Debian and Ubuntu.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::progress::Step;
use crate::workspace::Workspace;

/// What the workspace builds and tests with.
pub const PACKAGES: &[&str] = &[
    "libmlir-22-dev",
    "mlir-22-tools",
    "llvm-22-dev",
    "llvm-22-tools",
    "libpolly-22-dev",
    "libclang-22-dev",
    "clang-22",
    "lld-22",
    "libzstd-dev",
    "zlib1g-dev",
    "libz3-dev",
    "libxml2-dev",
    "g++",
];

/// Whether this is Debian, Ubuntu or a derivative of them.
pub fn is_this_system() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    is_debian_like(&release) && Path::new("/usr/bin/apt-get").exists()
}

/// Installs those of `packages` that are missing.
pub fn install_missing(workspace: &Workspace, packages: &[&str]) -> Result<()> {
    let missing = missing(packages);
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    let elevate = Elevation::find()
        .with_context(|| format!("not root and no sudo; run as root: apt-get install {list}"))?;

    let step = Step::start("updating the package lists");
    process::captured(
        &mut elevate.apt_get(&["update"]),
        &step,
        &workspace.log("apt-update"),
    )?;
    step.done();

    let unavailable = unavailable(&missing);
    if !unavailable.is_empty() {
        bail!("{}", unavailable_message(&unavailable));
    }

    let step = Step::start(format!("installing {list}"));
    let arguments = [
        &["install", "--yes", "--no-install-recommends"],
        missing.as_slice(),
    ]
    .concat();
    process::captured(
        &mut elevate.apt_get(&arguments),
        &step,
        &workspace.log("apt-install"),
    )?;
    step.done();
    Ok(())
}

/// Those of `packages` that the configured archives can install.
pub fn available<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let unavailable = unavailable(packages);
    packages
        .iter()
        .copied()
        .filter(|package| !unavailable.contains(package))
        .collect()
}

/// How to run apt-get: as root already, or through sudo.
enum Elevation {
    Root,
    Sudo,
}

impl Elevation {
    /// The way that works here, if any. Sudo asks for its password now, before a spinner runs.
    fn find() -> Option<Self> {
        let user = process::output(Command::new("id").arg("-u"))?;
        if user.trim() == "0" {
            return Some(Self::Root);
        }
        let granted = process::succeeds(Command::new("sudo").arg("--validate")).unwrap_or(false);
        granted.then_some(Self::Sudo)
    }

    /// An apt-get command that asks nothing and waits for another package manager to finish.
    fn apt_get(&self, arguments: &[&str]) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.arg("env");
                sudo
            }
        };
        command
            .args([
                "DEBIAN_FRONTEND=noninteractive",
                "apt-get",
                "-o",
                "DPkg::Lock::Timeout=300",
            ])
            .args(arguments);
        command
    }
}

/// Those of `packages` that are not installed.
fn missing<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    // dpkg-query exits with 1 when it doesn't know a package, so its status says nothing here.
    let query = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\n"])
        .args(packages)
        .output();
    let text = query.map_or_else(
        |_| String::new(),
        |out| String::from_utf8_lossy(&out.stdout).into(),
    );
    let installed: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_suffix(" installed"))
        .collect();
    packages
        .iter()
        .copied()
        .filter(|package| !installed.contains(package))
        .collect()
}

/// Those of `packages` that no configured archive has.
fn unavailable<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let policy = process::output(
        Command::new("apt-cache")
            .env("LC_ALL", "C")
            .arg("policy")
            .args(packages),
    )
    .unwrap_or_default();
    let candidates = candidates(&policy);
    packages
        .iter()
        .copied()
        .filter(|package| !candidates.contains(package))
        .collect()
}

/// The packages that have a version to install in the output of `apt-cache policy`.
fn candidates(policy: &str) -> BTreeSet<&str> {
    let mut package = "";
    let mut found = BTreeSet::new();
    for line in policy.lines() {
        if let Some(name) = line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            package = name;
        } else if let Some(version) = line.trim().strip_prefix("Candidate: ")
            && version != "(none)"
        {
            found.insert(package);
        }
    }
    found
}

/// The error for packages that can't be had here.
fn unavailable_message(unavailable: &[&str]) -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let system = release_field(&release, "PRETTY_NAME").unwrap_or("this system");
    let list = unavailable.join(" ");
    if unavailable.iter().any(|package| package.contains("-22")) {
        format!(
            "the package archives configured on {system} have no LLVM 22 (missing: {list}); \
             Debian 12 with its security updates has it, as has https://apt.llvm.org"
        )
    } else {
        format!("the package archives configured on {system} lack {list}")
    }
}

/// Whether an `os-release` file describes Debian, Ubuntu or a derivative.
fn is_debian_like(release: &str) -> bool {
    ["ID", "ID_LIKE"]
        .iter()
        .filter_map(|field| release_field(release, field))
        .flat_map(str::split_whitespace)
        .any(|id| id == "debian" || id == "ubuntu")
}

/// The value of one field of an `os-release` file.
fn release_field<'a>(release: &'a str, field: &str) -> Option<&'a str> {
    release
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix('='))
        .map(|value| value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_debian_and_its_derivatives() {
        assert!(is_debian_like(
            "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"
        ));
        assert!(is_debian_like("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian_like("ID=fedora\nVERSION_ID=43\n"));
        assert!(!is_debian_like(""));
    }

    #[test]
    fn reads_candidates_from_apt_cache_policy() {
        let policy = "g++:\n  Installed: (none)\n  Candidate: 4:12.2.0-3\n  Version table:\n\
                      libmlir-22-dev:\n  Installed: (none)\n  Candidate: (none)\n";
        assert_eq!(candidates(policy).into_iter().collect::<Vec<_>>(), ["g++"]);
    }

    #[test]
    fn says_that_llvm_is_missing() {
        assert!(unavailable_message(&["libmlir-22-dev", "lld-22"]).contains("have no LLVM 22"));
        assert!(unavailable_message(&["libz3-dev"]).ends_with("lack libz3-dev"));
    }
}
