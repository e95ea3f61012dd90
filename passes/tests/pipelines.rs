//! The text that every named pipeline is expanded to, for its options.
//!
//! The snapshots show the text by default and with each option changed alone. That the options also
//! act together as they did is a fingerprint of the texts of all combinations.

use pyopt_passes::{
    infra::{OptionDefault, Options, PipelineSpec},
    pipelines::PIPELINES,
};

/// Sets one option.
type Change = Box<dyn Fn(&mut Options)>;

/// Every value of an option that may lead to other passes, with its text; the default first.
fn changes(spec: &'static PipelineSpec, index: usize) -> Vec<(String, Change)> {
    let option = spec.options[index];
    let named = |value: &str| format!("{}={value}", option.name);
    let keep = (named("default"), Box::new(|_: &mut Options| {}) as Change);
    let mut all = vec![keep];
    match option.default {
        OptionDefault::Bool(default) => all.push((
            named(&(!default).to_string()),
            Box::new(move |options| {
                options.set_bool(option.name, !default);
            }),
        )),
        OptionDefault::Int(_) => all.extend((1..=4).map(|level| {
            let change: Change = Box::new(move |options| {
                options.set_int(option.name, level);
            });
            (named(&level.to_string()), change)
        })),
        OptionDefault::Text(_) => all.push((
            named("other"),
            Box::new(move |options| {
                options.set_text(option.name, "other");
            }),
        )),
        OptionDefault::Texts(_) => all.push((
            named("nnan,nsz"),
            Box::new(move |options| {
                options.set_texts(option.name, &["nnan", "nsz"]);
            }),
        )),
        OptionDefault::Ints(_) => unreachable!("no pipeline takes a list of integers"),
    }
    all
}

/// One pass a line.
fn lines(text: &str) -> String {
    text.replace(',', ",\n  ").replace("(", "(\n  ")
}

/// FNV-1a, continued.
fn fingerprint(mut hash: u64, text: &str) -> u64 {
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// The number of combinations of all options' values, and the fingerprint of their texts.
fn combinations(spec: &'static PipelineSpec) -> (usize, u64) {
    let choices: Vec<_> = (0..spec.options.len())
        .map(|at| changes(spec, at))
        .collect();
    let count = choices.iter().map(Vec::len).product();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for mut number in 0..count {
        let mut options = spec.default_options();
        for choice in &choices {
            choice[number % choice.len()].1(&mut options);
            number /= choice.len();
        }
        hash = fingerprint(hash, &spec.text(&options));
    }
    (count, hash)
}

#[test]
fn texts() {
    for spec in PIPELINES {
        let default = spec.text(&spec.default_options());
        let mut page = format!("{}\n", lines(&default));
        for index in 0..spec.options.len() {
            for (name, change) in changes(spec, index).iter().skip(1) {
                let mut options = spec.default_options();
                change(&mut options);
                let text = spec.text(&options);
                page += &format!("\n== {name}\n{}", difference(&default, &text));
            }
        }
        let (count, hash) = combinations(spec);
        page += &format!("\n== fingerprint of {count} combinations: {hash:016x}\n");
        insta::assert_snapshot!(spec.name, page);
    }
}

/// The lines in which two texts differ.
fn difference(old: &str, new: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let mut text = String::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // The nearest place at which the texts agree again.
        let mut places = (0..).flat_map(|sum| (0..=sum).map(move |skip| (skip, sum - skip)));
        let (skipped, added) = places
            .find(|&(skip, add)| match (old.get(i + skip), new.get(j + add)) {
                (Some(one), Some(other)) => one == other,
                (None, None) => i + skip == old.len() && j + add == new.len(),
                _ => false,
            })
            .expect("they agree at their ends");
        for line in &old[i..i + skipped] {
            text += &format!("-{line}\n");
        }
        for line in &new[j..j + added] {
            text += &format!("+{line}\n");
        }
        (i, j) = (i + skipped, j + added);
    }
    text
}
