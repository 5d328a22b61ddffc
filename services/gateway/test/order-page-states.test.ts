import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@fiado/contracts/errors';
import type { LinkState } from '@fiado/contracts/links';
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
import { answerError, readAll, startTestGateway } from './support/test-gateway';

const WHOLESALER = randomUUID();

const gateway = forAllTests(startTestGateway);
/** The answer of transactions: an object, or an error code. */
let answers: Record<string, object | ErrorCode>;
let asked: Question[];
let debt: object | ErrorCode;

beforeAll(() => {
  answerQuestions(gateway.upstreams.transactions, (question) => {
    asked.push(question);
    return answers[question.url] ?? 'TRANSACTION_NOT_FOUND';
  });
  answerQuestions(gateway.upstreams.payments, (question) => {
    asked.push(question);
    return debt;
  });
});
beforeEach(() => {
  answers = { [OPEN]: WAITING };
  asked = [];
  gateway.upstreams.transactions.seen.length = 0;
});

const get = (path = `/pedido/${ID}`) => gateway.call('GET', path, { key: undefined });

describe('"enviar clave"', () => {
  const UNSENT: LinkState = { ...WAITING, code: 'unsent' };

  it('is all that the page shows before the code was sent', async () => {
    answers[OPEN] = UNSENT;
    const { status, text } = await get();
    expect([status, text.includes('name="code"')]).toEqual([200, false]);
    expect(text).toMatch(/<strong>5678<\/strong>[^]*action="\/pedido\/[\w-]+\/enviar"/);
  });

  it('sends the code and redirects back; no GET or HEAD sends a code', async () => {
    const pressed = await fetch(`${gateway.url}/pedido/${ID}/enviar`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `/pedido/${ID}`]);
    expect(asked).toEqual([{ url: OPEN, body: { transactionId: ID, sendCode: 'if-never-sent' } }]);

    asked = [];
    for (const path of ['', '/enviar', '/reenviar', '/aceptar', '?aviso=otra']) {
      for (const method of ['GET', 'HEAD']) {
        expect(
          (await gateway.call(method, `/pedido/${ID}${path}`, { key: undefined })).status,
        ).toBe(200);
      }
    }
    expect(new Set(asked.map(({ body }) => (body as { sendCode: string }).sendCode))).toEqual(
      new Set(['never']),
    );
  });
});

describe('"enviar otra vez"', () => {
  const resend = () =>
    fetch(`${gateway.url}/pedido/${ID}/reenviar`, { method: 'POST', redirect: 'manual' });

  it('sends the code again and redirects back, so that a reload sends nothing', async () => {
    const answer = await resend();
    expect(asked).toEqual([{ url: OPEN, body: { transactionId: ID, sendCode: 'again' } }]);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/pedido/${ID}?aviso=otra`,
    ]);
    expect((await get(`/pedido/${ID}?aviso=otra`)).text).toContain('te enviamos otro SMS');
    expect(asked[1]?.body).toMatchObject({ sendCode: 'never' });
  });

  it('too often still shows the field for the last code', async () => {
    const usual = gateway.upstreams.transactions.answer;
    gateway.upstreams.transactions.answer = (req, res) =>
      void readAll(req).then((body) => {
        if (body.includes('again')) answerError(res, 'TOO_MANY_ATTEMPTS');
        else res.end(JSON.stringify(WAITING));
      });
    const answer = await resend();
    gateway.upstreams.transactions.answer = usual;

    expect(answer.status).toBe(429);
    expect(await answer.text()).toMatch(/demasiadas veces[^]*autocomplete="one-time-code"/);
  });

  it('as an address that is opened leads back to the order', async () => {
    const { status } = await get(`/pedido/${ID}/reenviar`);
    expect(status).toBe(200);
    expect(asked.map(({ body }) => body)).toEqual([{ transactionId: ID, sendCode: 'never' }]);
  });
});

describe('an order that is delivered', () => {
  const DEBT = {
    idFactura: '123456789012',
    numeroReferencia: '12345678901',
    amountDue: 558,
    amountPaid: 500,
    paymentDate: ORDER.paymentDate,
    paymentTimeZone: ORDER.timeZone,
    status: 'pending',
  };
  beforeEach(() => {
    answers[OPEN] = { state: 'delivered', wholesalerId: WHOLESALER, order: ORDER };
    debt = DEBT;
  });

  it('shows what is owed, the references and their QR code until it is paid', async () => {
    const { status, text, headers } = await get();

    expect(status).toBe(200);
    expect(text).toMatch(/\$558\.00[^]*lunes 7 de diciembre de 2026/);
    expect(text).toMatch(/1234 5678 9012[^]*1234 5678 901[^]*<svg[^]*<path/);
    expect(text).not.toMatch(/style="|<image|<script/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toMatch(FIGURES);
    expect(text).toMatch(/Ya pagaste[^]*\$500\.00/);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
    expect(asked[1]).toEqual({
      url: '/internal/payment',
      body: { transactionId: ID, wholesalerId: WHOLESALER },
    });

    debt = { ...DEBT, status: 'overdue' };
    expect((await get()).text).toMatch(/de atraso|con atraso/);
    debt = { ...DEBT, status: 'paid' };
    expect((await get()).text).toContain('Este pedido ya está pagado');
  });

  it('shows what was ordered where another amount was delivered', async () => {
    const order = { ...ORDER, orderedAmount: 1200 };
    answers[OPEN] = { state: 'delivered', wholesalerId: WHOLESALER, order };
    const { text } = await get();
    expect(text).toMatch(/Pediste[^]*\$1,200\.00[^]*Te entregaron[^]*\$1,000\.00/);
    expect(text).not.toContain('Mercancía');
  });

  it('still shows the order while payments cannot be reached', async () => {
    debt = 'INTERNAL_ERROR';
    const { status, text } = await get();
    expect([status, text.includes('no podemos mostrar cómo pagar')]).toEqual([200, true]);
    expect(text).toMatch(FIGURES);
  });
});

it('every page names the lender, its phone and its privacy notice', async () => {
  for (const path of [`/pedido/${ID}`, '/pedido/x', '/kyc/x', '/kyc/x/y']) {
    const { text } = await get(path);
    expect(text).toContain('Crédito de Financiera de Prueba');
    expect(text).toContain('<a href="tel:+525555550100">55 5555 0100</a>');
    expect(text).toContain('href="https://example.com/aviso-de-privacidad"');
  }
});
