import type { ErrorCode } from '@fiado/contracts/errors';
import { answerError, readAll, startTestGateway, type TestGateway } from './support/test-gateway';

const TOKEN = 'q3'.repeat(21) + '_';
const OPEN = '/internal/account-links/open';
const CHECK = '/internal/account-links/check';
const ACCOUNT = { userId: 'the-user', wholesalerId: 'the-wholesaler', wholesaler: 'Dulces <b>' };
const DEBT = {
  idFactura: '7002903521721',
  numeroReferencia: '808610562759',
  amountDue: 558,
  amountPaid: 500,
  paymentDate: '2026-12-08T05:59:59.999Z',
  paymentTimeZone: 'America/Mexico_City',
  status: 'overdue',
};
const DEBTS = {
  debts: [
    DEBT,
    // The next day in Mexico City.
    {
      ...DEBT,
      amountDue: 0.1,
      amountPaid: 0,
      paymentDate: '2026-12-09T07:59:59.999Z',
      paymentTimeZone: 'America/Tijuana',
      status: 'pending',
    },
    { ...DEBT, amountDue: 0, amountPaid: 321, status: 'paid' },
  ],
  timeZone: 'America/Mexico_City',
};

let gateway: TestGateway;
let answers: Record<string, object | ErrorCode>;
let asked: Array<{ url: string; body: unknown }>;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: { PAYMENT_PLACES: 'OXXO | En la caja | Convenio <1>; Kiosko' },
  });
  for (const upstream of [gateway.upstreams.accounts, gateway.upstreams.payments]) {
    upstream.answer = (req, res) =>
      void readAll(req).then((body) => {
        const { url = '' } = req;
        asked.push({ url, body: JSON.parse(body) });
        const answer = answers[url] ?? 'USER_NOT_FOUND';
        if (typeof answer === 'string') answerError(res, answer);
        else res.end(JSON.stringify(answer));
      });
  }
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
  answers = {
    [OPEN]: { valid: true, phoneMasked: '********5678', code: 'valid' },
    [CHECK]: ACCOUNT,
    '/internal/debts': DEBTS,
  };
});

const get = (path = `/cuenta/${TOKEN}`, method = 'GET') =>
  gateway.call(method, path, { key: undefined });
const type = (code: string) =>
  gateway.call('POST', `/cuenta/${TOKEN}`, {
    key: undefined,
    body: `code=${code}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

it('the account page sends no code by itself, and shows nothing of the account before the code', async () => {
  for (const path of ['', '/enviar', '/reenviar']) {
    for (const method of ['GET', 'HEAD']) await get(`/cuenta/${TOKEN}${path}`, method);
  }
  expect(asked.map(({ body }) => body)).toEqual(
    Array.from({ length: 6 }, () => ({ token: TOKEN, sendCode: 'never' })),
  );
  const { status, text } = await get();
  expect([status, text.includes('Dulces')]).toEqual([200, false]);
  expect(text).toMatch(/Mi cuenta[^]*<strong>5678<\/strong>[^]*Ver mi cuenta/);

  asked = [];
  const pressed = await fetch(`${gateway.url}/cuenta/${TOKEN}/enviar`, {
    method: 'POST',
    redirect: 'manual',
  });
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `/cuenta/${TOKEN}`]);
  expect(asked[0]?.body).toEqual({ token: TOKEN, sendCode: 'if-never-sent' });
});

it('the right code shows debts, references, a QR code and what was paid', async () => {
  const { status, text } = await type('123456');
  expect(status).toBe(200);
  expect(text).toMatch(/Debes a Dulces &lt;b&gt;[^]*\$558\.10[^]*8086 1056 2759[^]*<svg/);
  expect(text).toMatch(
    /OXXO<\/strong>. En la caja. <strong>Convenio &lt;1&gt;[^]*Kiosko<\/strong>/,
  );
  expect(text).toContain('vas a pagar a <strong>Financiera de Prueba</strong>');
  expect(text).toMatch(/\$558\.00[^]*7002 9035 2172 1[^]*Con atraso[^]*\$0\.10/);
  expect(text).toMatch(
    /lunes 7 de diciembre de 2026[^]*martes 8 de diciembre de 2026[^]*Ya pagado[^]*\$321\.00/,
  );
  expect(text).toContain('Paga $558.00: con atraso no puedes comprar a crédito');
  expect(text).not.toMatch(/123456|<script|style="/);
  expect(Buffer.byteLength(text)).toBeLessThan(10_000);
  expect(asked.at(-1)).toEqual({
    url: '/internal/debts',
    body: { userId: 'the-user', wholesalerId: 'the-wholesaler' },
  });

  answers['/internal/debts'] = { ...DEBTS, debts: [] };
  expect((await type('123456')).text).toContain('No debes nada');
});

it.each([
  ['VERIFICATION_NOT_VALID', 422, 'Esa clave no es la correcta'],
  ['TOO_MANY_ATTEMPTS', 429, 'demasiadas claves equivocadas'],
] as const)('a code to which accounts answers %s is a %d page', async (answer, status, words) => {
  answers[CHECK] = answer;
  const page = await type('123456');
  expect([page.status, page.text.includes(words)]).toEqual([status, true]);
});

it('a link that is unknown or past its day is a friendly 404', async () => {
  answers[OPEN] = { valid: false };
  for (const path of [`/cuenta/${TOKEN}`, '/cuenta/%20', '/cuenta/a/b']) {
    expect((await get(path)).status).toBe(404);
  }
});
