/**
 * Loaded first by each main program. Node opens a debugger for SIGUSR1 unless somebody listens, and SIGUSR2, which
 * profilers and supervisors of other systems send, ends a process that does not: also one that migrates.
 */
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
