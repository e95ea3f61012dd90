//! Printing of control flow: as text in the form of Numba's `NUMBA_DUMP_CFG`, and for Graphviz.

use super::{BlockIndex, ControlFlow};
use std::fmt::{self, Formatter, Write};

impl fmt::Display for ControlFlow {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let blocks = 0..self.blocks.len();
        let successors = |block: BlockIndex| self.list(sorted(self.blocks[block].successors()));
        writeln!(formatter, "CFG adjacency lists:")?;
        writeln!(
            formatter,
            "{}",
            self.dictionary(blocks.clone(), ", ", successors)
        )?;
        writeln!(formatter, "CFG dominators:")?;
        let dominators = |block: BlockIndex| self.set(self.dominators(block));
        writeln!(
            formatter,
            "{}",
            self.dictionary(blocks.clone(), ",\n ", dominators)
        )?;
        writeln!(formatter, "CFG post-dominators:")?;
        let post_dominators = |block: BlockIndex| self.set(self.post_dominators(block));
        writeln!(
            formatter,
            "{}",
            self.dictionary(blocks.clone(), ",\n ", post_dominators)
        )?;
        let edges: Vec<_> = self
            .back_edges()
            .iter()
            .map(|&(from, to)| {
                format!("({}, {})", self.blocks[from].offset, self.blocks[to].offset)
            })
            .collect();
        writeln!(formatter, "CFG back edges: [{}]", edges.join(", "))?;
        writeln!(formatter, "CFG loops:")?;
        let loops: Vec<_> = self
            .loops()
            .iter()
            .map(|natural| {
                let header = self.blocks[natural.header].offset;
                let set = |blocks: &std::collections::BTreeSet<_>| self.set(blocks.iter().copied());
                let (entries, exits, body) = (
                    set(&natural.entries),
                    set(&natural.exits),
                    set(&natural.body),
                );
                format!(
                    "{header}: Loop(entries={entries}, exits={exits}, header={header}, body={body})"
                )
            })
            .collect();
        writeln!(formatter, "{{{}}}", loops.join(",\n "))?;
        writeln!(formatter, "CFG node-to-loops:")?;
        let loops_of = |block: BlockIndex| self.list(self.loops_of(block));
        writeln!(formatter, "{}", self.dictionary(blocks, ", ", loops_of))
    }
}

impl ControlFlow {
    /// The graph in Graphviz's language: a box of instructions for each block, dashed back edges.
    pub fn to_dot(&self, name: &str) -> String {
        let mut dot = format!(
            "digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n",
            escape(name)
        );
        for (index, block) in self.blocks.iter().enumerate() {
            let lines: String = self
                .block_instructions(index)
                .iter()
                .map(|instruction| escape(&instruction.to_string()) + "\\l")
                .collect();
            let _ = writeln!(dot, "  {} [label=\"{lines}\"];", block.offset);
            for successor in block.successors() {
                let back = self.back_edges().contains(&(index, successor));
                let style = if back { " [style=dashed]" } else { "" };
                let _ = writeln!(
                    dot,
                    "  {} -> {}{style};",
                    block.offset, self.blocks[successor].offset
                );
            }
        }
        dot + "}\n"
    }

    fn offsets(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> Vec<String> {
        let offsets = blocks
            .into_iter()
            .map(|block| self.blocks[block].offset.to_string());
        offsets.collect()
    }

    fn list(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> String {
        format!("[{}]", self.offsets(blocks).join(", "))
    }

    /// A set in Python's notation; its members ascend.
    fn set(&self, blocks: impl IntoIterator<Item = BlockIndex>) -> String {
        match self.offsets(sorted(blocks)) {
            offsets if offsets.is_empty() => "set()".into(),
            offsets => format!("{{{}}}", offsets.join(", ")),
        }
    }

    fn dictionary(
        &self,
        blocks: impl Iterator<Item = BlockIndex>,
        separator: &str,
        value: impl Fn(BlockIndex) -> String,
    ) -> String {
        let entries: Vec<_> = blocks
            .map(|block| format!("{}: {}", self.blocks[block].offset, value(block)))
            .collect();
        format!("{{{}}}", entries.join(separator))
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
