import { createLogger } from '@fiado/chassis/logger';
import { loadConfig } from '@fiado/chassis/config';
import { ConsoleConfig } from '../src/config';
import { startConsole } from '../src/console';
import {
  CSV,
  ENDED_SESSION,
  ORDER,
  SESSION,
  startStandInGateway,
  STATEMENT,
  STORE,
} from './support/stand-in-gateway';

const ORIGIN = 'http://localhost:3010';
const OTHER_SESSION = `fiado_session_${'b'.repeat(43)}`;
const INVITATION = `fiado_invite_${'d'.repeat(43)}`;

let gateway: Awaited<ReturnType<typeof startStandInGateway>>;
let running: Awaited<ReturnType<typeof startConsole>>;

beforeAll(async () => {
  gateway = await startStandInGateway();
  const config = loadConfig(ConsoleConfig, {
    FIADO_MODE: 'sandbox',
    CONSOLE_PORT: '0',
    CONSOLE_RATE_LIMIT_PER_SECOND: '0',
    GATEWAY_URL: gateway.url,
    LOG_LEVEL: 'silent',
  });
  running = await startConsole(config, createLogger('console', 'silent'));
});
afterAll(async () => {
  await running.close();
  await gateway.stop();
});
beforeEach(() => {
  gateway.calls.length = 0;
});

interface Sent {
  status: number;
  text: string;
  headers: Headers;
}

async function send(
  method: string,
  path: string,
  { session, headers = {}, form }: { session?: string; headers?: object; form?: object } = {},
): Promise<Sent> {
  const response = await fetch(`http://localhost:${running.port}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(session === undefined ? {} : { cookie: `__Host-fiado=${session}` }),
      ...headers,
    },
    ...(form === undefined ? {} : { body: new URLSearchParams({ ...form }) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

async function csrfOf(session: string): Promise<string> {
  const { text } = await send('GET', '/validacion', { session });
  return /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? '';
}

const changes = () =>
  gateway.calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/admin/'));

it('a document says why it may not be readable', async () => {
  const { text } = await send('GET', '/validacion', { session: SESSION });
  expect(text).toMatch(/<figcaption>[^<]*<span class="badge warn">Se ve borrosa<\/span>\s*<\//);
});

describe('a form', () => {
  const path = `/validacion/${STORE}/aprobar`;

  it('from our own page reaches the API in the name of the person', async () => {
    const csrf = await csrfOf(SESSION);
    const { status, headers } = await send('POST', path, {
      session: SESSION,
      headers: SAME_ORIGIN,
      form: { csrf },
    });
    expect([status, headers.get('location')]).toEqual([303, '/validacion?aviso=aprobada']);
    expect(changes()).toEqual([
      {
        method: 'POST',
        path: `/v1/admin/corner-stores/${STORE}/approve`,
        authorization: 'token-a',
        body: '{}',
      },
    ]);
  });

  it('of an older browser is known by its Origin', async () => {
    const csrf = await csrfOf(SESSION);
    const form = { csrf };
    const own = await send('POST', path, { session: SESSION, headers: { origin: ORIGIN }, form });
    expect(own.status).toBe(303);
  });

  it.each([
    ['without a token', SAME_ORIGIN, {}],
    ['with a made-up token', SAME_ORIGIN, { csrf: 'x'.repeat(43) }],
    ['with an empty token', SAME_ORIGIN, { csrf: '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, { csrf: 'own' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }, { csrf: 'own' }],
    ['from nowhere', { 'sec-fetch-site': 'none' }, { csrf: 'own' }],
    ['from a foreign Origin', { origin: 'https://evil.example' }, { csrf: 'own' }],
    ['from a page without an origin', { origin: 'null' }, { csrf: 'own' }],
    ['from no browser', {}, { csrf: 'own' }],
    ['with the token of another session', SAME_ORIGIN, { csrf: 'other' }],
  ])('%s is refused and changes nothing', async (_how, headers, given: { csrf?: string }) => {
    const tokens: Record<string, string> = {
      own: await csrfOf(SESSION),
      other: await csrfOf(OTHER_SESSION),
    };
    const form = given.csrf === undefined ? {} : { csrf: tokens[given.csrf] ?? given.csrf };
    const { status } = await send('POST', path, { session: SESSION, headers, form });
    expect(status).toBe(403);
    expect(changes()).toEqual([]);
  });

  it('that the API refuses says why, and is not a redirect', async () => {
    const csrf = await csrfOf(SESSION);
    const form = { csrf, reason: '' };
    const { status, text } = await send('POST', `/validacion/${STORE}/rechazar`, {
      session: SESSION,
      headers: SAME_ORIGIN,
      form,
    });
    expect(status).toBe(400);
    expect(text).toContain('reason is empty');
  });

  it('whose change needs a second person says that it waits', async () => {
    const csrf = await csrfOf(SESSION);
    const { status, text } = await send('POST', `/tiendas/${STORE}`, {
      session: SESSION,
      headers: SAME_ORIGIN,
      form: { csrf, creditLimit: '50000' },
    });
    expect(status).toBe(202);
    expect(text).toContain('espera la aprobación de otra persona');
  });

  it('with the cookie of a session that has ended leads to the sign-in', async () => {
    const { status, headers } = await send('GET', '/', { session: ENDED_SESSION });
    expect([status, headers.get('location')]).toEqual([303, '/entrar']);
    expect(headers.get('set-cookie')).toMatch(/^__Host-fiado=; .*Expires=Thu, 01 Jan 1970/);
  });

  it.each([path, '/salir', '/passkey/entrar', `/invitacion/${INVITATION}/entrar`])(
    'cannot be sent with GET: %s',
    async (target) => {
      expect((await send('GET', target, { session: SESSION })).status).toBe(404);
      expect(changes()).toEqual([]);
    },
  );
});

describe('a page', () => {
  it.each(['/', '/tiendas', '/validacion', '/personal', '/auditoria', '/mis-sesiones'])(
    '%s needs a session',
    async (path) => {
      for (const cookie of [
        '',
        '__Host-fiado=x',
        `__Host-fiado=${SESSION}; __Host-fiado=${SESSION}`,
      ]) {
        const { status, headers } = await send('GET', path, { headers: { cookie } });
        expect([status, headers.get('location')]).toEqual([303, '/entrar']);
      }
      expect(gateway.calls).toEqual([]);
    },
  );

  it('runs, loads and embeds nothing from elsewhere, and is in no cache', async () => {
    const { headers } = await send('GET', '/validacion', { session: SESSION });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows what others wrote as text', async () => {
    const { text } = await send('GET', '/validacion', { session: SESSION });
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>');
  });

  it('of the queue has the documents of one store, and links to the next and the previous', async () => {
    const first = await send('GET', '/validacion', { session: SESSION });
    expect(first.text).toContain(`src="/documentos/${STORE}/${STORE}"`);
    expect(first.text).toMatch(/rel="next"/);
    expect(first.text).not.toMatch(/rel="prev"/);
    const next = /rel="next"\s+href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    expect((await send('GET', next, { session: SESSION })).text).toMatch(/rel="prev"/);
  });

  it.each([
    ['/console.css', 'text/css; charset=utf-8'],
    ['/console.js', 'text/javascript; charset=utf-8'],
  ])('has its file %s', async (path, type) => {
    const { status, headers } = await send('GET', path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
  });

  it('is in English for who prefers it', async () => {
    const { text } = await send('GET', '/entrar', { headers: { 'accept-language': 'en-US,es' } });
    expect(text).toContain('<html lang="en">');
    expect((await send('GET', '/entrar')).text).toContain('<html lang="es-MX">');
  });
});

describe('a sign-in', () => {
  it('by an invitation sets a cookie that scripts and other sites do not get', async () => {
    const path = `/invitacion/${INVITATION}/entrar`;
    const { status, headers } = await send('POST', path, { headers: SAME_ORIGIN, form: {} });
    expect(status).toBe(303);
    expect(headers.get('set-cookie')).toBe(
      `__Host-fiado=${SESSION}; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
  });

  it.each(['/passkey/entrar', '/passkey/registrar', `/invitacion/${INVITATION}/entrar`])(
    'cannot be begun by another site: %s',
    async (path) => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await send('POST', path, { headers, form: {} })).status).toBe(403);
      expect(gateway.calls).toEqual([]);
    },
  );

  it('that accounts refuses sets no cookie', async () => {
    const { status, headers } = await send('POST', '/passkey/entrar', {
      headers: SAME_ORIGIN,
      form: {},
    });
    expect([status, headers.get('set-cookie')]).toEqual([422, null]);
  });
});

describe('statements', () => {
  const path = `/liquidaciones/${STATEMENT}`;
  const post = async (to: string, form: object) =>
    send('POST', to, {
      session: SESSION,
      headers: SAME_ORIGIN,
      form: { csrf: await csrfOf(SESSION), ...form },
    });

  it('are listed, each with its spreadsheet, which the console passes on', async () => {
    const list = await send('GET', '/liquidaciones?desde=2026-11-16&hasta=2026-11-22', {
      session: SESSION,
    });
    expect(list.text).toMatch(/href="\/liquidaciones"\s+aria-current="page"/);
    expect(list.text).toContain('Abarrotes del Norte');
    expect(list.text).toMatch(/16 nov[^–]* – 22 nov/);
    expect(list.text).toContain(`href="${path}/renglones.csv"`);
    expect(gateway.calls.map((call) => call.path)).toContain(
      '/v1/admin/statements?from=2026-11-16&to=2026-11-23&limit=25',
    );

    const file = await send('GET', `${path}/renglones.csv`, { session: SESSION });

    expect([file.status, file.text]).toEqual([200, CSV]);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="12.csv"');
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    expect((await send('GET', `${path}/renglones.csv`)).status).toBe(404);
  });

  it('show their lines and amounts, and a payment waits for a second person', async () => {
    const { text } = await send('GET', path, { session: SESSION });
    for (const words of [
      'Liquidación 12',
      'PED-4711',
      '$1,446.15',
      'Por pagar',
      `href="${path}?cursor=${STORE}">Siguientes`,
    ])
      expect(text).toContain(words);
    expect(text).not.toContain(`action="${path}/devuelta"`);

    const asked = await post(`${path}/pagada`, { bankReference: 'SPEI-1', paidOn: '2026-11-24' });

    expect(asked.status).toBe(202);
    expect(changes()).toEqual([
      expect.objectContaining({
        path: `/v1/admin/statements/${STATEMENT}/mark-paid`,
        body: '{"bankReference":"SPEI-1","paidOn":"2026-11-24"}',
      }),
    ]);
  });

  it('show further pages of lines', async () => {
    const second = await send('GET', `${path}?cursor=${STORE}`, { session: SESSION });
    expect(second.text).toContain(`href="${path}">Volver al principio`);
    expect(gateway.calls.map((call) => call.path)).toContain(
      `/v1/admin/statements/${STATEMENT}/lines?limit=25&cursor=${STORE}`,
    );
  });

  it('of a wholesaler begin with what is not closed, which a second person lets correct', async () => {
    const draft = `/liquidaciones/mayorista/${STORE}`;
    const list = await send('GET', `/liquidaciones?mayorista=${STORE}`, { session: SESSION });
    expect(list.text).toContain(`href="${draft}"`);
    const { text } = await send('GET', draft, { session: SESSION });
    for (const words of ['Abarrotes del Norte', '−$311.60', '$665.20', 'renglones: 1'])
      expect(text).toContain(words);
    expect(text).toMatch(/name="key" value="[\da-f-]{36}"/);

    const answers = [
      await post(draft, { kind: 'clawback', amount: '480.50', transactionId: STORE, reason: 'a' }),
      await post(draft, { kind: 'less', amount: '$1,020.50', transactionId: '', reason: 'b' }),
      await post(draft, { kind: 'more', amount: '3', transactionId: '', reason: 'c' }),
      await post(draft, { kind: 'less', amount: 'mucho', transactionId: '', reason: 'd' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(changes().map(({ body }) => JSON.parse(body))).toEqual([
      { wholesalerId: STORE, kind: 'clawback', amount: 480.5, transactionId: STORE, reason: 'a' },
      { wholesalerId: STORE, kind: 'adjustment', amount: -1020.5, reason: 'b' },
      { wholesalerId: STORE, kind: 'adjustment', amount: 3, reason: 'c' },
      { wholesalerId: STORE, kind: 'adjustment', amount: null, reason: 'd' },
    ]);
  });

  it('close up to now when no day is named', async () => {
    await post('/liquidaciones', { until: '' });
    expect(changes().map(({ body }) => JSON.parse(body))).toEqual([
      { until: expect.stringMatching(/T.*Z$/) },
    ]);
  });

  it('are to be closed again while some wholesalers remain', async () => {
    const { headers } = await post('/liquidaciones', { until: '2026-11-19' });
    expect(headers.get('location')).toBe('/liquidaciones?aviso=faltan');
  });

  it('close with the deliveries of the day that is named', async () => {
    const { status, headers } = await post('/liquidaciones', { until: '2026-11-22' });
    expect([status, headers.get('location')]).toEqual([303, '/liquidaciones?aviso=cerradas']);
    expect(changes()).toEqual([
      expect.objectContaining({
        path: '/v1/admin/statements/close',
        body: '{"until":"2026-11-23"}',
      }),
    ]);
  });
});

describe('credit notes of an order', () => {
  const path = `/pedidos/${ORDER}`;
  const give = async (form: object) =>
    send('POST', `${path}/notas`, {
      session: SESSION,
      headers: SAME_ORIGIN,
      form: { csrf: await csrfOf(SESSION), reason: 'return', reference: '', key: 'k-1', ...form },
    });

  it('are shown with what is left, and an operator gives another one', async () => {
    const { text } = await send('GET', path, { session: SESSION });
    for (const words of ['Notas de crédito', 'Mercancía dañada', 'DEV-7', 'Quedan $600.00'])
      expect(text).toContain(words);
    expect(text).toMatch(/name="key" value="[\da-f-]{36}"/);

    const { status, headers } = await give({ amount: '$120.50', reference: 'DEV-8' });

    expect([status, headers.get('location')]).toEqual([303, `${path}?aviso=guardado`]);
    expect(changes()).toEqual([
      expect.objectContaining({
        path: `/v1/admin/transactions/${ORDER}/credit-notes`,
        body: '{"amount":120.5,"reason":"return","reference":"DEV-8"}',
      }),
    ]);
  });

  it('wait for a second person, or are refused in words', async () => {
    const asked = await give({ amount: '550' });
    expect(asked.status).toBe(202);
    expect(asked.text).toContain(`href="/aprobaciones/${STORE}"`);
    const refused = await give({ amount: '700' });
    expect(refused.status).toBe(422);
    expect(refused.text).not.toContain('CREDIT_NOTE_AMOUNT_NOT_ALLOWED');
    expect(refused.text).toMatch(/value="700"/);
  });
});

it('an address as a number leads to the console’s own name', async () => {
  const response = await fetch(`http://127.0.0.1:${running.port}/tiendas`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, `${ORIGIN}/tiendas`]);
});
