import type { ErrorCode } from '@fiado/contracts/errors';
import { answerError, readAll, startTestGateway, type TestGateway } from './support/test-gateway';

const TOKEN = 'q3'.repeat(21) + '_';
const [START, OPEN, CHECK] = ['start', 'open', 'check'].map(
  (call) => `/internal/account-visits/${call}`,
) as [string, string, string];
const WAITING = { state: 'waiting', phoneMasked: '********5678', code: 'valid', checksLeft: 3 };
const account = (wholesaler: string) => ({
  userId: 'u',
  cornerStoreId: 's',
  wholesalerId: wholesaler,
  wholesaler,
});
const AWAITED = '/internal/awaited-orders';
const ORDER = {
  transactionId: '0198c0de-0000-7000-8000-000000000001',
  order: {
    wholesaler: 'Dulces <b>',
    products: [{ name: 'Azúcar 1 kg', quantity: 12 }],
    totalAmount: 1000,
    interests: 50,
    IVAAmount: 8,
    totalAmountWithInterests: 1058,
    paymentDate: '2026-12-08T05:59:59.999Z',
    timeZone: 'America/Mexico_City',
  },
};
const DEBT = {
  idFactura: '7002903521721',
  numeroReferencia: '808610562759',
  amountDue: 558,
  amountPaid: 0,
  paymentDate: '2026-12-08T05:59:59.999Z',
  paymentTimeZone: 'America/Mexico_City',
  status: 'pending',
};

let gateway: TestGateway;
let answers: Record<string, object | ErrorCode>;
let asked: Array<{ url: string; body: unknown }>;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: { PAYMENT_PLACES: 'OXXO | En la caja | Convenio <1>; Kiosko' },
  });
  const { accounts, payments, transactions } = gateway.upstreams;
  for (const upstream of [accounts, payments, transactions]) {
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
    [START]: { token: TOKEN },
    [OPEN]: WAITING,
    [CHECK]: {},
    '/internal/debts': { debts: [DEBT], timeZone: 'America/Mexico_City' },
    [AWAITED]: { orders: [] },
  };
});

/** A browser with the cookie of a visit, or without one. */
async function browse(path: string, form?: string, cookie = `fiado-mi=${TOKEN}`) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { body: form }),
  });
  const { status, headers } = response;
  return {
    status,
    to: headers.get('location'),
    cookie: headers.get('set-cookie'),
    text: await response.text(),
  };
}

it('/mi asks for the number, and a number starts a visit that the cookie alone names', async () => {
  const first = await browse('/mi', undefined, '');
  expect([first.status, asked]).toEqual([200, []]);
  expect(first.text).toMatch(/Tu celular[^]*Enviar clave/);

  const started = await browse('/mi/empezar', 'phone=55+1234+5678', '');
  expect([started.status, started.to]).toEqual([303, '/mi?aviso=enviado']);
  expect(started.cookie).toMatch(
    new RegExp(`^fiado-mi=${TOKEN}; Path=/mi; HttpOnly; SameSite=Lax$`),
  );
  expect(asked).toEqual([{ url: START, body: { phone: '+525512345678', address: '127.0.0.1' } }]);
});

it('/mi asks whether the lender may write by WhatsApp, where it can, and passes the answer on', async () => {
  const opened = { state: 'open', accounts: [account('Abarrotes')] };
  answers[OPEN] = opened;
  expect((await browse('/mi')).text).not.toContain('WhatsApp');
  answers['/internal/account-visits/whatsapp'] = {};
  for (const [whatsapp, value, agrees] of [
    ['offered', 'si', true],
    ['agreed', 'no', false],
  ] as const) {
    answers[OPEN] = { ...opened, whatsapp };
    const { text } = await browse('/mi');
    expect(text).toMatch(new RegExp(`avis[^]*por WhatsApp[^]*/mi/whatsapp[^]*value="${value}"`));
    asked = [];
    const answer = await browse('/mi/whatsapp', `acepto=${value}`);
    expect([answer.status, answer.to]).toEqual([303, '/mi']);
    expect(asked).toEqual([
      { url: '/internal/account-visits/whatsapp', body: { token: TOKEN, agrees } },
    ]);
  }
  answers['/internal/account-visits/whatsapp'] = 'VERIFICATION_NOT_VALID';
  expect((await browse('/mi/whatsapp', 'acepto=si')).status).toBe(303);
});

it('a text that is no number, and a number with too many codes, go nowhere', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    asked = [];
    const foreign = await fetch(`${gateway.url}/mi/empezar`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ phone: '55 1234 5678' }),
    });
    expect([foreign.status, asked]).toEqual([403, []]);
  }

  const wrong = await browse('/mi/empezar', 'phone=12', '');
  expect([wrong.status, asked, wrong.cookie]).toEqual([422, [], null]);
  expect(wrong.text).toContain('Escribe los diez números');
  answers[START] = 'TOO_MANY_ATTEMPTS';
  const refused = await browse('/mi/empezar', 'phone=5512345678', '');
  expect([refused.status, refused.text.includes('inténtalo mañana')]).toEqual([429, true]);
});

it('the page waits for the code and says the same of every number', async () => {
  const { status, text } = await browse('/mi?aviso=enviado');
  expect(status).toBe(200);
  expect(text).toMatch(
    /Si este celular está registrado[^]*<strong>5678<\/strong>[^]*Usar otro celular/,
  );
  answers[CHECK] = 'VERIFICATION_NOT_VALID';
  const wrong = await browse('/mi', 'code=123456');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/no es la correcta[^]*3 intentos/);
  expect((await browse('/mi', 'code=12')).text).toContain('seis números de la clave');
  answers[CHECK] = 'TOO_MANY_ATTEMPTS';
  const guessed = await browse('/mi', 'code=123456');
  expect([guessed.status, guessed.text.includes('dentro de una hora')]).toEqual([429, true]);
  expect((await browse('/mi/reenviar', '')).to).toBe('/mi?aviso=otra');
});

it('the right code opens the account of all proved wholesalers, also after a reload', async () => {
  expect((await browse('/mi', 'code=123+456')).to).toBe('/mi');
  answers[OPEN] = { state: 'open', accounts: [account('Dulces <b>'), account('Abarrotes')] };
  for (const _reload of [1, 2]) {
    const { status, text } = await browse('/mi');
    expect(status).toBe(200);
    expect(text).toMatch(/Debes en total[^]*\$1,116\.00[^]*8086 1056 2759[^]*<svg/);
    expect(text).toMatch(/De Dulces &lt;b&gt;[^]*De Abarrotes[^]*Salir/);
    expect(text).not.toMatch(/<script|style="/);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
  }
  answers['/internal/debts'] = {
    debts: [DEBT],
    unlisted: { debts: 3, amountDue: 300.5, overdueAmount: 0 },
    timeZone: 'America/Mexico_City',
  };
  answers[OPEN] = { state: 'open', accounts: [account('Abarrotes')] };
  expect((await browse('/mi')).text).toMatch(/\$858\.50[^]*Y 3 más, que suman <strong>\$300\.50/);
  answers[OPEN] = { state: 'open', accounts: [] };
  expect((await browse('/mi')).text).toContain('Falta confirmar tu celular');
});

it('the account of one wholesaler has each debt, how to pay, and what was paid', async () => {
  const debts = [
    { ...DEBT, amountPaid: 500, status: 'overdue' },
    // The next day in Mexico City.
    {
      ...DEBT,
      amountDue: 0.1,
      paymentDate: '2026-12-09T07:59:59.999Z',
      paymentTimeZone: 'America/Tijuana',
    },
    { ...DEBT, amountDue: 0, amountPaid: 321, status: 'paid' },
  ];
  answers[OPEN] = { state: 'open', accounts: [account('Dulces <b>')] };
  answers['/internal/debts'] = { debts, timeZone: 'America/Mexico_City' };
  const { text } = await browse('/mi');
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
  expect(asked.find(({ url }) => url === '/internal/debts')?.body).toEqual({
    userId: 'u',
    wholesalerId: 'Dulces <b>',
  });
  // All that is due on the day is the next payment.
  const twice = [DEBT, { ...DEBT, amountDue: 100.5 }, { ...debts[1], amountDue: 7 }];
  answers['/internal/debts'] = { debts: twice, timeZone: 'America/Mexico_City' };
  expect((await browse('/mi')).text).toMatch(/Siguiente pago: <strong>\$658\.50<\/strong>/);
  answers['/internal/debts'] = { debts: [], timeZone: 'America/Mexico_City' };
  expect((await browse('/mi')).text).toContain('No debes nada');
});

it('a link to an account that was made before, and its forms, lead to /mi', async () => {
  for (const path of ['', '/enviar', '/reenviar']) {
    for (const form of [undefined, 'code=123456']) {
      const { status, to } = await browse(`/cuenta/${TOKEN}${path}`, form, '');
      expect([status, to]).toEqual([303, '/mi']);
    }
  }
  expect(asked).toEqual([]);
});

it('an order that waits for its delivery has its page there, for its owner only', async () => {
  const path = `/mi/pedido/${ORDER.transactionId}`;
  expect((await browse(path)).to).toBe('/mi');
  expect((await browse(path, undefined, '')).to).toBe('/mi');
  answers[OPEN] = { state: 'open', accounts: [account('Dulces <b>')] };
  expect((await browse(path)).to).toBe('/mi');
  answers[AWAITED] = { orders: [ORDER] };
  const { text } = await browse('/mi');
  expect(text).toMatch(
    new RegExp(`Por recibir[^]*href="${path}">De Dulces &lt;b&gt;</a>[^]*\\$1,058\\.00`),
  );
  const order = await browse(path);
  expect(order.status).toBe(200);
  expect(order.text).toMatch(/Pedido confirmado[^]*Azúcar 1 kg[^]*12[^]*Volver a Mi cuenta/);
  expect(order.text).not.toContain('Guarda este enlace');
  expect(Buffer.byteLength(order.text)).toBeLessThan(10_000);
});

it('a delivery of the last two days is denied in two presses', async () => {
  const delivery = {
    transactionId: ORDER.transactionId,
    wholesaler: 'Dulces <b>',
    amount: 1058,
    deliveredAt: '2026-11-25T05:00:00.000Z',
    timeZone: 'America/Mexico_City',
    isDisputed: false,
  };
  const path = `/mi/pedido/${ORDER.transactionId}/no`;
  expect((await browse(path)).to).toBe('/mi');
  answers[OPEN] = { state: 'open', accounts: [account('Dulces <b>')] };
  expect((await browse(path)).to).toBe('/mi');
  answers['/internal/recent-deliveries'] = { deliveries: [delivery] };
  answers['/internal/deny-delivery'] = { isNoted: true };
  const page = await browse('/mi');
  expect(page.text).toMatch(
    new RegExp(
      `De Dulces &lt;b&gt;[^]*\\$1,058\\.00[^]*martes 24 de noviembre[^]*href="${path}">No reconozco este pedido`,
    ),
  );
  const question = await browse(path);
  expect(question.text).toMatch(
    new RegExp(
      `\\$1,058\\.00[^]*martes 24 de noviembre[^]*<form method="post" action="${path}">\\s*<button`,
    ),
  );
  expect(question.text).not.toMatch(/<script|style="/);
  const isAsked = () => asked.some(({ url }) => url === '/internal/deny-delivery');
  expect(isAsked()).toBe(false);

  const noted = await browse(path, '');
  expect(noted.text).toMatch(
    /Anotamos que no es tuyo el pedido de \$1,058\.00 de Dulces &lt;b&gt;/,
  );
  expect(asked.at(-1)).toEqual({
    url: '/internal/deny-delivery',
    body: {
      transactionId: ORDER.transactionId,
      cornerStoreId: 's',
      wholesalerId: 'Dulces <b>',
    },
  });
  for (const refused of [{ isNoted: false }, 'TRANSACTION_NOT_DISPUTABLE'] as const) {
    answers['/internal/deny-delivery'] = refused;
    expect((await browse(path, '')).text).toContain('Si no es tuyo, llama al');
  }
  answers['/internal/recent-deliveries'] = { deliveries: [{ ...delivery, isDisputed: true }] };
  expect((await browse('/mi')).text).toContain('En revisión');
  expect((await browse(path)).to).toBe('/mi');
});

it('the account opens while transactions does not answer', async () => {
  answers[OPEN] = { state: 'open', accounts: [account('Abarrotes')] };
  answers[AWAITED] = 'SERVICE_UNAVAILABLE';
  const { status, text } = await browse('/mi');
  expect([status, text.includes('Por recibir')]).toEqual([200, false]);
  expect(text).toContain('Debes a Abarrotes');
});

it('the address of a button, opened by itself, leads to /mi, and the next request is answered', async () => {
  for (const button of ['empezar', 'reenviar', 'salir']) {
    expect((await browse(`/mi/${button}`)).to).toBe('/mi');
  }
  expect((await browse('/mi')).status).toBe(200);
});

it('a visit that is over, or left, is forgotten', async () => {
  answers[OPEN] = { state: 'ended' };
  const over = await browse('/mi');
  expect(over.text).toMatch(/Pasó el tiempo[^]*Tu celular/);
  expect(over.cookie).toContain('fiado-mi=; Path=/mi; Expires=Thu, 01 Jan 1970');
  const left = await browse('/mi/salir', '');
  expect([left.to, left.cookie]).toEqual(['/mi', expect.stringContaining('fiado-mi=;')]);
});

it('a cookie that is no token, or is there twice, asks accounts nothing', async () => {
  for (const cookie of ['fiado-mi=x', `fiado-mi=${TOKEN}; fiado-mi=${TOKEN}`]) {
    expect((await browse('/mi', undefined, cookie)).text).toContain('Tu celular');
  }
  expect(asked).toEqual([]);
});

it('the cookie is for TLS alone where a trusted proxy had TLS', async () => {
  const behind = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } });
  behind.upstreams.accounts.answer = (_req, res) => res.end(JSON.stringify({ token: TOKEN }));
  const response = await fetch(`${behind.url}/mi/empezar`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'phone=5512345678',
  });
  expect(response.headers.get('set-cookie')).toContain('; Secure;');
  await behind.stop();
});

const PROFILE = '/internal/account-visits/tax-profile';
const TYPED =
  'rfc=lulu-800101+ab1&legalName=+Guadalupe++Luna%0ALuna&taxRegime=626&postalCode=06000&cfdiUse=G01&email=';

it('the data for invoices are set, as the tax authority writes them, and removed, and never shown', async () => {
  answers[OPEN] = { state: 'open', accounts: [account('Abarrotes')] };
  expect((await browse('/mi')).text).toContain('<a href="/mi/factura">Datos para facturar</a>');
  answers[PROFILE] = { state: 'open', hasTaxProfile: false, wrong: [] };
  const empty = await browse('/mi/factura');
  expect(empty.text).toMatch(/Constancia de Situación Fiscal[^]*626 Simplificado[^]*Guardar/);
  expect(empty.text).not.toContain('Quitar mis datos');

  asked = [];
  expect((await browse('/mi/factura', TYPED)).to).toBe('/mi/factura?aviso=guardado');
  const profile = {
    rfc: 'LULU800101AB1',
    legalName: 'GUADALUPE LUNA LUNA',
    taxRegime: '626',
    postalCode: '06000',
    cfdiUse: 'G01',
  };
  expect(asked).toEqual([{ url: PROFILE, body: { token: TOKEN, profile } }]);
  answers[PROFILE] = { state: 'open', hasTaxProfile: true, wrong: [] };
  const shown = await browse('/mi/factura?aviso=guardado');
  expect(shown.text).toMatch(/Listo[^]*Ya tenemos tus datos[^]*Quitar mis datos/);
  expect((await browse('/mi/factura/quitar', '')).to).toBe('/mi/factura?aviso=quitado');
  expect(asked.at(-1)).toEqual({ url: PROFILE, body: { token: TOKEN, remove: true } });
  expect((await browse('/mi/factura/quitar')).to).toBe('/mi/factura');
});

it('data that the tax authority would refuse come back with what is wrong, and a visit that ended asks for the number', async () => {
  answers[PROFILE] = { state: 'open', hasTaxProfile: false, wrong: ['rfc', 'cfdiUse'] };
  const refused = await browse('/mi/factura', TYPED.replace('Luna%0A', '%3Cb%3E'));
  expect(refused.status).toBe(422);
  expect(refused.text).toMatch(/role="alert"[^]*id="rfc-wrong"[^]*id="cfdiUse-wrong"/);
  expect(refused.text).toMatch(/value="GUADALUPE &lt;B&gt;LUNA"[^]*value="626" selected/);
  expect(refused.text).not.toContain('postalCode-wrong');

  answers[PROFILE] = { state: 'ended' };
  for (const form of [undefined, TYPED]) {
    expect((await browse('/mi/factura', form)).to).toBe('/mi');
  }
  asked = [];
  expect((await browse('/mi/factura', undefined, '')).to).toBe('/mi');
  expect(asked).toEqual([]);
});
