import { FairTurns, type Refusal } from './fair-turns';

interface Run {
  outcomes: string[];
  endOne: () => Promise<void>;
  add: (tenant: string, name: string) => void;
}

/** Work that ends when the test lets it; the outcomes are in the order in which it began. */
function startRun(max: { perTenant: number; inAll: number }): Run {
  const turns = new FairTurns(max);
  const outcomes: string[] = [];
  const ends: Array<() => void> = [];
  return {
    outcomes,
    add: (tenant, name) => {
      const work = async (): Promise<void> => {
        outcomes.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      };
      const refused = (refusal: Refusal): Error => new Error(refusal);
      turns.run(tenant, work, refused).catch((error: Error) => {
        outcomes.push(`${name} ${error.message}`);
      });
    },
    endOne: async () => {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it("runs a tenant's first after the one that is running, whatever waits before it", async () => {
  const { add, endOne, outcomes } = startRun({ perTenant: 3, inAll: 10 });
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  add('b', 'b1');
  add('b', 'b2');
  for (let ended = 0; ended < 5; ended += 1) await endOne();
  expect(outcomes).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  add('c', 'c1');
  expect(outcomes.at(-1)).toBe('c1');
});

it('refuses requests beyond a tenant’s own limit, and no other tenant’s', async () => {
  const { add, endOne, outcomes } = startRun({ perTenant: 1, inAll: 10 });
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  add('b', 'b1');
  for (let ended = 0; ended < 3; ended += 1) await endOne();
  expect(outcomes).toEqual(['a1', 'a3 tenant-is-full', 'b1', 'a2']);
});

it('drops the newest work of the longest list when it is full', async () => {
  const { add, endOne, outcomes } = startRun({ perTenant: 3, inAll: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
  add('b', 'b1');
  add('b', 'b2');
  for (let ended = 0; ended < 4; ended += 1) await endOne();
  expect(outcomes).toEqual(['a1', 'a4 tenant-is-full', 'b2 all-is-full', 'b1', 'a2', 'a3']);
});
