// A dialect that is defined in text. What its operations do is said by the tool that loads it:
// `tools/pyopt/examples/extended-opt.rs`.
irdl.dialect @example {
  irdl.operation @sum {
    %any = irdl.any
    %other = irdl.any
    irdl.operands(array: %any)
    irdl.results(result: %other)
  }
  irdl.operation @clear {
    %any = irdl.any
    irdl.operands(array: %any)
  }
  irdl.operation @guard {
    %any = irdl.any
    irdl.operands(value: %any)
  }
  irdl.operation @mix {
    %any = irdl.any
    %other = irdl.any
    irdl.operands(lhs: %any, rhs: %other)
    irdl.results(result: %any)
  }
  irdl.operation @each {
    %any = irdl.any
    %other = irdl.any
    irdl.operands(array: %any)
    irdl.results(result: %other)
  }
  irdl.operation @make {
    %size = irdl.any
    %any = irdl.any
    irdl.operands(size: %size)
    irdl.results(result: %any)
  }
  irdl.operation @take {
    %any = irdl.any
    irdl.operands(array: %any)
  }
  irdl.operation @part {
    %any = irdl.any
    %other = irdl.any
    irdl.operands(array: %any)
    irdl.results(result: %other)
  }
  irdl.operation @repeat {
    %body = irdl.region
    irdl.regions(body: %body)
  }
}
