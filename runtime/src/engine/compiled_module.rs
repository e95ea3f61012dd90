//! A module compiled for its first calls.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{EngineError, LlvmModule, ObjectCode, Tier, compile, first_tier, module::Bitcode};

/// Code is compiled again when its calls took longer than its compilation, and at least so long.
const HOT_TIME: Duration = Duration::from_millis(10);

/// What [`TieredCode`](super::TieredCode) runs at first, and what it compiles again. It holds no
/// addresses, so another process on the same kind of host can load it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompiledModule {
    /// The code.
    pub(super) object: ObjectCode,
    /// The function to call.
    pub(super) symbol: String,
    /// The module, where compiling it again may pay: its calls cost more than code without loops.
    pub(super) source: Option<Bitcode>,
    /// How much time of calls makes it pay.
    pub(super) hot: Duration,
}

impl CompiledModule {
    /// Compiles a module. `symbol` is the function to call.
    pub fn compile(module: LlvmModule, symbol: &str) -> Result<Self, EngineError> {
        let source = (first_tier(&module) != Tier::None).then(|| module.to_bitcode());
        let start = Instant::now();
        let object = compile(module, Tier::Lean)?;
        Ok(Self {
            object,
            symbol: symbol.to_owned(),
            source,
            hot: start.elapsed().max(HOT_TIME),
        })
    }

    /// Compiles a module as it is, for a debugger: variables stay in memory, and it isn't compiled
    /// again.
    pub fn compile_unoptimized(module: LlvmModule, symbol: &str) -> Result<Self, EngineError> {
        Ok(Self {
            object: compile(module, Tier::None)?,
            symbol: symbol.to_owned(),
            source: None,
            hot: Duration::MAX,
        })
    }
}
