import { createOrdersBehindFaults } from './support/orders-behind-faults';
import { startSystem } from './support/system';

it('1,000 orders through a failing network are 1,000 orders', async () => {
  const system = await startSystem();
  try {
    const outcome = await createOrdersBehindFaults(system, 1_000);
    process.stdout.write(`${JSON.stringify({ ...outcome, held: outcome.held.length })}\n`);

    expect(outcome.created).toBe(1_000);
    expect(outcome.held).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
    expect(outcome.heldAmount).toBe(100_000);
  } finally {
    await system.dispose();
  }
});
