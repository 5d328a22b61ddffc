import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops, provider, wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { depositJson, type DepositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

function depositsUnder(claveDePago: string): Promise<Record<string, unknown>[]> {
  return payments.rows('SELECT * FROM deposits WHERE clave_de_pago = $1', [claveDePago]);
}

/** A `fechaPago` so many days from now. */
function dayAhead(days: number): string {
  const moment = new Date(Date.now() + days * 24 * 60 * 60_000);
  return moment.toISOString().replace('T', ' ').replace('Z', '');
}

async function counts(): Promise<unknown> {
  const [row] = await payments.rows(
    `SELECT (SELECT count(*) FROM deposits) AS deposits, (SELECT count(*) FROM outbox) AS jobs,
            (SELECT count(*) FROM deposit_conflicts) AS conflicts`,
  );
  return row;
}

describe('POST /customer-transaction/payment/deposit', () => {
  it('keeps the deposit as it was sent, and leaves no job for a queue', async () => {
    const fechaPago = '2026-11-20 10:15:30.123';
    const body = { ...depositJson({ valor: 1234.5, fechaPago }), canal: 'tienda 17' };
    const answer = await postDeposit(payments, body);

    const [kept] = await depositsUnder(body.claveDePago);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, depositId: kept?.['id'], repeated: false },
    ]);
    expect(kept).toMatchObject({
      payment_provider_id: oxxo.id,
      provider_name: 'OXXO Pay',
      id_factura: body.idFactura,
      numero_referencia: body.numeroReferencia,
      valor_cents: 123_450,
      fecha_pago: '2026-11-20 10:15:30.123',
      paid_at: new Date('2026-11-20T16:15:30.123Z'),
      body: JSON.stringify(body),
    });
    expect(await payments.outbox('apply-deposit')).toEqual([]);
  });

  it('bytes that are not UTF-8 are refused, and nothing is stored', async () => {
    const before = await counts();
    for (const letter of ['\u00d1', '\u00da']) {
      const body = JSON.stringify(depositJson({ claveDePago: `PAGO-${letter}` }));
      const answer = await postDeposit(payments, Buffer.from(body, 'latin1'));
      expect([answer.status, answer.body.message]).toEqual([400, ['body must be UTF-8']]);
    }
    expect(await counts()).toEqual(before);
  });

  it('a body with one name twice is refused, and nothing is stored', async () => {
    const before = await counts();
    const body = JSON.stringify(depositJson()).replace('{', '{"valor":1,');
    const answer = await postDeposit(payments, body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['body must not hold a name twice in one object'],
    ]);
    expect(await counts()).toEqual(before);
  });

  it('a key spelled otherwise is the same deposit, which is kept as it was sent first', async () => {
    const body = depositJson({
      claveDePago: `\u00d1 ${randomUUID()}`,
      numeroReferencia: '8302\u200b',
    });
    const spellings = [
      body,
      { ...body, claveDePago: `${body.claveDePago} ` },
      { ...body, claveDePago: `\n${body.claveDePago}\u200b` },
      { ...body, claveDePago: body.claveDePago.normalize('NFD') },
      { ...body, claveDePago: `\u202a${body.claveDePago}\u202c`, numeroReferencia: '8302 ' },
    ];
    const answers = [];
    for (const spelling of spellings) answers.push((await postDeposit(payments, spelling)).body);
    const { depositId } = answers[0];
    expect(answers).toEqual(
      spellings.map((spelling) => ({ success: true, depositId, repeated: spelling !== body })),
    );
    await inFlight(
      [...spellings, ...spellings].map((spelling) => async () => {
        expect((await postDeposit(payments, spelling)).status).toBe(200);
      }),
    );
    expect(
      await payments.rows('SELECT clave_de_pago AS key FROM deposits WHERE clave_de_pago LIKE $1', [
        `%${body.claveDePago.slice(2)}%`,
      ]),
    ).toEqual([{ key: body.claveDePago }]);

    const other = { ...body, claveDePago: `${body.claveDePago} `, valor: 100.01 };
    expect((await postDeposit(payments, other)).status).toBe(409);
  });

  it('capitals, zeros and hyphens tell deposits apart', async () => {
    const before = await counts();
    const key = `k-${randomUUID()}`;
    for (const claveDePago of [key, key.toUpperCase(), `0${key}`, key.replaceAll('-', '')]) {
      expect((await postDeposit(payments, depositJson({ claveDePago }))).status).toBe(200);
    }
    const { deposits } = before as { deposits: number };
    expect(await counts()).toMatchObject({ deposits: deposits + 4 });
  });

  it('a key of white space and invisible marks alone is refused', async () => {
    for (const claveDePago of [' ', '\u2028', '\u200b\u200b', '\ufeff ']) {
      const { status, body } = await postDeposit(payments, depositJson({ claveDePago }));
      expect([status, body.message]).toEqual([400, ['claveDePago must have a visible character']]);
    }
  });

  it('spellings of one key at the same moment are one deposit', async () => {
    const body = depositJson();
    const answers = await inFlight(
      Array.from(
        { length: 20 },
        (_, n) => () =>
          postDeposit(payments, { ...body, claveDePago: `${body.claveDePago}${' '.repeat(n)}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(
      await payments.rows('SELECT FROM deposits WHERE clave_de_pago LIKE $1', [
        `${body.claveDePago}%`,
      ]),
    ).toHaveLength(1);
  });

  it('reads the time in the provider’s own time zone', async () => {
    const body = depositJson({ fechaPago: '2026-11-20 10:15:30.123' });
    const tijuana = provider('Banco del Norte', undefined, 'America/Tijuana');
    await postDeposit(payments, body, tijuana);
    const [kept] = await depositsUnder(body.claveDePago);
    expect(kept?.paid_at).toEqual(new Date('2026-11-20T18:15:30.123Z'));
  });

  it('25 equal posts at once are one deposit, and all are acknowledged', async () => {
    const body = depositJson();
    const answers = await inFlight(
      Array.from({ length: 25 }, () => () => postDeposit(payments, body)),
    );
    const [kept, ...others] = await depositsUnder(body.claveDePago);
    expect(others).toEqual([]);
    expect(
      new Set(answers.map(({ status, body: { depositId } }) => `${status} ${depositId}`)),
    ).toEqual(new Set([`200 ${String(kept?.['id'])}`]));
    expect(answers.filter((answer) => answer.body.repeated === false)).toHaveLength(1);
  });

  it('other values under a known key are refused and kept for ops, once', async () => {
    const body = depositJson();
    await postDeposit(payments, body);
    const other = { ...body, valor: 100.01 };

    for (const answer of [await postDeposit(payments, other), await postDeposit(payments, other)]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({
        errorCode: 'DEPOSIT_CONFLICT',
        errorMessage: expect.any(String),
      });
    }
    expect((await postDeposit(payments, { ...body, canal: 'otro' })).status).toBe(200);
    const kept = await payments.rows(
      `SELECT c.body FROM deposit_conflicts c JOIN deposits d ON d.id = c.deposit_id
        WHERE clave_de_pago = $1`,
      [body.claveDePago],
    );
    expect(kept).toEqual([{ body: JSON.stringify(other) }]);
    expect(await depositsUnder(body.claveDePago)).toMatchObject([{ valor_cents: 10_000 }]);
  });

  it('another provider may use the same key', async () => {
    const body = depositJson();
    await postDeposit(payments, body);
    const answer = await postDeposit(payments, { ...body, valor: 7 }, provider('SPEI'));
    expect(answer.status).toBe(200);
    expect(await depositsUnder(body.claveDePago)).toHaveLength(2);
  });

  it('an Idempotency-Key replays the answer and refuses another body', async () => {
    const body = depositJson();
    const headers = { 'idempotency-key': 'recibo-1' };
    const first = await postDeposit(payments, body, oxxo, headers);
    const second = await postDeposit(payments, body, oxxo, headers);
    const third = await postDeposit(payments, depositJson(), oxxo, headers);

    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second).toMatchObject({ status: 200, text: first.text });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(third).toMatchObject({ status: 422, body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await depositsUnder(body.claveDePago)).toHaveLength(1);

    // Another key of a deposit that is known: its answer is stored as it was sent.
    const other = { 'idempotency-key': 'recibo-2' };
    const repeated = await postDeposit(payments, body, oxxo, other);
    expect(repeated.body).toEqual({ ...first.body, repeated: true });
    const replayed = await postDeposit(payments, body, oxxo, other);
    expect(replayed.text).toBe(repeated.text);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  });

  it('references of any length are stored: their start in the column, all of it in the body', async () => {
    const body = depositJson({ idFactura: '', numeroReferencia: '🦤'.repeat(10_000) });
    const longer = { ...body, numeroReferencia: `${body.numeroReferencia}!` };
    expect((await postDeposit(payments, body)).status).toBe(200);
    expect((await postDeposit(payments, body)).status).toBe(200);
    expect((await postDeposit(payments, longer)).status).toBe(409);
    expect(await depositsUnder(body.claveDePago)).toMatchObject([
      { id_factura: '', numero_referencia: '🦤'.repeat(1_000), body: JSON.stringify(body) },
    ]);
  });

  it('a payment of more than 90 days before is stored, and pointed out', async () => {
    const body = depositJson({ fechaPago: '2000-01-01 00:00:00.000' });
    expect((await postDeposit(payments, body)).status).toBe(200);
    const list = await payments.call(ops('viewer'), 'GET', '/v1/admin/deposits?limit=2');
    const { hasUnlikelyTime } = list.body.deposits.find(
      ({ claveDePago }: DepositJson) => claveDePago === body.claveDePago,
    );
    expect(hasUnlikelyTime).toBe(true);
  });

  describe('refuses and changes nothing', () => {
    it.each([
      ['no idFactura', { idFactura: undefined }],
      ['a number as idFactura', { idFactura: 18 }],
      ['no numeroReferencia', { numeroReferencia: undefined }],
      ['null as idFactura', { idFactura: null }],
      ['an empty claveDePago', { claveDePago: '' }],
      ['no amount', { valor: 0 }],
      ['a negative amount', { valor: -1 }],
      ['three decimals', { valor: 1.005 }],
      ['an amount as text', { valor: '100' }],
      ['an amount beyond all', { valor: 1e12 }],
      ['a year 0', { fechaPago: '0000-01-01 00:00:00.000' }],
      ['a year before 2000', { fechaPago: '1999-12-30 10:00:00.000' }],
      ['a time more than a day ahead', { fechaPago: dayAhead(2) }],
      ['the end of the calendar', { fechaPago: '9999-12-31 23:59:59.999' }],
      ['a day that does not exist', { fechaPago: '2026-02-30 10:00:00.000' }],
      ['a time with a zone', { fechaPago: '2026-11-20T10:00:00.000Z' }],
      ['a time that is a number', { fechaPago: 20_261_120 }],
    ])('%s', async (_name, changes) => {
      await untilSettled(payments);
      const before = await counts();
      const answer = await postDeposit(payments, { ...depositJson(), ...changes });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        statusCode: 400,
        message: expect.arrayContaining([expect.stringContaining(Object.keys(changes)[0] ?? '')]),
        error: 'Bad Request',
      });
      expect(await counts()).toEqual(before);
    });

    it.each([
      ['', 400],
      ['?paymentProviderName=', 400],
      ['?paymentProviderName=OXXO%20Pay&paymentProviderName=OXXO%20Pay', 400],
      ['?paymentProviderName=SPEI', 403],
      ['?paymentProviderName=oxxo%20pay', 403],
    ])('the query %j', async (search, status) => {
      const path = `/v1/customer-transaction/payment/deposit${search}`;
      const answer = await payments.call(oxxo, 'POST', path, { body: depositJson() });
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.body.errorMessage).toContain('must be OXXO Pay');
    });

    it('a caller other than a provider, before anything else', async () => {
      expect(await postDeposit(payments, 'no json', wholesaler())).toMatchObject({
        status: 403,
        body: { errorCode: 'FORBIDDEN' },
      });
    });
  });
});
