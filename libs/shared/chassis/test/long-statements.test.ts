import type { Db, Transaction } from '../src/db/database';
import { allowLongStatements, query } from '../src/db/query';
import { forAllTests } from '../../../../test/support/for-all-tests';
import { startOutboxService } from './support/outbox-service';

const service = forAllTests(() => startOutboxService(undefined));

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
