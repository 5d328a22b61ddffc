import { createHash, randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { Client } from 'pg';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { tokenHeader } from '@fiado/chassis/testing/call';
import { dayAfter } from '@fiado/contracts/clock';
import { forAllTests } from '../../../test/support/for-all-tests';
import { closeDueStatements, countBehind } from '../src/statements/close-statements';
import { afterTheLastLine, clawBack, closeNow, deliveredOrder } from './support/statements';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);
beforeAll(async () => {
  const owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query(`UPDATE transactions.settlement_start SET at = at - interval '30 days'`);
  await owner.end();
});

const get = (store: CornerStore, path: string) =>
  transactions.call(store.caller, 'GET', `/v1/statements${path}`);

/** A line of ops, as an approved correction writes it. */
const writeLine = (wholesalerId: string, cents: number, recordedAt = new Date()) =>
  transactions.rows(
    `INSERT INTO settlement_lines
       (wholesaler_id, kind, source_id, gross_cents, commission_cents, reason, recorded_at)
     VALUES ($1, 'adjustment', uuidv7(), $2, 0, '=1+1', $3)`,
    [wholesalerId, cents, recordedAt],
  );

it('the statements of a drawn month equal a second reading of its orders', async () => {
  const store = await transactions.createCornerStore({
    settings: { commissionRate: '0.0333' },
    store: { creditLimitCents: 100_000_000 },
  });
  const amounts = Array.from(
    { length: 14 },
    () => (10_000 + Math.floor(Math.random() * 100_000)) / 100,
  );
  const statements = [];
  const takenCents = new Map<string, number>();
  for (const [at, amount] of amounts.entries()) {
    const transactionId = await deliveredOrder(transactions, store, amount);
    // A part of the second order of each statement is taken back.
    if (at % 5 === 1) {
      const taken = 1 + Math.floor(Math.random() * 9_999);
      takenCents.set(transactionId, taken);
      await clawBack(transactions, store, transactionId, taken / 100);
    }
    if (at % 5 === 4) statements.push(...(await closeNow(transactions, store)).body.statements);
  }
  statements.push(...(await closeNow(transactions, store)).body.statements);

  // In the order of delivery, five to a statement. In hundredths of a cent, so that nothing is cut.
  const orders = await transactions.rows<{ id: string; cents: number }>(
    `SELECT id, amount_cents AS cents FROM transactions WHERE wholesaler_id = $1 ORDER BY delivered_at`,
    [store.caller.id],
  );
  const expected = [0, 5, 10].map((first, at) => {
    const of = orders
      .slice(first, first + 5)
      .map(({ id, cents }) => cents - (takenCents.get(id) ?? 0));
    const gross = of.reduce((sum, cents) => sum + cents, 0);
    const commission = of.reduce(
      (sum, cents) => sum + Math.floor((cents * 333 + 5000) / 10_000),
      0,
    );
    const iva = Math.floor((commission * 16 + 50) / 100);
    const net = gross - commission - iva;
    return {
      number: at + 1,
      lines: of.length + 1,
      status: 'closed',
      grossAmount: gross / 100,
      commission: commission / 100,
      commissionIVA: iva / 100,
      openingBalance: 0,
      netAmount: net / 100,
      amountDue: net / 100,
    };
  });
  expect(statements).toMatchObject(expected);
  const { body } = await get(store, '?limit=2');
  expect(body.statements).toMatchObject(expected.toReversed().slice(0, 2));
  const rest = await get(store, `?limit=2&cursor=${body.nextCursor}`);
  expect(rest.body).toMatchObject({ statements: [expected[0]], nextCursor: null });
  const periods = statements.map(({ periodFrom, periodTo }) => [periodFrom, periodTo]);
  expect(periods.slice(1).map(([from]) => from)).toEqual(periods.slice(0, -1).map(([, to]) => to));
});

it('the draft shows what the next statement says, and what is owed opens it', async () => {
  const store = await transactions.createCornerStore();
  await deliveredOrder(transactions, store, 500);
  await writeLine(store.caller.id, -80_000);
  const [first] = (await closeNow(transactions, store)).body.statements;
  expect(first).toMatchObject({ status: 'paid', netAmount: -311.6, amountDue: 0, paidAt: null });
  await deliveredOrder(transactions, store, 1000);

  const draft = await get(store, '/draft');
  const opsDraft = await transactions.call(
    ops('viewer'),
    'GET',
    `/v1/admin/statements/draft?wholesalerId=${store.caller.id}`,
  );
  const [second] = (await closeNow(transactions, store)).body.statements;

  expect(draft.body).toEqual({
    status: 'draft',
    periodFrom: first.periodTo,
    lines: 1,
    grossAmount: 1000,
    commission: 20,
    commissionIVA: 3.2,
    openingBalance: -311.6,
    netAmount: 665.2,
    amountDue: 665.2,
    heldLines: 0,
    heldAmount: 0,
  });
  expect(opsDraft.body).toMatchObject(draft.body);
  const { status, heldLines: _lines, heldAmount: _amount, ...amounts } = draft.body;
  expect(status).toBe('draft');
  expect(second).toMatchObject({ ...amounts, status: 'closed' });
});

it('the IVA that a commission includes is taken out of it', async () => {
  const { config } = transactions.context;
  const setting = jest.replaceProperty(config, 'COMMISSION_IVA', 'included');
  try {
    const store = await transactions.createCornerStore();
    await deliveredOrder(transactions, store, 1000);
    const { body } = await closeNow(transactions, store);
    expect(body.statements).toMatchObject([
      { commission: 17.24, commissionIVA: 2.76, netAmount: 980 },
    ]);
  } finally {
    setting.restore();
  }
});

describe('closing by hand', () => {
  const close = (body: object) =>
    transactions.call(ops('operator'), 'POST', '/v1/admin/statements/close', { body });

  it('answers what is closed already, and moves only the head without lines', async () => {
    const store = await transactions.createCornerStore();
    const { id: wholesalerId } = store.caller;
    await deliveredOrder(transactions, store, 500);
    const until = await afterTheLastLine();

    const first = await close({ wholesalerId, until });
    const again = await close({ wholesalerId, until });
    const empty = await close({ wholesalerId, until: await afterTheLastLine() });

    expect([first.status, first.body.statements.length]).toEqual([200, 1]);
    expect(again.body).toEqual(first.body);
    expect(empty.body).toEqual({ statements: [], remaining: 0 });
    const [head] = await transactions.rows(
      `SELECT last_number, closed_until > $2 AS "hasMoved" FROM settlement_heads
        WHERE wholesaler_id = $1`,
      [wholesalerId, until],
    );
    expect(head).toEqual({ last_number: 1, hasMoved: true });
  });

  /** Wholesalers whose statements do not close by themselves. */
  async function addWholesalers(count: number): Promise<void> {
    const owner = new Client({ connectionString: transactions.ownerUrl });
    await owner.connect();
    await owner.query(
      `INSERT INTO transactions.wholesalers
       SELECT (jsonb_populate_record(w, jsonb_build_object(
                'wholesaler_id', gen_random_uuid(), 'settlement_every', 'on-demand'))).*
         FROM transactions.wholesalers w CROSS JOIN generate_series(1, $1::int) LIMIT $1`,
      [count],
    );
    await owner.end();
  }

  /** That many seconds after the start of the settlement, before which no order was delivered. */
  async function afterStart(seconds: number): Promise<string> {
    const [start] = await transactions.rows<{ until: Date }>(
      `SELECT at + make_interval(secs => $1) AS until FROM settlement_start`,
      [seconds],
    );
    return start?.until.toISOString() ?? '';
  }

  /** Wholesalers that are not closed until then. */
  async function countDue(until: string): Promise<number> {
    const [{ due } = { due: 0 }] = await transactions.rows<{ due: number }>(
      `SELECT count(*)::int AS due FROM wholesalers LEFT JOIN settlement_heads USING (wholesaler_id)
        WHERE coalesce(closed_until, '-infinity') < $1`,
      [until],
    );
    return due;
  }

  it('closes 200 wholesalers in a call, the longest unclosed first, says how many remain, and goes on where it stopped', async () => {
    await addWholesalers(205);
    const [before, until] = [await afterStart(1), await afterStart(2)];
    // As an earlier call leaves them: all but the last five are closed.
    await transactions.rows(
      `INSERT INTO settlement_heads SELECT wholesaler_id, 0, $1, 0 FROM wholesalers
        WHERE wholesaler_id NOT IN (SELECT wholesaler_id FROM settlement_heads)
        ORDER BY wholesaler_id DESC OFFSET 5`,
      [before],
    );
    const due = [await countDue(before), await countDue(until)];

    const first = await close({ until });
    due.push(await countDue(before));
    const second = await close({ until });

    expect(due).toEqual([5, 205, 0]);
    expect([first.body.remaining, second.body.remaining]).toEqual([5, 0]);
    expect(await countDue(until)).toBe(0);
  });

  it('refuses the future and an unknown wholesaler', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const future = await close({ until: tomorrow });
    const unknown = await close({ until: '2026-01-01', wholesalerId: randomUUID() });
    expect([future.status, future.body.message]).toEqual([
      400,
      ['until must not be in the future'],
    ]);
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 'WHOLESALER_NOT_FOUND']);
  });
});

describe('the lines of a statement', () => {
  it('are listed, and the file of them has the hash of the statement, now and later', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500, {
      wholesalerTransactionId: '=2+3',
    });
    await writeLine(store.caller.id, -10_050);
    const [{ statementId, sha256 }] = (await closeNow(transactions, store)).body.statements;

    const first = await get(store, `/${statementId}/lines?limit=1`);
    const second = await get(store, `/${statementId}/lines?cursor=${first.body.nextCursor}`);
    const headers = await tokenHeader('transactions', store.caller);
    const file = () =>
      fetch(`${transactions.url}/v1/statements/${statementId}/lines.csv`, {
        headers,
      });
    const csv = await file();
    const bytes = Buffer.from(await csv.arrayBuffer());
    await deliveredOrder(transactions, store, 500);
    await closeNow(transactions, store);

    expect([...first.body.lines, ...second.body.lines]).toMatchObject([
      {
        kind: 'delivery',
        transactionId,
        wholesalerTransactionId: '=2+3',
        grossAmount: 500,
        commission: 10,
        netAmount: 490,
        reason: null,
      },
      { kind: 'adjustment', transactionId: null, grossAmount: -100.5, reason: '=1+1' },
    ]);
    expect(second.body.nextCursor).toBeNull();
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    // Its last day, in the time zone of the lender.
    const day = dayAfter(new Date(Date.now() - 1_000), 'America/Mexico_City').date;
    expect(csv.headers.get('content-disposition')).toMatch(
      new RegExp(`filename="statement-[a-z0-9-]+-1-${day}.csv"`),
    );
    const rows = parse(bytes, { bom: true, columns: true }) as Array<Record<string, string>>;
    expect(rows).toMatchObject([
      { wholesalerTransactionId: "'=2+3", grossAmount: '500' },
      { reason: "'=1+1", grossAmount: '-100.5' },
    ]);
    const cents = (amount = '') => Math.round(Number(amount) * 100);
    const text = rows.map((row) =>
      [
        row.lineId,
        row.kind,
        row.transactionId,
        cents(row.grossAmount),
        cents(row.commission),
        row.occurredAt,
      ].join(','),
    );
    expect(
      createHash('sha256')
        .update(`${text.join('\n')}\n`)
        .digest('hex'),
    ).toBe(sha256);
    expect(Buffer.from(await (await file()).arrayBuffer())).toEqual(bytes);
  });
});

it('a statement of another wholesaler is not found', async () => {
  const store = await transactions.createCornerStore();
  await deliveredOrder(transactions, store, 500);
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  const other = { ...store, caller: wholesaler() };

  for (const path of [`/${statementId}`, `/${statementId}/lines`, `/${statementId}/lines.csv`]) {
    const { status, body } = await get(other, path);
    expect([status, body.errorCode]).toEqual([404, 'STATEMENT_NOT_FOUND']);
  }
  expect((await get(other, '')).body.statements).toEqual([]);
  const key = {
    ...store.caller,
    scopes: store.caller.scopes.filter((s) => s !== 'statements:read'),
  };
  expect((await transactions.call(key, 'GET', '/v1/statements')).status).toBe(403);
});

it('at midnight the loop closes what was recorded before it, if the wholesaler has it closed', async () => {
  const day = 86_400_000;
  const daysAgo = (days: number) => new Date(Date.now() - days * day);
  const numbers: Record<string, number[]> = {};
  for (const settlementEvery of ['daily', 'weekly', 'on-demand'] as const) {
    const { caller } = await transactions.createCornerStore({ settings: { settlementEvery } });
    await transactions.rows('INSERT INTO settlement_heads VALUES ($1, 0, $2, 0)', [
      caller.id,
      daysAgo(9),
    ]);
    await writeLine(caller.id, 100, daysAgo(8));
    await writeLine(caller.id, 100);

    await closeDueStatements(transactions.context);
    await closeDueStatements(transactions.context);

    const rows = await transactions.rows<{ lines: number }>(
      'SELECT lines FROM statements WHERE wholesaler_id = $1',
      [caller.id],
    );
    numbers[settlementEvery] = rows.map(({ lines }) => lines);
  }
  expect(numbers).toEqual({ daily: [1], weekly: [1], 'on-demand': [] });
});

it('counts the wholesalers whose day or week ended and is not closed', async () => {
  const behind = () => countBehind(transactions.context);
  await closeDueStatements(transactions.context);
  const before = await behind();
  for (const settlementEvery of ['daily', 'weekly', 'on-demand'] as const) {
    const { caller } = await transactions.createCornerStore({ settings: { settlementEvery } });
    await transactions.rows(
      `INSERT INTO settlement_heads VALUES ($1, 0, now() - interval '9 days', 0)`,
      [caller.id],
    );
  }
  const open = await behind();
  await closeDueStatements(transactions.context);

  expect([before, open, await behind()]).toEqual([0, 2, 0]);
});
