import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import type { CustomerNamesAnswer, CustomerNamesQuestion } from '@fiado/contracts/customer-names';
import { opsAccessEnded } from '@fiado/contracts/jobs/ops-access';
import { exportRounds } from '@fiado/chassis/exports/make-exports';
import { ops } from '@fiado/chassis/testing/callers';
import { tokenHeader } from '@fiado/chassis/testing/call';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { payFor } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

const ANONYMOUS: Caller = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] };

const HOUR_MS = 3_600_000;

/** Every store is called Abarrotes Lupita, and 007 by the first wholesaler. */
function namesOf({ cornerStoreIds, wholesalerIds }: CustomerNamesQuestion): CustomerNamesAnswer {
  const [wholesalerId = ''] = wholesalerIds;
  return {
    cornerStores: Object.fromEntries(cornerStoreIds.map((id) => [id, 'Abarrotes Lupita'])),
    customers: cornerStoreIds.map((cornerStoreId) => ({
      wholesalerId,
      cornerStoreId,
      externalId: '007',
    })),
    wholesalers: Object.fromEntries(wholesalerIds.map((id) => [id, 'Abarrotes del Norte'])),
  };
}

/** The time of the service: what the tests write has settled by then. */
function anHourLater(ms: number): Date {
  return new Date(Date.now() + HOUR_MS + ms);
}

describe('exports of payments', () => {
  const order = delivery();
  const other = delivery();
  let payments: PaymentsService;
  let accounts: StandIn;
  let round: ReturnType<typeof exportRounds>;

  beforeAll(async () => {
    accounts = await startStandIn(({ body }) => ({ body: namesOf(JSON.parse(body)) }));
    payments = await startPayments({
      config: { ACCOUNTS_URL: accounts.url },
      clock: { now: () => anHourLater(0) },
    });
    round = exportRounds(payments.context);
    await deliverTransaction(payments, order);
    await deliverTransaction(payments, other);
    await payFor(payments, order, 1_100);
    await deposit(payments, { numeroReferencia: 'María Pérez', claveDePago: 'SPEI María' });
  });
  afterAll(async () => {
    await payments.stop();
    await accounts.stop();
  });

  const start = (kind: string, changes: object) =>
    payments.call(ops('operator'), 'POST', `/v1/admin/exports/${kind}`, {
      body: {
        from: anHourLater(-2 * HOUR_MS).toISOString(),
        to: anHourLater(-HOUR_MS / 2).toISOString(),
        format: 'jsonl',
        ...changes,
      },
    });

  /** Makes an export. @returns its path */
  async function made(kind: string, changes: object = {}): Promise<string> {
    const { status, body } = await start(kind, changes);
    expect(status).toBe(202);
    while (await round(new AbortController().signal));
    const path = `/v1/admin/exports/${kind}/${body.exportId}`;
    expect((await payments.call(ops('operator'), 'GET', path)).body.status).toBe('ready');
    return path;
  }

  /** Makes a link to an export. @returns what downloads its file */
  async function linkTo(path: string, by = ops('operator')): Promise<() => Promise<Response>> {
    const { body } = await payments.call(by, 'POST', `${path}/link`);
    const headers = await tokenHeader('payments', ANONYMOUS);
    return () => fetch(`${payments.url}${new URL(body.url).pathname}`, { headers });
  }

  /** The rows of an export, and its whole text. */
  async function exported(kind: string, changes: object = {}) {
    const download = await linkTo(await made(kind, changes));
    const response = await download();
    const text = await response.text();
    const lines = text.split('\n').filter((line) => line !== '');
    return { text, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  }

  it('debts, of all wholesalers and of one', async () => {
    const { rows } = await exported('debts');
    expect(rows).toMatchObject([
      {
        transactionId: order.transactionId,
        totalAmount: 1000,
        interests: 50,
        IVAAmount: 8,
        amountDue: 0,
      },
      { transactionId: other.transactionId, amountDue: 1058, inDefault: false, paidAt: null },
    ]);
    const ofOne = await exported('debts', { wholesalerId: other.wholesalerId });
    expect(ofOne.rows).toEqual([rows[1]]);
  });

  it('deposits, without what their payer wrote', async () => {
    const { rows, text } = await exported('deposits');
    expect(rows).toMatchObject([
      {
        paymentProvider: 'OXXO Pay',
        valor: 1100,
        status: 'applied',
        cornerStoreId: order.cornerStoreId,
      },
      { valor: 100, status: 'unmatched', reason: 'unknown', cornerStoreId: null },
    ]);
    expect(text).not.toContain('María');
    const { status } = await start('deposits', { wholesalerId: randomUUID() });
    expect(status).toBe(400);
  });

  it.each([
    [
      'deposits',
      'Proveedor,Tienda,Estado,Motivo,Pagado el,Recibido el,Clave de pago,Factura,Referencia,Depositado,Id del depósito,Id de la tienda',
      /^OXXO Pay,Abarrotes Lupita,Aplicado,,[\d-]{10} [\d:]{5},[\d-]{10} [\d:]{5},[^,]+,'\d{13},sin referencia,1100\.00,/,
      'Total,2 renglones,,,,,,,,1200.00,,',
    ],
    [
      'debts',
      'Mayorista,Cliente,Tienda,Estado,Entregado el,Vence,Pagado el,Principal,Interés,IVA,Total,Por cobrar,Factura,Referencia,Id del adeudo,Id del pedido,Id de la tienda,Id del mayorista',
      /^Abarrotes del Norte,'007,Abarrotes Lupita,Pagado,[\d-]{10} [\d:]{5},[\d-]{10},[\d-]{10} [\d:]{5},1000\.00,50\.00,8\.00,1058\.00,0\.00,'\d{13},'?\d+,/,
      'Total,2 renglones,,,,,,2000.00,100.00,16.00,2116.00,1058.00,,,,,,',
    ],
    [
      'ledger-entries',
      'Mayorista,Cliente,Tienda,Libro,Movimiento,Fecha,Principal,Interés,IVA,Total,Factura,Referencia,Clave de pago,Id del adeudo o de la tienda,Id del pedido,Id del depósito,Id del retiro,Id de la tienda,Id del mayorista',
      /^Abarrotes del Norte,'007,Abarrotes Lupita,Adeudos,Nuevo,[\d-]{10} [\d:]{5},1000\.00,50\.00,8\.00,1058\.00,'\d{13},'?\d+,,/,
      'Total: Saldos a favor,1 renglón,,,,,0.00,0.00,0.00,42.00,,,,,,,,,',
    ],
  ])('%s for people', async (kind, headings, first, total) => {
    const download = await linkTo(await made(kind, { format: 'people' }));
    const lines = (await (await download()).text()).split('\n');
    expect(lines[0]).toBe(headings);
    expect(lines[1]).toMatch(first);
    expect(lines).toContain(total);
    if (kind !== 'ledger-entries') return;
    // A payment has the reference of its debt, and the key that the file of deposits has.
    const paid = lines.find((line) => line.includes(',Adeudos,Pago,'));
    expect(paid).toMatch(/,-1058\.00,'\d{13},'?\d+,[^,]+,/);
  });

  it('entries of all ledgers, which add up', async () => {
    const { rows } = await exported('ledger-entries');
    expect(rows.map(({ ledger, cause, amount }) => [ledger, cause, amount])).toEqual([
      ['debt', 'opened', 1058],
      ['debt', 'opened', 1058],
      ['credit-balance', 'surplus', 42],
      ['debt', 'payment', -1058],
    ]);
    const ofOne = await exported('ledger-entries', { wholesalerId: order.wholesalerId });
    expect(ofOne.rows).toEqual(
      rows.filter(({ wholesalerId }) => wholesalerId === order.wholesalerId),
    );
  });

  it('a link ends when its maker loses the access, and no other link does', async () => {
    const path = await made('debts');
    const leaver = ops('operator', 'leaver');
    const [ofLeaver, ofAnother] = [await linkTo(path, leaver), await linkTo(path, ops('admin'))];
    expect((await ofLeaver()).status).toBe(200);
    const message = { id: randomUUID(), version: 1 };
    await payments.handle(opsAccessEnded, message, { actorId: leaver.id });
    expect((await ofLeaver()).status).toBe(404);
    expect((await ofAnother()).status).toBe(200);
  });
});
