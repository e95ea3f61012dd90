//! Tests of the whole way from text to a call.

use super::*;

const TIERS: [Tier; 3] = [Tier::None, Tier::Lean, Tier::O3];

fn load(text: &str, tier: Tier) -> Result<LoadedCode, EngineError> {
    LoadedCode::load(&compile(LlvmModule::from_ir(text)?, tier)?)
}

/// Compiles `text` and calls its function `f`, of type `i64(i64, i64)`.
fn call(text: &str, tier: Tier, a: i64, b: i64) -> i64 {
    call_loaded(&load(text, tier).unwrap(), a, b)
}

fn call_loaded(code: &LoadedCode, a: i64, b: i64) -> i64 {
    let address = code.lookup("f").unwrap();
    // SAFETY: the tests give `f` this type, and `code` lives through the call.
    let f: extern "C" fn(i64, i64) -> i64 = unsafe { std::mem::transmute(address) };
    f(a, b)
}

const SUBTRACT: &str = "define i64 @f(i64 %a, i64 %b) { %r = sub i64 %a, %b ret i64 %r }";

/// A dot product: it shows in the optimised IR whether loops were vectorised.
const DOT: &str = "
define double @dot(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %header
header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi double [ 0.0, %entry ], [ %sum2, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %px = getelementptr double, ptr %x, i64 %i
  %py = getelementptr double, ptr %y, i64 %i
  %a = load double, ptr %px
  %b = load double, ptr %py
  %ab = fmul reassoc double %a, %b
  %sum2 = fadd reassoc double %sum, %ab
  %next = add i64 %i, 1
  br label %header
done:
  ret double %sum
}";

#[test]
fn a_function_is_compiled_and_called_at_every_tier() {
    for tier in TIERS {
        assert_eq!(call(SUBTRACT, tier, 50, 8), 42);
    }
}

#[test]
fn loops_are_vectorised() {
    for tier in [Tier::Lean, Tier::O3] {
        let mut module = LlvmModule::from_ir(DOT).unwrap();
        optimize(&mut module, tier).unwrap();
        let text = module.to_text();
        assert!(text.contains(" x double>"), "{tier:?}: {text}");
    }
}

#[test]
fn loops_are_remarked_on() {
    for tier in [Tier::Lean, Tier::O3] {
        let mut module = LlvmModule::from_ir(DOT).unwrap();
        let remarks = optimize_with_remarks(&mut module, tier).unwrap();
        let mut vectorised = remarks.iter().filter(|remark| remark.name == "Vectorized");
        let remark = vectorised.next().unwrap();
        assert_eq!(
            (remark.pass.as_str(), remark.kind),
            ("loop-vectorize", RemarkKind::Passed)
        );
        assert!(remark.message.starts_with("vectorized loop"), "{remark:?}");
        let width = remark.argument("VectorizationFactor").unwrap();
        assert!(width.parse::<u32>().unwrap() >= 2, "{remark:?}");
    }
    let ordered = DOT.replace("reassoc ", "");
    let mut module = LlvmModule::from_ir(&ordered).unwrap();
    let remarks = optimize_with_remarks(&mut module, Tier::Lean).unwrap();
    let mut reasons = remarks
        .iter()
        .filter(|remark| remark.kind == RemarkKind::Analysis);
    assert!(
        reasons.any(|remark| remark.name == "CantReorderFPOps"),
        "{remarks:?}"
    );
}

#[test]
fn errors_are_collected_beside_remarks() {
    let text = "define void @f() { call void asm \"no such instruction\", \"\"() ret void }";
    let mut module = LlvmModule::from_ir(text).unwrap();
    optimize_with_remarks(&mut module, Tier::Lean).unwrap();
    let error = emit_object(&module, Tier::Lean).unwrap_err();
    assert_eq!(error.phase(), Phase::Codegen);
}

#[test]
fn text_that_does_not_parse_is_an_error() {
    let error = LlvmModule::from_ir("define i64 @f( {").unwrap_err();
    assert_eq!(error.phase(), Phase::Parse);
    assert!(
        error.to_string().starts_with("cannot parse LLVM IR: "),
        "{error}"
    );
}

#[test]
fn an_invalid_module_is_an_error() {
    // It parses, but the definition does not dominate the use.
    let text = "define i64 @f(i64 %a, i64 %b) {
      %r = add i64 %q, 1
      %q = add i64 %a, %b
      ret i64 %r
    }";
    let parsed = || LlvmModule::from_ir(text).unwrap();
    for tier in TIERS {
        let error = compile(parsed(), tier).unwrap_err();
        assert_eq!(error.phase(), Phase::Verify);
        assert!(error.message().contains("does not dominate"), "{error}");
    }
    assert_eq!(
        emit_object(&parsed(), Tier::O3).unwrap_err().phase(),
        Phase::Verify
    );
}

#[test]
fn an_unknown_pass_is_an_error() {
    let mut module = LlvmModule::from_ir(SUBTRACT).unwrap();
    let error = run_pipeline(&mut module, "no-such-pass", Tier::Lean).unwrap_err();
    assert_eq!(error.phase(), Phase::Optimize);
    assert!(error.message().contains("no-such-pass"), "{error}");
}

#[test]
fn what_code_generation_rejects_is_an_error() {
    let text = "define i64 @f(i64 %a, i64 %b) {
      %r = call i64 asm \"nonsense $0\", \"=r\"()
      ret i64 %r
    }";
    let error = load(text, Tier::Lean).unwrap_err();
    assert_eq!(error.phase(), Phase::Codegen);
}

#[test]
fn a_missing_symbol_is_named() {
    let text = "declare i64 @pyopt_missing(i64)
    define i64 @f(i64 %a, i64 %b) { %r = call i64 @pyopt_missing(i64 %a) ret i64 %r }";
    let code = load(text, Tier::Lean).unwrap();
    let error = code.lookup("f").unwrap_err();
    assert_eq!(error.phase(), Phase::Lookup);
    assert!(error.message().contains("pyopt_missing"), "{error}");
    // Not even if the process has a symbol of that name.
    let error = load(SUBTRACT, Tier::Lean).unwrap().lookup("malloc");
    assert!(error.unwrap_err().message().contains("malloc"));
}

#[test]
fn bytes_that_are_no_object_are_an_error() {
    let result = LoadedCode::load(&ObjectCode::from_bytes(b"not an object".to_vec()))
        .and_then(|code| code.lookup("f"));
    assert!(result.is_err());
}

#[test]
fn object_code_loads_again_from_its_bytes() {
    let module = LlvmModule::from_ir(SUBTRACT).unwrap();
    let object = compile(module, Tier::Lean).unwrap();
    let again = ObjectCode::from_bytes(object.bytes().to_vec());
    let (first, second) = (LoadedCode::load(&object), LoadedCode::load(&again));
    assert_eq!(call_loaded(&first.unwrap(), 3, 1), 2);
    assert_eq!(call_loaded(&second.unwrap(), 3, 2), 1);
}

#[test]
fn runtime_symbols_libm_and_builtins_are_linked() {
    let text = "
    declare i64 @pyopt_pow_i64(i64, i64)
    declare double @fmod(double, double)
    define i64 @f(i64 %a, i64 %b) {
      %p = call i64 @pyopt_pow_i64(i64 %a, i64 %b)
      %d = sitofp i64 %p to double
      %m = call double @fmod(double %d, double 7.0)
      %h = fptrunc double %m to half
      %e = fpext half %h to double
      %i = fptosi double %e to i128
      %q = sdiv i128 %i, 2
      %r = trunc i128 %q to i64
      ret i64 %r
    }";
    for tier in TIERS {
        assert_eq!(call(text, tier, 3, 4), 81 % 7 / 2);
    }
}

#[test]
fn halves_round_as_the_hardware_does() {
    // Both directions through memory, so that calls of the builtins are not folded away.
    let text = "define i64 @f(i64 %a, i64 %b) {
      %d = bitcast i64 %a to double
      %h = fptrunc double %d to half
      %s = bitcast half %h to i16
      %r = zext i16 %s to i64
      ret i64 %r
    }";
    let code = load(text, Tier::Lean).unwrap();
    for (value, half) in [
        (1.0, 0x3c00),
        (65504.0, 0x7bff),
        (65520.0, 0x7c00),
        (-0.0, 0x8000),
        (6e-8, 0x0001),
        (1.0 + 1.0 / 2048.0, 0x3c00),
        (1.0 + 1.0 / 2048.0 + 1e-12, 0x3c01),
    ] {
        let bits = f64::to_bits(value) as i64;
        assert_eq!(call_loaded(&code, bits, 0), half, "{value}");
    }
}

#[test]
fn code_is_freed_and_its_room_reused() {
    let resident = || {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().count()
    };
    call(SUBTRACT, Tier::None, 1, 1);
    let before = resident();
    for number in 0..200 {
        assert_eq!(call(SUBTRACT, Tier::None, number, 1), number - 1);
    }
    assert!(
        resident() < before + 100,
        "{before} mappings became {}",
        resident()
    );
}

#[test]
fn many_threads_compile_at_once() {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for number in 0..8 {
                    let text = format!(
                        "define i64 @f(i64 %a, i64 %b) {{ %r = add i64 %a, {number} ret i64 %r }}"
                    );
                    assert_eq!(
                        call(&text, TIERS[number % 3], thread, 0),
                        thread + number as i64
                    );
                }
            });
        }
    });
}

#[test]
fn a_forked_child_can_compile() {
    call(SUBTRACT, Tier::Lean, 1, 1);
    // SAFETY: the child compiles and leaves without running any destructor.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let ok = call(SUBTRACT, Tier::Lean, 9, 4) == 5;
        // SAFETY: leaves the child at once.
        unsafe { libc::_exit(i32::from(!ok)) };
    }
    assert!(child > 0, "fork failed");
    let mut status = 0;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0);
}

#[test]
fn assembly_names_the_function() {
    let mut module = LlvmModule::from_ir(SUBTRACT).unwrap();
    optimize(&mut module, Tier::Lean).unwrap();
    let text = emit_assembly(&module, Tier::Lean).unwrap();
    assert!(text.contains("f:"), "{text}");
}

#[test]
fn the_host_is_known() {
    let host = Host::current();
    assert!(!host.triple.is_empty() && !host.cpu.is_empty());
}

#[test]
fn kernels_become_ptx() {
    let text = "define ptx_kernel void @k(ptr addrspace(1) %p) {
      store i32 7, ptr addrspace(1) %p
      ret void
    }";
    let ptx = compile_ptx(&mut LlvmModule::from_ir(text).unwrap(), "sm_90").unwrap();
    assert!(ptx.contains(".visible .entry k("), "{ptx}");
    let error = compile_ptx(&mut LlvmModule::from_ir(text).unwrap(), "gfx90a").unwrap_err();
    assert_eq!(error.phase(), Phase::Target);
}

/// The guarded conversion of compiled code, from the bits of a float.
fn guarded(float: &str, bits: u32, width: u32) -> String {
    let bound = match width {
        32 => "0x41E0000000000000",
        _ => "0x43E0000000000000",
    };
    let least = bound.replace("0x4", "0xC");
    let (raw, extend) = match (bits, width) {
        (32, 32) => ("%raw = trunc i64 %a to i32", "%s = sext i32 %i to i64"),
        (32, _) => ("%raw = trunc i64 %a to i32", "%s = add i64 %i, 0"),
        (_, 32) => ("%raw = add i64 %a, 0", "%s = sext i32 %i to i64"),
        _ => ("%raw = add i64 %a, 0", "%s = add i64 %i, 0"),
    };
    format!(
        "declare {float} @llvm.fabs.f{bits}({float})
        define i64 @f(i64 %a, i64 %b) {{
          {raw}
          %x = bitcast i{bits} %raw to {float}
          %m = call {float} @llvm.fabs.f{bits}({float} %x)
          %fits = fcmp olt {float} %m, {bound}
          %y = select i1 %fits, {float} %x, {float} {least}
          %i = fptosi {float} %y to i{width}
          {extend}
          ret i64 %s
        }}"
    )
}

#[test]
fn guarded_conversions_are_the_processors() {
    let ends = [31, 63].map(|power| (2.0_f64).powi(power));
    let mut numbers = vec![
        0.0,
        -0.0,
        0.75,
        -0.75,
        1e300,
        f64::NAN,
        f64::INFINITY,
        5e-324,
    ];
    for end in ends {
        numbers.extend([
            end,
            end.next_down(),
            end.next_up(),
            end - 0.5,
            end + 0.5,
            end - 1.0,
        ]);
    }
    numbers.extend(numbers.clone().into_iter().map(|number| -number));
    for tier in TIERS {
        for width in [32, 64] {
            let doubles = load(&guarded("double", 64, width), tier).unwrap();
            let floats = load(&guarded("float", 32, width), tier).unwrap();
            for number in &numbers {
                for (code, number, bits) in [
                    (&doubles, *number, number.to_bits()),
                    (
                        &floats,
                        (*number as f32).into(),
                        (*number as f32).to_bits().into(),
                    ),
                ] {
                    let bound = (2.0_f64).powi(width as i32 - 1);
                    let fits = number.abs() < bound;
                    let expected = if fits { number } else { -bound } as i64;
                    let found = call_loaded(code, bits as i64, 0);
                    assert_eq!(found, expected, "{number} to i{width} at {tier:?}");
                }
            }
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn guards_of_conversions_are_removed_where_they_are_whole() {
    let optimised = |text: &str| {
        let mut module = LlvmModule::from_ir(text).unwrap();
        optimize(&mut module, Tier::Lean).unwrap();
        module.to_text()
    };
    let whole = guarded("double", 64, 64);
    let text = optimised(&whole);
    assert!(
        text.contains("@llvm.x86.sse2.cvttsd2si64(<2 x double>"),
        "{text}"
    );
    assert!(!text.contains("fcmp") && !text.contains("fptosi"), "{text}");
    for (right, wrong) in [
        ("fcmp olt", "fcmp ole"),
        ("double 0xC3E0000000000000", "double 0.0"),
        (
            "double %m, 0x43E0000000000000",
            "double %m, 0x43D0000000000000",
        ),
        (
            "double %m, 0x43E0000000000000",
            "double %x, 0x43E0000000000000",
        ),
    ] {
        let text = optimised(&whole.replace(right, wrong));
        assert!(text.contains("fptosi"), "{wrong}: {text}");
    }
}
