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

/// What tests on devices need besides: the loader of OpenCL's drivers, a device that is the CPU, what makes
/// programs of SPIR-V for it, a checker of kernels, and the tools for SPIR-V.
pub const DEVICE_PACKAGES: &[&str] = &[
    "ocl-icd-libopencl1",
    "pocl-opencl-icd",
    "oclgrind",
    "llvm-spirv-15",
    "spirv-tools",
];

/// Whether this is Debian, Ubuntu or a derivative of them.
pub fn is_this_system() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    is_debian_like(&release) && Path::new("/usr/bin/apt-get").exists()
}

/// Installs what is missing of `required`, and of `optional` if the archives have all of it.
pub fn install_missing(workspace: &Workspace, required: &[&str], optional: &[&str]) -> Result<()> {
    let wanted = [required, optional].concat();
    let mut wanted = missing(&wanted);
    if wanted.is_empty() {
        return Ok(());
    }
    let elevate = Elevation::find().with_context(|| no_rights_message(&wanted))?;

    let step = Step::start("updating the package lists");
    let log = workspace.log("apt-update");
    process::captured(&mut elevate.apt_get(&["update"]), &step, &log)?;
    step.done();

    let unavailable = unavailable(&wanted);
    let mut impossible = unavailable.clone();
    impossible.retain(|package| required.contains(package));
    if !impossible.is_empty() {
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let update = fs::read_to_string(log).unwrap_or_default();
        let unreachable = unreachable_archives(&update);
        bail!(unavailable_message(&release, &impossible, &unreachable));
    }
    if !unavailable.is_empty() {
        wanted.retain(|package| required.contains(package));
    }
    if wanted.is_empty() {
        return Ok(());
    }

    let step = Step::start(format!("installing {}", wanted.join(" ")));
    let arguments = [
        &["install", "--yes", "--no-install-recommends"],
        wanted.as_slice(),
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

/// Installs packages that nothing is built with, as far as that is possible; says what is missing then.
pub fn offer(workspace: &Workspace, packages: &[&str], purpose: &str) -> Result<()> {
    if !missing(packages).is_empty() && Elevation::find().is_some() {
        install_missing(workspace, &[], packages)?;
    }
    let missing = missing(packages);
    if !missing.is_empty() {
        println!(
            "{purpose} are skipped: {} aren't installed",
            missing.join(" ")
        );
    }
    Ok(())
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

/// The error for somebody who may not install packages.
fn no_rights_message(wanted: &[&str]) -> String {
    format!(
        "packages are missing, and this user is neither root nor may use sudo; run as root: \
         apt-get update && apt-get install --no-install-recommends {}",
        wanted.join(" ")
    )
}

/// The addresses that `apt-get update` couldn't fetch from, from its output. It only warns about
/// them, and goes on with old lists or none.
fn unreachable_archives(log: &str) -> Vec<&str> {
    let failures = log.lines().filter_map(|line| {
        let rest = line.strip_prefix("Err:")?;
        rest.split_whitespace().nth(1)
    });
    let archives: BTreeSet<_> = failures.collect();
    archives.into_iter().collect()
}

/// The error for packages that can't be had here.
fn unavailable_message(release: &str, unavailable: &[&str], unreachable: &[&str]) -> String {
    let list = unavailable.join(" ");
    if !unreachable.is_empty() {
        return format!(
            "cannot reach {}, so these packages cannot be installed: {list}; check the network, \
             or the addresses in /etc/apt",
            unreachable.join(", ")
        );
    }
    let system = release_field(release, "PRETTY_NAME").unwrap_or("this system");
    let message = format!("the package archives configured on {system} lack {list}");
    if !unavailable.iter().any(|package| package.contains("-22")) {
        return message;
    }
    let source = match release_field(release, "VERSION_CODENAME") {
        Some("bookworm") => {
            "LLVM 22 is in Debian 12's security updates: add 'deb \
             http://deb.debian.org/debian-security bookworm-security main' to \
             /etc/apt/sources.list"
        }
        _ => "https://apt.llvm.org has LLVM 22 for many systems, with the lines to add",
    };
    format!("{message}; {source}")
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

    const BOOKWORM: &str =
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n";

    #[test]
    fn names_what_the_archives_lack() {
        assert_eq!(
            unavailable_message(BOOKWORM, &["libz3-dev", "g++"], &[]),
            "the package archives configured on Debian GNU/Linux 12 (bookworm) lack libz3-dev g++"
        );
        assert_eq!(
            unavailable_message("", &["libz3-dev"], &[]),
            "the package archives configured on this system lack libz3-dev"
        );
    }

    #[test]
    fn says_where_llvm_is() {
        let packages = ["libmlir-22-dev", "lld-22"];
        let message = unavailable_message(BOOKWORM, &packages, &[]);
        assert!(message.contains("lack libmlir-22-dev lld-22; LLVM 22 is in Debian 12's security"));
        assert!(
            message.contains("deb http://deb.debian.org/debian-security bookworm-security main")
        );
        let ubuntu = "PRETTY_NAME=\"Ubuntu 24.04\"\nVERSION_CODENAME=noble\n";
        let message = unavailable_message(ubuntu, &packages, &[]);
        assert!(message.contains("Ubuntu 24.04 lack") && message.contains("https://apt.llvm.org"));
    }

    #[test]
    fn says_that_there_is_no_network() {
        let log = "Ign:1 http://deb.debian.org/debian bookworm InRelease\n\
                   Err:1 http://deb.debian.org/debian bookworm InRelease\n  \
                     Temporary failure resolving 'deb.debian.org'\n\
                   Err:2 http://deb.debian.org/debian bookworm-updates InRelease\n\
                   Get:3 http://example.org stable InRelease\nReading package lists...\n";
        let archives = unreachable_archives(log);
        assert_eq!(archives, ["http://deb.debian.org/debian"]);
        assert_eq!(
            unavailable_message(BOOKWORM, &["g++"], &archives),
            "cannot reach http://deb.debian.org/debian, so these packages cannot be installed: g++; \
             check the network, or the addresses in /etc/apt"
        );
    }

    #[test]
    fn says_what_root_has_to_install() {
        assert!(
            no_rights_message(&["g++", "lld-22"])
                .ends_with("apt-get update && apt-get install --no-install-recommends g++ lld-22")
        );
    }
}
