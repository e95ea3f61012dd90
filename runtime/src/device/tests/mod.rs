//! Launches of kernels that were written by hand, on an OpenCL CPU device.
//!
//! The tests need an OpenCL CPU device, `spirv-as` and what makes programs of SPIR-V for the device: set-up
//! installs all of them where the system has packages. Where one is missing, the tests say so and pass.
//!
//! The kernels, on doubles, where each array is a buffer and an offset in bytes:
//!
//! - `add_strided(n, a, x, xs, y, ys)`: `y[i * ys] += a * x[i * xs]` for all `i` below `n`;
//! - `assign(n, a, y)`: `y[i] = a`;
//! - `fail_at(n, place, status, errors, y)`: `y[i] = 1`, but at the place the status is put into `errors`.

mod toy;

use std::{
    ffi::c_void,
    io::Write,
    process::{Command, Stdio},
    sync::{Arc, OnceLock},
    thread,
};

use super::{
    Counters, DeviceError, Result, contexts,
    entry::{Arg, Kernel},
    persistent::PersistentMemory,
    registry::{self, OpenDevice},
    session::{self, Session},
};
use crate::memory::{self, OwnerRef, pyopt_alloc};

const READ: i32 = 1;
const WRITE: i32 = 2;
const OVERWRITE: i32 = 6;
/// Threads of a block.
const BLOCK: i64 = 64;

/// The device and the image of the kernels; `None`, with a word, where something is missing.
fn device() -> Option<(Arc<OpenDevice>, &'static [u8])> {
    type Found = std::result::Result<(Arc<OpenDevice>, Vec<u8>), String>;
    static FOUND: OnceLock<Found> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let image = assemble(include_str!("kernels.spvasm"))?;
        let device = registry::open("opencl:cpu").map_err(|error| error.to_string())?;
        Ok((device, image))
    });
    match found {
        Ok((device, image)) => Some((device.clone(), image.as_slice())),
        Err(reason) => {
            eprintln!("skipped: {reason}");
            None
        }
    }
}

fn assemble(text: &str) -> std::result::Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("spirv-as: {error}");
    let mut child = Command::new("spirv-as")
        .args(["--target-env", "spv1.2", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().expect("it is a pipe");
    input.write_all(text.as_bytes()).map_err(failed)?;
    drop(input);
    Ok(child.wait_with_output().map_err(failed)?.stdout)
}

/// Runs work in a session: gives how the session ended.
fn in_session(
    device: &Arc<OpenDevice>,
    work: impl FnOnce(&Arc<Session>) -> Result<i32>,
) -> (Result<i32>, Counters) {
    let queue = contexts::queue(device).expect("there is a queue");
    let running = session::begin(device, queue, []).expect("nothing was forked");
    let done = work(&session::current().expect("it has begun"));
    let (ended, counters) = running.finish();
    (done.and(ended), counters)
}

fn grid(count: i64) -> [i64; 3] {
    [(count + BLOCK - 1) / BLOCK, 1, 1]
}

/// The address of an element of an array.
fn at(array: &[f64], index: usize) -> *const c_void {
    array[index..].as_ptr().cast()
}

/// `y[i * ys] += a * x[i * xs]`, where the arrays begin at addresses.
struct Add {
    count: i64,
    factor: f64,
    from: (*const c_void, i64),
    to: (*const c_void, i64),
}

impl Add {
    fn launch(&self, session: &Kernels<'_>) -> Result<i32> {
        let range = |stride: i64| {
            let last = (self.count - 1) * stride * 8;
            (last.min(0), last.max(0) + 8)
        };
        let (from, to) = (range(self.from.1), range(self.to.1));
        let args = [
            Arg::of_value(&self.count),
            Arg::of_value(&self.factor),
            Arg::of_memory(READ, self.from.0, from.0, from.1),
            Arg::of_value(&self.from.1),
            Arg::of_memory(READ | WRITE, self.to.0, to.0, to.1),
            Arg::of_value(&self.to.1),
        ];
        session.launch("add_strided", self.count, &args)
    }
}

/// A session and the image of its kernels.
struct Kernels<'a> {
    session: &'a Arc<Session>,
    image: &'static [u8],
}

impl Kernels<'_> {
    fn launch(&self, name: &'static str, count: i64, args: &[Arg]) -> Result<i32> {
        let kernel = Kernel::new(name, self.image, 1);
        // SAFETY: the arguments are those that the module's text says.
        unsafe {
            self.session
                .launch(&kernel, grid(count), [BLOCK, 1, 1], args)
        }
    }

    fn assign(&self, to: &[f64], value: f64) -> Result<i32> {
        let (count, bytes) = (to.len() as i64, size_of_val(to) as i64);
        let args = [
            Arg::of_value(&count),
            Arg::of_value(&value),
            Arg::of_memory(OVERWRITE, to.as_ptr().cast(), 0, bytes),
        ];
        self.launch("assign", count, &args)
    }
}

fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|number| number as f64).collect()
}

#[test]
fn arrays_are_copied_in_once_and_back_at_the_end() {
    let Some((device, image)) = device() else {
        return;
    };
    let (x, y) = (numbers(1000), numbers(1000));
    let (ended, counters) = in_session(&device, |session| {
        let session = Kernels { session, image };
        let add = Add {
            count: 1000,
            factor: 2.0,
            from: (at(&x, 0), 1),
            to: (at(&y, 0), 1),
        };
        add.launch(&session)?;
        add.launch(&session)
    });
    assert_eq!(ended, Ok(0));
    assert!((0..1000).all(|i| y[i] == 5.0 * i as f64));
    assert_eq!(
        counters,
        Counters {
            launches: 2,
            copies_in: 2,
            bytes_in: 16000,
            copies_out: 1,
            bytes_out: 8000,
        }
    );
}

#[test]
fn views_that_overlap_share_memory() {
    let Some((device, image)) = device() else {
        return;
    };
    let a = numbers(100);
    let (ended, _) = in_session(&device, |session| {
        let session = Kernels { session, image };
        // First the upper half, which both of the others overlap, as they do each other.
        session.assign(&a[50..], 1.0)?;
        let odd_to_even = Add {
            count: 50,
            factor: 1.0,
            from: (at(&a, 1), 2),
            to: (at(&a, 0), 2),
        };
        odd_to_even.launch(&session)
    });
    assert_eq!(ended, Ok(0));
    let expected = |i: usize| match (i < 50, i % 2) {
        (true, 0) => 2.0 * i as f64 + 1.0,
        (true, _) => i as f64,
        (false, 0) => 2.0,
        (false, _) => 1.0,
    };
    assert!((0..100).all(|i| a[i] == expected(i)), "{a:?}");
}

#[test]
fn strides_may_be_negative_and_what_lies_between_stays() {
    let Some((device, image)) = device() else {
        return;
    };
    let (x, y) = (numbers(64), vec![0.5; 64]);
    let (ended, _) = in_session(&device, |session| {
        let session = Kernels { session, image };
        let add = Add {
            count: 32,
            factor: 1.0,
            from: (at(&x, 63), -2),
            to: (at(&y, 0), 2),
        };
        add.launch(&session)
    });
    assert_eq!(ended, Ok(0));
    assert!((0..32).all(|i| y[2 * i] == 0.5 + (63 - 2 * i) as f64 && y[2 * i + 1] == 0.5));
}

#[test]
fn what_is_overwritten_is_not_copied_in() {
    let Some((device, image)) = device() else {
        return;
    };
    let y = numbers(100);
    let (ended, counters) = in_session(&device, |session| {
        Kernels { session, image }.assign(&y, 7.0)
    });
    assert_eq!(ended, Ok(0));
    assert_eq!(y, [7.0; 100]);
    assert_eq!((counters.bytes_in, counters.bytes_out), (0, 800));
}

#[test]
fn fences_show_the_host_what_kernels_wrote_and_them_what_it_writes() {
    let Some((device, image)) = device() else {
        return;
    };
    let x = numbers(10);
    let mut y = numbers(10);
    let (ended, counters) = in_session(&device, |session| {
        let run = Kernels { session, image };
        let to = y.as_mut_ptr();
        let add = Add {
            count: 10,
            factor: 1.0,
            from: (at(&x, 0), 1),
            to: (to.cast_const().cast(), 1),
        };
        add.launch(&run)?;
        session.fence(true, None, 0)?;
        // SAFETY: the fence was waited for, and nothing else writes.
        unsafe {
            assert_eq!(to.add(9).read(), 18.0);
            to.write(100.0);
        }
        add.launch(&run)?;
        let part = at(&x, 0).addr()..at(&x, 9).addr();
        session.fence(false, Some(std::slice::from_ref(&part)), 0)?;
        // SAFETY: as above.
        unsafe { assert_eq!(to.add(9).read(), 18.0, "only the other array is asked for") };
        Ok(0)
    });
    assert_eq!(ended, Ok(0));
    assert_eq!((y[0], y[9]), (100.0, 27.0));
    assert_eq!(counters.bytes_out, 160);
}

#[test]
fn freed_temporaries_are_not_written_to() {
    let Some((device, image)) = device() else {
        return;
    };
    let y = numbers(1000);
    let (ended, counters) = in_session(&device, |session| {
        let session = Kernels { session, image };
        for round in 0..3 {
            let owner = pyopt_alloc(8000, 0);
            assert!(!owner.is_null());
            // SAFETY: there is room for so many numbers behind the header.
            let data = unsafe {
                let start = owner.byte_add(memory::HEADER).cast::<f64>();
                start.write_bytes(0, 1000);
                std::slice::from_raw_parts(start, 1000)
            };
            session.assign(data, f64::from(round))?;
            let add = Add {
                count: 1000,
                factor: 1.0,
                from: (at(data, 0), 1),
                to: (at(&y, 0), 1),
            };
            add.launch(&session)?;
            // SAFETY: it is the only reference. Another thread may give it up.
            let owner = unsafe { OwnerRef::from_raw(owner) };
            thread::spawn(move || drop(owner)).join().unwrap();
        }
        Ok(0)
    });
    assert_eq!(ended, Ok(0));
    assert!((0..1000).all(|i| y[i] == i as f64 + 3.0));
    assert_eq!((counters.bytes_in, counters.bytes_out), (8000, 8000));
}

#[test]
fn a_status_of_a_kernel_stops_what_follows() {
    let Some((device, image)) = device() else {
        return;
    };
    let y = numbers(100);
    let fail = |session: &Kernels<'_>, place: i64| {
        let (count, status) = (100i64, 17i32);
        let args = [
            Arg::of_value(&count),
            Arg::of_value(&place),
            Arg::of_value(&status),
            Arg::of_errors(),
            Arg::of_memory(OVERWRITE, at(&y, 0), 0, 800),
        ];
        session.launch("fail_at", 100, &args)
    };
    let (ended, counters) = in_session(&device, |session| {
        let session = Kernels { session, image };
        assert_eq!(fail(&session, -1), Ok(0));
        assert_eq!(fail(&session, 40), Ok(0));
        let stopped = session.assign(&y, 5.0);
        assert_eq!(stopped, Ok(17));
        Ok(0)
    });
    assert_eq!(ended, Ok(0), "the status was given once");
    assert_eq!(counters.launches, 2);
    assert!((0..100).all(|i| y[i] == 1.0), "{y:?}");

    let (ended, _) = in_session(&device, |session| fail(&Kernels { session, image }, 3));
    assert_eq!(ended, Ok(17), "the end of the session tells it");
}

#[test]
fn arrays_that_stay_on_the_device_move_nothing() {
    let Some((device, image)) = device() else {
        return;
    };
    let memory = PersistentMemory::new(&device, 800).unwrap();
    let array = memory.array();
    let address = std::ptr::with_exposed_provenance::<c_void>(array.range.start);
    let source = numbers(100);
    // SAFETY: both have so many bytes.
    unsafe { array.write(0, at(&source, 0), 800).unwrap() };
    let add = Add {
        count: 50,
        factor: 1.0,
        from: (address.wrapping_byte_add(400), 1),
        to: (address, 1),
    };
    let run = || in_session(&device, |session| add.launch(&Kernels { session, image }));
    for _ in 0..2 {
        let (ended, counters) = run();
        assert_eq!(ended, Ok(0));
        let launched = Counters {
            launches: 1,
            ..Counters::default()
        };
        assert_eq!(counters, launched);
    }
    let mut found = [0.0; 100];
    // SAFETY: both have so many bytes.
    unsafe { array.read(0, found.as_mut_ptr().cast(), 800).unwrap() };
    assert!((0..50).all(|i| found[i] == 3.0 * i as f64 + 100.0));
    assert!((50..100).all(|i| found[i] == i as f64));

    // The host may use it, at the price of copies.
    let mut counters = Counters::default();
    array.use_on_host(true, &mut counters).unwrap();
    // SAFETY: the addresses are the array's, and the host has its contents.
    unsafe {
        let host = address.cast_mut().cast::<f64>();
        assert_eq!(host.add(50).read(), 50.0);
        host.add(50).write(1000.0);
    }
    let (ended, counters) = run();
    assert_eq!((ended, counters.bytes_in), (Ok(0), 800));
    // SAFETY: both have so many bytes.
    unsafe { array.read(0, found.as_mut_ptr().cast(), 8).unwrap() };
    assert_eq!(found[0], 1100.0);
}

#[test]
fn what_is_too_large_is_out_of_memory_with_sizes() {
    let Some((device, _)) = device() else { return };
    let error = device.take(1 << 60).unwrap_err();
    assert!(matches!(error, DeviceError::OutOfMemory(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("no room for 1048576.0 TiB"), "{text}");
}

#[test]
fn memory_is_kept_for_later() {
    let Some((device, image)) = device() else {
        return;
    };
    let y = numbers(5000);
    for _ in 0..2 {
        let (ended, _) = in_session(&device, |session| {
            Kernels { session, image }.assign(&y, 1.0)
        });
        assert_eq!(ended, Ok(0));
    }
    assert!(device.memory().1 >= 40000);
}

#[test]
fn an_empty_launch_does_nothing() {
    let Some((device, image)) = device() else {
        return;
    };
    let y = [1.0; 1];
    let (ended, counters) = in_session(&device, |session| {
        Kernels { session, image }.assign(&y[..0], 1.0)
    });
    assert_eq!((ended, counters), (Ok(0), Counters::default()));
}

#[test]
fn names_that_mean_nothing_are_errors_that_list_what_there_is() {
    let unknown = contexts::enter("abacus:0", None).unwrap_err().to_string();
    assert_eq!(
        unknown,
        "no driver has the name 'abacus': there are cpu, cuda, opencl"
    );
    assert_eq!(contexts::current(), 0);
    let Some((device, _)) = device() else { return };
    let absent = contexts::enter("opencl:cpu:99", None)
        .unwrap_err()
        .to_string();
    assert!(
        absent.starts_with("no device 'opencl:cpu:99': there are opencl:cpu:0"),
        "{absent}"
    );
    // A number isn't a beginning of another one.
    assert!(registry::open("opencl:c").is_err());
    contexts::enter("opencl:cpu", None).unwrap();
    contexts::enter("cpu", None).unwrap();
    assert_eq!(contexts::current(), 0);
    assert!(contexts::leave());
    assert_eq!(contexts::current(), device.number);
    assert!(contexts::leave() && !contexts::leave());
}
