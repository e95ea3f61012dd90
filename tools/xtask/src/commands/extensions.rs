//! Extensions outside the workspace: those of `extensions/`, which are tests and templates, and new ones.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process;
use crate::workspace::Workspace;

/// The template with C++, and that without.
const ODS: &str = "poly";
const IRDL: &str = "scale";

/// What is made by building and testing.
const BUILT: &[&str] = &["target", "__pycache__", ".pytest_cache", "Cargo.lock"];

/// Where a template has this workspace, as seen from its scripts and from its other files.
const ROOTS: &[&str] = &["$PWD/../../", "../../"];

/// Makes a directory with an extension that builds a tool and a package: a copy of a template under
/// another name.
pub fn create(workspace: &Workspace, name: &str, folder: &Path, irdl: bool) -> Result<()> {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    ensure!(
        name.starts_with(|letter: char| letter.is_ascii_lowercase()) && name.chars().all(is_name),
        "'{name}' can't be the name of a dialect, a crate and a package: lower-case letters and digits can"
    );
    let target = folder.join(name);
    ensure!(!target.exists(), "{} exists already", target.display());
    let template = if irdl { IRDL } else { ODS };
    let source = extensions(workspace).join(template);
    copy(workspace, &source, &target, template, name)?;
    copy_versions(workspace, &target)?;
    eprintln!(
        "made {}: .ci/run there builds and tests it, README.md says what is what",
        target.display()
    );
    Ok(())
}

/// Builds and tests all extensions, each by its own script.
pub fn test(workspace: &Workspace) -> Result<bool> {
    let mut passed = true;
    for folder in all(workspace)? {
        eprintln!("{}", folder.display());
        let folder = match folder.join("Cargo.toml").exists() {
            true => copy_beside_links(workspace, &folder)?,
            false => folder,
        };
        if folder.join("dialect").exists() {
            build_beside_links(workspace, &folder)?;
        }
        // Not `workspace.cargo()`: an extension has all that it needs in its own configuration.
        let mut script = Command::new(folder.join(".ci/run"));
        script
            .env("CARGO_TARGET_DIR", workspace.target())
            .env("PYO3_PYTHON", workspace.venv_program("python"))
            .env("BUILT", "1");
        passed &= process::succeeds(&mut script)?;
    }
    Ok(passed)
}

/// Copies an extension to where it can use what this workspace has built: a workspace of links to this
/// one's crates. Cargo tells crates apart by their paths below the workspace's root, and would compile those
/// that an extension elsewhere depends on once more, which takes many minutes.
fn copy_beside_links(workspace: &Workspace, source: &Path) -> Result<PathBuf> {
    let root = workspace.target().join("extensions");
    fs::create_dir_all(&root)?;
    for entry in fs::read_dir(&workspace.root)? {
        let name = entry?.file_name();
        let link = root.join(&name);
        let is_crate = workspace.root.join(&name).is_dir() && name != "target";
        if is_crate && name != ".git" && link.symlink_metadata().is_err() {
            symlink(workspace.root.join(&name), link)?;
        }
    }
    let name = source.file_name().context("an extension is a folder")?;
    let name = name.to_string_lossy();
    let manifest = fs::read_to_string(workspace.root.join("Cargo.toml"))?;
    let member = format!("members = [\n  \"own/{name}\",");
    fs::write(
        root.join("Cargo.toml"),
        manifest.replacen("members = [", &member, 1),
    )?;
    copy_versions(workspace, &root)?;
    let target = root.join("own").join(&*name);
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    copy(workspace, source, &target, &name, &name)?;
    let manifest = target.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let here = format!("\"{}/", workspace.root.display());
    let text = text
        .replace(&here, "\"../../")
        .replace("\n[workspace]\n", "");
    fs::write(&manifest, text)?;
    Ok(target)
}

/// Builds the tool and the package of an extension together with all that this workspace builds: what is
/// built for other packages has other features of its dependencies.
fn build_beside_links(workspace: &Workspace, folder: &Path) -> Result<()> {
    let name = folder.file_name().context("an extension is a folder")?;
    let features = format!("{}/python", name.to_string_lossy());
    let all = ["build", "--release", "--workspace", "--exclude", "xtask"];
    for what in [
        &["--lib", "--bins", "--examples"][..],
        &["--lib", "--features", &features],
    ] {
        let mut build = workspace.cargo();
        build.current_dir(folder).args(all).args(what);
        process::check(&mut build)?;
    }
    Ok(())
}

fn extensions(workspace: &Workspace) -> PathBuf {
    workspace.root.join("extensions")
}

/// The folders of all extensions, in the order of their names.
fn all(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(extensions(workspace))?;
    let mut folders: Vec<_> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    folders.retain(|folder| folder.join(".ci/run").exists());
    folders.sort();
    Ok(folders)
}

/// Gives an extension the versions of this workspace's dependencies: two versions of one aren't one type.
fn copy_versions(workspace: &Workspace, folder: &Path) -> Result<()> {
    let versions = workspace.root.join("Cargo.lock");
    fs::copy(versions, folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
    Ok(())
}

fn copy(
    workspace: &Workspace,
    source: &Path,
    target: &Path,
    template: &str,
    name: &str,
) -> Result<()> {
    fs::create_dir_all(target).with_context(|| format!("cannot create {}", target.display()))?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let file = entry.file_name();
        let file = file.to_string_lossy();
        if BUILT.contains(&&*file) || file.ends_with(".so") {
            continue;
        }
        let to = target.join(renamed(&file, template, name));
        if entry.file_type()?.is_dir() {
            copy(workspace, &entry.path(), &to, template, name)?;
            continue;
        }
        let mut text = fs::read_to_string(entry.path())?;
        for root in ROOTS {
            text = text.replace(root, &format!("{}/", workspace.root.display()));
        }
        fs::write(&to, renamed(&text, template, name))?;
        // Scripts stay executable.
        fs::set_permissions(&to, entry.metadata()?.permissions())?;
    }
    Ok(())
}

/// Puts another name in the place of a template's, in all three spellings, where it isn't the beginning of
/// a longer word.
fn renamed(text: &str, template: &str, name: &str) -> String {
    let spellings: [fn(&str) -> String; 3] = [str::to_owned, capitalised, str::to_uppercase];
    let mut text = text.to_owned();
    for spell in spellings {
        let (old, new) = (spell(template), spell(name));
        let mut parts = text.split(old.as_str());
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_word = !part.starts_with(|letter: char| letter.is_ascii_lowercase());
            result += if is_word { &new } else { &old };
            result += part;
        }
        text = result;
    }
    text
}

fn capitalised(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_as_words() {
        let renamed = |text| renamed(text, "poly", "mesh");
        assert_eq!(
            renamed("poly::POLY, Poly_Op, libpoly.so"),
            "mesh::MESH, Mesh_Op, libmesh.so"
        );
        assert_eq!(
            renamed("Polynomial of polynomials"),
            "Polynomial of polynomials"
        );
    }

    #[test]
    fn a_new_extension_names_this_checkout() {
        let workspace = Workspace::locate().unwrap();
        let folder = std::env::temp_dir().join(format!("extensions-{}", std::process::id()));
        for (name, irdl) in [("mesh", false), ("knot", true)] {
            create(&workspace, name, &folder, irdl).unwrap();
            let made = folder.join(name);
            let manifest = fs::read_to_string(made.join("Cargo.toml")).unwrap();
            assert!(manifest.contains(&format!("name = \"{name}\"")));
            let passes = format!("\"{}/passes\"", workspace.root.display());
            assert!(manifest.contains(&passes), "{manifest}");
            assert!(made.join("dialect").is_dir() && made.join(".ci/run").exists());
            assert!(create(&workspace, name, &folder, irdl).is_err());
        }
        assert!(create(&workspace, "Two Words", &folder, false).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
