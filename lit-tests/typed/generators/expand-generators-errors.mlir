// RUN: %pyopt %s --typed-expand-generators --split-input-file --verify-diagnostics

func.func private @g.next(!typed.generator<@g.next, si64>) -> !typed.unbound<si64>
func.func private @g(%a: !typed.array<1, si64, C>, %n: si64) -> !typed.generator<@g.next, si64> attributes {pyopt.generator} {
  // expected-error @+1 {{an iterator can't be kept while a generator is suspended}}
  %i = typed.iter %a : !typed.array<1, si64, C>
  typed.yield_value %n : si64
  cf.br ^header
^header:
  typed.for_iter %i : !typed.iter<!typed.array<1, si64, C>>, ^body, ^end
^body(%x: si64):
  cf.br ^header
^end:
  typed.end_generator
}
