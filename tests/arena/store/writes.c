/* Loaded before the C library (LD_PRELOAD), it notes in the file LUDARIUM_WRITES all that is done to the files below the folder LUDARIUM_WATCHED, in its order:
   a line "OPERATION OFFSET LENGTH PATH", and for w (write) the bytes. s is a flush, t a cut to OFFSET, d a deletion. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *path, char operation, off_t offset, const void *data, size_t length) {
    static int file = -1;
    char line[PATH_MAX + 64];
    const char *watched = getenv("LUDARIUM_WATCHED");
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (!watched || strncmp(path, watched, strlen(watched))) return;
    if (file < 0) file = open(getenv("LUDARIUM_WRITES"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    int size = snprintf(line, sizeof line, "%c %lld %zu %s\n", operation, (long long)offset, length, path);
    if (real(file, line, size) != size || (length && real(file, data, length) != (ssize_t)length)) abort();
}

static const char *path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
    return path;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define WATCH(type, call, ...) \
    char path[PATH_MAX]; \
    pthread_mutex_lock(&lock); \
    type done = call; \
    if (done >= 0) note(__VA_ARGS__); \
    pthread_mutex_unlock(&lock); \
    return done

ssize_t write(int file, const void *data, size_t length) {
    REAL(write);
    WATCH(ssize_t, real(file, data, length), path_of(file, path), 'w', lseek(file, 0, SEEK_CUR) - done, data, done);
}
ssize_t pwrite(int file, const void *data, size_t length, off_t at) {
    REAL(pwrite);
    WATCH(ssize_t, real(file, data, length, at), path_of(file, path), 'w', at, data, done);
}
ssize_t pwrite64(int file, const void *data, size_t length, off64_t at) {
    REAL(pwrite64);
    WATCH(ssize_t, real(file, data, length, at), path_of(file, path), 'w', at, data, done);
}
int fsync(int file) { REAL(fsync); WATCH(int, real(file), path_of(file, path), 's', 0, NULL, 0); }
int fdatasync(int file) { REAL(fdatasync); WATCH(int, real(file), path_of(file, path), 's', 0, NULL, 0); }
int ftruncate(int file, off_t size) { REAL(ftruncate); WATCH(int, real(file, size), path_of(file, path), 't', size, NULL, 0); }
int ftruncate64(int file, off64_t size) { REAL(ftruncate64); WATCH(int, real(file, size), path_of(file, path), 't', size, NULL, 0); }
int unlink(const char *name) { REAL(unlink); WATCH(int, real(name), (snprintf(path, sizeof path, "%s", name), path), 'd', 0, NULL, 0); }
