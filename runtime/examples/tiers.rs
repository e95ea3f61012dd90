//! Compares the optimisation tiers on kernels in textual LLVM IR.
//!
//! `cargo run --release -p pyopt-runtime --example tiers -- [--pipeline=…] FILE.ll…`
//!
//! Every file defines `double @kernel(i64 %n, ptr %a, ptr %b, ptr %c)` over arrays of n × n
//! doubles. Printed are the best times of several runs; `--pipeline` replaces the lean one.
//! `--print-pipeline` prints the lean one, for LLVM's `opt`.

use std::{
    env, fs,
    time::{Duration, Instant},
};

use pyopt_runtime::engine::{self, LlvmModule, LoadedCode, Tier};

type Kernel = extern "C" fn(i64, *mut f64, *mut f64, *mut f64) -> f64;

/// Side of the arrays.
const SIDE: usize = 300;
/// How often each thing is timed.
const REPEATS: usize = 7;

/// The best times of one tier.
struct Times {
    optimize: Duration,
    emit: Duration,
    load: Duration,
    run: Duration,
    result: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if env::args().any(|argument| argument == "--print-pipeline") {
        println!("{}", Tier::Lean.pipeline().unwrap_or_default());
        return Ok(());
    }
    let mut pipeline = None;
    println!("kernel               tier  optimize     emit     load      run   result");
    for argument in env::args().skip(1) {
        if let Some(text) = argument.strip_prefix("--pipeline=") {
            pipeline = Some(text.to_owned());
            continue;
        }
        let text = fs::read_to_string(&argument)?;
        let name = argument.rsplit('/').next().unwrap_or(&argument);
        for tier in [Tier::None, Tier::Lean, Tier::O3] {
            let times = measure(&text, tier, pipeline.as_deref())?;
            println!(
                "{name:18} {:>6} {:>7.2}ms {:>6.2}ms {:>6.2}ms {:>6.0}us {}",
                format!("{tier:?}"),
                times.optimize.as_secs_f64() * 1e3,
                times.emit.as_secs_f64() * 1e3,
                times.load.as_secs_f64() * 1e3,
                times.run.as_secs_f64() * 1e6,
                times.result,
            );
        }
    }
    Ok(())
}

/// Compiles and runs a kernel several times.
fn measure(text: &str, tier: Tier, lean: Option<&str>) -> Result<Times, engine::EngineError> {
    let mut best = Times {
        optimize: Duration::MAX,
        emit: Duration::MAX,
        load: Duration::MAX,
        run: Duration::MAX,
        result: 0.0,
    };
    for _ in 0..REPEATS {
        let mut module = LlvmModule::from_ir(text)?;
        let mut clock = Instant::now();
        let mut lap = |slot: &mut Duration| {
            *slot = (*slot).min(clock.elapsed());
            clock = Instant::now();
        };
        match lean {
            Some(pipeline) if tier == Tier::Lean => {
                engine::run_pipeline(&mut module, pipeline, tier)?;
            }
            _ => engine::optimize(&mut module, tier)?,
        }
        lap(&mut best.optimize);
        let object = engine::emit_object(&module, tier)?;
        lap(&mut best.emit);
        let code = LoadedCode::load(&object)?;
        let address = code.lookup("kernel")?;
        lap(&mut best.load);
        // SAFETY: the module docs ask for this type; `code` outlives the calls.
        let kernel: Kernel = unsafe { std::mem::transmute(address) };
        let mut arrays = [0.37, 0.0, 0.0].map(|factor| {
            let number = |index| (index as f64 * factor).fract();
            (0..SIDE * SIDE).map(number).collect::<Vec<_>>()
        });
        let [a, b, c] = &mut arrays;
        for _ in 0..REPEATS {
            lap(&mut Duration::ZERO.clone());
            best.result = kernel(SIDE as i64, a.as_mut_ptr(), b.as_mut_ptr(), c.as_mut_ptr());
            lap(&mut best.run);
        }
    }
    Ok(best)
}
