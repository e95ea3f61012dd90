//! Object mode: functions compiled to calls of CPython's C API.
//!
//! A compiled function is a Python function ([`function`]) whose calls run machine code instead of
//! bytecode, on the interpreter's own frame ([`evaluate`]). Arguments are bound by [`bind`], or by
//! CPython when something is wrong with them. Generators and coroutines are CPython's too;
//! [`resume`] has their frames handed over. [`code`] compiles, [`runtime`] has what compiled code
//! calls, [`layout_311`] alone knows how CPython 3.11 lays its structures out.

mod bind;
mod call;
mod check;
mod code;
mod environment;
mod evaluate;
mod frames;
mod function;
mod layout_311;
mod resume;
mod runtime;
mod step;

pub use code::compile_function;
pub use function::{load, make_function};
