//! Circles of imports: files that can only be read together.

use std::collections::{BTreeMap, BTreeSet};

use super::File;

/// The files below a folder that import one another in a circle, each circle sorted. An import is
/// one of the file that holds the module: the folder's `mod.rs` for what it shows of its files.
pub fn circles(files: &[File], folder: &str) -> Vec<Vec<String>> {
    let within = |module: &[String]| module.first().is_some_and(|top| top == folder);
    let known: BTreeMap<&[String], &str> = files
        .iter()
        .map(|(name, module, _)| (module.as_slice(), name.as_str()))
        .filter(|(module, _)| within(module))
        .collect();
    let holder = |path: &[String]| {
        let prefixes = (1..=path.len()).rev().map(|length| &path[..length]);
        prefixes.filter_map(|prefix| known.get(prefix)).next()
    };
    let imports: BTreeMap<&str, BTreeSet<&str>> = files
        .iter()
        .filter(|(_, module, _)| within(module))
        .map(|(name, _, paths)| {
            let imported = paths.iter().filter_map(|path| holder(path).copied());
            (name.as_str(), imported.collect())
        })
        .collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|file| (*file, reached(&imports, file)))
        .collect();
    let mut found = BTreeSet::new();
    for (file, others) in &reached {
        let back = others.iter().filter(|other| reached[*other].contains(file));
        let circle: BTreeSet<&str> = back.copied().chain([*file]).collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let owned = |circle: BTreeSet<&str>| circle.into_iter().map(str::to_owned).collect();
    found.into_iter().map(owned).collect()
}

/// The files that a file imports, directly or through others.
fn reached<'n>(imports: &BTreeMap<&'n str, BTreeSet<&'n str>>, from: &str) -> BTreeSet<&'n str> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&str> = imports[from].iter().copied().collect();
    while let Some(file) = waiting.pop() {
        if seen.insert(file) {
            waiting.extend(&imports[file]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::imports;

    /// The circles below `inference` of a crate given as files and texts.
    fn check(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files = files.iter().map(|(name, text)| {
            let module = imports::module_of(name);
            let paths = imports::scan(text, &module).paths;
            ((*name).to_owned(), module, paths)
        });
        circles(&files.collect::<Vec<_>>(), "inference")
    }

    #[test]
    fn an_order_has_no_circle() {
        let files = [
            ("inference/mod.rs", "pub use self::a::A;"),
            ("inference/a.rs", "use super::{b::B, c};"),
            ("inference/b.rs", "use crate::{inference::c::d, typed::e};"),
            ("inference/c.rs", "use super::c::d;"),
            ("typed/e.rs", "use crate::inference::a;"),
        ];
        assert!(check(&files).is_empty());
    }

    #[test]
    fn circles_are_found_each_for_itself() {
        let files = [
            ("inference/a.rs", "use super::b::B;"),
            ("inference/b.rs", "fn f() { crate::inference::c::g(); }"),
            ("inference/c.rs", "use super::a;"),
            ("inference/d.rs", "use super::{a, e::E};"),
            ("inference/e.rs", "use super::d;"),
        ];
        assert_eq!(
            check(&files),
            [
                vec!["inference/a.rs", "inference/b.rs", "inference/c.rs"],
                vec!["inference/d.rs", "inference/e.rs"],
            ]
        );
    }

    #[test]
    fn a_file_and_the_folder_that_shows_it_are_a_circle() {
        let files = [
            ("inference/arrays/mod.rs", "pub(crate) use self::view::get;"),
            ("inference/arrays/view.rs", "use super::get;"),
        ];
        assert_eq!(
            check(&files),
            [["inference/arrays/mod.rs", "inference/arrays/view.rs"]]
        );
    }
}
