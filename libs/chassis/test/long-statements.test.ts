import type { Db, Transaction } from '../src/db/database';
import { allowLongStatements, query } from '../src/db/query';
import { startOutboxService, type OutboxService } from './support/outbox-service';

let service: OutboxService;

beforeAll(async () => {
  service = await startOutboxService(undefined);
});
afterAll(() => service.stop());

async function timeoutOf(db: Db): Promise<string | undefined> {
  const [row] = await query<{ statementTimeout: string }>(db, 'SHOW statement_timeout');
  return row?.statementTimeout;
}

test('allowLongStatements raises the time limit for one database transaction only', async () => {
  const before = await timeoutOf(service.db);
  const during = await service.db.transaction(async (tx: Transaction) => {
    await allowLongStatements(tx);
    return timeoutOf(tx);
  });
  expect([before, during, await timeoutOf(service.db)]).toEqual(['5s', '1min', '5s']);
});
