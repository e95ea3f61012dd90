//! A 1:N conversion through everything that passes values on: complex numbers become two floats,
//! `none` becomes nothing.

use super::*;
use crate::infra::{
    Diagnostic, PassContext, PassFailure, PassResult, PassSpec, register_pass, run_pipeline,
    test_support,
};
use melior::ir::{Module, OperationRef, Type, TypeLike, operation::OperationLike};
use mlir_sys::{mlirComplexTypeGetElementType, mlirTypeIsAComplex, mlirTypeIsANone};

fn element_of<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: the kind is checked.
    unsafe {
        mlirTypeIsAComplex(r#type.to_raw())
            .then(|| Type::from_raw(mlirComplexTypeGetElementType(r#type.to_raw())))
    }
}

fn split_complex<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let mut types = TypeConverter::new();
    types
        .add(|r#type: Type<'c>| element_of(r#type).map(|element| vec![element; 2]))
        // SAFETY: the type is valid.
        .add(|r#type: Type<'c>| unsafe { mlirTypeIsANone(r#type.to_raw()) }.then(Vec::new));

    let mut conversion = Conversion::new(cx.context(), root, &types);
    conversion
        .convert_func()
        .convert_scf()
        .convert_cf()
        .legal_dialects(&["arith"])
        .illegal_dialects(&["complex"]);
    conversion.pattern("complex.create", |op, operands, rewriter| {
        rewriter.replace(op, &[operands.concat()]);
        Ok(())
    });
    conversion.pattern("complex.re", |op, operands, rewriter| {
        rewriter.replace(op, &[vec![operands[0][0]]]);
        Ok(())
    });
    conversion.pattern("complex.add", |op, operands, rewriter| {
        let types = rewriter.convert_results(op)?;
        let sum = (0..2)
            .map(|part| {
                let (left, right) = (operands[0][part], operands[1][part]);
                rewriter.value("arith.addf", &[left, right], types[part], &[])
            })
            .collect();
        rewriter.replace(op, &[sum]);
        Ok(())
    });
    conversion.pattern("complex.mul", |_, _, _| {
        Err(PassFailure::Message(
            "products are left as an exercise".into(),
        ))
    });
    conversion.pattern("complex.sub", |_, _, _| panic!("no differences please"));
    conversion.apply_partial()
}

static SPLIT_COMPLEX: PassSpec =
    PassSpec::new("test-split-complex", "split complex numbers", split_complex);

fn convert(source: &str) -> Result<String, Vec<Diagnostic>> {
    let context = test_support::context();
    register_pass(&SPLIT_COMPLEX);
    let mut module = Module::parse(&context, source).expect("the module is well-formed");
    run_pipeline(&context, &mut module, "builtin.module(test-split-complex)")
        .map_err(|error| error.diagnostics)?;
    assert!(module.as_operation().verify());
    let text = module.as_operation().to_string();
    assert!(!text.contains("unrealized"), "{text}");
    assert!(!text.contains("complex<"), "{text}");
    Ok(text)
}

#[test]
fn signatures_calls_and_returns() {
    let text = convert(
        "func.func @twice(%a: complex<f64>, %n: none) -> complex<f64> {
           %0 = complex.add %a, %a : complex<f64>
           return %0 : complex<f64>
         }
         func.func @main(%re: f64, %n: none) -> f64 {
           %0 = complex.create %re, %re : complex<f64>
           %1 = call @twice(%0, %n) : (complex<f64>, none) -> complex<f64>
           %2 = complex.re %1 : complex<f64>
           return %2 : f64
         }",
    )
    .unwrap();
    assert!(text.contains("func.func @twice(%arg0: f64, %arg1: f64) -> (f64, f64)"));
    assert!(text.contains("call @twice(%arg0, %arg0) : (f64, f64) -> (f64, f64)"));
    assert!(text.contains("func.func @main(%arg0: f64) -> f64"));
}

#[test]
fn structured_control_flow() {
    let text = convert(
        "func.func @power(%a: complex<f64>, %n: index, %c: i1) -> complex<f64> {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> complex<f64> {
             %1 = complex.add %x, %a : complex<f64>
             scf.yield %1 : complex<f64>
           }
           %2 = scf.if %c -> complex<f64> {
             scf.yield %0 : complex<f64>
           } else {
             scf.yield %a : complex<f64>
           }
           %3 = scf.while (%x = %2) : (complex<f64>) -> complex<f64> {
             scf.condition(%c) %x : complex<f64>
           } do {
           ^bb0(%x: complex<f64>):
             scf.yield %x : complex<f64>
           }
           return %3 : complex<f64>
         }",
    )
    .unwrap();
    assert!(
        text.contains("iter_args(%arg5 = %arg0, %arg6 = %arg1) -> (f64, f64)"),
        "{text}"
    );
    assert!(text.contains("scf.if %arg3 -> (f64, f64)"), "{text}");
    assert!(text.contains("(f64, f64) -> (f64, f64)"), "{text}");
}

#[test]
fn branches_and_block_arguments() {
    let text = convert(
        "func.func @choose(%a: complex<f64>, %c: i1) -> complex<f64> {
           cf.cond_br %c, ^bb1(%a : complex<f64>), ^bb2(%a, %a : complex<f64>, complex<f64>)
         ^bb1(%x: complex<f64>):
           cf.br ^bb2(%x, %x : complex<f64>, complex<f64>)
         ^bb2(%y: complex<f64>, %z: complex<f64>):
           %0 = complex.add %y, %z : complex<f64>
           return %0 : complex<f64>
         }",
    )
    .unwrap();
    assert!(
        text.contains("^bb2(%2: f64, %3: f64, %4: f64, %5: f64)"),
        "{text}"
    );
}

#[test]
fn what_has_no_pattern_is_reported() {
    let errors = convert(
        "func.func @f(%a: complex<f64>) -> complex<f64> {
           %0 = complex.mul %a, %a : complex<f64>
           return %0 : complex<f64>
         }",
    )
    .unwrap_err();
    let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "failed to legalize operation 'complex.mul' that was explicitly marked illegal",
            "products are left as an exercise",
        ]
    );
    let position = errors[1].position.as_ref().unwrap();
    assert_eq!((position.line, position.column), (2, 17));
}

#[test]
fn a_panic_in_a_pattern_fails_the_pass() {
    let errors = convert(
        "func.func @f(%a: complex<f64>) -> complex<f64> {
           %0 = complex.sub %a, %a : complex<f64>
           return %0 : complex<f64>
         }",
    )
    .unwrap_err();
    let last = errors.last().expect("there is an error");
    assert_eq!(
        last.message,
        "pass 'test-split-complex' panicked: no differences please"
    );
}
