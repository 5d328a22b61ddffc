import { SharedRounds } from './shared-rounds';

it('never returns work that began before the request', async () => {
  const rounds = new SharedRounds();
  const begun: Array<() => void> = [];
  const work = () => new Promise<void>((resolve) => begun.push(resolve));

  const first = rounds.run('k', work);
  const followers = Array.from({ length: 10 }, () => rounds.run('k', work));
  expect(begun).toHaveLength(1);

  begun[0]?.();
  await first;
  await new Promise(setImmediate);
  // All ten share the second round, which began after they asked.
  expect(begun).toHaveLength(2);
  begun[1]?.();
  await Promise.all(followers);

  void rounds.run('k', work);
  expect(begun).toHaveLength(3);
});

it('keeps keys apart and starts afresh after a failure', async () => {
  const rounds = new SharedRounds();
  await expect(rounds.run('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  let ran = 0;
  const count = () => Promise.resolve(void (ran += 1));
  await Promise.all([rounds.run('a', count), rounds.run('b', count)]);
  expect(ran).toBe(2);
});
