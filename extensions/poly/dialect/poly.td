include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Poly_Dialect : Dialect {
  let name = "poly";
  let cppNamespace = "::poly";
  let summary = "polynomials that are known when functions are compiled";
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
}

def Poly_PolynomialType : TypeDef<Poly_Dialect, "Polynomial"> {
  let mnemonic = "polynomial";
  let summary = "a polynomial of a degree";
  let parameters = (ins "unsigned":$degree);
  let assemblyFormat = "`<` $degree `>`";
}

class Poly_Op<string mnemonic, list<Trait> traits = []>
    : Op<Poly_Dialect, mnemonic, [Pure] # traits>;

def Poly_ConstantOp : Poly_Op<"constant", [ConstantLike]> {
  let summary = "a polynomial by its coefficients, that of the highest power first";
  let arguments = (ins DenseF64ArrayAttr:$value);
  let results = (outs Poly_PolynomialType:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Poly_NegOp : Poly_Op<"neg", [SameOperandsAndResultType]> {
  let summary = "the polynomial with all coefficients negated";
  let arguments = (ins Poly_PolynomialType:$polynomial);
  let results = (outs Poly_PolynomialType:$result);
  let assemblyFormat = "$polynomial attr-dict `:` type($polynomial)";
  let hasFolder = 1;
}

def Poly_EvalOp : Poly_Op<"eval"> {
  let summary = "the value of a polynomial, by Horner's rule";
  let arguments = (ins Poly_PolynomialType:$polynomial, F64:$at);
  let results = (outs F64:$result);
  let assemblyFormat = "$polynomial `at` $at attr-dict `:` type($polynomial)";
}

def : Pat<(Poly_NegOp (Poly_NegOp $polynomial)), (replaceWithValue $polynomial)>;
