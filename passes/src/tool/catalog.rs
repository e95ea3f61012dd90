//! What is registered, as JSON: `cargo xtask docs` makes docs/passes.md of it.

use crate::{
    infra::{
        OptionDefault, OptionSpec, PassSpec, PipelineSpec, pipeline::Place, registered_passes,
        registered_pipelines,
    },
    pipelines::POINTS,
    rewrite::own_rewrites,
};
use serde_json::{Value, json};

/// The tables of passes, pipelines, points and rewrites.
pub(super) fn json() -> Value {
    let rewrites = own_rewrites().iter().map(|rewrite| {
        json!({
            "name": rewrite.name,
            "point": rewrite.point.name(),
            "roots": rewrite.roots,
        })
    });
    let points = POINTS.iter().map(|point| {
        let pipelines = registered_pipelines().into_iter().filter_map(|spec| {
            let mut places = spec.places().into_iter();
            let (_, anchors) = places.find(|(found, _)| *found == Place::At(point))?;
            Some(json!({ "name": spec.name, "anchors": anchors }))
        });
        json!({
            "name": point.name,
            "description": point.description,
            "pipelines": pipelines.collect::<Vec<_>>(),
        })
    });
    json!({
        "passes": registered_passes().into_iter().map(pass).collect::<Vec<_>>(),
        "pipelines": registered_pipelines().into_iter().map(pipeline).collect::<Vec<_>>(),
        "points": points.collect::<Vec<_>>(),
        "rewrites": rewrites.collect::<Vec<_>>(),
    })
}

fn pass(spec: &PassSpec) -> Value {
    let statistics = spec
        .statistics
        .iter()
        .map(|statistic| json!({ "name": statistic.name, "description": statistic.description }));
    json!({
        "name": spec.name,
        "summary": spec.summary,
        "description": spec.description,
        "anchor": spec.anchor,
        "options": options(spec.options),
        "statistics": statistics.collect::<Vec<_>>(),
    })
}

fn pipeline(spec: &PipelineSpec) -> Value {
    json!({ "name": spec.name, "summary": spec.summary, "table": spec.table() })
}

fn options(specs: &[OptionSpec]) -> Vec<Value> {
    let options = specs.iter().map(|option| {
        let kind = match option.default {
            OptionDefault::Bool(_) => "truth value",
            OptionDefault::Int(_) => "integer",
            OptionDefault::Text(_) => "text",
            OptionDefault::Ints(_) => "integers",
            OptionDefault::Texts(_) => "texts",
        };
        json!({
            "name": option.name,
            "kind": kind,
            "default": option.default.to_string(),
            "description": option.description,
        })
    });
    options.collect()
}
