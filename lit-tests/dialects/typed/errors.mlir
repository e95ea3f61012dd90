// One failure per verifier rule of the typed dialect.
// RUN: %pyopt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{an array can't have elements of type 'i64'}}
func.func private @f(!typed.array<1, i64, C>)

// -----

// expected-error @+1 {{an array has at most 255 dimensions, got 256}}
func.func private @f(!typed.array<256, f64, C>)

// -----

// expected-error @+1 {{expected a layout: C, F, A or bytes}}
func.func private @f(!typed.array<1, f64, K>)

// -----

func.func @f() {
  // expected-error @+1 {{'typed.constant' op integer type must have a signedness, got 'i64'}}
  %0 = typed.constant 1 : i64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'typed.constant' op needs the two parts of a 'complex<f64>'}}
  %0 = typed.constant (1.0 : f64, 1 : si64) : complex<f64>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'typed.constant' op a string constant is a !typed.str or !typed.bytes}}
  %0 = "typed.constant"() <{value = "a"}> : () -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'typed.constant' op value 1 : si64 is not of type 'f64'}}
  %0 = "typed.constant"() <{value = 1 : si64}> : () -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'typed.singleton' op type 'f64' has more than one value}}
  %0 = typed.singleton : f64
  return
}

// -----

func.func @f(%s: !typed.str) {
  // expected-error @+1 {{'typed.cast' op converts numbers only, got '!typed.str' to 'f64'}}
  %0 = typed.cast %s : !typed.str to f64
  return
}

// -----

func.func @f(%z: complex<f64>) {
  // expected-error @+1 {{'typed.cast' op can't convert 'complex<f64>' to 'f64'}}
  %0 = typed.cast %z : complex<f64> to f64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.binary' op and needs integers, got 'f64'}}
  %0 = typed.binary and %x, %x : f64
  return
}

// -----

func.func @f(%x: i1) {
  // expected-error @+1 {{'typed.binary' op lshift needs integers other than bool, got 'i1'}}
  %0 = typed.binary lshift %x, %x : i1
  return
}

// -----

func.func @f(%x: si64) {
  // expected-error @+1 {{'typed.binary' op truediv needs floats, got 'si64'}}
  %0 = typed.binary truediv %x, %x : si64
  return
}

// -----

func.func @f(%x: si64) {
  // expected-error @+1 {{'typed.binary' op hypot needs floats, got 'si64'}}
  %0 = typed.binary hypot %x, %x : si64
  return
}

// -----

func.func @f(%z: complex<f64>) {
  // expected-error @+1 {{'typed.binary' op floordiv is not defined for 'complex<f64>'}}
  %0 = typed.binary floordiv %z, %z : complex<f64>
  return
}

// -----

func.func @f(%s: !typed.str) {
  // expected-error @+1 {{'typed.binary' op add needs numbers, got '!typed.str'}}
  %0 = typed.binary add %s, %s : !typed.str
  return
}

// -----

func.func @f(%x: si64) {
  // expected-error @+1 {{'typed.unary' op sqrt needs a float, got 'si64'}}
  %0 = typed.unary sqrt %x : si64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.unary' op invert needs an integer, got 'f64'}}
  %0 = typed.unary invert %x : f64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.unary' op result must be 'i1', got 'f64'}}
  %0 = typed.unary isnan %x : f64
  return
}

// -----

func.func @f(%s: !typed.str) {
  // expected-error @+1 {{'typed.unary' op needs a number, got '!typed.str'}}
  %0 = typed.unary neg %s : !typed.str
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.compare' op can't compare '!typed.array<1, f64, C>'}}
  %0 = typed.compare eq %a, %a : !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.call' op @g is not a function of this module}}
  typed.call @g(%x) : (f64) -> ()
  return
}

// -----

func.func private @g(si64)
func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.call' op argument types differ from those of @g}}
  typed.call @g(%x) : (f64) -> ()
  return
}

// -----

func.func private @g(f64) -> f64
func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.call' op result types differ from those of @g}}
  typed.call @g(%x) : (f64) -> ()
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.tuple' op elements don't have the types of 'tuple<si64>'}}
  %0 = "typed.tuple"(%x) : (f64) -> tuple<si64>
  return
}

// -----

func.func @f(%t: tuple<si64>) {
  // expected-error @+1 {{'typed.tuple_get' op position 1 is not in 'tuple<si64>'}}
  %0 = typed.tuple_get %t[1] : tuple<si64> -> si64
  return
}

// -----

func.func @f(%t: tuple<si64>) {
  // expected-error @+1 {{'typed.tuple_get' op result must be 'si64', got 'f64'}}
  %0 = typed.tuple_get %t[0] : tuple<si64> -> f64
  return
}

// -----

func.func @f(%t: tuple<si64, f64>, %i: index) {
  // expected-error @+1 {{'typed.tuple_item' op needs a tuple of 'si64', got 'tuple<si64, f64>'}}
  %0 = typed.tuple_item %t[%i : index] : tuple<si64, f64> -> si64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.bind' op can't bind 'f64' to '!typed.unbound<si64>'}}
  %0 = typed.bind %x : f64 to !typed.unbound<si64>
  return
}

// -----

func.func @f(%x: !typed.unbound<f64>) {
  // expected-error @+1 {{'typed.bound_value' op result must be 'f64', got 'si64'}}
  %0 = typed.bound_value %x : !typed.unbound<f64> -> si64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.len' op type 'f64' has no length}}
  %0 = typed.len %x : f64 -> si64
  return
}

// -----

func.func @f(%x: f64, %i: index) {
  // expected-error @+1 {{'typed.item' op needs a range, str or bytes, got 'f64'}}
  %0 = typed.item %x[%i : index] : f64 -> f64
  return
}

// -----

func.func @f(%x: !typed.str, %i: index) {
  // expected-error @+1 {{'typed.item' op result must be '!typed.str', got 'f64'}}
  %0 = typed.item %x[%i : index] : !typed.str -> f64
  return
}

// -----

func.func @f(%s: !typed.slice<si64, si64, !typed.none>) {
  // expected-error @+1 {{result must be '!typed.none', got 'si64'}}
  %0 = typed.slice_get %s[2] : !typed.slice<si64, si64, !typed.none> -> si64
  return
}

// -----

func.func @f(%r: !typed.range<si64>) {
  // expected-error @+1 {{attribute 'position' failed to satisfy constraint}}
  %0 = typed.range_get %r[3] : !typed.range<si64>
  return
}

// -----

func.func @f(%it: !typed.iter<!typed.str>) {
  // expected-error @+1 {{'typed.zip' op result must be '!typed.iter<!typed.zip<tuple<!typed.str>>>', got '!typed.iter<!typed.str>'}}
  %0 = typed.zip %it : (!typed.iter<!typed.str>) -> !typed.iter<!typed.str>
  return
}

// -----

func.func @f(%it: !typed.iter<!typed.range<si64>>) {
  // expected-error @+1 {{branch has 1 operands for successor #0, but target block has 0}}
  "typed.for_iter"(%it)[^body, ^exit] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!typed.iter<!typed.range<si64>>) -> ()
^body:
  return
^exit:
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'typed.slice' op parts are integers or None, got 'f64'}}
  %0 = typed.slice %x, %x, %x : !typed.slice<f64, f64, f64>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.dim' op array of rank 1 has no dimension 1}}
  %0 = typed.dim %a[1] : !typed.array<1, f64, C> -> index
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>, %i: index) {
  // expected-error @+1 {{'typed.load' op array of rank 2 got 1 indices}}
  %0 = typed.load %a[%i] : !typed.array<2, f64, C>, index -> f64
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: index) {
  // expected-error @+1 {{'typed.load' op element must be 'f64', got 'f32'}}
  %0 = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f32
  return
}

// -----

func.func @f(%x: f64, %a: !typed.array<1, f64, C, readonly>, %i: index) {
  // expected-error @+1 {{'typed.fill_border' op can't store to a read-only array}}
  typed.fill_border %x, %a around(%i) to(%i) : f64, !typed.array<1, f64, C, readonly>
  return
}

// -----

func.func @f(%x: f64, %a: !typed.array<2, f64, C>, %i: index) {
  // expected-error-re @+1 {{'typed.fill_border' op {{.*}}}}
  typed.fill_border %x, %a around(%i) to(%i) : f64, !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C, readonly>, %i: index, %x: f64) {
  // expected-error @+1 {{'typed.store' op can't store to a read-only array}}
  typed.store %x, %a[%i] : f64, !typed.array<1, f64, C, readonly>, index
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %i: si64) {
  // expected-error @+1 {{'typed.view' op array of rank 1 got 2 subscripts}}
  %0 = typed.view %a[%i, %i] : !typed.array<1, f64, C>, (si64, si64) -> !typed.array<0, f64, A>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'typed.view' op a subscript is an integer, a slice or None, got 'f64'}}
  %0 = typed.view %a[%x] : !typed.array<1, f64, C>, (f64) -> !typed.array<0, f64, A>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C, readonly>, %i: si64) {
  // expected-error @+1 {{'typed.view' op a view of '!typed.array<2, f64, C, readonly>' of rank 1 can't be '!typed.array<1, f64, C>'}}
  %0 = typed.view %a[%i] : !typed.array<2, f64, C, readonly>, (si64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>) {
  // expected-error @+1 {{'typed.transpose' op [0, 0] is no permutation of the dimensions of '!typed.array<2, f64, C>'}}
  %0 = typed.transpose %a by [0, 0] : !typed.array<2, f64, C> -> !typed.array<2, f64, A>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>) {
  // expected-error @+1 {{'typed.transpose' op the transpose of '!typed.array<2, f64, C>' can't be '!typed.array<1, f64, F>'}}
  %0 = typed.transpose %a : !typed.array<2, f64, C> -> !typed.array<1, f64, F>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, F>, %n: si64) {
  // expected-error @+1 {{'typed.reshape' op arrays of layout C are reshaped, got '!typed.array<2, f64, F>' and '!typed.array<1, f64, C>'}}
  %0 = typed.reshape %a(%n) : !typed.array<2, f64, F>, (si64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>, %n: si64) {
  // expected-error @+1 {{'typed.reshape' op array of rank 2 got 1 sizes}}
  %0 = typed.reshape %a(%n) : !typed.array<2, f64, C>, (si64) -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C, readonly>, %n: si64) {
  // expected-error @+1 {{'typed.reshape' op the elements of '!typed.array<1, f64, C, readonly>' can't be those of '!typed.array<1, f64, C>'}}
  %0 = typed.reshape %a(%n) : !typed.array<1, f64, C, readonly>, (si64) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'typed.empty' op array of rank 2 got 1 sizes}}
  %0 = typed.empty(%n) : (index) -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'typed.empty' op a fresh array is contiguous and writable, got '!typed.array<1, f64, A>'}}
  %0 = typed.empty(%n) : (index) -> !typed.array<1, f64, A>
  return
}

// -----

func.func @f(%n: index, %x: f64) {
  // expected-error @+1 {{'typed.generate' op region takes one index a dimension}}
  %0 = typed.generate(%n : index) {
    typed.yield %x : f64
  } : !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{'typed.generate' op region must yield one 'f64'}}
  %0 = typed.generate(%n : index) {
  ^bb0(%i: index):
    typed.yield %x : f32
  } : !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: f64) {
  // expected-error @+1 {{'typed.array_expr' op region takes one argument an operand}}
  %0 = typed.array_expr(%a) {
    typed.yield %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.array_expr' op region argument 0 must be 'f64', got 'f32'}}
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f32):
    typed.yield %x : f32
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f32, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.array_expr' op result must have rank 1, got 2}}
  %0 = typed.array_expr(%a) {
  ^bb0(%x: f64):
    typed.yield %x : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C, readonly>, %x: f64) {
  // expected-error @+1 {{'typed.assign' op can't assign to a read-only array}}
  typed.assign %x, %a : f64, !typed.array<1, f64, C, readonly>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>, %x: !typed.str) {
  // expected-error @+1 {{'typed.assign' op can't assign '!typed.str' to elements of type 'f64'}}
  typed.assign %x, %a : !typed.str, !typed.array<1, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.reduce' op result must be i1, got 'f64'}}
  %0 = typed.reduce any %a : !typed.array<1, f64, C> -> f64
  return
}

// -----

func.func @f(%a: !typed.array<1, f64, C>) {
  // expected-error @+1 {{'typed.reduce' op result must be a number, got '!typed.none'}}
  %0 = typed.reduce sum %a : !typed.array<1, f64, C> -> !typed.none
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>, %n: index) {
  // expected-error @+1 {{'typed.with_shape' op array of rank 2 got 1 sizes}}
  %0 = typed.with_shape %a[%n] : !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>, %n: index) {
  // expected-error @+1 {{'typed.broadcast' op array of rank 2 got 1 sizes}}
  %0 = typed.broadcast %a to (%n) : !typed.array<2, f64, C> -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, C>, %n: index) {
  // expected-error @+1 {{'typed.broadcast' op the broadcast of '!typed.array<2, f64, C>' can't be '!typed.array<2, f32, C>'}}
  %0 = typed.broadcast %a to (%n, %n) : !typed.array<2, f64, C> -> !typed.array<2, f32, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, A>, %n: index) {
  // expected-error @+1 {{'typed.repeat' op gives each array as what it is}}
  %0 = typed.repeat %a to (%n, %n) : !typed.array<2, f64, A> -> !typed.array<2, f64, C>
  return
}

// -----

func.func @f(%a: !typed.array<2, f64, A>, %n: index) {
  // expected-error @+1 {{'typed.repeat' op array of rank 2 got 1 sizes}}
  %0 = typed.repeat %a to (%n) : !typed.array<2, f64, A> -> !typed.array<2, f64, A>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'typed.repeat' op has no array}}
  "typed.repeat"(%n) {operandSegmentSizes = array<i32: 0, 1, 0>} : (index) -> ()
  return
}

// -----

func.func @constant_array_of_another_rank() {
  // expected-error@+1 {{'typed.constant_array' op elements of type 'tensor<2xf64>' make no '!typed.array<2, f64, C, readonly>'}}
  %0 = typed.constant_array dense<[1.0, 2.0]> : tensor<2xf64> to !typed.array<2, f64, C, readonly>
  return
}

// -----

func.func @constant_array_of_other_elements() {
  // expected-error@+1 {{'typed.constant_array' op elements of type 'tensor<1xsi32>' make no '!typed.array<1, si64, C, readonly>'}}
  %0 = typed.constant_array dense<[1]> : tensor<1xsi32> to !typed.array<1, si64, C, readonly>
  return
}

// -----

func.func @constant_array_that_can_be_written() {
  // expected-error@+1 {{'typed.constant_array' op the array must be readonly, of layout C, got '!typed.array<1, si64, C>'}}
  %0 = typed.constant_array dense<[1]> : tensor<1xsi64> to !typed.array<1, si64, C>
  return
}

// -----

func.func @positions_of_other_types(%n: si64, %m: si32) {
  // expected-error@+1 {{result must be '!typed.indices<tuple<si64, si32>>', got '!typed.indices<tuple<si64, si64>>'}}
  %0 = typed.indices %n, %m : (si64, si32) -> !typed.indices<tuple<si64, si64>>
  return
}

// -----

func.func @parts_of_smaller_elements(%a: !typed.array<1, f32, A>) {
  // expected-error@+1 {{elements of 4 bytes have none of 8 at 0}}
  %0 = typed.reinterpret %a : !typed.array<1, f32, A> -> !typed.array<1, f64, A>
  return
}

// -----

func.func @views_of_other_ranks(%a: !typed.array<1, f32, C>) {
  // expected-error@+1 {{'!typed.array<1, f32, C>' can't be seen as '!typed.array<2, f32, C>'}}
  %0 = typed.reinterpret %a : !typed.array<1, f32, C> -> !typed.array<2, f32, C>
  return
}

// -----

func.func @stride_of_no_dimension(%a: !typed.array<1, f32, C>) {
  // expected-error@+1 {{array of rank 1 has no dimension 1}}
  %0 = typed.stride %a[1] : !typed.array<1, f32, C> -> si64
  return
}

// -----

func.func @f(%t: tuple<f64>) {
  // expected-error @+1 {{the items are those of the sequence}}
  %0 = "typed.as_sequence"(%t) : (tuple<f64>) -> !typed.sequence<tuple<si64>, #py.named<"builtins.list">>
  return
}

// -----

func.func @f(%c: i1, %n: si64) {
  // expected-error @+1 {{'typed.raise_if' op has a message with 2 places for 1 values}}
  typed.raise_if %c, "IndexError"("{} of {}") with (%n : si64)
  return
}

// -----

func.func @f(%c: i1, %x: f64) {
  // expected-error @+1 {{'typed.raise_if' op operand #1 must be variadic of 64-bit int, but got 'f64'}}
  typed.raise_if %c, "IndexError"("{}") with (%x : f64)
  return
}

// -----

func.func @f(%n: si64) {
  // expected-error @+1 {{'typed.require_equal' op has a message with 0 places for 2 values}}
  typed.require_equal %n, %n, "sizes differ" : si64, si64
  return
}
