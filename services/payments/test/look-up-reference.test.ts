import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { ops, provider, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
let accounts: StandIn;
/** What accounts knows: the initials of users. */
const initials = new Map<string, string>();
/** The bodies of all questions to accounts. */
const asked: unknown[] = [];
beforeAll(async () => {
  accounts = await startStandIn(({ path, body }) => {
    const question = JSON.parse(body) as { userId: string };
    asked.push(question);
    if (path !== '/internal/first-name-initial') return { status: 404 };
    return { body: { firstNameInitial: initials.get(question.userId) ?? null } };
  });
  payments = await startPayments({ config: { ACCOUNTS_URL: accounts.url } });
});
afterAll(async () => {
  await payments.stop();
  await accounts.stop();
});

const NOT_FOUND = {
  errorCode: 'REFERENCE_NOT_FOUND',
  errorMessage: 'No debt is open under this reference',
};

function pathOf(reference: string): string {
  return `/v1/customer-transaction/payment/reference/${encodeURIComponent(reference)}`;
}

/** Looks a reference up, each time as another provider. */
function lookUp(reference: string, caller: Caller = provider('OXXO Pay')): Promise<Answer> {
  return payments.call(caller, 'GET', pathOf(reference));
}

/** An order of a user whose first name begins with that letter: 1,058 pesos are owed. */
async function deliver({
  userId = randomUUID(),
  initial = 'L',
}: { userId?: string; initial?: string } = {}) {
  const order = delivery({ userId });
  initials.set(userId, initial);
  await deliverTransaction(payments, order);
  const { id_factura: idFactura, numero_referencia: numeroReferencia } = await receivableOf(
    payments,
    order,
  );
  return { order, idFactura, numeroReferencia };
}

describe('GET /customer-transaction/payment/reference/{reference}', () => {
  it('shows what an idFactura still owes, and the initial of its user', async () => {
    const { idFactura } = await deliver({ initial: 'Á' });
    await deposit(payments, { idFactura, valor: 58.25 });

    const { status, body } = await lookUp(idFactura);
    expect([status, body]).toEqual([
      200,
      { reference: idFactura, amountDue: 999.75, firstNameInitial: 'Á' },
    ]);
  });

  it('shows all that a user owes under a numeroReferencia', async () => {
    const { order, idFactura, numeroReferencia } = await deliver();
    await deliver({ userId: order.userId });
    await deposit(payments, { idFactura, valor: 58 });

    const { body } = await lookUp(numeroReferencia);
    expect(body).toEqual({ reference: numeroReferencia, amountDue: 2058, firstNameInitial: 'L' });
    expect((await lookUp(idFactura)).body).toMatchObject({ amountDue: 1000 });
  });

  it('takes a reference as it may be typed, and answers it at its full length', async () => {
    const { order } = await deliver();
    const [idFactura, numeroReferencia] = ['0000000000018', '000000000026'];
    await payments.rows('UPDATE receivables SET id_factura = $1 WHERE transaction_id = $2', [
      idFactura,
      order.transactionId,
    ]);
    await payments.rows('UPDATE credit_balances SET numero_referencia = $1 WHERE user_id = $2', [
      numeroReferencia,
      order.userId,
    ]);

    for (const typed of [idFactura, '18', '0018', '000-000 0018']) {
      expect((await lookUp(typed)).body).toMatchObject({ reference: idFactura, amountDue: 1058 });
    }
    expect((await lookUp('26')).body).toMatchObject({ reference: numeroReferencia });

    // The same digits of another user's reference: whose debt is meant is not known.
    const other = await deliver();
    await payments.rows('UPDATE credit_balances SET numero_referencia = $1 WHERE user_id = $2', [
      '000000000018',
      other.order.userId,
    ]);
    expect((await lookUp('18')).body).toEqual(NOT_FOUND);
    expect((await lookUp('000000000018')).body).toMatchObject({ reference: '000000000018' });
  });

  it('answers unknown, settled and malformed references alike, after the same work', async () => {
    const { idFactura, numeroReferencia } = await deliver();
    await deposit(payments, { idFactura, valor: 1058 });

    const answers: Answer[] = [];
    for (const reference of [
      idFactura,
      numeroReferencia,
      '4829105736423',
      '830274915602',
      'ninguna',
      '\0',
      '9'.repeat(2_000),
    ]) {
      const before = asked.length;
      answers.push(await lookUp(reference));
      expect(asked).toHaveLength(before + 1);
    }
    expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(
      answers.map(() => [404, NOT_FOUND]),
    );
  });

  it('allows a provider 60 look-ups a minute on all instances, and any other its own', async () => {
    const caller = provider('SPEI');
    const answers = await inFlight(
      Array.from({ length: 70 }, () => () => lookUp('ninguna', caller)),
    );
    const statuses = answers.map(({ status }) => status);
    expect([404, 429].map((one) => statuses.filter((status) => status === one).length)).toEqual([
      60, 10,
    ]);

    const { status, body, headers } = await lookUp('ninguna', caller);
    expect([status, body.errorCode]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await lookUp('ninguna')).status).toBe(404);
    // One row for each provider, which refused look-ups do not make larger.
    const rows = await payments.rows(
      'SELECT cardinality(looked_up_at) AS kept FROM reference_lookups WHERE payment_provider_id = $1',
      [caller.id],
    );
    expect(rows).toEqual([{ kept: 60 }]);

    await payments.rows(
      `UPDATE reference_lookups SET looked_up_at = ARRAY(
         SELECT CASE WHEN n <= 2 THEN moment - interval '1 minute' ELSE moment END
           FROM unnest(looked_up_at) WITH ORDINALITY AS one (moment, n) ORDER BY n)
        WHERE payment_provider_id = $1`,
      [caller.id],
    );
    const later = [
      await lookUp('ninguna', caller),
      await lookUp('ninguna', caller),
      await lookUp('ninguna', caller),
    ];
    expect(later.map((answer) => answer.status)).toEqual([404, 404, 429]);
  });

  it('is SERVICE_UNAVAILABLE while accounts is, for known and unknown references', async () => {
    const away = await startPayments({ config: { ACCOUNTS_URL: 'http://127.0.0.1:9' } });
    try {
      const order = delivery();
      await deliverTransaction(away, order);
      const { id_factura: idFactura } = await receivableOf(away, order);
      for (const reference of [idFactura, 'ninguna']) {
        expect(await away.call(provider('OXXO Pay'), 'GET', pathOf(reference))).toMatchObject({
          status: 503,
          body: { errorCode: 'SERVICE_UNAVAILABLE' },
        });
      }
    } finally {
      await away.stop();
    }
  });

  it('refuses callers other than providers, and a key without the scope', async () => {
    const { idFactura } = await deliver();
    const unscoped = { ...provider('OXXO Pay'), scopes: [] };
    for (const caller of [wholesaler(), ops(), unscoped]) {
      expect((await lookUp(idFactura, caller)).status).toBe(403);
    }
    expect((await payments.call(undefined, 'GET', pathOf(idFactura))).status).toBe(401);
  });
});
