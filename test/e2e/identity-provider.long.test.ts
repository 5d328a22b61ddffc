import { randomUUID } from 'node:crypto';
import { startIdentityProvider, type IdentityProvider } from './support/identity-provider';
import { startSystem, type System } from './support/system';
import { tourScriptedPages } from './support/browser';
import { waitFor } from './support/api';

let provider: IdentityProvider;
let system: System;
beforeAll(async () => {
  provider = await startIdentityProvider();
  await start();
});
afterAll(async () => {
  await system?.dispose();
  await provider.stop();
});

/** @param dataDir of a system that was stopped */
async function start(env: Record<string, string> = {}, dataDir?: string): Promise<void> {
  system = await startSystem({ env: { ...provider.env, ...env }, ...(dataDir && { dataDir }) });
  // The console starts when everything else is ready.
  await waitFor(() => fetch(`${system.consoleUrl}/health/ready`).catch(() => undefined));
}
beforeEach(() => {
  provider.forged = {};
});

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

type Cookies = Record<'login' | 'session', string>;

function send(path: string, cookie: string, form?: Record<string, string>): Promise<Response> {
  return fetch(new URL(path, system.consoleUrl), {
    headers: { cookie, ...(form === undefined ? {} : SAME_ORIGIN) },
    redirect: 'manual',
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
}

/** The cookies that an answer sets, as the browser sends them. */
function cookiesOf(answer: Response): Partial<Cookies> {
  const set = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const named = (name: string) => set.find((pair) => new RegExp(`^${name}=.`).test(pair));
  const [login, session] = [named('__Host-fiado-login'), named('__Host-fiado')];
  return { ...(login && { login }), ...(session && { session }) };
}

/** Goes to the provider and comes back with its answer, as a browser does. */
async function visitProvider(session = ''): Promise<{ login: string; cameBackTo: URL }> {
  const start = await send('/entrar/proveedor', session);
  const url = /content="0;url=([^"]+)"/.exec(await start.text())?.[1]?.replaceAll('&amp;', '&');
  const { headers } = await fetch(url ?? '', { redirect: 'manual' });
  const cameBackTo = new URL(headers.get('location') ?? '');
  return { login: cookiesOf(start).login ?? '', cameBackTo };
}

/** Posts the answer of the provider from the console's own page. */
async function finish(
  { login, cameBackTo }: { login: string; cameBackTo: URL },
  session?: string,
): Promise<Response> {
  const page = await (await send(cameBackTo.pathname + cameBackTo.search, login)).text();
  const query = /name="query" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const cookie = session === undefined ? login : `${login}; ${session}`;
  return send('/entrar/regreso', cookie, { query });
}

async function invite(role = 'operator'): Promise<string> {
  const email = `${randomUUID()}@lender.example`;
  const body = { email, name: 'Beto Luna', role };
  expect((await system.call(system.opsKey, 'POST', '/admin/staff', { body })).status).toBe(201);
  return email;
}

const [ASK, AGAIN] = ['Pide a un administrador', 'Empieza de nuevo'];
async function expectRefused(answer: Response, words = AGAIN): Promise<void> {
  expect([answer.status, cookiesOf(answer).session]).toEqual([422, undefined]);
  expect(await answer.text()).toContain(words);
}

it('an invited person signs in at the identity provider, and again under another address', async () => {
  const sub = randomUUID();
  provider.person = { sub, email: (await invite()).toUpperCase(), email_verified: true };
  expect(await (await send('/entrar', '')).text()).toContain('href="/entrar/proveedor"');
  const answer = await finish(await visitProvider());
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  const home = await send('/', cookiesOf(answer).session ?? '');
  expect([home.status, await home.text()]).toEqual([
    200,
    expect.stringMatching(/Beto Luna[^]*Operación/),
  ]);

  provider.person = { sub, email: 'new-name@lender.example', email_verified: true };
  expect((await finish(await visitProvider())).status).toBe(303);
});

it('the way back is a page, because a redirect would lack the strict cookie', async () => {
  const { login, cameBackTo } = await visitProvider();
  const page = await send(cameBackTo.pathname + cameBackTo.search, login);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('<form method="post" action="/entrar/regreso" data-submit>'),
  ]);
});

tourScriptedPages('a person comes back from the identity provider signed in', async (tour) => {
  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  await tour.goto(`${system.consoleUrl}/entrar`);
  await tour.page.getByRole('link', { name: 'Sign in with the company account' }).click();
  // Without scripts the page on the way back waits for its button.
  if (!tour.scripts) await tour.press('Continue');
  await tour.press('Menu');
  await tour.page.getByText('Beto Luna').waitFor();
  expect(tour.page.url()).toBe(`${system.consoleUrl}/`);
});

it.each([
  ['was not invited', { email: 'stranger@lender.example', email_verified: true }],
  ['has no address', {}],
])('a person who %s is refused', async (_who, claims) => {
  provider.person = { sub: randomUUID(), ...claims };
  await expectRefused(await finish(await visitProvider()), ASK);
});

it('an address that the provider did not verify is nobody’s', async () => {
  const email = await invite();
  for (const verified of [{ email_verified: false }, {}]) {
    provider.person = { sub: randomUUID(), email, ...verified };
    await expectRefused(await finish(await visitProvider()), ASK);
  }
});

it('an address that is linked to one identity opens nothing to another', async () => {
  const email = await invite();
  provider.person = { sub: randomUUID(), email, email_verified: true };
  expect((await finish(await visitProvider())).status).toBe(303);

  provider.person = { sub: randomUUID(), email, email_verified: true };
  await expectRefused(await finish(await visitProvider()), ASK);
});

it.each([
  ['another nonce', { nonce: 'another' }],
  ['an old sign-in', { auth_time: Math.floor(Date.now() / 1000) - 13 * 3600 }],
])('an answer with %s is refused', async (_what, forged) => {
  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  provider.forged = forged;
  await expectRefused(await finish(await visitProvider()));

  provider.forged = {};
  expect((await finish(await visitProvider())).status).toBe(303);
});

it.each([
  ['another state', 'state', AGAIN],
  ['access_denied', 'error', ASK],
])('an answer with %s is refused, and the attempt is used up', async (value, name, words) => {
  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  const visit = await visitProvider();
  const forged = new URL(visit.cameBackTo);
  forged.searchParams.set(name, value);
  await expectRefused(await finish({ ...visit, cameBackTo: forged }), words);
  await expectRefused(await finish(visit));
});

it('an answer counts once, and only in the browser that asked for it', async () => {
  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  const visit = await visitProvider();
  const other = await visitProvider();
  await expectRefused(await finish({ ...visit, login: other.login }));
  expect((await finish({ ...visit, login: '' })).status).toBe(403);
  expect((await finish(visit)).status).toBe(303);
  await expectRefused(await finish(visit));
});

it('a confirmed session is replaced, and a sign-in that is a minute old confirms nothing', async () => {
  const sub = randomUUID();
  provider.person = { sub, email: await invite('approver'), email_verified: true };
  const { session = '' } = cookiesOf(await finish(await visitProvider()));

  // The clocks of the two may differ by half a minute.
  provider.forged = { auth_time: Math.floor(Date.now() / 1000) - 120 };
  await expectRefused(await finish(await visitProvider(session), session));
  provider.forged = {};
  const { session: confirmed = '' } = cookiesOf(
    await finish(await visitProvider(session), session),
  );
  expect((await send('/', confirmed)).status).toBe(200);
  expect((await send('/', session)).headers.get('location')).toBe('/entrar');
});

it('a session is not confirmed by another person, and goes on', async () => {
  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  const { session = '' } = cookiesOf(await finish(await visitProvider()));

  provider.person = { sub: randomUUID(), email: await invite(), email_verified: true };
  await expectRefused(await finish(await visitProvider(session), session));
  expect((await send('/', session)).status).toBe(200);
});

describe('where a claim decides the role', () => {
  beforeAll(async () => {
    await system.stop();
    const OIDC_ROLES = 'support=operator,credit=approver,fiado-admins=admin';
    await start({ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES }, system.dataDir);
  });

  async function roleWith(groups: unknown): Promise<string | undefined> {
    provider.person = { ...provider.person, groups };
    const { session } = cookiesOf(await finish(await visitProvider()));
    if (session === undefined) return undefined;
    const home = await (await send('/', session)).text();
    return /Beto Luna<[^]*?small"\s*>([^<]+)</.exec(home)?.[1];
  }

  it('a person has the highest role of the claim, whatever the invitation says', async () => {
    provider.person = { sub: randomUUID(), email: await invite('admin'), email_verified: true };
    expect(await roleWith('support')).toBe('Operación');
    expect(await roleWith(['support', 'other', 'credit'])).toBe('Aprobación');
  });

  it('a person whose claim stands for no role is refused, and one who was not invited too', async () => {
    provider.person = { sub: randomUUID(), email: await invite('admin'), email_verified: true };
    expect(await roleWith(undefined)).toBeUndefined();
    provider.person['groups'] = ['others'];
    await expectRefused(await finish(await visitProvider()), ASK);

    provider.person = { sub: randomUUID(), email: 'none@lender.example', email_verified: true };
    expect(await roleWith(['fiado-admins'])).toBeUndefined();
  });

  it('another role ends the earlier sessions and is in the audit log', async () => {
    provider.person = { sub: randomUUID(), email: await invite('viewer'), email_verified: true };
    provider.person['groups'] = ['fiado-admins'];
    const { session = '' } = cookiesOf(await finish(await visitProvider()));
    expect((await send('/', session)).status).toBe(200);

    provider.person['groups'] = ['support'];
    const confirmed = await finish(await visitProvider(session), session);
    expect(confirmed.status).toBe(303);
    expect((await send('/', session)).headers.get('location')).toMatch(/^\/entrar/);
    const path = '/admin/audit?action=staff.role-changed&limit=1';
    const { body } = await system.call(system.opsKey, 'GET', path);
    expect(body.entries[0].details).toEqual({
      before: 'admin',
      after: 'operator',
      decidedBy: 'identity-provider',
    });
  });
});
