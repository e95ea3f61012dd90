irdl.dialect @scale {
  irdl.operation @twice {
    %double = irdl.is f64
    irdl.operands(value: %double)
    irdl.results(result: %double)
  }
}
