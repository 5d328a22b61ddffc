/** Loaded first by each main program. */

// Node opens a debugger for SIGUSR1 unless somebody listens, and SIGUSR2, which profilers and supervisors of other
// systems send, ends a process that does not: also one that migrates.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});

// Node has `navigator` from version 21 on. Where it is missing, pg makes a Response to find out where it runs, and Node 20
// loads its fetch for that: 25 ms and 5 MB in each process.
if (!('navigator' in globalThis)) {
  const userAgent = `Node.js/${process.versions.node.split('.')[0]}`;
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent }, configurable: true });
}
