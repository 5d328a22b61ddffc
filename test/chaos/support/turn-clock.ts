/**
 * Loaded before a process' own code (`node --require`): a SIGUSR2 turns its clock by CLOCK_TURN_MS,
 * the next one back. Timers and the monotonic clock go on as they do when a system's time is set.
 */
const TURN_MS = Number(process.env.CLOCK_TURN_MS);
const TrueDate = Date;
let turnedMs = 0;

process.on('SIGUSR2', () => {
  turnedMs = turnedMs === 0 ? TURN_MS : 0;
});

const now = () => TrueDate.now() + turnedMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new TrueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
