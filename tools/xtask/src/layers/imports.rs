//! The paths of a Rust file that start at the crate's root, without those of tests.
//!
//! This reads tokens, not the language: all that is looked for is `crate::`, `super::`, `self::` and
//! `#[cfg(test)]`, which mean the same wherever they stand outside comments and literals.

/// What a file holds.
pub struct Scan {
    /// The paths below the crate's root: `use` trees taken apart, and those in code. They end with
    /// the first type.
    pub paths: Vec<Vec<String>>,
    /// The modules that the file declares for tests only.
    pub test_modules: Vec<String>,
}

/// The module of a file below `src`.
pub fn module_of(file: &str) -> Vec<String> {
    let stem = file.trim_end_matches(".rs");
    let parts = stem.split('/').filter(|part| !part.is_empty());
    let mut module: Vec<String> = parts.map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

/// Finds the paths of a file.
pub fn scan(text: &str, module: &[String]) -> Scan {
    let tokens = tokens(text);
    let mut found = Scan {
        paths: Vec::new(),
        test_modules: Vec::new(),
    };
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if starts_with(rest, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            let (end, declared) = skip_item(&tokens, at + 7);
            found.test_modules.extend(declared);
            at = end;
        } else if starts_with(rest, &["crate", "::"]) {
            at = tree(&tokens, at + 2, &[], &mut found.paths);
        } else if starts_with(rest, &["self", "::"]) {
            at = tree(&tokens, at + 2, module, &mut found.paths);
        } else if starts_with(rest, &["super", "::"]) {
            let mut up = 0;
            while starts_with(&tokens[at..], &["super", "::"]) {
                up += 1;
                at += 2;
            }
            // Inside an inline module it leads less far up than this takes it to; such modules
            // other than tests don't exist here.
            let base = module.get(..module.len().saturating_sub(up)).unwrap_or(&[]);
            at = tree(&tokens, at, base, &mut found.paths);
        } else {
            at += 1;
        }
    }
    found
}

fn starts_with(tokens: &[&str], wanted: &[&str]) -> bool {
    tokens.len() >= wanted.len() && tokens[..wanted.len()] == *wanted
}

/// Reads a path or `use` tree; returns where it ends.
fn tree(tokens: &[&str], mut at: usize, base: &[String], paths: &mut Vec<Vec<String>>) -> usize {
    let mut path = base.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while let Some(&token) = tokens.get(at) {
                    match token {
                        "}" => return at + 1,
                        "," => at += 1,
                        _ => at = tree(tokens, at, &path, paths),
                    }
                }
                return at;
            }
            Some(&"self") => at += 1,
            Some(&name) if name == "*" || is_name(name) => {
                path.push(name.to_owned());
                at += 1;
            }
            // Generics, behind `::`.
            _ => break,
        }
        let ended = path.last().is_some_and(|last| is_type(last));
        match tokens.get(at) {
            Some(&"::") if !ended => at += 1,
            _ => break,
        }
    }
    if starts_with(&tokens[at.min(tokens.len())..], &["as"]) {
        at += 2;
    }
    paths.push(path);
    at
}

/// Skips the item behind an attribute; returns where it ends, and the module that it declares.
fn skip_item(tokens: &[&str], mut at: usize) -> (usize, Option<String>) {
    let mut depth = 0_usize;
    let mut declared = None;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token {
            "mod" if depth == 0 => declared = tokens.get(at).map(|&name| name.to_owned()),
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                // A `use` tree ends with its semicolon.
                if depth == 0 && token == "}" && tokens.get(at) != Some(&";") {
                    return (at, None);
                }
            }
            ";" if depth == 0 => return (at, declared),
            _ => {}
        }
    }
    (at, None)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && token != "as"
}

fn is_type(name: &str) -> bool {
    let camel = name.chars().any(char::is_lowercase);
    name.starts_with(char::is_uppercase) && camel
}

/// Names, `::` and single characters, without comments and literals.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = string_length(rest) {
            length
        } else if first == '\'' {
            character_length(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest
                .find(|next: char| !next.is_alphanumeric() && next != '_')
                .unwrap_or(rest.len());
            tokens.push(&rest[..length]);
            length
        } else if rest.starts_with("::") {
            tokens.push("::");
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        at += length;
    }
    tokens
}

/// The length of the string literal that a text starts with.
fn string_length(text: &str) -> Option<usize> {
    // Only the beginning: this is asked at every position.
    let prefix = text
        .bytes()
        .take(3)
        .position(|byte| b"\"#".contains(&byte))?;
    let (letters, rest) = text.split_at(prefix);
    if !["", "b", "c", "r", "br", "cr"].contains(&letters) {
        return None;
    }
    if letters.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let content = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = content
            .find(&end)
            .map_or(content.len(), |at| at + end.len());
        return Some(prefix + hashes + 1 + length);
    }
    let content = rest.strip_prefix('"')?;
    let mut escaped = false;
    for (index, character) in content.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(prefix + 1 + index + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// The length of the character literal that a text starts with, or of the quote of a lifetime.
fn character_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((at, _))) => text[at + 1..]
            .find('\'')
            .map_or(text.len(), |end| at + 1 + end + 1),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let module = module_of("typed/expand/mod.rs");
        let scan = scan(text, &module);
        scan.paths.iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn modules_of_files() {
        assert_eq!(module_of("typed/mod.rs"), ["typed"]);
        assert_eq!(module_of("typed/expand/a.rs"), ["typed", "expand", "a"]);
        assert!(module_of("lib.rs").is_empty());
    }

    #[test]
    fn use_trees_are_taken_apart() {
        assert_eq!(
            paths("pub(crate) use crate::{a::{self, B, c as d}, e::*, f};"),
            ["a", "a::B", "a::c", "e::*", "f"]
        );
        assert_eq!(
            paths("use super::super::parfor::x; use super::y; use super::{z, w::V};"),
            ["parfor::x", "typed::y", "typed::z", "typed::w::V"]
        );
        assert_eq!(
            paths("pub(crate) use self::{a::B, c}; use crate::d::{self};"),
            ["typed::expand::a::B", "typed::expand::c", "d"]
        );
    }

    #[test]
    fn paths_in_code_end_with_the_type() {
        assert_eq!(
            paths("fn f(x: &crate::a::B<'_>) -> u8 { crate::c::d::<u8>(crate::Error::new()) }"),
            ["a::B", "c::d", "Error"]
        );
    }

    #[test]
    fn comments_and_literals_hold_no_paths() {
        let text = r##"
            //! [`crate::a`]
            /* crate::b */
            const X: &str = "crate::c \" crate::d";
            const Y: &str = r#"crate::e " "#;
            const Z: (char, char) = ('"', '\'');
            fn f<'a>(x: &'a str) { crate::g() }
        "##;
        assert_eq!(paths(text), ["g"]);
    }

    #[test]
    fn tests_are_left_out() {
        let text = "
            #[cfg(test)] use crate::{a, b};
            #[cfg(test)] fn f() -> [u8; 2] { crate::c() }
            #[cfg(test)] mod tests { use crate::d; }
            #[cfg(test)] mod support;
            #[cfg(not(test))] use crate::e;
        ";
        assert_eq!(paths(text), ["e"]);
        assert_eq!(scan(text, &[]).test_modules, ["support"]);
    }
}
