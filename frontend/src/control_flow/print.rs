//! Printing of control flow: as text in the form of Numba's `NUMBA_DUMP_CFG`, and for Graphviz.

use super::{BlockIndex, ControlFlow, FlowGraph};
use std::{
    collections::BTreeSet,
    fmt::{self, Display, Formatter, Write},
};

impl Display for ControlFlow {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let offsets: Vec<_> = self.blocks.iter().map(|block| block.offset).collect();
        self.display(&offsets).fmt(formatter)
    }
}

impl ControlFlow {
    /// The graph in Graphviz's language, with the instructions of each block.
    pub fn to_dot(&self, name: &str) -> String {
        let offsets: Vec<_> = self.blocks.iter().map(|block| block.offset).collect();
        let lines = |block| {
            let instructions = self.block_instructions(block).iter();
            instructions.map(ToString::to_string).collect()
        };
        self.dot(name, &offsets, lines)
    }
}

impl FlowGraph {
    /// The sections of Numba's dump, with a number for each block.
    pub fn display<'a>(&'a self, numbers: &'a [u32]) -> impl Display + 'a {
        Sections {
            graph: self,
            numbers,
        }
    }

    /// The graph in Graphviz's language: a box of lines for each block, dashed back edges.
    pub fn dot(
        &self,
        name: &str,
        numbers: &[u32],
        lines: impl Fn(BlockIndex) -> Vec<String>,
    ) -> String {
        let mut dot = format!(
            "digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n",
            escape(name)
        );
        for (block, number) in numbers.iter().enumerate() {
            let lines: String = lines(block)
                .iter()
                .map(|line| escape(line) + "\\l")
                .collect();
            let _ = writeln!(dot, "  {number} [label=\"{lines}\"];");
            for &successor in self.successors(block) {
                let back = self.back_edges().contains(&(block, successor));
                let style = if back { " [style=dashed]" } else { "" };
                let _ = writeln!(dot, "  {number} -> {}{style};", numbers[successor]);
            }
        }
        dot + "}\n"
    }
}

/// A graph whose blocks have numbers.
struct Sections<'a> {
    graph: &'a FlowGraph,
    numbers: &'a [u32],
}

impl Display for Sections<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let graph = self.graph;
        let adjacency = self.dictionary(", ", |block| {
            self.list(sorted(graph.successors(block).iter().copied()))
        });
        writeln!(formatter, "CFG adjacency lists:\n{adjacency}")?;
        let dominators = self.dictionary(",\n ", |block| self.set(graph.dominators(block)));
        writeln!(formatter, "CFG dominators:\n{dominators}")?;
        let post_dominators =
            self.dictionary(",\n ", |block| self.set(graph.post_dominators(block)));
        writeln!(formatter, "CFG post-dominators:\n{post_dominators}")?;
        let number = |block: BlockIndex| self.numbers[block];
        let edges: Vec<_> = graph
            .back_edges()
            .iter()
            .map(|&(from, to)| format!("({}, {})", number(from), number(to)))
            .collect();
        writeln!(formatter, "CFG back edges: [{}]", edges.join(", "))?;
        let loops: Vec<_> = graph
            .loops()
            .iter()
            .map(|natural| {
                let header = number(natural.header);
                let set = |blocks: &BTreeSet<_>| self.set(blocks.iter().copied());
                format!(
                    "{header}: Loop(entries={}, exits={}, header={header}, body={})",
                    set(&natural.entries),
                    set(&natural.exits),
                    set(&natural.body)
                )
            })
            .collect();
        writeln!(formatter, "CFG loops:\n{{{}}}", loops.join(",\n "))?;
        let loops_of = self.dictionary(", ", |block| self.list(graph.loops_of(block)));
        writeln!(formatter, "CFG node-to-loops:\n{loops_of}")?;
        writeln!(formatter, "CFG backbone:\n{}", self.set(graph.backbone()))
    }
}

impl Sections<'_> {
    fn numbers(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> String {
        let numbers: Vec<_> = blocks
            .into_iter()
            .map(|block| self.numbers[block].to_string())
            .collect();
        numbers.join(", ")
    }

    /// A dictionary in Python's notation: a value for each block.
    fn dictionary(&self, separator: &str, value: impl Fn(BlockIndex) -> String) -> String {
        let entries: Vec<_> = (0..self.graph.len())
            .map(|block| format!("{}: {}", self.numbers[block], value(block)))
            .collect();
        format!("{{{}}}", entries.join(separator))
    }

    fn list(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> String {
        format!("[{}]", self.numbers(blocks))
    }

    /// A set in Python's notation; its members ascend.
    fn set(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> String {
        match self.numbers(sorted(blocks)) {
            numbers if numbers.is_empty() => "set()".into(),
            numbers => format!("{{{numbers}}}"),
        }
    }
}

fn sorted(blocks: impl IntoIterator<Item = BlockIndex>) -> Vec<BlockIndex> {
    let mut blocks: Vec<_> = blocks.into_iter().collect();
    blocks.sort_unstable();
    blocks
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
