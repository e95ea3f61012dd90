//! The order of the layers of `passes/src`: what a module may import.

mod circles;
mod imports;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::workspace::Workspace;

/// The layers, lowest first, each with its modules: those of one layer may import one another, and
/// all below. The crate `pyopt-dialects` is below them all.
const LAYERS: &[&[&str]] = &[
    &["infra"],
    &["types"],
    &["analysis"],
    &["devices", "fields"],
    &["py"],
    &["rewrite"],
    &["inference"],
    &["typed"],
    &["parfor", "stencil"],
    &["loops"],
    &["object"],
    &["lowering"],
    &["compile", "pipelines"],
    &["registration"],
    &["extension"],
    &["prelude", "tool", ROOT],
];

/// Circles of files that there are still: the rest of their folders is ordered. The list only gets shorter.
const KNOWN_CIRCLES: &[&[&str]] = &[
    // One API over melior's references, in several files.
    &[
        "infra/builder.rs",
        "infra/builder/arith.rs",
        "infra/conversion/driver.rs",
        "infra/conversion/mod.rs",
        "infra/conversion/rewriter.rs",
        "infra/mod.rs",
    ],
    &["infra/context.rs", "infra/spec.rs"],
    &[
        "infra/ir/attributes.rs",
        "infra/ir/block.rs",
        "infra/ir/dead.rs",
        "infra/ir/interfaces.rs",
        "infra/ir/mod.rs",
        "infra/ir/operation.rs",
        "infra/ir/value.rs",
    ],
    &["infra/pipeline.rs", "infra/pipeline/step.rs"],
    // Emitters and what they emit for.
    &[
        "lowering/abi/object.rs",
        "lowering/abi/raising.rs",
        "lowering/typed_to_memref.rs",
    ],
    &[
        "lowering/control_flow.rs",
        "lowering/emit.rs",
        "lowering/externals.rs",
    ],
    &[
        "lowering/operations/array.rs",
        "lowering/operations/binary.rs",
        "lowering/operations/cast.rs",
        "lowering/operations/complex.rs",
        "lowering/operations/element.rs",
        "lowering/operations/mod.rs",
        "lowering/operations/text.rs",
    ],
    &[
        "object/flow.rs",
        "object/function.rs",
        "object/liveness.rs",
        "object/references.rs",
    ],
    // Which loop a pass leaves to the other.
    &["parfor/from_comprehension.rs", "parfor/from_prange.rs"],
    &[
        "parfor/from_prange/carried.rs",
        "parfor/from_prange/compared.rs",
        "parfor/from_prange/influence.rs",
        "parfor/from_prange/operators.rs",
    ],
];

/// What `lib.rs` defines itself.
const ROOT: &str = "lib";

/// Modules that `lib.rs` shows under another path.
const SHOWN_AS: &[(&str, &str)] = &[("linking", "inference"), ("overloads", "inference")];

/// An import against the order: the file below `passes/src`, and what it imports.
type Arrow = (String, String);

/// Checks the orders.
pub fn run(workspace: &Workspace) -> Result<bool> {
    let files = scan(&workspace.root.join("passes/src"))?;
    let (arrows, mut complaints) = upward_imports(&files);
    complaints.extend(arrows.iter().map(|(file, path)| {
        format!("passes/src/{file} imports crate::{path}, which is in a layer above it")
    }));
    complaints.extend(wrong_circles(&all_circles(&files), KNOWN_CIRCLES));
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    Ok(complaints.is_empty())
}

/// The circles of imports in all modules at the crate's root.
fn all_circles(files: &[File]) -> Vec<Vec<String>> {
    let folders: BTreeSet<_> = files
        .iter()
        .filter_map(|(_, module, _)| module.first())
        .collect();
    folders
        .into_iter()
        .flat_map(|folder| circles::circles(files, folder))
        .collect()
}

/// What is wrong with circles, where some are known: those that are new or have changed, and those that
/// are known and have ended.
fn wrong_circles(found: &[Vec<String>], known: &[&[&str]]) -> Vec<String> {
    let new = found
        .iter()
        .filter(|circle| !known.iter().any(|known| *known == circle.as_slice()));
    let gone = known
        .iter()
        .filter(|known| !found.iter().any(|circle| **known == circle.as_slice()));
    let new = new.map(|circle| {
        format!(
            "files of passes/src import one another in a circle: {}",
            circle.join(", ")
        )
    });
    let gone = gone.map(|known| {
        format!(
            "a circle in KNOWN_CIRCLES of tools/xtask/src/layers is no more: {}",
            known.join(", ")
        )
    });
    new.chain(gone).collect()
}

/// The modules at the root of `passes/src` that import one of these, directly or through others, and
/// these themselves.
pub fn dependents(workspace: &Workspace, of: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let imports = scan(&workspace.root.join("passes/src"))?;
    let mut found = of.clone();
    loop {
        let before = found.len();
        for (_, module, paths) in &imports {
            let needs =
                |path: &Vec<String>| path.first().is_some_and(|top| found.contains(shown(top)));
            if let Some(top) = module.first()
                && paths.iter().any(needs)
            {
                found.insert(top.clone());
            }
        }
        if found.len() == before {
            return Ok(found);
        }
    }
}

/// The files of `passes/src`, below the workspace root.
pub fn files(workspace: &Workspace) -> Result<Vec<String>> {
    let mut files = Vec::new();
    rust_files(&workspace.root.join("passes/src"), &mut files)?;
    let names = files.iter().map(|file| {
        let name = file.strip_prefix(&workspace.root)?;
        Ok(name.to_string_lossy().into_owned())
    });
    names.collect()
}

/// Finds the imports against the order, and the modules that have no layer.
fn upward_imports(files: &[File]) -> (BTreeSet<Arrow>, Vec<String>) {
    let mut arrows = BTreeSet::new();
    let mut mistakes = BTreeSet::new();
    for (name, module, paths) in files {
        // What is in lib.rs may use everything.
        let Some(top) = module.first() else { continue };
        let Some(own) = layer_of(top) else {
            mistakes.insert(format!(
                "passes/src/{top} has no layer; give it one in tools/xtask/src/layers"
            ));
            continue;
        };
        for path in paths {
            let target = path.first().map_or(ROOT, String::as_str);
            // What isn't a module is defined in lib.rs.
            let layer = layer_of(target).unwrap_or(LAYERS.len() - 1);
            if layer > own {
                arrows.insert((name.clone(), path.join("::")));
            }
        }
    }
    (arrows, mistakes.into_iter().collect())
}

/// A file below `passes/src`, its module, and the paths it imports.
type File = (String, Vec<String>, Vec<Vec<String>>);

/// Reads the imports of all files, without those for tests only.
fn scan(sources: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    rust_files(sources, &mut files)?;
    files.sort();
    let mut scanned = Vec::new();
    let mut only_tests = BTreeSet::new();
    for file in &files {
        let name = file.strip_prefix(sources)?.to_string_lossy().into_owned();
        let module = imports::module_of(&name);
        let scan = imports::scan(&fs::read_to_string(file)?, &module);
        for test in scan.test_modules {
            only_tests.insert([module.clone(), vec![test]].concat());
        }
        scanned.push((name, module, scan.paths));
    }
    scanned.retain(|(_, module, _)| {
        !(1..=module.len()).any(|length| only_tests.contains(&module[..length]))
    });
    Ok(scanned)
}

/// The module that a name at the crate's root leads into.
fn shown(name: &str) -> &str {
    let shown = SHOWN_AS.iter().find(|(other, _)| *other == name);
    shown.map_or(name, |(_, module)| module)
}

/// The number of the layer of a module at the crate's root.
fn layer_of(module: &str) -> Option<usize> {
    let module = shown(module);
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arrows and mistakes of a crate given as files and texts.
    fn check(name: &str, files: &[(&str, &str)]) -> (Vec<Arrow>, Vec<String>) {
        let folder = std::env::temp_dir().join(format!("layers-{name}-{}", std::process::id()));
        for (file, text) in files {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let (arrows, mistakes) = upward_imports(&scan(&folder).unwrap());
        fs::remove_dir_all(&folder).unwrap();
        (arrows.into_iter().collect(), mistakes)
    }

    fn arrow(file: &str, path: &str) -> Arrow {
        (file.into(), path.into())
    }

    #[test]
    fn down_and_sideways_are_allowed() {
        let files = [
            ("lib.rs", "mod typed; use typed::x; use crate::tool::y;"),
            (
                "lowering/a.rs",
                "use crate::{infra::A, typed::b::{self, C}};",
            ),
            ("parfor/a.rs", "use crate::stencil::kernel; use super::b;"),
            ("stencil/a.rs", "use crate::parfor::nest;"),
        ];
        assert_eq!(check("down", &files), (vec![], vec![]));
    }

    #[test]
    fn circles_are_new_known_or_ended() {
        let circle = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let found: Vec<Vec<String>> =
            vec![circle(&["a/b.rs", "a/c.rs"]), circle(&["a/d.rs", "a/e.rs"])];
        let known: &[&[&str]] = &[&["a/b.rs", "a/c.rs"], &["a/d.rs", "a/f.rs"]];
        let wrong = wrong_circles(&found, known);
        assert_eq!(wrong.len(), 2);
        assert!(wrong[0].ends_with("a/d.rs, a/e.rs"), "{wrong:?}");
        assert!(wrong[1].ends_with("a/d.rs, a/f.rs"), "{wrong:?}");
    }

    #[test]
    fn up_is_found() {
        let files = [
            ("infra/ir/a.rs", "fn f() { crate::typed::b::<u8>(); }"),
            (
                "typed/a.rs",
                "use crate::{infra::A, lowering::{b::C, d as e}};",
            ),
            ("typed/b.rs", "use super::super::parfor::nest::*;"),
            (
                "py/a.rs",
                "use crate::linking::Call; use crate::create_context;",
            ),
        ];
        let (arrows, mistakes) = check("up", &files);
        assert_eq!(
            arrows,
            [
                arrow("infra/ir/a.rs", "typed::b"),
                arrow("py/a.rs", "create_context"),
                arrow("py/a.rs", "linking::Call"),
                arrow("typed/a.rs", "lowering::b::C"),
                arrow("typed/a.rs", "lowering::d"),
                arrow("typed/b.rs", "parfor::nest::*"),
            ]
        );
        assert!(mistakes.is_empty());
    }

    #[test]
    fn tests_may_import_everything() {
        let files = [
            (
                "infra/mod.rs",
                "#[cfg(test)] mod support; #[cfg(test)] use crate::typed::a; mod b;",
            ),
            ("infra/support.rs", "use crate::lowering::c;"),
            ("infra/support/more.rs", "use crate::lowering::d;"),
            (
                "infra/b.rs",
                "#[cfg(test)] mod tests { fn f() { crate::typed::b(); } } use crate::py::edges;",
            ),
        ];
        assert_eq!(
            check("tests", &files),
            (vec![arrow("infra/b.rs", "py::edges")], vec![])
        );
    }

    #[test]
    fn every_module_has_a_layer() {
        let (_, mistakes) = check("unknown", &[("shelf/a.rs", "use crate::infra::A;")]);
        assert_eq!(
            mistakes,
            ["passes/src/shelf has no layer; give it one in tools/xtask/src/layers"]
        );
    }
}
