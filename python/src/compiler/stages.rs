//! Pipelines in their textual form: cutting one after a stage.

/// The pipeline up to and including the last run of `stage`; `None` if it has no such pass.
pub fn up_to(pipeline: &str, stage: &str) -> Option<String> {
    let (_, end) = passes(pipeline)
        .into_iter()
        .rev()
        .find(|(name, _)| *name == stage)?;
    let kept = &pipeline[..end];
    Some(format!("{kept}{}", ")".repeat(open_parentheses(kept))))
}

/// The pipeline behind the last run of `stage`, at the top level; `None` if it has no such pass or nothing
/// follows it.
pub fn after(pipeline: &str, stage: &str) -> Option<String> {
    let (_, end) = passes(pipeline)
        .into_iter()
        .rev()
        .find(|(name, _)| *name == stage)?;
    let rest = pipeline[end..].strip_prefix(',')?;
    let (anchor, _) = pipeline.split_once('(')?;
    Some(format!("{anchor}({rest}"))
}

/// Names of the passes in order, each once.
pub fn names(pipeline: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (name, _) in passes(pipeline) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Each pass with the position behind it and its options. Anchors such as `func.func(…)` aren't passes.
fn passes(pipeline: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    for (at, char) in pipeline.char_indices() {
        match char {
            '{' => {
                if depth == 0 {
                    push(&mut found, pipeline, start, at);
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    if let Some(last) = found.last_mut() {
                        last.1 = at + 1;
                    }
                    start = at + 1;
                }
            }
            '(' if depth == 0 => start = at + 1,
            ',' | ')' if depth == 0 => {
                push(&mut found, pipeline, start, at);
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn push<'p>(found: &mut Vec<(&'p str, usize)>, pipeline: &'p str, start: usize, end: usize) {
    let name = pipeline[start..end].trim();
    if !name.is_empty() {
        found.push((name, end));
    }
}

fn open_parentheses(text: &str) -> usize {
    let count = |wanted: char| text.chars().filter(|char| *char == wanted).count();
    count('(').saturating_sub(count(')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIPELINE: &str =
        "builtin.module(a,func.func(cse,b{x=1 y={2,3}},canonicalize),infer,c,cse)";

    #[test]
    fn names_are_listed_once() {
        assert_eq!(
            names(PIPELINE),
            ["a", "cse", "b", "canonicalize", "infer", "c"]
        );
    }

    #[test]
    fn a_pipeline_is_cut_after_a_pass_and_its_options() {
        let cut = |stage| up_to(PIPELINE, stage);
        assert_eq!(cut("a").unwrap(), "builtin.module(a)");
        assert_eq!(
            cut("b").unwrap(),
            "builtin.module(a,func.func(cse,b{x=1 y={2,3}}))"
        );
        assert_eq!(cut("cse").unwrap(), PIPELINE);
        assert_eq!(cut("func.func"), None);
        assert_eq!(cut("x"), None);
    }

    #[test]
    fn the_rest_keeps_the_anchor() {
        assert_eq!(after(PIPELINE, "infer").unwrap(), "builtin.module(c,cse)");
        assert_eq!(after(PIPELINE, "cse"), None);
    }
}
