import type { Db, Transaction } from '../src/db/database';
import { allowLongStatements, query } from '../src/db/query';
import { startOutboxService, type OutboxService } from './support/outbox-service';

let service: OutboxService;

beforeAll(async () => {
  service = await startOutboxService(undefined);
});
afterAll(() => service.stop());

async function limitsOf(db: Db): Promise<unknown> {
  const [row] = await query(
    db,
    `SELECT current_setting('statement_timeout') AS time,
            current_setting('max_parallel_workers_per_gather') AS processes`,
  );
  return row;
}

test('allowLongStatements raises time and processes for one database transaction only', async () => {
  const usual = { time: '5s', processes: '0' };
  expect(await limitsOf(service.db)).toEqual(usual);
  const during = await service.db.transaction(async (tx: Transaction) => {
    await allowLongStatements(tx);
    return limitsOf(tx);
  });
  expect(during).toEqual({ time: '1min', processes: '2' });
  expect(await limitsOf(service.db)).toEqual(usual);
});
