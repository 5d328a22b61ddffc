import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConsumer, installOldCompiler } from './support/consumer';
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
    expect(Math.min(...Object.values(outcome.faults))).toBeGreaterThan(0);
    expect(outcome.attempts).toBeGreaterThan(1_000);
  } finally {
    await system.dispose();
  }
});

const folder = mkdtempSync(join(tmpdir(), 'fiado-compiler-'));
const compiler = installOldCompiler(folder) ?? '';
if (compiler === '') process.stdout.write('No registry answers: TypeScript 5.4 is not tested\n');
afterAll(() => rmSync(folder, { recursive: true }));

(compiler === '' ? it.skip : it)(
  'the client compiles with TypeScript 5.4 in an empty folder',
  async () => {
    const consumer = await createConsumer();
    try {
      expect(await consumer.compile(compiler, 'story.mts', ['node'])).toBe('');
      expect(await consumer.compile(compiler, 'types.ts', [])).toBe('');
    } finally {
      await consumer.dispose();
    }
  },
);
