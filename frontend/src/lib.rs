//! From CPython code objects to the `py` dialect.
//!
//! The way in is a .pyc file ([`pyc`]) or the marshalled code of a live function ([`marshal`]). A [`code::CodeObject`]
//! is decoded into instructions ([`bytecode`], with the tables of [`opcodes`]), whose basic blocks, dominators and
//! loops are found ([`control_flow`]) and whose stack and locals are followed from block to block ([`data_flow`]).

pub mod bytecode;
pub mod code;
pub mod control_flow;
pub mod data_flow;
pub mod diagnostic;
pub mod marshal;
pub mod opcodes;
pub mod opcodes_311;
pub mod pyc;
pub mod ssa;
pub mod tables;
pub mod value;
pub mod version;
