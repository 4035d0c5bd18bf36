// A wall clock that is WALLBOARD_CLOCK_AHEAD seconds ahead, for a process that loads this library first (LD_PRELOAD).
// All else that measures time is left alone: libfaketime breaks Python's time.sleep(), which sleeps by another clock.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead(void) {
    static time_t known = 0;
    static int is_known = 0;
    if (!is_known) {
        const char *text = getenv("WALLBOARD_CLOCK_AHEAD");
        known = text ? atoi(text) : 0;
        is_known = 1;
    }
    return known;
}

int clock_gettime(clockid_t clock, struct timespec *told) {
    int failed = (int)syscall(SYS_clock_gettime, clock, told);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) told->tv_sec += ahead();
    return failed;
}

int gettimeofday(struct timeval *restrict told, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}
