import type { EntityManager } from 'typeorm';
import { allowLongStatements, query, type Db } from '../src/chassis/db/query';
import { startOutboxHouse, type OutboxHouse } from './support/outbox-house';

let house: OutboxHouse;

beforeAll(async () => {
  house = await startOutboxHouse(undefined);
});
afterAll(() => house.stop());

async function timeoutOf(db: Db): Promise<string | undefined> {
  const [row] = await query<{ statement_timeout: string }>(db, 'SHOW statement_timeout');
  return row?.statement_timeout;
}

test('a look at whole tables may take longer than a request, and nothing after it', async () => {
  const before = await timeoutOf(house.db);
  const during = await house.db.transaction(async (tx: EntityManager) => {
    await allowLongStatements(tx);
    return timeoutOf(tx);
  });
  expect([before, during, await timeoutOf(house.db)]).toEqual(['5s', '1min', '5s']);
});
