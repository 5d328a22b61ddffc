/*
 * Loaded into PostgreSQL by `npm run test:dates` (LD_PRELOAD): its time is TEST_SECONDS_AHEAD ahead, and what it waits
 * by keeps going. Under libfaketime 0.9.10 no time-out ends a statement that waits: while it does, a
 * signal's handler sees the time of today. Includes no header, so that a compiler alone is enough.
 */
struct timespec { long seconds, nanoseconds; };
struct timeval { long seconds, microseconds; };

extern long syscall(long number, ...);
extern char *getenv(const char *name);
extern long atol(const char *digits);

enum { CLOCK_REALTIME = 0, CLOCK_REALTIME_COARSE = 5 };
#ifdef __aarch64__
enum { SYS_clock_gettime = 113 };
#else
enum { SYS_clock_gettime = 228 };
#endif

static long secondsAhead;

/* PostgreSQL writes its title over its variables, so they are read first. */
__attribute__((constructor)) static void readSeconds(void) {
  const char *seconds = getenv("TEST_SECONDS_AHEAD");
  if (seconds != 0) secondsAhead = atol(seconds);
}

int clock_gettime(int clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->seconds += secondsAhead;
  return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec found;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &found)) return -1;
  *now = (struct timeval){found.seconds, found.nanoseconds / 1000};
  return 0;
}

long time(long *now) {
  struct timespec found;
  if (clock_gettime(CLOCK_REALTIME, &found)) return -1;
  if (now != 0) *now = found.seconds;
  return found.seconds;
}
