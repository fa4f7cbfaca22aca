/* The tracer: writes the MPI calls of a rank to a memory-mapped file (recording_format.h).
 *
 * The memory of the file is touched before the run, so that no record waits for a page. One thread records at a time.
 * Requests and communicators are identified by their handles in two hash tables. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tracer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif
#if defined(__x86_64__) && defined(__linux__) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#if __has_include(<zlib.h>)
#include <zlib.h>
#define WF_COMPRESSES 1
#endif

static struct {
    int active;  /* between MPI_Init and MPI_Finalize, if there is a file */
    int full;    /* the buffer is full */
    int threads; /* the program uses MPI_THREAD_MULTIPLE */
    int counter; /* the processor's counter is the clock */
    char path[4096];
    struct warpfront_recording_header* header;
    uint64_t* words;
    uint64_t at;
    uint64_t capacity;
    uint64_t start;
    uint64_t start_ns;
    uint32_t next_request;
    uint32_t next_comm;
    uint32_t next_site;
    uint32_t next_module;
    uint32_t next_phase;
    uint32_t phase;
    pthread_mutex_t lock;
} wf = {
    .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .next_request = 1, .next_comm = 2, .next_site = 1, .next_phase = 1};

__thread void* wf_caller;
static __thread int depth;
enum { kReceives = 1, kCancelled = 2 };
/* State of this thread: the requests of a completion, and runs of calls that found nothing. */
static __thread struct {
    uint32_t* numbers;
    uint64_t* keys;
    int* is_receive; /* kReceives, kCancelled: a cancellation is only certain at the completion */
    int count;
    int room;
    uint64_t tries;
    struct wf_call tried; /* the first of the run */
    int probed;           /* the run consists of Iprobe calls: */
    int probe_peer;
    int probe_tag;
    int64_t probe_comm;
} asked;

/* Clock. */

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__) && !defined(WARPFRONT_VIRTUAL_TIME)
/* Returns true if the counter runs at a constant rate at any processor frequency ("invariant TSC"). */
static int has_steady_counter(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
}
#endif

static uint64_t now(void) {
#if defined(WARPFRONT_VIRTUAL_TIME)
    return (uint64_t)(PMPI_Wtime() * 1e12 + 0.5) - wf.start;
#elif defined(__x86_64__)
    return (wf.counter ? __rdtsc() : nanoseconds()) - wf.start;
#else
    return nanoseconds() - wf.start;
#endif
}

static void start_clock(void) {
#if defined(WARPFRONT_VIRTUAL_TIME)
    wf.header->ns_per_tick = 1e-3;
#elif defined(__x86_64__)
    wf.counter = has_steady_counter();
    wf.header->ns_per_tick = 1.0;
    if (wf.counter) { /* two milliseconds give the rate within about 1e-4; at the end the whole run gives it */
        const uint64_t ticks = __rdtsc();
        const uint64_t from = nanoseconds();
        while (nanoseconds() - from < 2000000u) {}
        wf.header->ns_per_tick = (double)(nanoseconds() - from) / (double)(__rdtsc() - ticks);
    }
#else
    wf.header->ns_per_tick = 1.0;
#endif
    wf.start = 0;
    wf.start_ns = nanoseconds();
    wf.start = now();
}

static void correct_clock(void) {
#if defined(__x86_64__) && !defined(WARPFRONT_VIRTUAL_TIME)
    const uint64_t ticks = now();
    const uint64_t time = nanoseconds() - wf.start_ns;
    if (wf.counter && time > 100000000u) wf.header->ns_per_tick = (double)time / (double)ticks;
#endif
}

/* Computing between calls is measured as CPU time, since an interrupted rank does not compute.
 *
 * The CPU clock is a system call, so it is read only after interruptions. Between them CPU time passes at the rate of
 * wall time. Whenever the thread has left its core, the kernel clears the pointer to a restartable sequence (rseq), so
 * a pointer to a sequence that never runs reveals interruptions. Without rseq the CPU clock is read in every call. */

/* The end of this thread's last call. */
static __thread struct {
    int known;
    uint64_t wall;
    double cpu;    /* nanoseconds */
    uint64_t read; /* time of the last reading of the CPU clock: the rates of the two clocks differ slightly */
} last;
enum { kReadAgain = 10000000 }; /* nanoseconds */

#if defined(WARPFRONT_VIRTUAL_TIME)
static double cpu_nanoseconds(void) { return 0.0; }
static int reads_cpu_time(void) { return 0; }
#else
static double cpu_nanoseconds(void) {
    struct timespec spent;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (double)spent.tv_sec * 1e9 + (double)spent.tv_nsec;
}
/* With MPI_THREAD_MULTIPLE one list contains the calls of several threads, whose CPU times do not add up. */
static int reads_cpu_time(void) { return !wf.threads; }
#endif

#if defined(__x86_64__) && defined(__linux__) && __has_include(<sys/rseq.h>)
static const uint32_t landing[4] __attribute__((aligned(16))) = {RSEQ_SIG, 0, 0, 0};
static struct rseq_cs never_run;
static volatile uint64_t* sequence(void) {
    if (__rseq_size == 0) return NULL;
    return (volatile uint64_t*)&((struct rseq*)((char*)__builtin_thread_pointer() + __rseq_offset))->rseq_cs;
}
static void watch(void) {
    volatile uint64_t* const pointer = sequence();
    if (!pointer) return;
    never_run.abort_ip = (uintptr_t)&landing[1];
    never_run.start_ip = (uintptr_t)&landing[2];
    never_run.post_commit_offset = 1;
    *pointer = (uintptr_t)&never_run;
}
static int was_interrupted(void) {
    volatile uint64_t* const pointer = sequence();
    return !pointer || *pointer != (uintptr_t)&never_run;
}
#else
static void watch(void) {}
static int was_interrupted(void) { return 1; }
#endif

/* Reads the clocks at the end of a call. At both ends of a call the wall clock is read outside the CPU clock, so that
 * the wall time of computing excludes the cost of the CPU clock. */
static uint64_t end_of_call(void) {
    if (!reads_cpu_time()) return now();
    uint64_t wall = now();
    const double ns_per_tick = wf.header->ns_per_tick;
    if (was_interrupted() || !last.known || (double)(wall - last.read) * ns_per_tick > kReadAgain) {
        watch();
        last.cpu = cpu_nanoseconds();
        last.known = 1;
        last.read = wall = now();
    } else {
        last.cpu += (double)(wall - last.wall) * ns_per_tick;
    }
    return last.wall = wall;
}

struct wf_call wf_begin(int id, void* site) {
    struct wf_call call = {id, site, now(), WF_UNKNOWN};
    if (!last.known || !reads_cpu_time() || !was_interrupted()) return call;
    const double gap = (double)(call.begin - last.wall) * wf.header->ns_per_tick;
    if (gap <= WARPFRONT_SHORT_GAP) return call;
    const double busy = cpu_nanoseconds() - last.cpu;
    call.busy = busy > 0.0 ? (uint64_t)busy : 0;
    return call;
}

/* Records. */

static void lock(void) {
    if (wf.threads) pthread_mutex_lock(&wf.lock);
}
static void unlock(void) {
    if (wf.threads) pthread_mutex_unlock(&wf.lock);
}

/* Returns memory for the payload of a record, with its head and times written; NULL if the buffer is full. The lock is
 * held. */
static uint64_t* record(int id, uint32_t payload, uint32_t site, uint64_t begin, uint64_t end) {
    if (wf.full || wf.at + payload + 3 > wf.capacity) {
        if (!wf.full) {
            fprintf(stderr,
                    "warpfront: the buffer of rank %u, %llu KiB, is full, so the recording of this rank ends; --buffer "
                    "sets a larger one\n",
                    wf.header->rank, (unsigned long long)(wf.capacity / 128));
        }
        wf.full = 1;
        wf.header->state = WARPFRONT_FULL;
        ++wf.header->lost;
        return NULL;
    }
    uint64_t* const at = wf.words + wf.at;
    at[0] = (uint64_t)id | (uint64_t)payload << 8 | (uint64_t)site << 32;
    at[1] = begin;
    at[2] = end;
    return at + 3;
}
/* Completes a record. */
static void commit(uint32_t payload) {
    wf.at += payload + 3;
    __atomic_store_n(&wf.header->words, wf.at, __ATOMIC_RELEASE);
}

/* Begins the record of a call, preceded by a record of its CPU time. */
static uint64_t* record_of(struct wf_call call, uint32_t payload, uint32_t site, uint64_t end) {
    if (call.busy != WF_UNKNOWN) {
        uint64_t* const to = record(WARPFRONT_RECORDED_computing, 1, 0, 0, 0);
        if (to) {
            to[0] = call.busy;
            commit(1);
        }
    }
    return record(call.id, payload, site, call.begin, end);
}

static uint32_t text_words(const char* text) { return 1 + (uint32_t)((strlen(text) + 7) / 8); }
static void put_text(uint64_t* to, const char* text) {
    to[0] = strlen(text);
    memset(to + 1, 0, 8 * (text_words(text) - 1));
    memcpy(to + 1, text, strlen(text));
}

/* Tables. */

struct entry {
    uint64_t key; /* 0 if the entry is free */
    uint32_t number;
    uint8_t receives;
    uint8_t persistent;
    uint8_t active;
    uint8_t cancelled;
    /* MPI libraries give one handle to all requests that complete at once, and may give the handle of a completed
    * request to another thread before its completion is recorded. Therefore an entry has further request numbers, the
    * oldest first, and the number of completions that wait for them. */
    uint16_t more_count;
    uint16_t asked;
    struct further {
        uint32_t number;
        uint8_t receives;
    } * more;
};
struct table {
    struct entry* entries;
    uint32_t capacity; /* a power of two */
    uint32_t used;
};
static struct table requests, comms, sites, modules;

static uint32_t slot_of(const struct table* table, uint64_t key) {
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(hash >> 40) & (table->capacity - 1);
    while (table->entries[at].key != 0 && table->entries[at].key != key) at = (at + 1) & (table->capacity - 1);
    return at;
}
static void grow(struct table* table) {
    struct table old = *table;
    table->capacity = old.capacity ? 2 * old.capacity : 4096;
    table->entries = calloc(table->capacity, sizeof *table->entries);
    for (uint32_t at = 0; at < old.capacity; ++at) {
        if (old.entries[at].key) table->entries[slot_of(table, old.entries[at].key)] = old.entries[at];
    }
    free(old.entries);
}
static struct entry* find(struct table* table, uint64_t key) {
    if (!table->capacity) return NULL;
    struct entry* const entry = &table->entries[slot_of(table, key)];
    return entry->key ? entry : NULL;
}
static struct entry* add(struct table* table, uint64_t key) {
    if (2 * (table->used + 1) > table->capacity) grow(table);
    struct entry* const entry = &table->entries[slot_of(table, key)];
    if (!entry->key) ++table->used;
    entry->key = key;
    return entry;
}
static void take_out(struct table* table, struct entry* entry) {
    uint32_t hole = (uint32_t)(entry - table->entries);
    table->entries[hole].key = 0;
    --table->used;
    for (uint32_t at = (hole + 1) & (table->capacity - 1); table->entries[at].key;
         at = (at + 1) & (table->capacity - 1)) {
        const struct entry moved = table->entries[at];
        table->entries[at].key = 0;
        table->entries[slot_of(table, moved.key)] = moved;
    }
}

#define KEY(handle) ((uint64_t)(uintptr_t)(handle) + 1)

/* The path of the program. The path of its module may be relative to another folder, or belong to a copy. */
#if defined(WARPFRONT_VIRTUAL_TIME) /* SMPI loads copies that contain the tracer, and deletes them at once */
static int is_program(const struct link_map* map) {
    Dl_info info;
    struct link_map* own = NULL;
    return dladdr1((void*)is_program, &info, (void**)&own, RTLD_DL_LINKMAP) && own == map;
}
static int program_path(char path[PATH_MAX]) { /* smpimain PROGRAM ... */
    char words[2 * PATH_MAX] = {0};
    const int file = open("/proc/self/cmdline", O_RDONLY);
    const ssize_t got = file < 0 ? -1 : read(file, words, sizeof words - 1);
    if (file >= 0) close(file);
    const size_t first = strlen(words) + 1;
    return got > (ssize_t)first && realpath(words + first, path) != NULL;
}
#else
static int is_program(const struct link_map* map) { return map->l_name[0] == '\0'; }
static int program_path(char path[PATH_MAX]) { return realpath("/proc/self/exe", path) != NULL; }
#endif

/* Returns the number of a site. Sites are return addresses; each is defined once with its place in a module. */
static uint32_t site_number(void* address) {
    struct entry* entry = find(&sites, KEY(address));
    if (entry) return entry->number;
    Dl_info info = {0};
    struct link_map* map = NULL;
    uint64_t base = 0; /* load address, added to the addresses in the file: 0 for a program without -pie */
    uint32_t module = 0;
    if (dladdr1(address, &info, (void**)&map, RTLD_DL_LINKMAP) && info.dli_fname && map) {
        base = map->l_addr;
        struct entry* known = find(&modules, KEY(map));
        if (!known) {
            known = add(&modules, KEY(map));
            known->number = ++wf.next_module;
            char program[PATH_MAX];
            const char* const name = is_program(map) && program_path(program) ? program : info.dli_fname;
            const uint32_t length = 1 + text_words(name);
            uint64_t* const to = record(WARPFRONT_RECORDED_define_module, length, 0, 0, 0);
            if (to) {
                to[0] = known->number;
                put_text(to + 1, name);
                commit(length);
            }
        }
        module = known->number;
    }
    entry = add(&sites, KEY(address));
    entry->number = wf.next_site++;
    uint64_t* const to = record(WARPFRONT_RECORDED_define_site, 3, 0, 0, 0);
    if (to) {
        to[0] = entry->number;
        to[1] = (uint64_t)(uintptr_t)address - base;
        to[2] = module;
        commit(3);
    }
    return entry->number;
}

int wf_comm_size(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

static void define_comm(uint32_t number, MPI_Comm comm) {
    int size = 0;
    int world_size = 0;
    MPI_Group group, world;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int* const ranks = malloc(2 * (size_t)size * sizeof *ranks);
    for (int at = 0; at < size; ++at) ranks[at] = at;
    PMPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
    uint64_t* const to = record(WARPFRONT_RECORDED_define_comm, (uint32_t)size + 2, 0, 0, 0);
    if (to) {
        to[0] = number;
        to[1] = (uint64_t)size;
        for (int at = 0; at < size; ++at) to[2 + at] = (uint64_t)(int64_t)ranks[size + at];
        commit((uint32_t)size + 2);
    }
    free(ranks);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
}

static int64_t comm_number(MPI_Comm comm) {
    lock();
    struct entry* entry = find(&comms, KEY(comm));
    int64_t number = entry ? entry->number : 0;
    if (!entry) {
        number = wf.next_comm++;
        add(&comms, KEY(comm))->number = (uint32_t)number;
        define_comm((uint32_t)number, comm);
    }
    unlock();
    return number;
}

/* Begin and end. */

int wf_enter(void) {
    if (!wf.active || depth) return 0;
    ++depth;
    return 1;
}
void wf_leave(void) { --depth; }

/* Returns a function of a library loaded after the tracer. */
void* wf_next(const char* name) {
    void* const result = dlsym(RTLD_NEXT, name);
    if (result) return result;
    void* const simgrid = dlopen("libsimgrid.so", RTLD_LAZY | RTLD_NOLOAD);
    return simgrid ? dlsym(simgrid, name) : NULL;
}

static uint64_t capacity_bytes(void) {
    const char* const text = getenv("WARPFRONT_RECORDING_BYTES");
    const unsigned long long bytes = text ? strtoull(text, NULL, 10) : 0;
    return bytes >= 4096 ? bytes / 8 * 8 : 64u << 20;
}

static void open_file(int rank, int ranks) {
    const char* const folder = getenv("WARPFRONT_RECORDING");
    if (!folder) return;
    const uint64_t bytes = sizeof(struct warpfront_recording_header) + capacity_bytes();
    snprintf(wf.path, sizeof wf.path, "%s/rank-%d.events", folder, rank);
    mkdir(folder, 0777);
    const int file = open(wf.path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || posix_fallocate(file, 0, (off_t)bytes) != 0) {
        fprintf(stderr, "warpfront: cannot write `%s` of %llu bytes, so rank %d is not recorded\n", wf.path,
                (unsigned long long)bytes, rank);
        if (file >= 0) close(file);
        return;
    }
    void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (memory == MAP_FAILED) return;
    memset(memory, 0, bytes);
    wf.header = memory;
    wf.words = (uint64_t*)(wf.header + 1);
    wf.capacity = capacity_bytes() / 8;
    memcpy(wf.header->magic, WARPFRONT_RECORDING_MAGIC, sizeof WARPFRONT_RECORDING_MAGIC);
    wf.header->rank = (uint32_t)rank;
    wf.header->ranks = (uint32_t)ranks;
    wf.header->capacity_words = wf.capacity;
}

/* Finds the number of ranks on this node and of the cores that they may use. All ranks call it. */
static int ranks_on_node(void) {
    int ranks = 1;
#if !defined(WARPFRONT_VIRTUAL_TIME)
    MPI_Comm node;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &ranks);
    PMPI_Comm_free(&node);
#endif
    return ranks;
}
static void define_node(int ranks) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t* const to = cores < 1 ? NULL : record(WARPFRONT_RECORDED_define_node, 3, 0, 0, 0);
    if (!to) return;
    to[0] = (uint64_t)ranks;
    to[1] = (uint64_t)cores;
    to[2] = (uint64_t)reads_cpu_time();
    commit(3);
}

static void define_library(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    for (char* at = text; (at = strchr(at, '\t'));) *at = ' ';
    const uint32_t words = text_words(text);
    uint64_t* const to = record(WARPFRONT_RECORDED_define_library, words, 0, 0, 0);
    if (!to) return;
    put_text(to, text);
    commit(words);
}

/* Measures the cost of recording a send with records that are then discarded. The minimum of several turns counts,
 * because interruptions of the thread lengthen some turns. */
static void measure_cost(void) {
    enum { kTurns = 10, kSends = 100, kPicoseconds = 1000 };
    const uint64_t at = wf.at;
    uint64_t least = UINT64_MAX;
    for (int turn = 0; turn < kTurns; ++turn) {
        const uint64_t from = nanoseconds();
        for (int count = 0; count < kSends; ++count) {
            if (!wf_enter()) return;
            const struct wf_call call = wf_begin(WARPFRONT_RECORDED_send, (void*)measure_cost);
            wf_send(call, MPI_COMM_WORLD, 0, 0, wf_bytes(1, MPI_DOUBLE));
            wf_leave();
        }
        const uint64_t took = nanoseconds() - from;
        if (took < least) least = took;
    }
    wf.header->event_ps = least * kPicoseconds / kSends;
    wf.at = at;
    wf.header->words = at;
    wf.header->lost = 0;
    if (wf.full) wf.header->state = WARPFRONT_RUNNING;
    wf.full = 0;
}

void wf_initialised(void) {
    int rank = 0;
    int ranks = 0;
    int level = MPI_THREAD_SINGLE;
    if (wf.active) return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Query_thread(&level);
    wf.threads = level == MPI_THREAD_MULTIPLE;
    const int on_node = ranks_on_node();
    open_file(rank, ranks);
    if (!wf.header) return;
    start_clock();
    add(&comms, KEY(MPI_COMM_WORLD))->number = 0;
    add(&comms, KEY(MPI_COMM_SELF))->number = 1;
    define_comm(0, MPI_COMM_WORLD);
    define_comm(1, MPI_COMM_SELF);
    if (rank == 0) define_library();
#if !defined(WARPFRONT_VIRTUAL_TIME)
    define_node(on_node);
#endif
    add(&sites, KEY(measure_cost))->number = 0;
    wf.active = 1;
    measure_cost();
    wf.start += now();
    end_of_call();
}

#ifdef WF_COMPRESSES
/* Compresses the records after the header. Returns 0 if that failed; the file is then unchanged. */
static int compress_file(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s.part", wf.path);
    FILE* const file = fopen(path, "wb");
    if (!file) return 0;
    struct warpfront_recording_header header = *wf.header;
    header.compressed = 1;
    int sound = fwrite(&header, sizeof header, 1, file) == 1;
    static unsigned char out[1 << 16];
    z_stream stream = {0};
    sound = sound && deflateInit(&stream, 1) == Z_OK;
    const unsigned char* from = (const unsigned char*)wf.words;
    uint64_t left = 8 * wf.at;
    int status = Z_OK;
    while (sound && status != Z_STREAM_END) {
        if (stream.avail_in == 0 && left > 0) {
            stream.avail_in = left > (1u << 30) ? 1u << 30 : (unsigned)left;
            stream.next_in = (unsigned char*)from;
            from += stream.avail_in;
            left -= stream.avail_in;
        }
        stream.next_out = out;
        stream.avail_out = sizeof out;
        status = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
        const size_t made = sizeof out - stream.avail_out;
        sound = status != Z_STREAM_ERROR && fwrite(out, 1, made, file) == made;
    }
    deflateEnd(&stream);
    sound = fclose(file) == 0 && sound && rename(path, wf.path) == 0;
    if (!sound) unlink(path);
    return sound;
}
#else
static int compress_file(void) { return 0; }
#endif

static void flush_tries(void);

void wf_finalizing(struct wf_call call) {
    lock();
    flush_tries();
    if (record_of(call, 0, site_number(call.site), call.begin)) commit(0);
    correct_clock();
    wf.active = 0;
    if (!wf.full) wf.header->state = WARPFRONT_FINALIZED;
    const uint64_t used = sizeof *wf.header + 8 * wf.at;
    if (!compress_file() && truncate(wf.path, (off_t)used) != 0) {
        fprintf(stderr, "warpfront: `%s` stays as large as its buffer\n", wf.path);
    }
    munmap(wf.header, sizeof *wf.header + 8 * wf.capacity);
    unlock();
}

void wf_phase(int number) {
    lock();
    wf.phase = (uint32_t)number;
    uint64_t* const to = record(WARPFRONT_RECORDED_phase, 1, 0, 0, 0);
    if (to) {
        to[0] = wf.phase;
        commit(1);
    }
    unlock();
}

static void define_phase(uint32_t number, const char* name) {
    const uint32_t length = 1 + text_words(name);
    uint64_t* const to = record(WARPFRONT_RECORDED_define_phase, length, 0, 0, 0);
    if (!to) return;
    to[0] = number;
    put_text(to + 1, name);
    commit(length);
}

/* Begins a phase of warpfront_phases.h. Phases have numbers from 1001 on, beyond those of MPI_Pcontrol. */
void warpfront_tracer_phase(const char* name) {
    static struct {
        const char* name;
        uint32_t number;
    } known[256];
    if (!wf.active) return;
    if (!name) {
        wf_phase(0);
        return;
    }
    for (uint32_t at = 0; at < 256; ++at) {
        if (!known[at].name) {
            known[at].name = strdup(name);
            known[at].number = 1001 + at;
            lock();
            define_phase(known[at].number, name);
            unlock();
        }
        if (strcmp(known[at].name, name) == 0) {
            wf_phase((int)known[at].number);
            return;
        }
    }
}

/* Calls. */

int64_t wf_bytes(int count, MPI_Datatype type) {
    int size = 0;
    if (type == MPI_DATATYPE_NULL) return 0;
    PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

/* Converts a peer or a tag to the recording format. */
static int64_t peer_word(int peer) {
    return peer == MPI_ANY_SOURCE ? WARPFRONT_ANY_SOURCE : peer == MPI_PROC_NULL ? WARPFRONT_NO_PEER : peer;
}
static int64_t tag_word(int tag) { return tag == MPI_ANY_TAG ? WARPFRONT_ANY_TAG : tag; }
static void put_status(uint64_t* to, const MPI_Status* status) {
    int count = 0;
    PMPI_Get_count(status, MPI_BYTE, &count);
    int64_t bytes = count;
#if !defined(WARPFRONT_VIRTUAL_TIME)
    if (count == MPI_UNDEFINED) { /* 2 GiB and more */
        MPI_Count large = 0;
        PMPI_Get_elements_x(status, MPI_BYTE, &large);
        bytes = large;
    }
#endif
    to[0] = (uint64_t)peer_word(status->MPI_SOURCE);
    to[1] = (uint64_t)tag_word(status->MPI_TAG);
    to[2] = bytes == MPI_UNDEFINED ? 0 : (uint64_t)bytes;
}

/* The lock is held until `end_record`. */
static uint64_t* begin_record(struct wf_call call, uint32_t payload) {
    const uint64_t end = end_of_call();
    lock();
    flush_tries();
    return record_of(call, payload, site_number(call.site), end);
}
static void end_record(const uint64_t* to, uint32_t payload) {
    if (to) commit(payload);
    unlock();
}

void wf_unknown(struct wf_call call, const char* name) {
    call.id = WARPFRONT_RECORDED_unknown;
    uint64_t* const to = begin_record(call, text_words(name));
    if (to) put_text(to, name);
    end_record(to, text_words(name));
}

void wf_send(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes) {
    const uint64_t end = end_of_call();
    lock();
    flush_tries();
    const int64_t over = comm_number(comm);
    uint64_t* const to = record_of(call, 4, site_number(call.site), end);
    if (to) {
        to[0] = (uint64_t)over;
        to[1] = (uint64_t)peer_word(peer);
        to[2] = (uint64_t)(int64_t)tag;
        to[3] = (uint64_t)bytes;
    }
    end_record(to, 4);
}

void wf_recv(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, const MPI_Status* status) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 7);
    if (to) {
        to[0] = (uint64_t)over;
        to[1] = (uint64_t)peer_word(peer);
        to[2] = (uint64_t)tag_word(tag);
        to[3] = (uint64_t)bytes;
        put_status(to + 4, status);
    }
    end_record(to, 7);
}

void wf_sendrecv(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, int from, int from_tag,
                 int64_t room, const MPI_Status* status) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 10);
    if (to) {
        to[0] = (uint64_t)over;
        to[1] = (uint64_t)peer_word(peer);
        to[2] = (uint64_t)(int64_t)tag;
        to[3] = (uint64_t)bytes;
        to[4] = (uint64_t)peer_word(from);
        to[5] = (uint64_t)tag_word(from_tag);
        to[6] = (uint64_t)room;
        put_status(to + 7, status);
    }
    end_record(to, 10);
}

static int receives(int id) { return id == WARPFRONT_RECORDED_irecv || id == WARPFRONT_RECORDED_recv_init; }
static int persists(int id) {
    return id == WARPFRONT_RECORDED_send_init || id == WARPFRONT_RECORDED_ssend_init ||
           id == WARPFRONT_RECORDED_recv_init;
}

/* The lock is held. */
static uint32_t new_request(int id, MPI_Request request) {
    if (request == MPI_REQUEST_NULL) return 0;
    struct entry* const known = find(&requests, KEY(request));
    if (known && known->active && !known->persistent && known->more_count < 65535) {
        known->more = realloc(known->more, (known->more_count + 1u) * sizeof *known->more);
        known->more[known->more_count].number = wf.next_request;
        known->more[known->more_count++].receives = (uint8_t)receives(id);
        return wf.next_request++;
    }
    struct entry* const entry = add(&requests, KEY(request));
    memset((char*)entry + sizeof entry->key, 0, sizeof *entry - sizeof entry->key);
    entry->number = wf.next_request++;
    entry->receives = (uint8_t)receives(id);
    entry->persistent = (uint8_t)persists(id);
    entry->active = (uint8_t)!entry->persistent;
    return entry->number;
}

void wf_begun(struct wf_call call, MPI_Comm comm, int peer, int tag, int64_t bytes, MPI_Request request) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 5);
    const uint32_t number = new_request(call.id, request);
    if (to) {
        to[0] = (uint64_t)over;
        to[1] = (uint64_t)peer_word(peer);
        to[2] = (uint64_t)tag_word(tag);
        to[3] = (uint64_t)bytes;
        to[4] = number;
    }
    end_record(to, 5);
}

void wf_start(struct wf_call call, int count, const MPI_Request* started) {
    uint64_t* const to = begin_record(call, (uint32_t)count + 1);
    if (to) to[0] = (uint64_t)count;
    for (int at = 0; at < count; ++at) {
        struct entry* const entry = find(&requests, KEY(started[at]));
        if (entry) entry->active = 1;
        if (to) to[1 + at] = entry ? entry->number : 0;
    }
    end_record(to, (uint32_t)count + 1);
}

/* The lock is held. */
static void complete(uint64_t key, uint32_t number) {
    struct entry* const entry = find(&requests, key);
    if (!entry) return;
    if (entry->asked) --entry->asked;
    if (entry->persistent) {
        entry->active = 0;
        return;
    }
    if (entry->more_count == 0) {
        free(entry->more);
        take_out(&requests, entry);
        return;
    }
    uint16_t at = 0; /* removes the number from the list, whose first element is `number` */
    if (entry->number == number) {
        entry->number = entry->more[0].number;
        entry->receives = entry->more[0].receives;
    } else {
        while (at + 1 < entry->more_count && entry->more[at].number != number) ++at;
    }
    memmove(entry->more + at, entry->more + at + 1, (entry->more_count - at - 1u) * sizeof *entry->more);
    --entry->more_count;
}

void wf_request(struct wf_call call, MPI_Request request) {
    uint64_t* const to = begin_record(call, 1);
    struct entry* const entry = find(&requests, KEY(request));
    if (to) to[0] = entry ? entry->number : 0;
    if (entry && call.id == WARPFRONT_RECORDED_cancel) entry->cancelled = 1;
    if (entry && call.id == WARPFRONT_RECORDED_request_free) {
        entry->persistent = 0;
        complete(entry->key, entry->number);
    }
    end_record(to, 1);
}

/* Returns the number of preceding calls that found nothing, if they were of the same kind. */
static uint64_t end_of_run(int id) {
    if (!asked.tries || asked.tried.id != id) return 0;
    const uint64_t tries = asked.tries;
    asked.tries = 0;
    return tries;
}

void wf_probe(struct wf_call call, MPI_Comm comm, int peer, int tag, const MPI_Status* status) {
    const int64_t over = comm_number(comm);
    const int iprobe = call.id == WARPFRONT_RECORDED_iprobe;
    const uint64_t tries = iprobe ? end_of_run(call.id) : 0;
    const uint32_t payload = iprobe ? 7 : 6;
    uint64_t* to = begin_record(call, payload);
    if (to) {
        uint64_t* at = to;
        if (iprobe) *at++ = tries;
        at[0] = (uint64_t)over;
        at[1] = (uint64_t)peer_word(peer);
        at[2] = (uint64_t)tag_word(tag);
        put_status(at + 3, status);
    }
    end_record(to, payload);
}

/* Completions. */

void wf_ask(int count, const MPI_Request* handles) {
    if (count > asked.room) {
        asked.room = 2 * count;
        asked.numbers = realloc(asked.numbers, (size_t)asked.room * sizeof *asked.numbers);
        asked.keys = realloc(asked.keys, (size_t)asked.room * sizeof *asked.keys);
        asked.is_receive = realloc(asked.is_receive, (size_t)asked.room * sizeof *asked.is_receive);
    }
    asked.count = count;
    lock();
    for (int at = 0; at < count; ++at) {
        struct entry* const entry = handles[at] == MPI_REQUEST_NULL ? NULL : find(&requests, KEY(handles[at]));
        asked.keys[at] = KEY(handles[at]);
        asked.numbers[at] = 0;
        int receives = entry && entry->receives;
        if (entry && entry->active && entry->asked <= entry->more_count) {
            const struct further* const further = entry->asked == 0 ? NULL : &entry->more[entry->asked - 1];
            asked.numbers[at] = further ? further->number : entry->number;
            if (further) receives = further->receives;
            ++entry->asked;
        }
        asked.is_receive[at] = !receives ? 0 : entry->cancelled ? kCancelled : kReceives;
    }
    unlock();
}

static int is_test(int id) { return id >= WARPFRONT_RECORDED_test && id <= WARPFRONT_RECORDED_testsome; }
static int has_among(int id) {
    return id == WARPFRONT_RECORDED_waitany || id == WARPFRONT_RECORDED_waitsome || id == WARPFRONT_RECORDED_testany ||
           id == WARPFRONT_RECORDED_testsome;
}

/* Releases the requests of a completion that did not complete. */
static void release(void) {
    lock();
    for (int at = 0; at < asked.count; ++at) {
        struct entry* const entry = asked.numbers[at] ? find(&requests, asked.keys[at]) : NULL;
        if (entry && entry->asked) --entry->asked;
    }
    unlock();
}

void wf_done(struct wf_call call, int count, const int* indices, const MPI_Status* statuses) {
    const int tested = is_test(call.id);
    uint32_t done = 0;
    for (int at = 0; at < count; ++at) done += asked.numbers[indices ? indices[at] : at] != 0;
    uint32_t among = 0;
    for (int at = 0; has_among(call.id) && at < asked.count; ++at) among += asked.numbers[at] != 0;
    if (done == 0) { /* only null or inactive requests */
        release();
        return;
    }
    const uint64_t tries = tested ? end_of_run(call.id) : 0;
    const uint32_t payload = (uint32_t)tested + (has_among(call.id) ? 1 + among : 0) + 1 + 4 * done;
    uint64_t* const to = begin_record(call, payload);
    if (to) {
        uint64_t* put = to;
        if (tested) *put++ = tries;
        if (has_among(call.id)) {
            *put++ = among;
            for (int at = 0; at < asked.count; ++at) {
                if (asked.numbers[at]) *put++ = asked.numbers[at];
            }
        }
        *put++ = done;
        for (int at = 0; at < count; ++at) {
            const int index = indices ? indices[at] : at;
            if (!asked.numbers[index]) continue;
            put[0] = asked.numbers[index];
            int cancelled = 0;
            if (asked.is_receive[index] == kCancelled) PMPI_Test_cancelled(&statuses[at], &cancelled);
            if (asked.is_receive[index] && !cancelled) {
                put_status(put + 1, &statuses[at]);
            } else {
                put[1] = (uint64_t)-1;
                put[2] = put[3] = 0;
            }
            put += 4;
        }
    }
    for (int at = 0; at < count; ++at) {
        const int index = indices ? indices[at] : at;
        if (asked.numbers[index]) complete(asked.keys[index], asked.numbers[index]);
        asked.numbers[index] = 0;
    }
    release();
    end_record(to, payload);
}

/* Records a run of calls that found nothing and was followed by another call. */
static void flush_tries(void) {
    if (!asked.tries) return;
    const uint64_t tries = asked.tries;
    asked.tries = 0;
    const int id = asked.tried.id;
    const uint32_t payload = asked.probed ? 7 : has_among(id) ? 3 : 2;
    const uint32_t site = site_number(asked.tried.site);
    uint64_t* const to = record_of(asked.tried, payload, site, asked.tried.begin);
    if (!to) return;
    memset(to, 0, 8 * payload);
    to[0] = tries;
    if (asked.probed) {
        to[1] = (uint64_t)asked.probe_comm;
        to[2] = (uint64_t)peer_word(asked.probe_peer);
        to[3] = (uint64_t)tag_word(asked.probe_tag);
        to[4] = (uint64_t)-1;
    }
    commit(payload);
}

static void tried(struct wf_call call, int probed) {
    lock();
    if (asked.tries && asked.tried.id != call.id) flush_tries();
    unlock();
    if (asked.tries++ == 0) {
        asked.tried = call;
        end_of_call();
        last.wall = call.begin; /* the run is recorded as one call that ends where it begins */
    }
    asked.probed = probed;
}

void wf_nothing_yet(struct wf_call call) {
    release();
    tried(call, 0);
}
void wf_nothing_probed(struct wf_call call, MPI_Comm comm, int peer, int tag) {
    asked.probe_comm = comm_number(comm);
    asked.probe_peer = peer;
    asked.probe_tag = tag;
    tried(call, 1);
}

/* Collectives. */

static int is_rooted(int id) {
    return id == WARPFRONT_RECORDED_bcast || id == WARPFRONT_RECORDED_reduce || id == WARPFRONT_RECORDED_gather ||
           id == WARPFRONT_RECORDED_scatter || id == WARPFRONT_RECORDED_gatherv || id == WARPFRONT_RECORDED_scatterv;
}

int wf_is_root(MPI_Comm comm, int root) {
    int rank = 0;
    if (MPI_ROOT < 0 && root == MPI_ROOT) return 1; /* intercommunicators; SMPI has none */
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

void wf_collective(struct wf_call call, MPI_Comm comm, int root, int64_t bytes) {
    const int64_t over = comm_number(comm);
    const int sized = call.id != WARPFRONT_RECORDED_barrier;
    const int rooted = is_rooted(call.id);
    const uint32_t payload = 1 + (uint32_t)rooted + (uint32_t)sized;
    uint64_t* const to = begin_record(call, payload);
    if (to) {
        uint64_t* put = to;
        *put++ = (uint64_t)over;
        if (rooted) *put++ = (uint64_t)(int64_t)root;
        if (sized) *put = (uint64_t)bytes;
    }
    end_record(to, payload);
}

static uint64_t* put_shares(uint64_t* to, int size, struct wf_shares shares) {
    *to++ = shares.counts ? (uint64_t)size : 0;
    for (int at = 0; shares.counts && at < size; ++at) {
        *to++ = (uint64_t)wf_bytes(shares.counts[at], shares.types ? shares.types[at] : shares.type);
    }
    return to;
}

void wf_collective_shares(struct wf_call call, MPI_Comm comm, int root, int64_t bytes, struct wf_shares first,
                          struct wf_shares second) {
    const int64_t over = comm_number(comm);
    const int size = wf_comm_size(comm);
    const int two = call.id == WARPFRONT_RECORDED_alltoallv;
    const int sized = !two && call.id != WARPFRONT_RECORDED_reduce_scatter;
    const int rooted = is_rooted(call.id);
    const uint32_t payload = 1 + (uint32_t)rooted + (uint32_t)sized + 1 + (first.counts ? (uint32_t)size : 0) +
                             (two ? 1 + (uint32_t)size : 0);
    uint64_t* const to = begin_record(call, payload);
    if (to) {
        uint64_t* put = to;
        *put++ = (uint64_t)over;
        if (rooted) *put++ = (uint64_t)(int64_t)root;
        if (sized) *put++ = (uint64_t)bytes;
        put = put_shares(put, size, first);
        if (two) put_shares(put, size, second);
    }
    end_record(to, payload);
}

void wf_begun_collective(struct wf_call call, MPI_Comm comm, int root, int64_t bytes, MPI_Request request,
                         struct wf_shares first, struct wf_shares second) {
    const int64_t over = comm_number(comm);
    const int size = wf_comm_size(comm);
    const int kind = call.id;
    call.id = WARPFRONT_RECORDED_begun_collective;
    const uint32_t payload = 7 + (first.counts ? (uint32_t)size : 0) + (second.counts ? (uint32_t)size : 0);
    uint64_t* const to = begin_record(call, payload);
    const uint32_t number = new_request(call.id, request);
    if (to) {
        to[0] = (uint64_t)kind;
        to[1] = (uint64_t)over;
        to[2] = (uint64_t)(int64_t)root;
        to[3] = (uint64_t)bytes;
        to[4] = number;
        put_shares(put_shares(to + 5, size, first), size, second);
    }
    end_record(to, payload);
}

void wf_made_comm(struct wf_call call, MPI_Comm comm, MPI_Comm made) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 1);
    if (to) to[0] = (uint64_t)over;
    end_record(to, 1);
    int inter = 0;
    if (made == MPI_COMM_NULL) return;
    PMPI_Comm_test_inter(made, &inter);
    call.busy = WF_UNKNOWN; /* the first record contains it */
    if (inter) {
        wf_unknown(call, "a communicator between two groups");
    } else {
        lock();
        comm_number(made);
        unlock();
    }
}

void wf_copied_comm(struct wf_call call, MPI_Comm comm, MPI_Comm made) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 1);
    if (to) to[0] = (uint64_t)over;
    end_record(to, 1);
    lock();
    const uint32_t number = wf.next_comm++;
    add(&comms, KEY(made))->number = number;
    define_comm(number, comm);
    unlock();
}

void wf_freeing_comm(struct wf_call call, MPI_Comm comm) {
    const int64_t over = comm_number(comm);
    uint64_t* const to = begin_record(call, 1);
    if (to) to[0] = (uint64_t)over;
    struct entry* const entry = find(&comms, KEY(comm));
    if (entry) take_out(&comms, entry);
    end_record(to, 1);
}

/* Memory for statuses and for values converted from Fortran. */

static void* room(void** memory, size_t* size, size_t wanted) {
    if (wanted > *size) {
        *size = 2 * wanted;
        *memory = realloc(*memory, *size);
    }
    return *memory;
}
#define ROOM(type, name, count)         \
    static __thread void* name;         \
    static __thread size_t name##_size; \
    type* const result = room(&name, &name##_size, (size_t)(count + 1) * sizeof(type))

MPI_Status* wf_statuses(int count) {
    ROOM(MPI_Status, statuses, count);
    return result;
}
MPI_Fint* wf_fortran_statuses(int count) {
    ROOM(MPI_Fint, words, count * (int)(sizeof(MPI_Status) / sizeof(MPI_Fint) + 1));
    return result;
}
MPI_Request* wf_requests(int count, const MPI_Fint* fortran) {
    ROOM(MPI_Request, handles, count);
    for (int at = 0; at < count; ++at) result[at] = PMPI_Request_f2c(fortran[at]);
    return result;
}
MPI_Datatype* wf_types(int count, const MPI_Fint* fortran) {
    ROOM(MPI_Datatype, types, count);
    for (int at = 0; at < count; ++at) result[at] = PMPI_Type_f2c(fortran[at]);
    return result;
}
int* wf_indices(int count, const MPI_Fint* fortran, int first) {
    ROOM(int, indices, count);
    for (int at = 0; at < count; ++at) result[at] = (int)fortran[at] - first;
    return result;
}
MPI_Status* wf_statuses_in_c(int count, const MPI_Fint* fortran) {
    MPI_Status* const result = wf_statuses(count);
#if defined(WARPFRONT_VIRTUAL_TIME) /* SMPI's Fortran statuses have the layout of the structure */
    memcpy(result, fortran, (size_t)count * sizeof *result);
#else
    for (int at = 0; at < count; ++at) {
        PMPI_Status_f2c((MPI_Fint*)fortran + at * (int)(sizeof(MPI_Status) / sizeof(MPI_Fint)), &result[at]);
    }
#endif
    return result;
}

/* MPI_IN_PLACE and ignored statuses are recognised by their addresses, which differ between C and Fortran. */
#if defined(WARPFRONT_VIRTUAL_TIME)
extern char mpi_in_place_[] __attribute__((weak));
extern char mpi_status_ignore_[] __attribute__((weak));
extern char mpi_statuses_ignore_[] __attribute__((weak));
#elif defined(OPEN_MPI)
extern char mpi_fortran_in_place_[] __attribute__((weak));
#elif defined(MPICH_VERSION)
extern void* MPIR_F_MPI_IN_PLACE __attribute__((weak));
extern int MPIR_F08_MPI_IN_PLACE __attribute__((weak));
#endif

int wf_in_place(const void* buffer) {
    if (buffer == MPI_IN_PLACE) return 1;
#if defined(WARPFRONT_VIRTUAL_TIME)
    return buffer != NULL && buffer == (const void*)mpi_in_place_;
#elif defined(OPEN_MPI)
    return buffer != NULL && buffer == (const void*)mpi_fortran_in_place_;
#elif defined(MPICH_VERSION)
    return buffer != NULL &&
           ((&MPIR_F_MPI_IN_PLACE && buffer == MPIR_F_MPI_IN_PLACE) || buffer == (const void*)&MPIR_F08_MPI_IN_PLACE);
#else
    return 0;
#endif
}
int wf_ignored(const void* status) {
#if defined(MPICH_VERSION)
    if (status == (const void*)MPI_F08_STATUS_IGNORE || status == (const void*)MPI_F08_STATUSES_IGNORE) return 1;
#endif
#if defined(WARPFRONT_VIRTUAL_TIME)
    return status == NULL || status == (const void*)mpi_status_ignore_ || status == (const void*)mpi_statuses_ignore_;
#else
    return status == (const void*)MPI_F_STATUS_IGNORE || status == (const void*)MPI_F_STATUSES_IGNORE;
#endif
}
