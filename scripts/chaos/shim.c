/* Watches and disturbs what a process does to the files of one folder. Linux on x86-64.
 *
 *     gcc -shared -fPIC -O1 -o shim.so shim.c;  LD_PRELOAD=./shim.so CHAOS_ROOT=/folder CHAOS_LOG=/log command ...
 *
 * A seccomp filter turns each system call of the list below into a signal, and the handler makes the call in its place. So
 * calls are seen that go around the C library too. Files outside of CHAOS_ROOT are left alone. (Only a clock is read without a
 * system call: those functions are replaced by name.)
 *
 *     CHAOS_LOG     a file; every change, flush, lock and print is appended to it, in order, with its bytes (struct record)
 *     CHAOS_FAULT   kinds:errno:first:last:percent:seed   calls of these kinds (a sum of the bits below), numbered from 1, fail
 *                   with this error from the first to the last of them, each with this probability
 *     CHAOS_SHORT   the first write that would fail writes half of its bytes instead
 *     CHAOS_STOP    the process stops itself (SIGSTOP) after so many calls that are logged
 *     CHAOS_LIE     locks are granted without being taken, as by a file system that has none
 *     CHAOS_HURRY   no sleep takes any time: a minute of waiting for a lock passes at once
 *     CHAOS_CLOCK   seconds since 1970, separated by commas: what the clock says, one after the other, again and again
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#ifndef __x86_64__
#error "this file knows the registers of x86-64 alone"
#endif

enum { WRITE = 1, SYNC = 2, LOCK = 4, MAKE = 8, OPEN = 16, REMOVE = 32 };

struct record {
    int64_t kind; /* a letter */
    uint64_t inode;
    int64_t offset; /* of a write; the length of a truncation; the flags of a rename */
    uint32_t first, second, bytes; /* how long the two paths and the data are, which follow */
    uint32_t unused;
};

/* The call whose instruction the filter lets pass: the handler makes all of its own calls here. */
long call(long number, ...);
extern const char called[];
__asm__(".text\n.hidden call\n.hidden called\n.globl call\n.globl called\n"
        "call: mov %rdi,%rax; mov %rsi,%rdi; mov %rdx,%rsi; mov %rcx,%rdx; mov %r8,%r10; mov %r9,%r8; mov 8(%rsp),%r9\n"
        "syscall\ncalled: ret\n");

static const int TRAPPED[] = {
    SYS_open, SYS_openat, SYS_creat, SYS_openat2, SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_pwritev2,
    SYS_ftruncate, SYS_truncate, SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_syncfs, SYS_sync,
    SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, SYS_symlink, SYS_symlinkat, SYS_unlink, SYS_unlinkat,
    SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_copy_file_range, SYS_sendfile, SYS_splice, SYS_fcntl, SYS_mmap,
    SYS_nanosleep, SYS_clock_nanosleep, SYS_io_uring_setup};
enum { TRAPS = sizeof TRAPPED / sizeof *TRAPPED };

static char root[4096], one[8192], other[8192];
static long root_length, log_file = -1, stop_at, events, clock_values[64], clocks, next_clock;
static long fault_kinds, fault_error, fault_first, fault_last, fault_percent, fault_seed, faults, wants_short;
static int lies, hurries, is_busy;

/* Whether a path lies in the folder. */
static int inside(const char *path) {
    return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* The absolute path of a descriptor, or of a name below one; whether it lies in the folder. */
static int path_of(char *path, long descriptor, const char *name) {
    long length = 0;
    *path = 0;
    if (!name || *name != '/') {
        if ((int)descriptor == AT_FDCWD) {
            length = call(SYS_getcwd, path, 4096L) - 1;
        } else {
            char link[32] = "/proc/self/fd/", digits[12];
            int end = 14, count = 0;
            for (unsigned rest = (unsigned)descriptor; count == 0 || rest; rest /= 10) digits[count++] = '0' + rest % 10;
            while (count) link[end++] = digits[--count];
            link[end] = 0;
            length = call(SYS_readlink, link, path, 4096L);
        }
        if (length < 0) length = 0;
        if (name) path[length++] = '/';
        path[length] = 0;
    }
    if (name) strncpy(path + length, name, 4095);
    return inside(path);
}

static uint64_t inode_of(long descriptor) {
    struct stat found;
    return call(SYS_fstat, descriptor, &found) ? 0 : found.st_ino;
}

static uint64_t inode_at(const char *path) {
    struct stat found;
    return call(SYS_lstat, path, &found) ? 0 : found.st_ino;
}

/* Writes down what happened, and stops the process where that was asked for. */
static void note(char kind, uint64_t inode, int64_t offset, const char *first, const char *second, const void *data, long bytes) {
    struct record record = {kind, inode, offset, first ? strlen(first) : 0, second ? strlen(second) : 0, bytes, 0};
    if (log_file >= 0) {
        call(SYS_write, log_file, &record, (long)sizeof record);
        if (first) call(SYS_write, log_file, first, (long)record.first);
        if (second) call(SYS_write, log_file, second, (long)record.second);
        if (bytes) call(SYS_write, log_file, data, bytes);
    }
    if (++events == stop_at) call(SYS_kill, call(SYS_getpid), (long)SIGSTOP);
}

/* The error that a call of this kind is to fail with, or 0. */
static long fault(int kind) {
    if (!(fault_kinds & kind)) return 0;
    faults++;
    fault_seed = (fault_seed * 6364136223846793005L + 1442695040888963407L) & INT64_MAX;
    int is_due = faults >= fault_first && faults <= fault_last && (fault_seed >> 33) % 100 < fault_percent;
    return is_due ? -fault_error : 0;
}

static long opened(long descriptor, const char *name, long flags, long mode) {
    if (!path_of(one, descriptor, name)) return call(SYS_openat, descriptor, name, flags, mode);
    long writes = (flags & O_ACCMODE) != O_RDONLY, is_new = (flags & O_CREAT) && !inode_at(one);
    long failed = is_new ? fault(MAKE) : writes ? fault(OPEN) : 0;
    if (failed) return failed;
    long made = call(SYS_openat, descriptor, name, flags, mode);
    if (made >= 0 && (flags & __O_TMPFILE) == __O_TMPFILE) note('?', 0, SYS_openat, one, 0, 0, 0);
    else if (made >= 0 && is_new) note('C', inode_of(made), 0, one, 0, 0, 0);
    else if (made >= 0 && (flags & O_TRUNC)) note('T', inode_of(made), 0, 0, 0, 0, 0);
    return made;
}

static long written(long number, const long *a) {
    long descriptor = a[0], failed = 0, length = a[2];
    if (!path_of(one, descriptor, 0)) {
        long count = call(number, descriptor, a[1], length, a[3]);
        if (descriptor == 1 && count > 0) note('P', 0, 0, 0, 0, (void *)a[1], count);
        return count;
    }
    if ((failed = fault(WRITE))) {
        if (!wants_short || length < 2) return failed;
        wants_short = 0;
        length /= 2;
    }
    long count = call(number, descriptor, a[1], length, a[3]);
    long offset = number == SYS_pwrite64 ? a[3] : call(SYS_lseek, descriptor, 0L, (long)SEEK_CUR) - count;
    if (count > 0) note('W', inode_of(descriptor), offset, 0, 0, (void *)a[1], count);
    return count;
}

static long locked(const long *a) {
    int sets = a[1] == F_SETLK || a[1] == F_SETLKW || a[1] == F_OFD_SETLK || a[1] == F_OFD_SETLKW;
    int asks = a[1] == F_GETLK || a[1] == F_OFD_GETLK;
    if (!(sets || asks) || !path_of(one, a[0], 0)) return call(SYS_fcntl, a[0], a[1], a[2]);
    struct flock *lock = (struct flock *)a[2];
    /* whether a lock can be given back is never in doubt */
    long failed = sets && lock->l_type == F_UNLCK ? 0 : fault(LOCK);
    if (failed) return failed;
    if (lies && asks) lock->l_type = F_UNLCK;
    long done = lies ? 0 : call(SYS_fcntl, a[0], a[1], a[2]);
    note('L', inode_of(a[0]), lock->l_type, 0, 0, 0, 0);
    return done;
}

static long renamed(long from, const char *name, long to, const char *target, long flags) {
    int is_inside = path_of(one, from, name) | path_of(other, to, target);
    long failed = is_inside ? fault(MAKE) : 0;
    long done = failed ? failed : call(SYS_renameat2, from, name, to, target, flags);
    if (is_inside && !done) note('R', 0, flags, one, other, 0, 0);
    return done;
}

static long named(int kind, char letter, long number, long descriptor, const char *name, long more) {
    if (!path_of(one, descriptor, name)) return call(number, descriptor, name, more);
    long failed = fault(kind);
    long done = failed ? failed : call(number, descriptor, name, more);
    if (!done) note(letter, inode_at(one), 0, one, 0, 0, 0);
    return done;
}

static long flushed(long number, const long *a) {
    if (!path_of(one, a[0], 0)) return call(number, a[0]);
    long failed = fault(SYNC), done = failed ? failed : call(number, a[0]);
    note(done ? 'F' : 'S', inode_of(a[0]), 0, 0, 0, 0, 0);
    return done;
}

/* A call that the model of a disk does not know: whoever reads the log must give up. */
static long unknown(long number, const long *a) {
    int is_global = number == SYS_sync || number == SYS_io_uring_setup;
    int by_name = number == SYS_truncate || number == SYS_link || number == SYS_symlink;
    int is_inside = by_name ? path_of(one, AT_FDCWD, (char *)a[0]) : !is_global && path_of(one, a[0], 0);
    if (number == SYS_linkat) is_inside |= path_of(one, a[2], (char *)a[3]);
    if (number == SYS_symlinkat) is_inside = path_of(one, a[1], (char *)a[2]);
    if (number == SYS_mmap) is_inside = (int)a[4] >= 0 && (a[2] & PROT_WRITE) && path_of(one, a[4], 0);
    if (number == SYS_splice) is_inside |= path_of(one, a[2], 0);
    if (is_inside || is_global) note('?', 0, number, 0, 0, 0, 0);
    return call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long answer(long number, const long *a) {
    switch (number) {
    case SYS_open: return opened(AT_FDCWD, (char *)a[0], a[1], a[2]);
    case SYS_creat: return opened(AT_FDCWD, (char *)a[0], O_CREAT | O_WRONLY | O_TRUNC, a[1]);
    case SYS_openat: return opened(a[0], (char *)a[1], a[2], a[3]);
    case SYS_write:
    case SYS_pwrite64: return written(number, a);
    case SYS_ftruncate: {
        int is_inside = path_of(one, a[0], 0);
        long failed = is_inside ? fault(WRITE) : 0, done = failed ? failed : call(number, a[0], a[1]);
        if (is_inside && !done) note('T', inode_of(a[0]), a[1], 0, 0, 0, 0);
        return done;
    }
    case SYS_fsync:
    case SYS_fdatasync: return flushed(number, a);
    case SYS_fcntl: return locked(a);
    case SYS_rename: return renamed(AT_FDCWD, (char *)a[0], AT_FDCWD, (char *)a[1], 0);
    case SYS_renameat: return renamed(a[0], (char *)a[1], a[2], (char *)a[3], 0);
    case SYS_renameat2: return renamed(a[0], (char *)a[1], a[2], (char *)a[3], a[4]);
    case SYS_mkdir: return named(MAKE, 'M', SYS_mkdirat, AT_FDCWD, (char *)a[0], a[1]);
    case SYS_mkdirat: return named(MAKE, 'M', SYS_mkdirat, a[0], (char *)a[1], a[2]);
    case SYS_unlink: return named(REMOVE, 'U', SYS_unlinkat, AT_FDCWD, (char *)a[0], 0);
    case SYS_rmdir: return named(REMOVE, 'U', SYS_unlinkat, AT_FDCWD, (char *)a[0], AT_REMOVEDIR);
    case SYS_unlinkat: return named(REMOVE, 'U', SYS_unlinkat, a[0], (char *)a[1], a[2]);
    default: return unknown(number, a);
    }
}

static void handle(int signal, siginfo_t *info, void *context) {
    (void)signal;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long number = info->si_syscall;
    long a[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], registers[REG_R8], registers[REG_R9]};
    if (number == SYS_nanosleep || number == SYS_clock_nanosleep) {
        registers[REG_RAX] = hurries ? 0 : call(number, a[0], a[1], a[2], a[3]);
        return;
    }
    /* one call at a time, so that the log has the order of the calls */
    while (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) call(SYS_sched_yield);
    registers[REG_RAX] = answer(number, a);
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

static void install_filter(void) {
    uint64_t passed = (uint64_t)called;
    struct sock_filter filter[TRAPS + 12];
    int end = 0;
#define LOAD(field) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP(value, yes, no) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
    filter[end++] = LOAD(instruction_pointer);
    filter[end++] = SKIP((uint32_t)passed, 0, 3);
    filter[end++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
    filter[end++] = SKIP((uint32_t)(passed >> 32), 0, 1);
    filter[end++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[end++] = LOAD(nr);
    for (int i = 0; i < TRAPS; i++) filter[end++] = SKIP((uint32_t)TRAPPED[i], TRAPS - i, 0);
    filter[end++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[end++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    struct sock_fprog program = {end, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) abort();
}

static void numbers(const char *text, long *values, long most, long *count) {
    for (*count = 0; text && *text && *count < most; text += *text != 0) values[(*count)++] = strtol(text, (char **)&text, 10);
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("CHAOS_ROOT"), *log = getenv("CHAOS_LOG"), *stop = getenv("CHAOS_STOP");
    long values[6] = {0}, count;
    numbers(getenv("CHAOS_FAULT"), values, 6, &count);
    fault_kinds = values[0], fault_error = values[1], fault_first = values[2], fault_last = values[3];
    fault_percent = values[4], fault_seed = values[5];
    numbers(getenv("CHAOS_CLOCK"), clock_values, 64, &clocks);
    lies = !!getenv("CHAOS_LIE"), hurries = !!getenv("CHAOS_HURRY"), wants_short = !!getenv("CHAOS_SHORT");
    stop_at = stop ? atol(stop) : 0;
    if (!folder || strlen(folder) >= sizeof root) return;
    root_length = strlen(strcpy(root, folder));
    if (log) log_file = fcntl(open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), F_DUPFD_CLOEXEC, 900);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigfillset(&action.sa_mask);
    if ((log && log_file < 0) || sigaction(SIGSYS, &action, 0)) abort();
    install_filter();
}

/* The clock of the wall; that which only measures durations goes on as it is. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    long failed = call(SYS_clock_gettime, (long)clock, time);
    if (clocks && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec = clock_values[__atomic_fetch_add(&next_clock, 1, __ATOMIC_RELAXED) % clocks];
    if (failed) errno = -failed;
    return failed ? -1 : 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    time->tv_sec = now.tv_sec, time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
