//! `py-print-cfg`: prints control flow graphs.
//!
//! What Numba prints for `NUMBA_DUMP_CFG=1`: adjacency lists, dominators, post-dominators, back
//! edges, loops with their entries, exits and bodies, the loops around each block, and the
//! backbone. The blocks of a `py.code` are named by the byte offset of their first instruction, as
//! in Numba; those of a `py.func` are counted.

use super::blocks::Blocks;
use crate::infra::{
    BlockExt, OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure, PassResult,
    PassSpec, RegionExt, ops::py,
};
use layout::{backends::svg::SVGWriter, gv};
use melior::ir::OperationRef;
use pyopt_frontend::{code_op, factor, location::to_location};
use std::io::Write;

/// Prints control flow graphs.
pub static PASS: PassSpec = PassSpec {
    description: "Prints, for each `py.code` and `py.func`, the sections of Numba's \
                  NUMBA_DUMP_CFG, or the graph for Graphviz, or drawn as SVG. The graph of a \
                  `py.code` has no edges of exceptions, that of a `py.func` has. The module stays \
                  as it is; with `-o /dev/null` the graphs are all that is printed.",
    options: &[
        OptionSpec::text("format", "`text`, `dot` or `svg`", "text"),
        OptionSpec::text(
            "function",
            "the symbol of the one to print; empty for all",
            "",
        ),
    ],
    ..PassSpec::new("py-print-cfg", "print control flow graphs", run)
};

/// How a graph is printed.
#[derive(Clone, Copy)]
enum Format {
    Text,
    Dot,
    Svg,
}

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let format = match cx.options().text("format") {
        "text" => Format::Text,
        "dot" => Format::Dot,
        "svg" => Format::Svg,
        other => {
            return Err(PassFailure::Message(format!(
                "format={other}: expected 'text', 'dot' or 'svg'"
            )));
        }
    };
    let wanted = cx.options().text("function");
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    let mut output = String::new();
    for operation in body.operation_list() {
        let Some(symbol) = operation.symbol_name() else {
            continue;
        };
        if !wanted.is_empty() && symbol != wanted {
            continue;
        }
        let graph = match py::Op::of(operation) {
            Some(py::Op::Code(code)) => code_graph(cx, *code, symbol, format)?,
            Some(py::Op::Func(function)) => function_graph(function, symbol, format),
            _ => continue,
        };
        output.push_str(&graph);
    }
    std::io::stdout()
        .write_all(output.as_bytes())
        .map_err(|error| PassFailure::Message(error.to_string()))
}

fn code_graph<'c>(
    cx: &PassContext<'c>,
    operation: OperationRef<'c, '_>,
    symbol: &str,
    format: Format,
) -> PassResult<String> {
    use melior::ir::operation::OperationLike;
    let code = code_op::read_code(cx.context(), operation)
        .map_err(|message| cx.error(operation.location(), message))?;
    let flow = factor::control_flow(&code.code).map_err(|error| {
        let location = to_location(cx.context(), &error.filename, error.position);
        cx.error(location, &error.message)
    })?;
    Ok(match format {
        Format::Text => format!("CFG of '{symbol}':\n{flow}"),
        Format::Dot => flow.to_dot(symbol),
        Format::Svg => svg(&flow.to_dot(symbol)),
    })
}

fn function_graph(function: py::Func, symbol: &str, format: Format) -> String {
    let Some(flow) = Blocks::of(function) else {
        return String::new();
    };
    let numbers: Vec<u32> = (0..).take(flow.blocks.len()).collect();
    let lines = |block: usize| {
        let operations = flow.blocks[block].operation_list();
        operations.iter().map(ToString::to_string).collect()
    };
    let dot = || flow.graph.dot(symbol, &numbers, lines);
    match format {
        Format::Text => format!("CFG of '{symbol}':\n{}", flow.graph.display(&numbers)),
        Format::Dot => dot(),
        Format::Svg => svg(&dot()),
    }
}

/// Draws a graph.
fn svg(dot: &str) -> String {
    let graph = gv::DotParser::new(dot)
        .process()
        .expect("the printer's dot can be parsed");
    let mut builder = gv::GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut writer = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut writer);
    writer.finalize()
}
