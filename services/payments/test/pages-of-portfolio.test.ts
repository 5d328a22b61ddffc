import { Client } from 'pg';
import { ops } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startPayments } from './support/service';

const DAYS = 400;
const WHOLESALERS = 100;
/** Of the day, and of the days with write-offs; all flows are some thousand pages of rows. */
const FEW_PAGES = 200;

/** Flows of all days and wholesalers, with a write-off of 1 peso in one of a thousand. */
const WRITE_DAYS = `
  SET search_path = payments;
  INSERT INTO portfolio_calendar (day, starts_at, ends_at)
  SELECT day, day, day + interval '1 day'
    FROM generate_series(timestamptz '2025-01-01 00:00Z', timestamptz '2025-01-01 00:00Z'
           + interval '${DAYS - 1} days', interval '1 day') day;
  INSERT INTO portfolio_flows
  SELECT day, md5(w::text)::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0,
         CASE WHEN row_number() OVER () % 1000 = 0 THEN 100 ELSE 0 END, 0, 0, 0, 0
    FROM portfolio_calendar CROSS JOIN generate_series(1, ${WHOLESALERS}) w;
  ANALYZE portfolio_flows`;

const payments = forAllTests(startPayments);
beforeAll(async () => {
  const owner = new Client({ connectionString: payments.ownerUrl });
  await owner.connect();
  await owner.query(WRITE_DAYS);
  await owner.query('VACUUM payments.portfolio_flows');
  await owner.end();
});

it('the portfolio of a day costs the same, however many days without write-offs were before', async () => {
  const { context, ownerUrl } = payments;
  let writtenOff: unknown;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    const { body } = await payments.call(ops(), 'GET', '/v1/admin/reports/portfolio');
    ({ writtenOff } = body);
  });
  expect(writtenOff).toBe((DAYS * WHOLESALERS) / 1000);
  expect(pages).toBeLessThan(FEW_PAGES);
});
