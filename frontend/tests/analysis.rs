//! Decoding, control flow and data flow of compiled functions.

mod common;

use common::{data, function};
use pyopt_frontend::{
    bytecode,
    code::CodeObject,
    control_flow::ControlFlow,
    data_flow::{DataFlow, UnboundLocals},
    factor, pyc, ssa,
};
use std::fmt::Write;

fn listing(name: &str) -> String {
    let instructions = bytecode::decode(&function(name)).unwrap();
    instructions
        .iter()
        .map(|instruction| format!("{instruction}\n"))
        .collect()
}

fn control_flow(name: &str) -> ControlFlow {
    factor::control_flow(&function(name)).unwrap()
}

/// One line for each block: depth of the stack, block arguments and locals that may be unbound.
fn summary(name: &str) -> String {
    let code = function(name);
    let flow = factor::control_flow(&code).unwrap();
    let data = DataFlow::new(&code, &flow).unwrap();
    let mut text = String::new();
    for (index, arguments) in ssa::block_arguments(&flow, &data).iter().enumerate() {
        let (offset, block) = (flow.blocks[index].offset, &data.blocks[index]);
        let unbound: Vec<_> = block
            .unbound
            .iter()
            .map(|local| &*code.local_names[local])
            .collect();
        writeln!(
            text,
            "{offset}: depth {}, arguments {arguments:?}, unbound {unbound:?}",
            block.depth
        )
        .unwrap();
    }
    text
}

#[test]
fn instructions_carry_targets_and_positions() {
    insta::assert_snapshot!(listing("doloops"), @r"
     0 RESUME 0 (8:0-8:0)
     2 LOAD_CONST 1 (9:10-9:11)
     4 STORE_FAST 1 (9:4-9:7)
     6 LOAD_GLOBAL 1 (10:13-10:18)
    18 LOAD_FAST 0 (10:19-10:20)
    20 PRECALL 1 (10:13-10:21)
    24 CALL 1 (10:13-10:21)
    34 GET_ITER (10:4-13:17)
    36 FOR_ITER to 68 (10:4-13:17)
    38 STORE_FAST 2 (10:8-10:9)
    40 LOAD_FAST 1 (11:8-11:11)
    42 LOAD_CONST 2 (11:15-11:16)
    44 BINARY_OP 13 (11:8-11:16)
    48 STORE_FAST 1 (11:8-11:11)
    50 LOAD_FAST 0 (12:11-12:12)
    52 LOAD_CONST 3 (12:16-12:18)
    54 COMPARE_OP 2 (12:11-12:18)
    60 POP_JUMP_FORWARD_IF_FALSE to 66 (12:11-12:18)
    62 POP_TOP (13:12-13:17)
    64 JUMP_FORWARD to 68 (13:12-13:17)
    66 JUMP_BACKWARD to 36 (12:11-12:18)
    68 LOAD_FAST 1 (14:11-14:14)
    70 RETURN_VALUE (14:4-14:14)
    ");
}

#[test]
fn control_flow_of_one_block() {
    insta::assert_snapshot!(control_flow("add"), @r"
    CFG adjacency lists:
    {0: []}
    CFG dominators:
    {0: {0}}
    CFG post-dominators:
    {0: {0}}
    CFG back edges: []
    CFG loops:
    {}
    CFG node-to-loops:
    {0: []}
    CFG backbone:
    {0}
    ");
}

#[test]
fn control_flow_of_a_loop_with_break() {
    insta::assert_snapshot!(control_flow("doloops"), @r"
    CFG adjacency lists:
    {0: [36], 36: [38, 68], 38: [62, 66], 62: [68], 66: [36], 68: []}
    CFG dominators:
    {0: {0},
     36: {0, 36},
     38: {0, 36, 38},
     62: {0, 36, 38, 62},
     66: {0, 36, 38, 66},
     68: {0, 36, 68}}
    CFG post-dominators:
    {0: {0, 36, 68},
     36: {36, 68},
     38: {38, 68},
     62: {62, 68},
     66: {36, 66, 68},
     68: {68}}
    CFG back edges: [(66, 36)]
    CFG loops:
    {36: Loop(entries={0}, exits={62, 68}, header=36, body={36, 38, 66})}
    CFG node-to-loops:
    {0: [], 36: [36], 38: [36], 62: [], 66: [36], 68: []}
    CFG backbone:
    {0, 36, 68}
    ");
}

#[test]
fn nested_loops_know_their_blocks() {
    insta::assert_snapshot!(control_flow("nested"), @r"
    CFG adjacency lists:
    {0: [32], 32: [34, 140], 34: [66], 66: [68, 138], 68: [98, 100], 98: [66], 100: [66], 138: [32], 140: []}
    CFG dominators:
    {0: {0},
     32: {0, 32},
     34: {0, 32, 34},
     66: {0, 32, 34, 66},
     68: {0, 32, 34, 66, 68},
     98: {0, 32, 34, 66, 68, 98},
     100: {0, 32, 34, 66, 68, 100},
     138: {0, 32, 34, 66, 138},
     140: {0, 32, 140}}
    CFG post-dominators:
    {0: {0, 32, 140},
     32: {32, 140},
     34: {32, 34, 66, 138, 140},
     66: {32, 66, 138, 140},
     68: {32, 66, 68, 138, 140},
     98: {32, 66, 98, 138, 140},
     100: {32, 66, 100, 138, 140},
     138: {32, 138, 140},
     140: {140}}
    CFG back edges: [(98, 66), (100, 66), (138, 32)]
    CFG loops:
    {32: Loop(entries={0}, exits={140}, header=32, body={32, 34, 66, 68, 98, 100, 138}),
     66: Loop(entries={34}, exits={138}, header=66, body={66, 68, 98, 100})}
    CFG node-to-loops:
    {0: [], 32: [32], 34: [32], 66: [66, 32], 68: [66, 32], 98: [66, 32], 100: [66, 32], 138: [32], 140: []}
    CFG backbone:
    {0, 32, 140}
    ");
}

#[test]
fn a_loop_without_exit_has_post_dominators() {
    insta::assert_snapshot!(control_flow("forever"), @r"
    CFG adjacency lists:
    {0: [4], 4: [4]}
    CFG dominators:
    {0: {0},
     4: {0, 4}}
    CFG post-dominators:
    {0: {0, 4},
     4: {4}}
    CFG back edges: [(4, 4)]
    CFG loops:
    {4: Loop(entries={0}, exits=set(), header=4, body={4})}
    CFG node-to-loops:
    {0: [], 4: [4]}
    CFG backbone:
    {0, 4}
    ");
}

#[test]
fn graphs_print_for_graphviz() {
    insta::assert_snapshot!(control_flow("while_sum").to_dot("while_sum"), @r#"
    digraph "while_sum" {
      node [shape=box, fontname=monospace];
      0 [label="   0 RESUME 0 (17:0-17:0)\l   2 LOAD_CONST 1 (18:12-18:15)\l   4 STORE_FAST 1 (18:4-18:9)\l   6 LOAD_FAST 0 (19:10-19:11)\l   8 LOAD_CONST 2 (19:14-19:15)\l  10 COMPARE_OP 4 (19:10-19:15)\l  16 POP_JUMP_FORWARD_IF_FALSE to 50 (19:10-19:15)\l"];
      0 -> 18;
      0 -> 50;
      18 [label="  18 LOAD_FAST 1 (20:8-20:13)\l  20 LOAD_FAST 0 (20:17-20:18)\l  22 BINARY_OP 13 (20:8-20:18)\l  26 STORE_FAST 1 (20:8-20:13)\l  28 LOAD_FAST 0 (21:8-21:9)\l  30 LOAD_CONST 3 (21:13-21:14)\l  32 BINARY_OP 23 (21:8-21:14)\l  36 STORE_FAST 0 (21:8-21:9)\l  38 LOAD_FAST 0 (19:10-19:11)\l  40 LOAD_CONST 2 (19:14-19:15)\l  42 COMPARE_OP 4 (19:10-19:15)\l  48 POP_JUMP_BACKWARD_IF_TRUE to 18 (19:10-19:15)\l"];
      18 -> 50;
      18 -> 18 [style=dashed];
      50 [label="  50 LOAD_FAST 1 (22:11-22:16)\l  52 RETURN_VALUE (22:4-22:16)\l"];
    }
    "#);
}

#[test]
fn only_what_changes_becomes_an_argument() {
    insta::assert_snapshot!(summary("add"), @"0: depth 0, arguments [], unbound []");
    insta::assert_snapshot!(summary("doloops"), @r#"
    0: depth 0, arguments [], unbound ["acc", "i"]
    36: depth 1, arguments [Local(1)], unbound ["i"]
    38: depth 2, arguments [Slot(1)], unbound ["i"]
    62: depth 1, arguments [], unbound []
    66: depth 1, arguments [], unbound []
    68: depth 0, arguments [Local(1)], unbound ["i"]
    "#);
    insta::assert_snapshot!(summary("while_sum"), @r#"
    0: depth 0, arguments [], unbound ["total"]
    18: depth 0, arguments [Local(0), Local(1)], unbound []
    50: depth 0, arguments [Local(1)], unbound []
    "#);
    insta::assert_snapshot!(summary("nested"), @r#"
    0: depth 0, arguments [], unbound ["i", "j"]
    32: depth 1, arguments [], unbound ["i", "j"]
    34: depth 2, arguments [Slot(1)], unbound ["i", "j"]
    66: depth 2, arguments [], unbound ["j"]
    68: depth 3, arguments [Slot(2)], unbound ["j"]
    98: depth 2, arguments [], unbound []
    100: depth 2, arguments [], unbound []
    138: depth 1, arguments [], unbound ["j"]
    140: depth 0, arguments [], unbound ["i", "j"]
    "#);
    insta::assert_snapshot!(summary("conditional"), @r"
    0: depth 0, arguments [], unbound []
    26: depth 2, arguments [], unbound []
    30: depth 2, arguments [], unbound []
    34: depth 3, arguments [Slot(2)], unbound []
    ");
    insta::assert_snapshot!(summary("chained"), @r"
    0: depth 0, arguments [], unbound []
    18: depth 1, arguments [], unbound []
    28: depth 2, arguments [], unbound []
    32: depth 1, arguments [Slot(0)], unbound []
    ");
    insta::assert_snapshot!(summary("logical"), @r"
    0: depth 0, arguments [], unbound []
    6: depth 0, arguments [], unbound []
    10: depth 0, arguments [], unbound []
    14: depth 1, arguments [Slot(0)], unbound []
    ");
}

#[test]
fn locals_that_may_be_unbound_are_found() {
    insta::assert_snapshot!(summary("maybe_unbound"), @r#"
    0: depth 0, arguments [], unbound ["value"]
    6: depth 0, arguments [], unbound ["value"]
    10: depth 0, arguments [Local(1)], unbound ["value"]
    "#);
    insta::assert_snapshot!(summary("unbound_after_loop"), @r#"
    0: depth 0, arguments [], unbound ["i"]
    32: depth 1, arguments [Local(1)], unbound ["i"]
    34: depth 2, arguments [Slot(1)], unbound ["i"]
    38: depth 0, arguments [], unbound ["i"]
    "#);
    let code = function("deleted");
    let mut unbound = UnboundLocals::at_entry(&code);
    assert!(!unbound.contains(0));
    bytecode::decode(&code)
        .unwrap()
        .iter()
        .for_each(|instruction| unbound.apply(instruction));
    assert!(unbound.contains(0));
}

#[test]
fn exception_tables_are_decoded() {
    insta::assert_debug_snapshot!(function("guarded").exception_handlers().unwrap(), @r"
    [
        ExceptionHandler {
            start: 4,
            end: 18,
            target: 20,
            depth: 0,
            push_last_offset: false,
        },
        ExceptionHandler {
            start: 20,
            end: 40,
            target: 48,
            depth: 1,
            push_last_offset: true,
        },
        ExceptionHandler {
            start: 46,
            end: 48,
            target: 48,
            depth: 1,
            push_last_offset: true,
        },
    ]
    ");
    assert_eq!(function("add").exception_handlers(), Ok(vec![]));
}

#[test]
fn no_changed_bytecode_panics() {
    fn analyse(code: &CodeObject) {
        let _ = code.exception_handlers();
        if let Ok(flow) = factor::control_flow(code) {
            if let Ok(data) = DataFlow::new(code, &flow) {
                ssa::block_arguments(&flow, &data);
            }
            let _ = (flow.to_string(), flow.to_dot(&code.name));
        }
    }
    let module = pyc::load(&data("functions.pyc")).unwrap().code;
    for code in module
        .constants
        .iter()
        .filter_map(|constant| constant.as_code())
    {
        for index in 0..code.bytecode.len() {
            for change in [1, 2, 0x10, 0x80, 0xff] {
                let mut changed = CodeObject::clone(code);
                let mut bytes = code.bytecode.to_vec();
                bytes[index] ^= change;
                changed.bytecode = bytes.into();
                analyse(&changed);
            }
        }
    }
}
