import type { Caller } from '@fiado/contracts/caller';
import { ops } from '@fiado/chassis/testing/callers';
import { tokenHeader } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { closeNow, deliveredOrder } from './support/statements';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

/** A line of ops, as an approved correction writes it. */
const writeLine = (wholesalerId: string, cents: number) =>
  transactions.rows(
    `INSERT INTO settlement_lines (wholesaler_id, kind, source_id, gross_cents, commission_cents, reason)
     VALUES ($1, 'adjustment', uuidv7(), $2, 0, '=1+1')`,
    [wholesalerId, cents],
  );

it('ops see sums by kind of a statement and a draft, and the lines of the draft, newest first', async () => {
  const store = await transactions.createCornerStore();
  const readOps = async (path: string) =>
    (await transactions.call(ops('viewer'), 'GET', `/v1/admin/statements${path}`)).body;
  const transactionId = await deliveredOrder(transactions, store, 500);
  await deliveredOrder(transactions, store, 300);
  const statementOf = async (id: string) =>
    (await transactions.call(ops('viewer'), 'GET', `/v1/admin/transactions/${id}`)).body.statement;
  expect(await statementOf(transactionId)).toBeNull();
  await writeLine(store.caller.id, -10_050);
  const kinds = [
    { kind: 'delivery', lines: 2, grossAmount: 800, commission: 16 },
    { kind: 'adjustment', lines: 1, grossAmount: -100.5, commission: 0 },
  ];
  const of = `wholesalerId=${store.caller.id}`;
  expect((await readOps(`/draft?${of}`)).kinds).toEqual(kinds);
  const first = await readOps(`/draft/lines?${of}&limit=2`);
  const second = await readOps(`/draft/lines?${of}&limit=2&cursor=${first.nextCursor}`);
  expect([first, second].map(({ lines }) => lines.map((l: Line) => l.grossAmount))).toEqual([
    [-100.5, 300],
    [500],
  ]);

  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  const shown = await readOps(`/${statementId}`);
  expect(await statementOf(transactionId)).toEqual({ statementId, number: 1 });
  expect(shown.kinds).toEqual(kinds);
  expect((await readOps(`?${of}&totals=true&sort=closedAt&status=closed`)).totals).toEqual({
    count: 1,
    amount: shown.amountDue,
    hasMore: false,
  });
  expect((await readOps(`?${of}&totals=true&status=paid`)).totals).toMatchObject({ count: 0 });
  expect((await readOps(`/draft/lines?${of}`)).lines).toEqual([]);
});

interface Line {
  grossAmount: number;
}

it('the file of a statement for people has words, names for whom may see them, and its amounts at the end', async () => {
  const store = await transactions.createCornerStore();
  await deliveredOrder(transactions, store, 500, { wholesalerTransactionId: '=2+3' });
  await writeLine(store.caller.id, -10_050);
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  const read = async (caller: Caller) => {
    const headers = await tokenHeader('transactions', caller);
    const path = `/v1/admin/statements/${statementId}/lines.csv?format=people`;
    return fetch(`${transactions.url}${path}`, { headers });
  };
  const file = await read(ops('operator'));
  const lines = (await file.text()).replace('\uFEFF', '').split('\n');

  expect(file.headers.get('content-disposition')).toContain('filename="liquidacion-');
  const heads =
    'Cliente,Tienda,Renglón,Pedido del mayorista,Fecha,Principal,Comisión,Neto,Motivo,Id del renglón,Id del pedido';
  expect(lines[0]).toBe(heads);
  expect(lines[1]).toMatch(
    /^'007,Abarrotes Lupita,Entrega,'=2\+3,\d{4}-\d\d-\d\d \d\d:\d\d,500\.00,10\.00,490\.00,,/,
  );
  expect(lines[2]).toMatch(/^,,Ajuste,,[\d: -]+,-100\.50,0\.00,-100\.50,'=1\+1,/);
  expect(lines.slice(4, 7)).toEqual([
    'Total: Ajuste,1 renglón,,,,-100.50,0.00,-100.50,,,',
    'Total: Entrega,1 renglón,,,,500.00,10.00,490.00,,,',
    'Total,2 renglones,,,,399.50,10.00,389.50,,,',
  ]);
  expect(lines.slice(-7)).toEqual([
    'Saldo anterior,0.00',
    'Principal,399.50',
    'Comisión sin IVA,-10.00',
    'IVA de la comisión,-1.60',
    'Saldo,387.90',
    'A pagar,387.90',
    '',
  ]);
  const masked = await (await read(ops('viewer'))).text();
  expect(masked).toContain("'007,,Entrega,");
});
