import { createHash } from 'node:crypto';
import type { ErrorCode } from '@fiado/contracts/errors';
import type { CheckedLinkCode } from '@fiado/contracts/links';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  answerQuestions,
  FIGURES,
  ID,
  OPEN,
  ORDER,
  WAITING,
  type Question,
} from './support/order-pages';
import { openConnection } from './support/raw-connection';
import { callerIn, startTestGateway } from './support/test-gateway';

const CHECK = '/internal/links/check-code';
const ACCEPT = '/internal/links/accept';
const CHECKED: CheckedLinkCode = {
  pass: 'the-pass',
  order: { ...ORDER, maximumTotal: 1163.8, paymentTermDays: 14 },
};

const gateway = forAllTests(startTestGateway);
/** The answer of transactions: an object, or an error code. */
let answers: Record<string, object | ErrorCode>;
let asked: Question[];

beforeAll(() => {
  answerQuestions(gateway.upstreams.transactions, (question) => {
    asked.push(question);
    return answers[question.url] ?? 'TRANSACTION_NOT_FOUND';
  });
});
beforeEach(() => {
  answers = { [OPEN]: WAITING };
  asked = [];
  gateway.upstreams.transactions.seen.length = 0;
});

const get = (path = `/pedido/${ID}`) => gateway.call('GET', path, { key: undefined });
const post = (form: string | Buffer, path = `/pedido/${ID}`) =>
  gateway.call('POST', path, {
    key: undefined,
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('a link of an order', () => {
  it('shows a field for the code and the last digits of the phone, and calls as the gateway', async () => {
    const { status, text, headers } = await get();

    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/<html lang="es-MX">[^]*Confirma tu pedido[^]*<strong>5678<\/strong>/);
    expect(text).toMatch(/inputmode="numeric"\s+autocomplete="one-time-code"/);
    expect(text).not.toMatch(/<script|<link|src=/);
    expect(Buffer.byteLength(text)).toBeLessThan(7_000);
    expect(asked).toEqual([{ url: OPEN, body: { transactionId: ID, sendCode: 'never' } }]);
    const [seen] = gateway.seenBy('transactions');
    expect(await callerIn(seen?.headers ?? {}, 'transactions')).toMatchObject({
      kind: 'service',
      id: 'gateway',
    });
  });

  it('loads nothing, is not cached and sends no referrer', async () => {
    const { headers, text } = await get();
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
  });

  it.each([
    [{ state: 'confirmed', wholesalerId: ID, order: ORDER }, 200, 'Pedido confirmado'],
    [{ state: 'paid' }, 200, 'Este pedido ya está pagado'],
    [{ state: 'ended' }, 410, 'Este enlace ya no sirve'],
    ['TRANSACTION_NOT_FOUND', 404, 'No encontramos este pedido'],
    ['INTERNAL_ERROR', 503, 'No pudimos atenderte ahora'],
  ] as const)('of which transactions says %j is a %d page', async (answer, status, words) => {
    answers[OPEN] = answer;
    const page = await get();
    expect([page.status, page.text.includes(`<h1>${words}</h1>`)]).toEqual([status, true]);
  });

  it.each(['5', 'ffffffff-ffff-0fff-0fff-ffffffffffff', '%00', '%ff', `${ID}/x`, ''])(
    'that ends with %j is a friendly 404, and transactions is not asked',
    async (end) => {
      const { status, text } = await get(`/pedido/${end}`);
      expect(status).toBe(404);
      expect(text).toMatch(/^<!doctype html>/);
      expect(asked).toEqual([]);
    },
  );
});

describe('the code', () => {
  it('that is right shows the order, its figures and rules, and a button that accepts it', async () => {
    answers[CHECK] = CHECKED;
    const { status, text } = await post('code=123+456');

    expect([status, asked]).toEqual([
      200,
      [{ url: CHECK, body: { transactionId: ID, code: '123456' } }],
    ]);
    expect(text).toContain('Dulces &lt;b&gt;&quot;Ñandú&quot;&lt;/b&gt;');
    expect(text).toMatch(/<dt>Refresco &lt;600 ml&gt;<\/dt>\s*<dd>12.5</);
    expect(text).toMatch(FIGURES);
    expect(text).toMatch(
      /lunes 7 de diciembre de 2026[^]*nunca pagas más de\s+<strong>\$1,163\.80/,
    );
    expect(text).toMatch(
      /14\s+días para pagar[^]*\/aceptar"[^]*value="the-pass"[^]*Acepto este pedido</,
    );
    expect(text).not.toContain('123456');
  });

  it('that is right and accepted leads back to the receipt, and a second press as well', async () => {
    const accept = () =>
      fetch(`${gateway.url}/pedido/${ID}/aceptar`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ pass: 'the-pass' }),
      });
    answers[ACCEPT] = {};
    const accepted = await accept();
    answers[ACCEPT] = 'TRANSACTION_IS_VERIFIED';
    for (const { status, headers } of [accepted, await accept()]) {
      expect([status, headers.get('location')]).toEqual([303, `/pedido/${ID}`]);
    }
    expect(asked[0]).toEqual({ url: ACCEPT, body: { transactionId: ID, pass: 'the-pass' } });

    answers[ACCEPT] = 'VERIFICATION_NOT_VALID';
    answers[OPEN] = { ...WAITING, code: 'expired' };
    const late = await accept();
    expect([late.status, await late.text()]).toEqual([
      422,
      expect.stringMatching(
        /todavía no está confirmado[^]*Tu clave ya caducó[^]*Enviar clave nueva/,
      ),
    ]);

    answers[ACCEPT] = {
      errorCode: 'VERIFICATION_NOT_VALID',
      errorMessage: 'The verification is not valid',
      reason: 'store-not-eligible',
    };
    answers[OPEN] = WAITING;
    const mayNotBuy = await accept();
    expect([mayNotBuy.status, await mayNotBuy.text()]).toEqual([
      422,
      expect.stringContaining('Por ahora no puedes comprar a crédito'),
    ]);
  });

  it.each([
    ['VERIFICATION_NOT_VALID', 422, 'Esa clave no es la correcta'],
    ['TOO_MANY_ATTEMPTS', 429, 'demasiadas claves equivocadas'],
    ['TRANSACTION_NOT_FOUND', 404, 'No encontramos este pedido'],
    ['INTERNAL_ERROR', 503, 'No pudimos atenderte ahora'],
  ] as const)('to which transactions answers %s is a %d page', async (answer, status, words) => {
    answers[CHECK] = answer;
    const page = await post('code=123456');
    expect([page.status, page.text.includes(words)]).toEqual([status, true]);
    expect(page.text).not.toContain('123456');
  });

  it.each([
    [3, 'Te quedan <strong>3 intentos</strong>.'],
    [1, 'Te queda <strong>1 intento</strong>.'],
  ])('that is wrong with %d checks left says so', async (checksLeft, words) => {
    answers = { [OPEN]: { ...WAITING, checksLeft }, [CHECK]: 'VERIFICATION_NOT_VALID' };
    expect((await post('code=123456')).text).toContain(words);
    expect((await get()).text).not.toContain('intento');
  });

  it.each([
    ['expired', 'Tu clave ya caducó'],
    ['used-up', 'Esa clave ya no sirve: se escribió mal varias veces'],
  ] as const)('that is %s can only be replaced, and the page shows why', async (code, words) => {
    answers = { [OPEN]: { ...WAITING, code }, [CHECK]: 'VERIFICATION_NOT_VALID' };
    for (const [page, status] of [
      [await get(), 200],
      [await post('code=123456'), 422],
    ] as const) {
      expect([page.status, page.text.includes(words)]).toEqual([status, true]);
      expect(page.text).toContain(`action="/pedido/${ID}/reenviar"`);
      expect(page.text).not.toContain('name="code"');
    }
  });

  it('of an order that has ended shows that it has', async () => {
    answers = { [OPEN]: { state: 'ended' }, [CHECK]: 'VERIFICATION_NOT_VALID' };
    expect((await post('code=123456')).text).toContain('Este enlace ya no sirve');
  });

  it.each(['', 'code=', 'code=12345', 'code=1234567', 'code=12345a', 'code=1&code=2', 'code[a]=1'])(
    'is not checked when the form is %j',
    async (form) => {
      const { status, text } = await post(form);
      expect([status, text.includes('Escribe los seis números')]).toEqual([422, true]);
      expect(asked.map(({ url }) => url)).toEqual([OPEN]);
    },
  );

  it('in a form that is too long is a 413 page, in no charset a 400', async () => {
    expect((await post(`code=${'1'.repeat(3_000)}`)).status).toBe(413);
    const odd = { 'content-type': 'application/x-www-form-urlencoded; charset=klingon' };
    const answer = await gateway.call('POST', `/pedido/${ID}`, { body: 'code=1', headers: odd });
    expect([answer.status, asked]).toEqual([400, []]);
  });

  it('in a form that is not UTF-8 is a 400', async () => {
    for (const form of [Buffer.from('code=\u00d1', 'latin1'), 'code=%D1']) {
      expect((await post(form)).status).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  it('is sent to transactions once, when the connection is lost', async () => {
    const usual = gateway.upstreams.transactions.answer;
    gateway.upstreams.transactions.answer = (req) => void req.socket.destroy();
    const { status, headers } = await post('code=123456');
    gateway.upstreams.transactions.answer = usual;

    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(gateway.seenBy('transactions')).toHaveLength(1);
  });
});

it('pages of one address beyond their rate are a 429 page', async () => {
  // One in two seconds: a busy machine answers more than that.
  const member = await startTestGateway({ config: { RATE_LIMIT_SHARE: '0.001' } });
  const connection = await openConnection(member.url);
  connection.write('GET /pedido/x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
  const answers = await connection.received('Hay demasiadas visitas');
  connection.destroy();
  await member.stop();

  expect(answers).toMatch(/HTTP\/1\.1 429 [^]*Retry-After: [12]\r\n/);
});
