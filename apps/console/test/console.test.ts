import { createHmac } from 'node:crypto';
import { get } from 'node:http';
import { consoleOnStandIn, SAME_ORIGIN } from './support/console-on-stand-in';
import { ENDED_SESSION, ORDER, SESSION, STORE } from './support/stand-in-gateway';

const ORIGIN = 'http://localhost:3010';
const OTHER_SESSION = `fiado_session_${'b'.repeat(43)}`;
const INVITATION = `fiado_invite_${'d'.repeat(43)}`;

const running = consoleOnStandIn();
const { send, page, post, csrfOf, changes } = running;

it('a document says why it may not be readable', async () => {
  const { text } = await page('/validacion');
  expect(text).toMatch(/<figcaption>[^<]*<span class="badge warn">Se ve borrosa<\/span>\s*<\//);
});

it('webhooks name whose they are, and an endpoint that fails is not green', async () => {
  const { text } = await page('/webhooks');
  const wholesalerId = '9e1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8007';
  expect(text).toContain(`<a href="/mayoristas/${wholesalerId}">Mayorista 7</a>`);
  expect(text).toContain(`<a href="/proveedores/${STORE}">OXXO Pay</a>`);
  expect(text.match(new RegExp(`<a href="/pedidos/${ORDER}">Ver pedido</a>`, 'g'))).toHaveLength(1);
  expect(text).toContain('<span class="badge warn">Activo, con fallos</span>');
});

describe('a form', () => {
  it('whose change waits for another person leads back to its page', async () => {
    const { status, text } = await send('POST', `/tiendas/${STORE}`, {
      session: SESSION,
      headers: { ...SAME_ORIGIN, referer: `${ORIGIN}/tiendas/${STORE}?ver=todo` },
      form: { csrf: await csrfOf(SESSION), creditLimit: '20000' },
    });
    expect([
      status,
      text.includes(`<a href="/tiendas/${STORE}">Volver a donde estabas</a>`),
    ]).toEqual([202, true]);
  });

  const path = `/validacion/${STORE}/aprobar`;

  it('from our own page reaches the API in the name of the person', async () => {
    const { status, headers } = await post(path, {});
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

  it('that a session ended in comes back with what was typed, once', async () => {
    const csrf = createHmac('sha256', ENDED_SESSION)
      .update('fiado console form')
      .digest('base64url');
    const sent = await send('POST', '/liquidaciones', {
      session: ENDED_SESSION,
      headers: { ...SAME_ORIGIN, referer: `${ORIGIN}/liquidaciones?aviso=x` },
      form: { csrf, until: '2026-11-23', reason: 'x' },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      '/entrar?a=%2Fliquidaciones',
    ]);
    const cookies = sent.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const typed = cookies.find((cookie) => cookie?.startsWith('__Host-fiado-typed='));
    const back = await send('GET', '/liquidaciones', {
      headers: { cookie: `__Host-fiado=${SESSION}; ${typed ?? ''}` },
    });
    expect(back.text).toContain('value="2026-11-23"');
    expect(back.text).not.toContain('data-submit');
    for (const made of ['null', '7', '{"action":"/liquidaciones","fields":{"until":{}}}', '{']) {
      const cookie = `__Host-fiado=${SESSION}; __Host-fiado-typed=${Buffer.from(made).toString('base64url')}`;
      expect((await send('GET', '/liquidaciones', { headers: { cookie } })).status).toBe(200);
    }
    expect(back.headers.getSetCookie().join()).toContain('__Host-fiado-typed=;');
  });

  it('that another person pressed in this browser is not sent in the name of this one', async () => {
    const form = { action: '/liquidaciones', fields: { until: '2026-11-23' }, pressedBy: STORE };
    const text = Buffer.from(JSON.stringify(form)).toString('base64url');
    const cookie = `__Host-fiado=${SESSION}; __Host-fiado-typed=${text}`;
    const back = await send('GET', '/liquidaciones', { headers: { cookie } });
    expect(back.text).not.toMatch(/data-submit|value="2026-11-23"/);
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
    const { status, text } = await post(`/validacion/${STORE}/rechazar`, { reason: '' });
    expect(status).toBe(400);
    expect(text).toContain('reason is empty');
  });

  it('whose change needs a second person says that it waits', async () => {
    const { status, text } = await post(`/tiendas/${STORE}`, { creditLimit: '50000' });
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
      expect((await page(target)).status).toBe(404);
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
      expect(running.gateway.calls).toEqual([]);
    },
  );

  it('runs, loads and embeds nothing from elsewhere, and is in no cache', async () => {
    const { headers } = await page('/validacion');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows what others wrote as text', async () => {
    const { text } = await page('/validacion');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>');
  });

  it('of the queue has the documents of one store, and links to the next and the previous', async () => {
    const first = await page('/validacion');
    expect(first.text).toContain(`src="/documentos/${STORE}/${STORE}"`);
    expect(first.text).toMatch(/rel="next"/);
    expect(first.text).not.toMatch(/rel="prev"/);
    const next = /rel="next"\s+href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    expect((await page(next)).text).toMatch(/rel="prev"/);
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
      expect(running.gateway.calls).toEqual([]);
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

describe('credit notes of an order', () => {
  const path = `/pedidos/${ORDER}`;
  const give = (form: object) =>
    post(`${path}/notas`, { reason: 'return', reference: '', key: 'k-1', ...form });

  it('are shown with what is left, and an operator gives another one', async () => {
    const { text } = await page(path);
    for (const words of ['Notas de crédito', 'Mercancía dañada', 'DEV-7', 'Quedan $600.00'])
      expect(text).toContain(words);
    expect(text).toMatch(/name="key" value="[\da-f-]{36}"/);

    const { status, headers } = await give({ amount: '$120.50', reference: 'DEV-8' });

    expect([status, headers.get('location')]).toEqual([303, `${path}?aviso=guardado`]);
    expect(changes()).toEqual([
      expect.objectContaining({
        path: `/v1/admin/transactions/${ORDER}/credit-notes`,
        body: '{"amount":120.5,"reason":"return","reference":"DEV-8"}',
        // The same form sent twice gives one note.
        idempotencyKey: 'k-1',
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

it.each([
  ['/\\evil.example', '/evil.example'],
  ['//evil.example?a=1', '/evil.example?a=1'],
  ['http://evil.example/x', '/'],
])('and %s leads to no other host', async (target, leadsTo) => {
  const location = await new Promise((resolve, reject) => {
    const options = { port: running.port, host: '127.0.0.1', path: target };
    get(options, (res) => resolve(res.resume().headers.location)).on('error', reject);
  });
  expect(location).toBe(`${ORIGIN}${leadsTo}`);
});

it.each(['', '.', '..'])('a deposit is assigned to no store of the name “%s”', async (store) => {
  const path = `/depositos/${STORE}/asignar?tienda=${store}`;
  expect((await page(path)).status).toBe(404);
});

it('strangers who open the sign-in make no call of the gateway each', async () => {
  for (let opened = 0; opened < 3; opened++) await send('GET', '/entrar');
  const ways = running.gateway.calls.filter(({ path }) => path === '/v1/sign-in/ways');
  expect(ways.length).toBeLessThanOrEqual(1);
});
