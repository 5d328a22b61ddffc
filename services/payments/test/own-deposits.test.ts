import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import type { Answer } from '@fiado/chassis/testing/call';
import { ops, provider, staffMember, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { paymentsService } from '../src/service';
import { auditedOf } from './support/audited';
import { depositJson, type DepositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const PATH = '/v1/customer-transaction/payment/deposits';
const today = new Date(Date.now() - 6 * 3600_000).toISOString().slice(0, 10);
const TODAY = `?from=${today}&to=${today}`;

const list = (caller: Caller, search = TODAY): Promise<Answer> =>
  payments.call(caller, 'GET', PATH + search);

async function sentBy(caller: Caller, changes: Partial<DepositJson> = {}) {
  const body = depositJson(changes);
  const answer = await postDeposit(payments, body, caller);
  await untilSettled(payments);
  return { ...body, depositId: String(answer.body.depositId) };
}

const ask = (caller: Caller, depositId: string, reason = 'cobrado dos veces'): Promise<Answer> =>
  payments.call(caller, 'POST', `${PATH}/${depositId}/reversal-request`, { body: { reason } });

const decide = (by: Caller, depositId: string, what: 'reverse' | 'refuse-reversal') =>
  payments.call(by, 'POST', `/v1/admin/deposits/${depositId}/${what}`, {
    body: { reason: 'lo pidió el proveedor' },
  });

describe('GET /customer-transaction/payment/deposits', () => {
  it('shows a provider its own deposits alike, whatever they paid, with totals of the day', async () => {
    const acme = provider('Acme');
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    const unknown = await sentBy(acme, { valor: 0.01 });
    const matched = await sentBy(acme, { valor: 20, idFactura });
    const wrong = await sentBy(acme, { valor: 5 });
    await sentBy(oxxo);
    await decide(ops(), wrong.depositId, 'reverse');

    const { status, body } = await list(acme);

    const shownAs = ({ depositId, claveDePago, valor, fechaPago }: typeof wrong) => ({
      depositId,
      claveDePago,
      valor,
      fechaPago,
      receivedAt: expect.any(String),
      status: 'received',
      reversedAt: null,
      reversalRequest: null,
    });
    expect([status, body]).toEqual([
      200,
      {
        deposits: [
          { ...shownAs(wrong), status: 'reversed', reversedAt: expect.any(String) },
          shownAs(matched),
          shownAs(unknown),
        ],
        days: [{ day: today, deposits: 3, received: 25.01, reversed: 5 }],
        nextCursor: null,
      },
    ]);
    const [first, second] = [await list(acme, `${TODAY}&limit=2`), await list(acme, TODAY)];
    const rest = await list(acme, `${TODAY}&limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.deposits, ...rest.body.deposits]).toEqual(second.body.deposits);
    expect([first.body.days, rest.body.days]).toEqual([second.body.days, null]);
  });

  it('sums the days of a provider for one request at a time', async () => {
    const answers = await inFlight(Array.from({ length: 20 }, () => () => list(oxxo)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { headers } of answers.filter(({ status }) => status === 429)) {
      expect(headers.get('retry-after')).toBe('1');
    }
    expect((await list(oxxo)).status).toBe(200);
  });

  it('takes no cursor of another provider, at most 31 days, and no other caller', async () => {
    const other = await sentBy(oxxo);
    const refused = [
      await list(provider('Nuevo'), `${TODAY}&cursor=${other.depositId}`),
      await list(provider('Nuevo'), `${TODAY}&cursor=${randomUUID()}`),
      await list(oxxo, '?from=2026-01-01&to=2026-02-01'),
      await list(oxxo, '?from=2026-02-30&to=2026-03-01'),
      await list(oxxo, `?from=${today}`),
      await list(oxxo, `${TODAY}&paymentProvider=Acme`),
      await list(wholesaler()),
      await list(ops()),
    ];

    expect(refused.map(({ status, body }) => [status, body.message ?? body.errorCode])).toEqual([
      [400, ['cursor must be nextCursor of an earlier page']],
      [400, ['cursor must be nextCursor of an earlier page']],
      [400, ['from and to must span at most 31 days']],
      [400, [expect.stringMatching(/^from /)]],
      [400, ['to is required']],
      [400, ['property paymentProvider should not exist']],
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ]);
  });
});

describe('POST /customer-transaction/payment/deposits/{depositId}/reversal-request', () => {
  const [ana, luz] = [staffMember('approver', new Date()), staffMember('approver', new Date())];
  const requestOf = async (caller: Caller) => (await list(caller)).body.deposits[0];

  it('changes nothing until two people of the lender have reversed the deposit', async () => {
    const acme = provider('Acme');
    const { depositId } = await sentBy(acme);

    const asked = await ask(acme, depositId);

    const open = {
      status: 'open',
      reason: 'cobrado dos veces',
      requestedAt: expect.any(String),
      refusal: null,
    };
    expect([asked.status, asked.body]).toEqual([200, await requestOf(acme)]);
    expect(asked.body).toMatchObject({ status: 'received', reversalRequest: open });
    expect((await ask(acme, depositId, 'otra razón')).body).toEqual(asked.body);
    const waiting = await payments.call(
      ops('viewer'),
      'GET',
      '/v1/admin/deposits?status=reversal-requested',
    );
    expect(waiting.body.deposits).toMatchObject([{ depositId, reversalRequest: open }]);

    const reversal = await decide(ana, depositId, 'reverse');
    expect(reversal.status).toBe(202);
    expect(await decide(luz, depositId, 'refuse-reversal')).toMatchObject({
      status: 409,
      body: { changeRequestId: reversal.body.changeRequestId },
    });
    expect(await requestOf(acme)).toMatchObject({ status: 'received', reversalRequest: open });
    const { changeRequestId } = reversal.body;
    const decision = { changeRequestId, depositId, isApproved: true };
    await payments.deliver(
      CHANGE_JOBS.deposit.decided,
      { id: changeRequestId, version: 1 },
      decision,
    );

    expect(await requestOf(acme)).toMatchObject({
      status: 'reversed',
      reversalRequest: { ...open, status: 'reversed' },
    });
    expect((await ask(acme, depositId)).status).toBe(200);
    expect((await decide(luz, depositId, 'refuse-reversal')).body.errorCode).toBe(
      'REVERSAL_REQUEST_NOT_FOUND',
    );
  });

  it('is refused with a reason, which its provider reads and gets as an event', async () => {
    const acme = provider('Acme');
    await switchEvents(payments, acme.id, { kind: 'payment-provider' });
    const { depositId } = await sentBy(acme);
    expect((await decide(luz, depositId, 'refuse-reversal')).body.errorCode).toBe(
      'REVERSAL_REQUEST_NOT_FOUND',
    );
    await ask(acme, depositId);

    expect((await decide(luz, depositId, 'refuse-reversal')).status).toBe(200);
    expect((await decide(luz, depositId, 'refuse-reversal')).status).toBe(404);
    expect(await auditedOf(payments, depositId)).toMatchObject([
      { action: 'deposit.reversal-refused', actorId: luz.id },
    ]);

    const shown = await requestOf(acme);
    expect(shown).toMatchObject({
      status: 'received',
      reversalRequest: { status: 'refused', refusal: 'lo pidió el proveedor' },
    });
    const events = await eventsOf(
      payments,
      paymentsService.events?.(payments.context.config),
      acme.id,
    );
    expect(events.filter(({ type }) => type === 'deposit.reversal-refused')).toEqual([
      { type: 'deposit.reversal-refused', data: { ...shown, version: 2 } },
    ]);
    expect((await ask(acme, depositId)).body).toEqual(shown);
  });

  it('of a deposit of another provider, or of none, is a 404 that changes nothing', async () => {
    const { depositId } = await sentBy(oxxo);
    const other = provider('Otro');
    const answers = [
      await ask(other, depositId),
      await ask(other, randomUUID()),
      await ask(other, 'clave-1'),
      await ask(other, depositId, ''),
      await ask(wholesaler(), depositId),
    ];

    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
      [404, 'DEPOSIT_NOT_FOUND'],
      [404, 'DEPOSIT_NOT_FOUND'],
      [404, 'DEPOSIT_NOT_FOUND'],
      [400, undefined],
      [403, 'FORBIDDEN'],
    ]);
    expect(await requestOf(oxxo)).toMatchObject({ depositId, reversalRequest: null });
  });

  it('is asked for a hundred times in a day, also at once', async () => {
    const acme = provider('Acme');
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await sentBy(acme)).depositId);
    await payments.rows(
      `WITH sent AS (
         INSERT INTO deposits (id, payment_provider_id, provider_name, id_factura, numero_referencia,
                               valor_cents, fecha_pago, paid_at, clave_de_pago, body_hash, body,
                               status, unmatched_reason)
         SELECT gen_random_uuid(), $1, 'Acme', '', '', 1, '', now(), 'k' || n, '', '',
                'unmatched', 'unknown'
           FROM generate_series(1, 98) n RETURNING id)
       INSERT INTO reversal_requests (deposit_id, payment_provider_id, reason)
       SELECT id, $1, 'x' FROM sent`,
      [acme.id],
    );

    const answers = await inFlight(ids.map((depositId) => () => ask(acme, depositId)));

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '429']);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body.errorCode, refused?.headers.get('retry-after')]).toEqual([
      'TOO_MANY_ATTEMPTS',
      '3600',
    ]);
  });
});
