// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(test-print-iterator-loops))' --verify-diagnostics

// An inner loop is one of the blocks of the outer one; a `break` leaves it early.
func.func @nested(%r: !typed.range<si64>, %stop: i1) {
  %outer = typed.iter %r : !typed.range<si64>
  cf.br ^header
^header:
  // expected-remark@+1 {{a loop of 4 blocks, 1 entries and 1 latches, left at its end}}
  typed.for_iter %outer : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  %inner = typed.iter %r : !typed.range<si64>
  cf.br ^next
^next:
  // expected-remark@+1 {{a loop of 1 blocks, 1 entries and 1 latches, left early}}
  typed.for_iter %inner : !typed.iter<!typed.range<si64>>, ^item, ^done
^item(%j: si64):
  cf.cond_br %stop, ^done, ^next
^done:
  cf.br ^header
^exit:
  return
}

// No loop: the iterator is asked once.
func.func @once(%r: !typed.range<si64>) -> si64 {
  %zero = typed.constant 0 : si64
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^header
^header:
  // expected-remark@+1 {{a loop of 0 blocks}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  return %i : si64
^exit:
  return %zero : si64
}
