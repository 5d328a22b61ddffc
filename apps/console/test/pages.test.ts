import { until } from '@fiado/chassis/testing/until';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import {
  createCustomer,
  createWholesaler,
  newPhone,
  type Customer,
} from '../../../services/accounts/test/support/accounts';
import { deliverOverdue } from '../../../services/payments/test/support/defaults';
import { phoneOf } from '../src/frame/formats';
import {
  startConsoleWithCustomer,
  type Person,
  type RunningConsole,
} from './support/running-console';

let fiado: RunningConsole;
let admin: Person;
let viewer: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ fiado, admin, viewer, wholesalerId, customer } = await startConsoleWithCustomer());
});
afterAll(() => fiado.stop());

const NO_ID = '5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';

it.each([
  ['/aprobaciones', 'Nada espera aprobación.'],
  ['/aprobaciones?status=failed', 'Ninguna solicitud así.'],
  ['/validacion', 'No hay tiendas por validar.'],
  ['/depositos', 'Ningún depósito así.'],
  ['/pedidos?status=paid', 'Ningún pedido así.'],
  ['/cobranza', 'Ningún adeudo así.'],
  ['/reportes', 'Todavía no hay ningún día cerrado.'],
  ['/reportes?dia=2020-01-01', 'Ese día no está en los reportes.'],
  ['/mensajes', 'Ningún mensaje así.'],
  ['/mensajes?desde=2026-01-01', 'Se reenviarían 0 de 0.'],
  ['/trabajos?cola=payments', 'Ningún trabajo ha fallado.'],
  ['/webhooks', 'Nadie recibe webhooks.'],
  ['/exportaciones', 'Todavía no hay exportaciones.'],
  ['/buscar', 'Se busca el dato completo'],
])('an empty list says so: %s', async (path, words) => {
  const { status, text } = await admin.get(path);
  expect([status, text.includes(words)]).toEqual([200, true]);
});

it.each([
  `/tiendas/${NO_ID}`,
  `/pedidos/${NO_ID}`,
  `/depositos/${NO_ID}`,
  `/mayoristas/${NO_ID}`,
  `/aprobaciones/${NO_ID}`,
  '/aprobaciones/x%2Fy',
])('what does not exist is a sentence and not a code: %s', async (path) => {
  const { status, text } = await admin.get(path);
  expect(status).toBe(404);
  expect(text).toMatch(/no existe/i);
  expect(text).not.toMatch(/[A-Z]+_NOT_FOUND/);
});

it('the home page shows what waits and the figures of today, with a table for each chart', async () => {
  const { status, text } = await viewer.get('/');
  expect(status).toBe(200);
  expect(text).toMatch(/Te espera|Nada te espera/);
  const charts = text.match(/<svg role="img"[^]*?<title>/g) ?? [];
  expect(charts).toHaveLength(2);
  expect(text.match(/Ver tabla/g)).toHaveLength(2);
});

it('the reports show a stored day with its charts, their tables and the wholesalers', async () => {
  await fiado.payments.rows(
    `INSERT INTO portfolio_calendar (day, starts_at, ends_at)
     VALUES ('2026-03-02', '2026-03-02T06:00:00Z', '2026-03-03T06:00:00Z')`,
  );
  await fiado.payments.rows(
    `INSERT INTO portfolio_days (day, wholesaler_id, bucket, debts, principal_cents, interest_cents, iva_cents)
     VALUES ('2026-03-02', $1, '0', 2, 75000, 0, 0), ('2026-03-02', $1, '31-60', 1, 25000, 100, 16)`,
    [wholesalerId],
  );
  await fiado.payments.rows(
    `INSERT INTO portfolio_cohorts VALUES ('2026-03-02', $1, 0, 100000, 50000, 10000)`,
    [wholesalerId],
  );
  const { status, text } = await viewer.get('/reportes');
  expect(status).toBe(200);
  const plain = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const words of [
    'Cartera al cierre del 2 mar',
    'Por cobrar $1,000.00',
    'PAR30 25% $250.00, más de 30 días de atraso',
    'PAR90 0% $0.00',
    '31 a 60 días $250.00 25%',
    'Cobrado por día',
    '$1,000.00 —',
    'Ningún depósito en esos días.',
  ]) {
    expect(plain).toContain(words);
  }
  expect(text.match(/<svg role="img"/g)).toHaveLength(2);
  expect(text.match(/Ver tabla/g)).toHaveLength(2);
  expect(text).not.toMatch(/NaN|undefined|style=/);
  const filtered = await viewer.get(`/reportes?mayorista=${wholesalerId}`);
  expect([filtered.status, filtered.text.includes('Depósitos por proveedor')]).toEqual([
    200,
    false,
  ]);
});

it('an export is asked for, made, and downloaded by a link', async () => {
  const asked = await admin.post('/exportaciones', {
    exportKind: 'orders',
    from: '2026-01-01',
    to: '2026-01-07',
    format: 'csv',
    wholesalerId: '',
  });
  expect([asked.status, asked.location]).toEqual([303, '/exportaciones?aviso=exportando']);
  let text = '';
  await until('the export is ready', async () => {
    ({ text } = await admin.get('/exportaciones'));
    return text.includes('Lista');
  });
  expect(text).toContain('1 ene');
  const [, action = ''] = /action="(\/exportaciones\/orders\/[^"]+\/descargar)"/.exec(text) ?? [];
  const page = await admin.post(action);
  expect(page.text).toMatch(
    /http-equiv="refresh" content="1; url=http:\/\/[^"]+\/v1\/downloads\/orders\/[\w-]{43}"/,
  );
  expect((await viewer.get('/exportaciones')).status).toBe(403);
});

describe('a store', () => {
  it('shows its line, its parts and what happened to it', async () => {
    const { text } = await admin.get(`/tiendas/${customer.cornerStoreId}`);
    for (const words of [
      'Ana María Ruiz Peña',
      phoneOf(customer.phoneNumber),
      'Abarrotes del Norte',
      'No tiene pedidos.',
      'No tiene adeudos.',
      'No tiene documentos.',
      'No se le ha pagado saldo a favor.',
      'Alta con un mayorista',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('shows looks of staff that follow each other as one line, and earlier events on the next page', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
    await fiado.accounts.rows(
      `INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
       SELECT gen_random_uuid(), 'ops', 'x', 'corner-store.viewed', $1, '{}'
         FROM generate_series(1, 100)`,
      [cornerStoreId],
    );
    const first = (await admin.get(`/tiendas/${cornerStoreId}`)).text;
    expect(first).not.toContain('Consulta del personal');
    const looks = (await admin.get(`/tiendas/${cornerStoreId}?ver=personal`)).text;
    expect(looks).toMatch(/Consulta del personal \(\d+\)/);
    expect(first).not.toContain('Alta con un mayorista');
    const next = /href="([^"]+historial=[^"]+)#historial"/.exec(first)?.[1] ?? '';
    const earlier = (await admin.get(next.replaceAll('&amp;', '&'))).text;
    expect(earlier).toContain('Alta con un mayorista');
  });

  it('shows a viewer no full phone, no name and no form but the search, the sign-out and that of the phone', async () => {
    for (const path of [
      `/tiendas/${customer.cornerStoreId}`,
      '/tiendas',
      `/mayoristas/${wholesalerId}`,
    ]) {
      const { status, text } = await viewer.get(path);
      expect(status).toBe(200);
      expect(text).not.toContain(customer.phoneNumber.slice(3));
      expect(text).not.toContain('Peña');
      expect(text.match(/<form\s+method="post"/g)).toHaveLength(
        path.startsWith('/tiendas/') ? 3 : 2,
      );
    }
  });
});

it('the audit log names people and stores, and a name leads to what that person did', async () => {
  await admin.get(`/tiendas/${customer.cornerStoreId}`);
  const { status, text } = await viewer.get('/auditoria');
  expect(status).toBe(200);
  expect(text).toMatch(
    new RegExp(`href="/auditoria\\?persona=${admin.staffId}"[^<]*>Ana Torres</a>\\s*vio a\\s*<a`),
  );
  const theirs = (await viewer.get(`/auditoria?persona=${admin.staffId}&accion=staff.signed-in`))
    .text;
  expect(theirs).not.toContain('vio a\n');
});

/** An order of the customer that was delivered and is overdue. @returns its id */
async function overdueOrder(): Promise<string> {
  const { cornerStoreId, userId } = customer;
  const order = { wholesalerId, cornerStoreId, userId };
  const { transactionId } = await deliverOverdue(fiado.payments, order);
  await fiado.transactions.rows(
    `INSERT INTO wholesalers (wholesaler_id, version, name, minimum_transaction_cents, commission_rate,
       payment_term_days, delivery_word_enabled, delivery_word_required, confirmation_required,
       delivery_overage_rate)
     VALUES ($1, 1, 'Abarrotes del Norte', 0, 0.02, 14, false, false, true, 0.1)`,
    [wholesalerId],
  );
  await fiado.transactions.rows(
    `INSERT INTO credit_lines (corner_store_id, user_id, version, status, limit_cents, interest_rate,
                               phone_sealed)
     VALUES ($1, $2, 1, 'approved', 500000, 0.05, 'x')`,
    [cornerStoreId, userId],
  );
  await fiado.transactions.rows(
    `INSERT INTO transactions (id, incremental_id, wholesaler_id, corner_store_id, user_id, status,
       amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate, movement_date,
       payment_due_at, delivered_at, expires_at)
     VALUES ($1, 4711, $2, $3, $4, 'in-payment-default', 100000, 5000, 800, 0.05, 0.16, 0.02, now(),
             now(), now(), now())`,
    [transactionId, wholesalerId, cornerStoreId, userId],
  );
  return transactionId;
}

const insertFailedInvoice = (transactionId: string) =>
  fiado.transactions.rows(
    `INSERT INTO invoices (id, transaction_id, wholesaler_id, discount_cents, products, status, provider, kind,
       failure_reason)
     SELECT gen_random_uuid(), id, wholesaler_id, 0, '[]', 'failed', 'facturapi', 'invoice', 'legal_name_mismatch'
       FROM transactions WHERE id = $1`,
    [transactionId],
  );

it('an overdue debt is written off once another person agrees; a failed invoice waits, an issued one is cancelled', async () => {
  const transactionId = await overdueOrder();
  const page = `/pedidos/${transactionId}`;
  await insertFailedInvoice(transactionId);
  expect((await viewer.get('/')).text).toMatch(/Factura que no se emitió[^]*status=failed"/);
  const list = (await viewer.get('/facturas?status=failed')).text;
  expect(list.match(/href="\/pedidos\/[\w-]+"/g)).toEqual([`href="${page}"`]);
  const { text } = await admin.get(page);
  expect(text).toMatch(/Factura a nombre de la tienda[^]*No se emitió[^]*legal_name_mismatch/);
  await fiado.transactions.rows(`UPDATE invoices SET status = 'issued', uuid = 'folio'`);
  expect((await viewer.get(page)).text).not.toMatch(/factura\.xml|Cancelar el comprobante/);
  expect((await admin.get(page)).text).toMatch(/factura\.xml[^]*Cancelar el comprobante/);
  expect((await admin.get(`${page}/factura.xml`)).status).toBe(404);
  expect((await admin.post(`${page}/factura`, { motive: '01' })).status).toBe(422);
  await admin.post(`${page}/factura`, { motive: '02' });
  expect((await admin.get(page)).text).toMatch(/se pidió cancelarlo|>Cancelado</);

  const [, action = ''] = /action="([^"]+\/castigo)"/.exec(text) ?? [];
  expect(text).toContain('Castigar $1,058.00');
  expect((await viewer.get(page)).text).not.toContain('/castigo');
  expect((await admin.post(action, { reason: '' })).status).toBe(400);

  const asked = await admin.post(action, { reason: 'La tienda cerró' });
  expect([asked.status, asked.text.includes('/aprobaciones/')]).toEqual([202, true]);
  const waiting = (await admin.get(page)).text;
  expect(waiting).toContain('Espera aprobación de otra persona');
  expect(waiting).not.toContain('/castigo');
  const [request] = await fiado.payments.rows<{ changeRequestId: string; targetId: string }>(
    `SELECT change_request_id AS "changeRequestId", target_id AS "targetId" FROM waiting_changes`,
  );
  if (request === undefined) throw new Error('The request waits');
  expect((await viewer.get('/cobranza')).text).not.toContain('Castigado');
  await fiado.payments.deliver(
    CHANGE_JOBS.receivable.decided,
    { id: request.changeRequestId, version: 1 },
    { ...request, isApproved: true, decidedBy: viewer.staffId },
  );

  const done = (await viewer.get(page)).text;
  expect(done).toContain('no cuenta en la cartera');
  expect(done).not.toContain('Espera aprobación');
  for (const path of [page, '/cobranza', `/tiendas/${customer.cornerStoreId}`]) {
    expect((await viewer.get(path)).text).toMatch(/class="badge neutral">Castigado</);
  }
});

it('a wholesaler’s key is revoked on its page', async () => {
  const page = `/mayoristas/${wholesalerId}`;
  const action = /action="([^"]+\/revocar)"/.exec((await admin.get(page)).text)?.[1] ?? '';
  const { status, location } = await admin.post(action);
  expect([status, location]).toEqual([303, `${page}?aviso=revocada`]);
  expect((await admin.get(page)).text).not.toContain('/revocar');
});

it('a key of a wholesaler expires at the end of the chosen day', async () => {
  const form = { scopes: '', expiresAt: '2030-06-30' };
  const asked = await admin.post(`/mayoristas/${wholesalerId}/llaves`, form);
  const request = /href="(\/aprobaciones\/[\w-]+)"/.exec(asked.text)?.[1] ?? '';
  expect((await admin.get(request)).text).toContain('30 jun 2030, 11:59');
});

it('an expired order is not called “vencido”, which people read as overdue', async () => {
  const { text } = await viewer.get('/pedidos');
  expect(text).toContain('Caducado');
  expect(text).not.toContain('vencido');
});

it('a changed phone that holds orders is counted, listed, and freed by an operator', async () => {
  const holding = await createWholesaler(fiado.accounts, { phoneChangeHold: 'always' });
  const held = await createCustomer(fiado.accounts, holding.wholesalerId);
  const page = `/tiendas/${held.cornerStoreId}`;
  const list = '/tiendas?status=phone-held';
  await fiado.accounts.call(wholesaler(holding.wholesalerId), 'PUT', `/v1/account/${held.userId}`, {
    body: { phoneNumber: newPhone() },
  });

  expect((await viewer.get('/')).text).toMatch(
    /<b class="">1<\/b>\s*<div>\s*<strong>Teléfono por confirmar/,
  );
  const listed = (await viewer.get(list)).text;
  expect(listed).toContain(page);
  expect(listed).not.toContain(customer.cornerStoreId);
  const seen = (await viewer.get(page)).text;
  expect(seen).toContain('sus pedidos grandes esperan hasta');
  expect(seen).not.toContain('/liberar-telefono');
  expect((await admin.get(page)).text).toContain(`action="${page}/liberar-telefono"`);

  const { status, location } = await admin.post(`${page}/liberar-telefono`);
  expect([status, location]).toEqual([303, `${page}?aviso=liberado`]);
  expect((await viewer.get(list)).text).not.toContain(page);
  expect((await viewer.get(page)).text).not.toContain('esperan hasta');
});

it('is in English for who prefers it', async () => {
  const { text } = await admin.get('/aprobaciones?status=failed', { 'accept-language': 'en' });
  expect(text).toContain('No such request.');
});

describe('a page', () => {
  it('has at most 60 kB with its style sheet and script', async () => {
    const files = await Promise.all(['/console.css', '/console.js'].map((path) => admin.get(path)));
    const sum = files.reduce((before, { text }) => before + Buffer.byteLength(text), 0);
    for (const path of ['/', '/tiendas', `/tiendas/${customer.cornerStoreId}`, '/auditoria']) {
      const { text } = await admin.get(path);
      expect(sum + Buffer.byteLength(text)).toBeLessThan(60_000);
    }
  });

  it('keeps its filters in the address, and each chip leads to the list without its own', async () => {
    const query = `mayorista=${wholesalerId}&desde=2026-01-01`;
    const { text } = await admin.get(`/pedidos?status=paid&${query}`);
    expect(text).toContain(`href="/pedidos?status=paid&amp;mayorista=${wholesalerId}"`);
    expect(text).toContain('href="/pedidos?status=paid&amp;desde=2026-01-01"');
    expect(text).toContain('href="/pedidos?status=paid"');
    expect(text).toContain('Del 1 ene');
    const messages = await admin.get('/mensajes?tipo=payment-due');
    expect(messages.text).toContain('href="/mensajes" aria-label="Quitar: Tipo Recordatorio"');
    const deposits = await admin.get('/depositos?proveedor=Acme');
    expect(deposits.text).toContain('href="/depositos" aria-label="Quitar: Proveedor Acme"');
  });

  it('has its menu without a script, and says that this is a sandbox', async () => {
    const { text } = await admin.get('/tiendas');
    expect(text).toMatch(/<button type="button" popovertarget="menu">/);
    expect(text).toMatch(/<nav\s+class="menu"\s+id="menu"\s+popover/);
    expect(text).toContain('Pruebas');
  });
});

it('a wholesaler’s settings are changed in the words that people use, and only those that differ', async () => {
  const path = `/mayoristas/${wholesalerId}`;
  const { text } = await admin.get(path);
  const typed = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1];
  const chosen = (name: string) =>
    new RegExp(`name="${name}"[^]*?<option value="(\\w+)" selected`).exec(text)?.[1] ?? '';
  const form = {
    minimumTransactionAmount: '1,250.50',
    commissionRate: typed('commissionRate') ?? '',
    paymentTermDays: typed('paymentTermDays') ?? '',
    deliveryWordEnabled: chosen('deliveryWordEnabled'),
    confirmationRequired: chosen('confirmationRequired'),
    batchEnabled: chosen('batchEnabled'),
  };
  const { status } = await admin.post(path, form);
  expect([status, (await admin.get(path)).text.includes('$1,250.50')]).toEqual([303, true]);
  const { text: audit } = await admin.get('/auditoria?accion=wholesaler.changed');
  expect(audit).toContain('Pedido mínimo');
  expect(audit).not.toContain('Comisión');
});

it('a pre-approved store is approved on its page, with a reason only', async () => {
  const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
  await fiado.accounts.rows(
    `UPDATE corner_stores SET status = 'pre-approved' WHERE id = $1 RETURNING 1`,
    [cornerStoreId],
  );
  const page = `/tiendas/${cornerStoreId}`;
  expect((await viewer.get(page)).text).not.toContain('/aprobar');
  expect((await admin.post(`${page}/aprobar`, { reason: '' })).status).toBe(422);
  const { status } = await admin.post(`${page}/aprobar`, { reason: 'Visitada el lunes' });
  expect([status, (await admin.get(page)).text.includes('Visitada el lunes')]).toEqual([303, true]);
});
