import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { symbols } from 'pino';
import type { Caller } from '@fiado/contracts/caller';
import { opsAccessEnded } from '@fiado/contracts/jobs/ops-access';
import { createLogger } from '@fiado/chassis/logger';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { type Answer, tokenHeader } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { sweepExports, wipeExports } from '@fiado/chassis/exports/wipe-exports';
import { firstIdOf } from '../src/exports/statement-lines';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

const HOUR_MS = 3_600_000;
const ANONYMOUS: Caller = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] };
const EXPORTS = '/v1/admin/exports/orders';

describe('exports of orders', () => {
  let transactions: TransactionsService;
  let store: CornerStore;
  const logged: string[] = [];

  beforeAll(async () => {
    const log = createLogger('transactions', 'info');
    Object.assign(log, { [symbols.streamSym]: { write: (line: string) => logged.push(line) } });
    transactions = await startTransactions({}, { log });
    store = await transactions.createCornerStore();
    for (const wholesalerTransactionId of ['=1+1', '-2', 'PED-3']) {
      expect((await transactions.order(store, { wholesalerTransactionId })).status).toBe(201);
    }
    await transactions.rows(`UPDATE transactions SET created_at = now() - interval '1 hour'`);
    // Not of the period, and of another wholesaler.
    await transactions.order(store, { wholesalerTransactionId: 'later' });
    const other = await transactions.createCornerStore();
    const theirs = await transactions.order(other, { wholesalerTransactionId: 'theirs' });
    await transactions.rows(
      `UPDATE transactions SET created_at = now() - interval '1 hour' WHERE id = $1`,
      [theirs.body.transactionId],
    );
  });
  afterAll(() => transactions.stop());

  /** The body of a request for the last hours. */
  function body(changes: object = {}) {
    const [from, to] = [3 * HOUR_MS, HOUR_MS / 2].map((ms) =>
      new Date(Date.now() - ms).toISOString(),
    );
    return { from, to, format: 'csv', wholesalerId: store.caller.id, ...changes };
  }

  const start = (changes: object = {}, caller = ops('operator')) =>
    transactions.call(caller, 'POST', EXPORTS, { body: body(changes) });

  /** An export that is ready. */
  async function exported(changes: object = {}): Promise<Answer['body']> {
    const { status, body: started } = await start(changes);
    expect([status, started.status]).toEqual([202, 'waiting']);
    let shown: Answer['body'];
    await until('the export is ready', async () => {
      const path = `${EXPORTS}/${started.exportId}`;
      shown = (await transactions.call(ops('operator'), 'GET', path)).body;
      return shown.status === 'ready';
    });
    return shown;
  }

  async function linkTo({ exportId }: { exportId: string }): Promise<string> {
    const path = `${EXPORTS}/${exportId}/link`;
    const { status, body: link } = await transactions.call(ops('operator'), 'POST', path);
    expect(status).toBe(201);
    return new URL(link.url).pathname;
  }

  async function download(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const token = await tokenHeader('transactions', ANONYMOUS);
    return fetch(`${transactions.url}${path}`, { headers: { ...token, ...headers } });
  }

  const auditOf = async (exportId: string) =>
    (await transactions.outbox('audit.recorded'))
      .map(({ data }) => data as Record<string, unknown>)
      .filter(({ objectId }) => objectId === exportId)
      .map(({ action, actorId }) => [action, actorId]);

  it('a file has the orders of the period and the wholesaler; a formula stays a text', async () => {
    const csv = await exported();
    const response = await download(await linkTo(csv));
    const text = Buffer.from(await response.arrayBuffer());

    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-/);
    expect([csv.rows, csv.bytes]).toEqual([3, text.length]);
    expect(csv.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    const [header = '', ...rows] = text.toString().trimEnd().split('\n');
    const column = header.replace('\uFEFF', '').split(',').indexOf('wholesalerTransactionId');
    expect(rows.map((row) => row.split(',')[column])).toEqual(["'=1+1", "'-2", 'PED-3']);

    const jsonl = await download(await linkTo(await exported({ format: 'jsonl' })));
    const objects = (await jsonl.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(objects[0]).toMatchObject({
      wholesalerTransactionId: '=1+1',
      totalAmount: 1000,
      interests: 50,
      transactionStatus: 'pending-verification',
    });
    expect(await auditOf(csv.exportId)).toEqual([
      ['export.requested', 'ops'],
      ['export.linked', 'ops'],
      ['export.downloaded', 'ops'],
    ]);
  });

  it('a download goes on after a cut, from the same file only', async () => {
    const ready = await exported();
    const path = await linkTo(ready);
    const whole = await (await download(path)).text();
    const etag = `"${ready.sha256}"`;

    const rest = await download(path, { range: 'bytes=100-', 'if-range': etag });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${ready.bytes - 1}/${ready.bytes}`,
    ]);
    // The mark of UTF-8 at the beginning is three bytes and no character of the text.
    expect(await rest.text()).toBe(whole.slice(97));
    const other = await download(path, { range: 'bytes=100-', 'if-range': '"another"' });
    expect([other.status, (await other.text()).length]).toEqual([200, whole.length]);
    expect((await download(path, { range: `bytes=${ready.bytes}-` })).status).toBe(416);
    expect((await download(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('a link ends after 15 minutes, when it is revoked, its maker loses the access, and with its file; no log has it', async () => {
    const ready = await exported();
    const [revoked, late] = [await linkTo(ready), await linkTo(ready)];
    const token = revoked.split('/').at(-1) ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect((await download(`${late}x`)).status).toBe(404);
    expect((await download(late.replace('/orders/', '/debts/'))).status).toBe(404);

    await transactions.rows(
      `UPDATE export_links SET expires_at = now() - interval '1 second'
        WHERE token_hash = sha256($1)`,
      [late.split('/').at(-1)],
    );
    expect((await download(late)).status).toBe(404);
    const path = `${EXPORTS}/${ready.exportId}/link`;
    expect((await transactions.call(ops('operator'), 'DELETE', path)).status).toBe(204);
    expect((await download(revoked)).status).toBe(404);

    const ofOneWhoLeft = await linkTo(ready);
    await transactions.handle(
      opsAccessEnded,
      { id: randomUUID(), version: 1 },
      { actorId: randomUUID() },
    );
    expect((await download(ofOneWhoLeft)).status).toBe(200);
    const actorId = ops('operator').id;
    await transactions.handle(opsAccessEnded, { id: randomUUID(), version: 1 }, { actorId });
    expect((await download(ofOneWhoLeft)).status).toBe(404);

    const last = await linkTo(ready);
    await transactions.rows(`UPDATE exports SET expires_at = now() WHERE id = $1`, [
      ready.exportId,
    ]);
    await wipeExports(transactions.context);
    expect((await download(last)).status).toBe(404);
    const answer = await transactions.call(ops('operator'), 'POST', path);
    expect([answer.status, answer.body.errorCode]).toEqual([422, 'EXPORT_NOT_READY']);
    expect(
      await transactions.rows(
        `SELECT status, key, (SELECT count(*)::int FROM export_parts WHERE export_id = e.id) AS parts
           FROM exports e WHERE id = $1`,
        [ready.exportId],
      ),
    ).toEqual([{ status: 'expired', key: null, parts: 0 }]);
    await sleep(100);
    expect(logged.some((line) => line.includes('/v1/downloads/:exportKind/:token'))).toBe(true);
    expect(logged.join('')).not.toContain(token);
  });

  it('nobody else has exports: no wholesaler, no person without the role, no other kind', async () => {
    const ready = await exported();
    const path = `${EXPORTS}/${ready.exportId}`;
    for (const caller of [ops('viewer'), wholesaler(), store.caller, ANONYMOUS]) {
      for (const [method, route] of [
        ['GET', EXPORTS],
        ['GET', path],
        ['POST', `${path}/link`],
        ['DELETE', `${path}/link`],
      ] as const) {
        expect((await transactions.call(caller, method, route)).status).toBe(403);
      }
      expect((await start({}, caller)).status).toBe(403);
    }
    const unknown = path.replace('/orders/', '/debts/');
    expect((await transactions.call(ops(), 'GET', unknown)).body.errorCode).toBe(
      'EXPORT_NOT_FOUND',
    );
    const listed = await transactions.call(ops('operator'), 'GET', `${EXPORTS}?limit=1`);
    expect(listed.body.exports).toEqual([ready]);
    expect(listed.body.nextCursor).toBe(ready.exportId);
  });

  it('a person has two unfinished exports, of a period that lies ten minutes back', async () => {
    const soon = new Date(Date.now() - 60_000).toISOString();
    expect((await start({ to: soon })).body.message).toEqual([
      'to must be at least 10 minutes ago',
    ]);
    expect((await start({ from: soon, to: soon })).status).toBe(400);
    const { id } = ops('operator', 'busy');
    // As if other processes made them: the loop leaves them alone.
    await transactions.rows(
      `INSERT INTO exports (kind, format, from_at, to_at, requested_by, key, expires_at, leased_until)
       SELECT 'orders', 'csv', now() - interval '2 hours', now() - interval '1 hour', $1, 'x',
              now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 2)`,
      [id],
    );
    const refused = await start({}, ops('operator', 'busy'));
    expect([refused.status, refused.body.errorCode]).toEqual([429, 'EXPORT_LIMIT_REACHED']);
    await transactions.rows(`DELETE FROM exports WHERE requested_by = $1`, [id]);
  });

  it('a file for people has names first, ids last, words, and sums by state', async () => {
    const people = await exported({ format: 'people' });
    const response = await download(await linkTo(people));
    const lines = (await response.text()).split('\n');

    expect([people.format, people.rows]).toEqual(['people', 3]);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="pedidos-\d{4}-\d\d-\d\d-a-\d{4}-\d\d-\d\d\.csv"/,
    );
    expect(lines[0]).toBe(
      'Mayorista,Cliente,Tienda,Pedido,Pedido del mayorista,Estado,Pedido el,Entregado el,Palabra de entrega,' +
        'Vence,Pagado el,Principal pedido,Principal,Interés,IVA,Total,Id del pedido,Id de la tienda,Id del mayorista',
    );
    expect(lines[1]).toMatch(
      /^Abarrotes del Norte,'007,Abarrotes Lupita,\d+,'=1\+1,Por confirmar,[\d-]{10} [\d:]{5},,,[\d-]{10},,/,
    );
    expect(lines[1]).toMatch(
      new RegExp(`,1000.00,1000.00,50.00,8.00,1058.00,[\\da-f-]{36},${store.cornerStoreId},`),
    );
    expect(lines.slice(4, 9)).toEqual([
      '',
      'Total: Por confirmar,3 renglones,,,,,,,,,,3000.00,3000.00,150.00,24.00,3174.00,,,',
      'Total,3 renglones,,,,,,,,,,3000.00,3000.00,150.00,24.00,3174.00,,,',
      '',
      'Mayorista,Abarrotes del Norte',
    ]);
  });

  /** The rows of an export of another kind. */
  async function rowsOf(kind: string): Promise<Record<string, unknown>[]> {
    const path = `/v1/admin/exports/${kind}`;
    const asked = { body: body({ format: 'jsonl' }) };
    const { exportId } = (await transactions.call(ops(), 'POST', path, asked)).body;
    const own = `${path}/${exportId}`;
    await until('the export is ready', async () => {
      return (await transactions.call(ops(), 'GET', own)).body.status === 'ready';
    });
    const { url } = (await transactions.call(ops(), 'POST', `${own}/link`)).body;
    const lines = (await (await download(new URL(url).pathname)).text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  const idOf = async (wholesalerTransactionId: string) => {
    const [order] = await transactions.rows<{ id: string }>(
      'SELECT id FROM transactions WHERE wholesaler_transaction_id = $1',
      [wholesalerTransactionId],
    );
    return order?.id;
  };

  it('lines of statements are exported with the number of their order', async () => {
    const hourAgo = Date.now() - HOUR_MS;
    await transactions.rows(
      `INSERT INTO settlement_lines (id, wholesaler_id, kind, source_id, transaction_id, gross_cents,
                                     commission_cents, recorded_at)
       SELECT $1, $2, 'delivery', $3::uuid, $3, 100000, 2000, now() - interval '1 hour'`,
      [firstIdOf(hourAgo), store.caller.id, await idOf('PED-3')],
    );
    const rows = await rowsOf('statement-lines');
    expect(rows).toMatchObject([
      {
        kind: 'delivery',
        statementNumber: null,
        wholesalerTransactionId: 'PED-3',
        grossAmount: 1000,
        commission: 20,
        netAmount: 980,
      },
    ]);
  });

  it('invoices are exported with what they bill before and with taxes, and with what is about them', async () => {
    const product = { price: 120, taxes: [{ rate: 0.16, type: 'IVA' }], description: 'Refresco' };
    await transactions.rows(
      `INSERT INTO invoices (id, transaction_id, wholesaler_id, discount_cents, products, status, provider,
                             provider_invoice_id, kind, uuid, created_at, issued_at)
       SELECT gen_random_uuid(), id, wholesaler_id, 400, $2, 'issued', 'facturapi', 'inv_1', 'invoice', 'folio',
              now() - interval '1 hour', now()
         FROM transactions WHERE id = $1`,
      [await idOf('PED-3'), JSON.stringify([{ product, quantity: 12 }])],
    );
    await transactions.rows(
      `INSERT INTO tax_documents (id, document_id, kind, wholesaler_id, transaction_id, invoice_id, statement_id, cents,
                                  netted_cents, provider, status, uuid, created_at)
       SELECT made.id, made.id, made.kind, wholesaler_id, transaction_id, i.id, i.id, made.cents, 0, 'facturapi', 'issued',
              made.kind, now() - interval '30 minutes'
         FROM invoices i, (VALUES ('0199e2c4-d37f-7c60-9a84-95a6b7c8d9e0'::uuid, 'credit-note', 1600),
                                  ('0199e2c4-d37f-7c60-9a84-95a6b7c8d9e1', 'payment', 10000)) AS made (id, kind, cents)
        WHERE i.uuid = 'folio'`,
    );
    const rows = await rowsOf('invoices');
    expect(rows).toMatchObject([
      {
        wholesalerTransactionId: 'PED-3',
        kind: 'invoice',
        uuid: 'folio',
        isSimulated: false,
        subtotal: 100,
        taxes: 16,
        total: 116,
        paymentMethod: 'PPD',
        relatedUuid: null,
      },
      {
        kind: 'credit-note',
        uuid: 'credit-note',
        relatedUuid: 'folio',
        subtotal: expect.any(Number),
        total: 16,
        paymentMethod: 'PUE',
      },
      {
        kind: 'payment',
        relatedUuid: 'folio',
        statementId: expect.any(String),
        subtotal: null,
        total: 100,
        paymentMethod: null,
      },
    ]);
  });

  it('credit notes of the period and the wholesaler are exported with the number of their order', async () => {
    const insertNotes = (transactionId: string | undefined, hours: number, references: string[]) =>
      transactions.rows(
        `INSERT INTO credit_notes (id, transaction_id, corner_store_id, number, principal_cents,
                                   interest_cents, iva_cents, commission_cents, reason, reference,
                                   created_by, created_at)
         SELECT uuidv7(), t.id, t.corner_store_id, number, 40000, 2000, 320, 800, 'return', reference, 'test',
                now() - make_interval(hours => $2)
           FROM transactions t, unnest($3::text[]) WITH ORDINALITY AS of_order (reference, number)
          WHERE t.id = $1`,
        [transactionId, hours, references],
      );
    await insertNotes(await idOf('PED-3'), 1, ['DEV-1', '=DEV']);
    await insertNotes(await idOf('-2'), 5, ['of the day before']);
    await insertNotes(await idOf('theirs'), 1, ['of another wholesaler']);

    const rows = await rowsOf('credit-notes');
    expect(rows.map(({ reference }) => String(reference)).toSorted()).toEqual(['=DEV', 'DEV-1']);
    expect(rows[0]).toEqual({
      creditNoteId: expect.any(String),
      transactionId: await idOf('PED-3'),
      wholesalerId: store.caller.id,
      wholesalerTransactionId: 'PED-3',
      cornerStoreId: store.cornerStoreId,
      amount: 400,
      interests: 20,
      IVAAmount: 3.2,
      totalAmount: 423.2,
      commission: 8,
      reason: 'return',
      reference: expect.any(String),
      invoiceAction: null,
      createdAt: expect.any(String),
    });
  });

  it('a file without a row is removed a day later', async () => {
    const [ready, orphan] = [
      await exported(),
      await transactions.context.exportFiles.put(Buffer.from('left behind')),
    ];
    await transactions.rows(`UPDATE export_files SET created_at = now() - interval '25 hours'`);
    await sweepExports(transactions.context);
    await expect(transactions.context.exportFiles.get(orphan)).rejects.toThrow('no document');
    expect((await download(await linkTo(ready))).status).toBe(200);
  });
});
