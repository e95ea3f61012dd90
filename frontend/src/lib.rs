//! From CPython code objects to the `py` dialect.
//!
//! The way in is a .pyc file ([`pyc`]) or the marshalled code of a live function ([`marshal`]). A
//! [`code::CodeObject`] becomes a `py.code` operation ([`code_op`]); for a whole module,
//! [`bindings`] adds what its global names mean, which [`namespace`] finds by executing the module
//! abstractly.
//!
//! Lifting ([`mod@lift`]) makes a `py.func` of a `py.code`: the code is decoded into instructions
//! ([`bytecode`], with the tables of [`opcodes`]), whose basic blocks, dominators and loops are
//! found ([`control_flow`]), whose stack and locals are followed from block to block
//! ([`data_flow`]), which are cut by what handlers see ([`factor`]), and whose variables become block
//! arguments where they have to ([`ssa`]).
//!
//! [`mod@outline`] makes functions of parts of a code object: of `with` blocks and of loops.
//!
//! What goes wrong is a [`diagnostic`], which [`mod@render`] shows with its source.
//!
//! Nothing here trusts its input: malformed data is an error with its place, never a panic.

pub mod attributes;
pub mod bindings;
pub mod bit_set;
pub mod bytecode;
pub mod code;
pub mod code_op;
pub mod control_flow;
pub mod data_flow;
pub mod diagnostic;
pub mod factor;
pub mod frame_311;
pub mod lift;
pub mod location;
pub mod marshal;
pub mod marshal_metadata;
pub mod namespace;
pub mod op;
pub mod opcode_metadata;
pub mod opcodes;
pub mod opcodes_310;
pub mod opcodes_311;
pub mod opcodes_312;
pub mod opcodes_313;
pub mod opcodes_314;
pub mod opcodes_315;
pub mod outline;
pub mod pyc;
pub mod render;
pub mod ssa;
pub mod tables;
pub mod tables_310;
pub mod value;
pub mod version;
pub mod well_known;
