//! Structures that several threads use at the same time: typed containers and instances of classes.
//!
//! Calls that run without the host's lock could change a container while another thread reads it. So each
//! call says what it uses ([`Use::begin`], under the lock), and a structure that calls of two threads use is
//! *shared*: it can be read by both and changed by neither. What changes a structure notes that first, and
//! looks behind that whether it is shared; compiled code does both itself, by plain accesses to [`Sharing`].
//! Sharing begins the other way around, by saying so and looking at the note, with a barrier for all threads
//! of the process in between. So one of the two sees the other: a call that comes to a structure which is
//! being changed is refused, and a change of one that is shared is.
//!
//! What hangs together is found once what refers to it can't be changed any more, level by level.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI32, AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
};

use crate::{
    lists::List,
    memory::{Owner, OwnerKind, OwnerRef, pyopt_acquire},
    tables::Table,
};

/// What the header of a structure says of the threads that use it. Compiled code accesses both fields by
/// position, 40 and 44 bytes behind the header's start.
#[repr(C)]
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// Not 0: calls of several threads use it.
    shared: AtomicI32,
    /// Not 0: it was changed since the first call that uses it began.
    changed: AtomicI32,
}

impl Sharing {
    pub(crate) const fn new() -> Self {
        Self {
            shared: AtomicI32::new(0),
            changed: AtomicI32::new(0),
        }
    }
}

/// A structure that a call is given.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Its memory.
    pub owner: *mut Owner,
    /// Whether it may hold other ones.
    pub is_deep: bool,
}

/// A structure that is in use, and the calls that use it, by their threads.
#[derive(Debug)]
struct Known {
    /// Keeps the address from being another structure's.
    owner: OwnerRef,
    users: Vec<ThreadId>,
}

impl Known {
    fn has_others(&self, thread: ThreadId) -> bool {
        self.users.iter().any(|user| *user != thread)
    }

    /// Leaves a structure shared that calls of several threads use.
    fn settle(&self) {
        let is_shared = self.users.first().is_some_and(|one| self.has_others(*one));
        let shared = &self.owner.sharing.shared;
        shared.store(i32::from(is_shared), Ordering::SeqCst);
    }
}

// SAFETY: an owner's header may be used by any thread; the references are counted.
unsafe impl Send for Known {}

type Registry = HashMap<usize, Known>;

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);

/// The number of uses.
static USES: AtomicUsize = AtomicUsize::new(0);

/// Whether calls that use structures run without the host's lock.
#[inline]
pub fn is_any_in_use() -> bool {
    USES.load(Ordering::Acquire) != 0
}

fn registry() -> MutexGuard<'static, Option<Registry>> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Another thread is changing what a call is given.
#[derive(Debug)]
pub struct IsChanging;

/// What a call uses, until it is dropped.
#[derive(Debug)]
pub struct Use {
    thread: ThreadId,
    used: Vec<usize>,
}

impl Use {
    /// Begins a call of this thread.
    ///
    /// # Safety
    ///
    /// The roots are structures that are alive as long as the result, and the host's lock is held.
    pub unsafe fn begin(roots: &[Root]) -> Result<Self, IsChanging> {
        let mut registry = registry();
        let registry = registry.get_or_insert_default();
        USES.fetch_add(1, Ordering::Release);
        let thread = thread::current().id();
        // Dropped where something is refused, which takes back what was entered.
        let mut entered = Entered {
            registry,
            thread,
            used: Vec::new(),
        };
        let mut seen = HashSet::new();
        let mut level: Vec<Root> = roots.to_vec();
        while !level.is_empty() {
            level.retain(|root| seen.insert(root.owner.addr()));
            let mut is_shared = false;
            for root in &level {
                // SAFETY: the owner is alive.
                is_shared |= unsafe { entered.enter(root.owner) };
            }
            if is_shared && !(barrier() && entered.is_unchanged(&level)) {
                return Err(IsChanging);
            }
            let mut next = Vec::new();
            for root in level.iter().filter(|root| root.is_deep) {
                // SAFETY: no thread changes it: those that use it are refused, and the others wait for the
                // host's lock.
                unsafe { add_held(root.owner, &mut next) };
            }
            level = next;
        }
        Ok(entered.keep())
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        let mut registry = registry();
        leave(registry.get_or_insert_default(), self.thread, &self.used);
    }
}

/// What of a use was entered so far.
struct Entered<'r> {
    registry: &'r mut Registry,
    thread: ThreadId,
    used: Vec<usize>,
}

impl Entered<'_> {
    /// Enters a structure; whether other threads use it too.
    ///
    /// # Safety
    ///
    /// The owner is alive.
    unsafe fn enter(&mut self, owner: *mut Owner) -> bool {
        let known = self.registry.entry(owner.addr()).or_insert_with(|| {
            // SAFETY: the owner is alive; the new reference is the entry's.
            let owner = unsafe {
                pyopt_acquire(owner);
                OwnerRef::from_raw(owner).expect("structures aren't null")
            };
            owner.sharing.changed.store(0, Ordering::SeqCst);
            Known {
                owner,
                users: Vec::new(),
            }
        });
        known.users.push(self.thread);
        self.used.push(owner.addr());
        known.settle();
        known.has_others(self.thread)
    }

    /// Whether no structure of a level that other threads use was changed.
    fn is_unchanged(&self, level: &[Root]) -> bool {
        level.iter().all(|root| {
            let known = &self.registry[&root.owner.addr()];
            !known.has_others(self.thread)
                || known.owner.sharing.changed.load(Ordering::SeqCst) == 0
        })
    }

    fn keep(mut self) -> Use {
        Use {
            thread: self.thread,
            used: std::mem::take(&mut self.used),
        }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if !self.used.is_empty() {
            leave(self.registry, self.thread, &self.used);
        }
    }
}

fn leave(registry: &mut Registry, thread: ThreadId, used: &[usize]) {
    for address in used {
        let Some(known) = registry.get_mut(address) else {
            continue;
        };
        let user = known.users.iter().position(|user| *user == thread);
        if let Some(user) = user {
            known.users.swap_remove(user);
        }
        known.settle();
        if known.users.is_empty() {
            registry.remove(address);
        }
    }
    USES.fetch_sub(1, Ordering::Release);
}

/// Adds what a list, dict, set or structure refers to that may be changed itself.
///
/// # Safety
///
/// The owner is alive, and what it holds doesn't change meanwhile.
unsafe fn add_held(owner: *mut Owner, found: &mut Vec<Root>) {
    let mut add = |held: *mut Owner, _: i64| {
        // SAFETY: what is held is alive, or null.
        let kind = unsafe { held.as_ref() }.map(Owner::kind);
        if matches!(kind, Some(OwnerKind::List | OwnerKind::Table)) {
            found.push(Root {
                owner: held,
                is_deep: true,
            });
        }
    };
    // SAFETY: as the caller says.
    unsafe {
        match (*owner).kind() {
            OwnerKind::List => List::of(owner).each_held(&mut add),
            OwnerKind::Table => Table::of(owner).entries().each_held(&mut add),
            _ => {}
        }
    }
}

/// Orders the accesses of all threads of the process; false where the system can't.
#[cfg(target_os = "linux")]
fn barrier() -> bool {
    use std::sync::OnceLock;

    const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
    const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;
    static IS_REGISTERED: OnceLock<bool> = OnceLock::new();

    // SAFETY: the call takes numbers alone.
    let membarrier =
        |command: libc::c_int| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 };
    *IS_REGISTERED.get_or_init(|| membarrier(REGISTER_PRIVATE_EXPEDITED))
        && membarrier(PRIVATE_EXPEDITED)
}

/// Orders the accesses of all threads of the process; false where the system can't.
#[cfg(not(target_os = "linux"))]
fn barrier() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::pyopt_struct_new;

    fn structure(owners: u64) -> OwnerRef {
        // SAFETY: the one reference is taken over.
        unsafe { OwnerRef::from_raw(pyopt_struct_new(1, owners)) }.unwrap()
    }

    fn is_shared(owner: &OwnerRef) -> bool {
        owner.sharing.shared.load(Ordering::SeqCst) != 0
    }

    fn begin(owner: &OwnerRef, is_deep: bool) -> Result<Use, IsChanging> {
        let owner = owner.as_ptr();
        // SAFETY: the structures of a test outlive its uses, and are used by it alone.
        unsafe { Use::begin(&[Root { owner, is_deep }]) }
    }

    /// Begins a use on another thread, which ends; the use goes on.
    fn begin_elsewhere(owner: &OwnerRef, is_deep: bool) -> bool {
        thread::scope(|scope| {
            let used = scope.spawn(|| begin(owner, is_deep).map(std::mem::forget).is_ok());
            used.join().unwrap()
        })
    }

    #[test]
    fn two_threads_share_what_neither_changes() {
        let one = structure(0);
        let first = begin(&one, false).unwrap();
        assert!(!is_shared(&one));
        let again = begin(&one, false).unwrap();
        assert!(!is_shared(&one));
        assert!(begin_elsewhere(&one, false));
        assert!(is_shared(&one));
        drop((first, again));
        assert!(!is_shared(&one));
    }

    #[test]
    fn what_a_thread_changes_no_other_one_gets() {
        let one = structure(0);
        let first = begin(&one, false).unwrap();
        one.sharing.changed.store(1, Ordering::SeqCst);
        assert!(!begin_elsewhere(&one, false));
        assert!(!is_shared(&one));
        drop(first);
        assert_eq!(one.refcount(), 1);
        assert!(begin_elsewhere(&one, false));
    }

    #[test]
    fn what_a_structure_holds_is_shared_with_it() {
        let (outer, inner) = (structure(1), structure(0));
        // SAFETY: the structure is this test's alone; the field gets a reference.
        unsafe {
            let words = List::of(outer.as_ptr()).words().as_ptr().cast_mut();
            *words = inner.clone().into_raw() as i64;
        }
        let first = begin(&outer, true).unwrap();
        assert!(begin_elsewhere(&inner, false));
        assert!(is_shared(&inner) && !is_shared(&outer));
        drop(first);
        assert!(!is_shared(&inner));
    }
}
