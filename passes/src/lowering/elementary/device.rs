//! Functions for devices, which have no libm: written in the assembly of MLIR, since they take integers
//! apart, and branch.

use crate::{
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassFailure, PassResult,
        ops::marks::ELEMENTARY, parse_operation,
    },
    lowering::control_flow::module_block,
};
use melior::ir::OperationRef;

/// The first 1216 bits of 2/pi behind the point, in words, with a word of zeros before them.
const TWO_OVER_PI: [u64; 20] = [
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
];

/// Adds the function for far arguments of sin, cos or tan to a module. The arguments are reduced by
/// Payne and Hanek's method: of 2/pi only the bits count that make no multiple of 4 of the product.
pub(super) fn define_far<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: &str,
) -> PassResult {
    add(cx, builder, module, ("pyopt.reduce_far", "", &reduction()))?;
    let name = super::far::symbol(function);
    add(cx, builder, module, (&name, CALLED, &far(&name, function)))
}

/// Adds `pyopt.fmod`, the exact remainder, to a module.
pub(super) fn define_remainder<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
) -> PassResult {
    add(cx, builder, module, (REMAINDER_SYMBOL, "", &remainder()))
}

/// What functions for far arguments call.
const CALLED: &str = "
    func.func private @pyopt.reduce_far(f64) -> (f64, f64, i64)
    func.func private @pyopt.near_sin(f64) -> f64
    func.func private @pyopt.near_cos(f64) -> f64
";

/// The name of the function that [`define_remainder`] adds.
pub(super) const REMAINDER_SYMBOL: &str = "pyopt.fmod";

/// Adds a function to a module. It may call those that are declared, which the module has.
fn add<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    (name, declared, source): (&str, &str, &str),
) -> PassResult {
    if module.lookup_symbol(name).is_some() {
        return Ok(());
    }
    let source = format!("module {{ {declared} {source} }}");
    let parsed = parse_operation(cx.context(), &source, name)
        .ok_or_else(|| PassFailure::Message(format!("{name} does not parse")))?;
    let body = module_block(module).expect("a module has a block");
    let parsed = builder.at_end(body).insert(parsed);
    let contents = module_block(parsed).map(BlockExt::operation_list);
    if let Some(definition) = contents.and_then(|contents| contents.last().copied()) {
        builder.move_before(definition, parsed);
    }
    builder.erase_op(parsed);
    Ok(())
}

/// sin, cos or tan of a number from its distance to the next multiple n of pi/2, in two parts, where n
/// modulo 4 says which of sine and cosine of that it is.
fn far(name: &str, function: &str) -> String {
    let value = match function {
        "sin" => "%value = arith.select %odd, %c, %s : f64",
        "cos" => {
            "%value = arith.select %odd, %s, %c : f64
             %turned = arith.addi %n, %one : i64"
        }
        _ => {
            "%numerator = arith.select %odd, %c, %s : f64
             %denominator = arith.select %odd, %s, %c : f64
             %quotient = arith.divf %numerator, %denominator : f64
             %minus = arith.negf %quotient : f64
             %value = arith.select %odd, %minus, %quotient : f64"
        }
    };
    let end = match function {
        "tan" => "return %value : f64".to_owned(),
        _ => {
            let quarter = if function == "cos" { "%turned" } else { "%n" };
            format!(
                "%half = arith.andi {quarter}, %two : i64
                 %flips = arith.cmpi ne, %half, %zero : i64
                 %flipped = arith.negf %value : f64
                 %result = arith.select %flips, %flipped, %value : f64
                 return %result : f64"
            )
        }
    };
    format!(
        r#"func.func private @{name}(%x: f64) -> f64
             attributes {{{ELEMENTARY}, passthrough = ["noinline"]}} {{
             %zero = arith.constant 0 : i64
             %one = arith.constant 1 : i64
             %two = arith.constant 2 : i64
             %hi, %lo, %n = func.call @pyopt.reduce_far(%x) : (f64) -> (f64, f64, i64)
             %s0 = func.call @pyopt.near_sin(%hi) : (f64) -> f64
             %c0 = func.call @pyopt.near_cos(%hi) : (f64) -> f64
             %minus_lo = arith.negf %lo : f64
             %s = math.fma %lo, %c0, %s0 : f64
             %c = math.fma %minus_lo, %s0, %c0 : f64
             %digit = arith.andi %n, %one : i64
             %odd = arith.cmpi ne, %digit, %zero : i64
             {value}
             {end}
           }}"#
    )
}

/// The distance of a number from 2^30 on to the next multiple of pi/2, and which one that is; NaN for
/// what isn't finite.
fn reduction() -> String {
    // The word of the table at a position: a chain of selections.
    let mut words = String::new();
    for ahead in 0..4 {
        let mut value = "%zero".to_owned();
        for (at, word) in TWO_OVER_PI.iter().enumerate() {
            let name = format!("%w{ahead}_{at}");
            words += &format!(
                "{name}_value = arith.constant {} : i64
                 {name}_at = arith.constant {} : i64
                 {name}_here = arith.cmpi eq, %word, {name}_at : i64
                 {name} = arith.select {name}_here, {name}_value, {value} : i64\n",
                *word as i64,
                at as i64 - ahead,
            );
            value = name;
        }
    }
    let last = TWO_OVER_PI.len() - 1;
    // Three words from a bit on.
    let mut shifted = String::new();
    for at in 0..3 {
        let (this, next) = (format!("%w{at}_{last}"), format!("%w{}_{last}", at + 1));
        shifted += &format!(
            "%high{at} = arith.shli {this}, %bit : i64
             %half{at} = arith.shrui {next}, %one : i64
             %low{at} = arith.shrui %half{at}, %rest : i64
             %b{at} = arith.ori %high{at}, %low{at} : i64\n"
        );
    }
    format!(
        r#"func.func private @pyopt.reduce_far(%x: f64) -> (f64, f64, i64)
             attributes {{{ELEMENTARY}, passthrough = ["noinline"]}} {{
             %zero = arith.constant 0 : i64
             %one = arith.constant 1 : i64
             %two = arith.constant 2 : i64
             %six = arith.constant 6 : i64
             %c52 = arith.constant 52 : i64
             %c62 = arith.constant 62 : i64
             %c63 = arith.constant 63 : i64
             %minus_one = arith.constant -1 : i64
             %exponents = arith.constant 2047 : i64
             %mantissas = arith.constant 4503599627370495 : i64
             %hidden = arith.constant 4503599627370496 : i64
             %offset = arith.constant 1013 : i64
             %bits = arith.bitcast %x : f64 to i64
             %shifted = arith.shrui %bits, %c52 : i64
             %exponent = arith.andi %shifted, %exponents : i64
             %fraction = arith.andi %bits, %mantissas : i64
             %m = arith.ori %fraction, %hidden : i64
             // x is m 2^(exponent - 1075); the first bit that counts has weight 2 there.
             %position = arith.subi %exponent, %offset : i64
             %word = arith.shrui %position, %six : i64
             %bit = arith.andi %position, %c63 : i64
             %rest = arith.subi %c63, %bit : i64
             {words}
             {shifted}
             %p2, %carry2 = arith.mului_extended %m, %b2 : i64
             %l1, %h1 = arith.mului_extended %m, %b1 : i64
             %p1 = arith.addi %l1, %carry2 : i64
             %overflows = arith.cmpi ult, %p1, %l1 : i64
             %carry1 = arith.extui %overflows : i1 to i64
             %l0 = arith.muli %m, %b0 : i64
             %sum0 = arith.addi %l0, %h1 : i64
             %p0 = arith.addi %sum0, %carry1 : i64
             %quarters = arith.shrui %p0, %c62 : i64
             %f0_high = arith.shli %p0, %two : i64
             %f0_low = arith.shrui %p1, %c62 : i64
             %f0 = arith.ori %f0_high, %f0_low : i64
             %f1_high = arith.shli %p1, %two : i64
             %f1_low = arith.shrui %p2, %c62 : i64
             %f1 = arith.ori %f1_high, %f1_low : i64
             // From a half on, to the next quarter.
             %up = arith.shrui %f0, %c63 : i64
             %is_up = arith.cmpi ne, %up, %zero : i64
             %nearest = arith.addi %quarters, %up : i64
             %not0 = arith.xori %f0, %minus_one : i64
             %not1 = arith.xori %f1, %minus_one : i64
             %neg1 = arith.addi %not1, %one : i64
             %is_zero1 = arith.cmpi eq, %neg1, %zero : i64
             %borrow = arith.extui %is_zero1 : i1 to i64
             %neg0 = arith.addi %not0, %borrow : i64
             %a0 = arith.select %is_up, %neg0, %f0 : i64
             %a1 = arith.select %is_up, %neg1, %f1 : i64
             // Without rounding: the upper 53 bits, the others, and the last word.
             %low_bits = arith.constant 2047 : i64
             %high_bits = arith.constant -2048 : i64
             %upper = arith.andi %a0, %high_bits : i64
             %lower = arith.andi %a0, %low_bits : i64
             %scale = arith.constant 5.421010862427522e-20 : f64
             %upper_float = arith.uitofp %upper : i64 to f64
             %lower_float = arith.uitofp %lower : i64 to f64
             %last_float = arith.uitofp %a1 : i64 to f64
             %last_scaled = arith.mulf %last_float, %scale : f64
             %tail = arith.addf %lower_float, %last_scaled : f64
             %head = arith.addf %upper_float, %tail : f64
             %part = arith.subf %head, %upper_float : f64
             %error = arith.subf %tail, %part : f64
             %d0 = arith.mulf %head, %scale : f64
             %d1 = arith.mulf %error, %scale : f64
             %half_pi = arith.constant 1.5707963267948966 : f64
             %half_pi_low = arith.constant 6.123233995736766e-17 : f64
             %r0 = arith.mulf %d0, %half_pi : f64
             %minus_r0 = arith.negf %r0 : f64
             %r_error = math.fma %d0, %half_pi, %minus_r0 : f64
             %r_low = math.fma %d0, %half_pi_low, %r_error : f64
             %r1 = math.fma %d1, %half_pi, %r_low : f64
             %minus_r1 = arith.negf %r1 : f64
             // Below zero where the next quarter is above, and where x is, but not both.
             %sign = arith.cmpi slt, %bits, %zero : i64
             %minus_nearest = arith.subi %zero, %nearest : i64
             %n = arith.select %sign, %minus_nearest, %nearest : i64
             %negative = arith.xori %sign, %is_up : i1
             %hi = arith.select %negative, %minus_r0, %r0 : f64
             %lo = arith.select %negative, %minus_r1, %r1 : f64
             %no_number = arith.subf %x, %x : f64
             %infinite = arith.cmpi eq, %exponent, %exponents : i64
             %result = arith.select %infinite, %no_number, %hi : f64
             return %result, %lo, %n : f64, f64, i64
           }}"#
    )
}

/// C's fmod: long division of the mantissas, eleven bits at a time.
fn remainder() -> String {
    format!(
        r#"func.func private @{REMAINDER_SYMBOL}(%x: f64, %y: f64) -> f64
             attributes {{{ELEMENTARY}, passthrough = ["noinline"]}} {{
             %zero = arith.constant 0 : i64
             %one = arith.constant 1 : i64
             %eleven = arith.constant 11 : i64
             %c52 = arith.constant 52 : i64
             %mantissas = arith.constant 4503599627370495 : i64
             %hidden = arith.constant 4503599627370496 : i64
             %nothing = arith.constant 0.0 : f64
             %infinity = arith.constant 0x7FF0000000000000 : f64
             %ax = math.absf %x : f64
             %ay = math.absf %y : f64
             %finite = arith.cmpf olt, %ax, %infinity : f64
             %divides = arith.cmpf ogt, %ay, %nothing : f64
             %defined = arith.andi %finite, %divides : i1
             %less = arith.cmpf olt, %ax, %ay : f64
             %product = arith.mulf %x, %y : f64
             %no_number = arith.divf %product, %product : f64
             %not_less = arith.cmpf oge, %ax, %ay : f64
             %long = arith.andi %defined, %not_less : i1
             %short = arith.select %less, %x, %no_number : f64
             %simple = arith.select %defined, %short, %no_number : f64
             %result = scf.if %long -> (f64) {{
               %xb = arith.bitcast %ax : f64 to i64
               %yb = arith.bitcast %ay : f64 to i64
               %xe0 = arith.shrui %xb, %c52 : i64
               %ye0 = arith.shrui %yb, %c52 : i64
               %xe = arith.maxui %xe0, %one : i64
               %ye = arith.maxui %ye0, %one : i64
               %xm0 = arith.andi %xb, %mantissas : i64
               %ym0 = arith.andi %yb, %mantissas : i64
               %xm1 = arith.ori %xm0, %hidden : i64
               %ym1 = arith.ori %ym0, %hidden : i64
               %x_small = arith.cmpi eq, %xe0, %zero : i64
               %y_small = arith.cmpi eq, %ye0, %zero : i64
               %xm = arith.select %x_small, %xm0, %xm1 : i64
               %ym = arith.select %y_small, %ym0, %ym1 : i64
               %first = arith.remui %xm, %ym : i64
               %distance = arith.subi %xe, %ye : i64
               %m, %left = scf.while (%m0 = %first, %n = %distance) : (i64, i64) -> (i64, i64) {{
                 %more = arith.cmpi sgt, %n, %zero : i64
                 scf.condition(%more) %m0, %n : i64, i64
               }} do {{
               ^bb0(%m1: i64, %n1: i64):
                 %step = arith.minsi %n1, %eleven : i64
                 %shifted = arith.shli %m1, %step : i64
                 %next = arith.remui %shifted, %ym : i64
                 %n2 = arith.subi %n1, %step : i64
                 scf.yield %next, %n2 : i64, i64
               }}
               %bound = arith.constant 52 : i64
               %normal = arith.cmpi sgt, %ye, %bound : i64
               %biased = arith.subi %ye, %bound : i64
               %biased1 = arith.maxsi %biased, %zero : i64
               %power_normal = arith.shli %biased1, %c52 : i64
               %digit = arith.subi %ye, %one : i64
               %digit1 = arith.minsi %digit, %c52 : i64
               %power_small = arith.shli %one, %digit1 : i64
               %power_bits = arith.select %normal, %power_normal, %power_small : i64
               %power = arith.bitcast %power_bits : i64 to f64
               %whole = arith.uitofp %m : i64 to f64
               %value = arith.mulf %whole, %power : f64
               %signed = math.copysign %value, %x : f64
               scf.yield %signed : f64
             }} else {{
               scf.yield %simple : f64
             }}
             return %result : f64
           }}"#
    )
}
