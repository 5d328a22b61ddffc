import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { describeInBrowser, openConsole, type ConsoleTour } from './support/console';
import { termsOf } from './support/console-changes';
import { createWholesaler, type Wholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();

describeInBrowser('the console refuses', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  let foreign: StandIn;
  let foreignPage = '';
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system);
    const headers = { 'content-type': 'text/html' };
    foreign = await startStandIn(() => ({ headers, body: foreignPage }));
  });
  afterAll(async () => {
    await tour.close();
    await foreign.stop();
  });

  /** A store that waits, and the path that approves it. */
  async function waitingStore() {
    const { body } = await system.call(wholesaler.key, 'POST', '/sandbox/customers', {
      body: { status: 'in-manual-validation' },
    });
    const { cornerStoreId } = body as { cornerStoreId: string };
    const reject = `/validacion/${cornerStoreId}/rechazar`;
    const isWaiting = async () =>
      (await termsOf(system, cornerStoreId)).status === 'in-manual-validation';
    return { cornerStoreId, reject, isWaiting };
  }

  const formOf = (action: string, csrf: string) =>
    `<form method="post" action="${system.consoleUrl}${action}">
       <input name="csrf" value="${csrf}"><input name="reason" value="x"><button>Go</button>
     </form>`;

  it.each([
    ['another site', '127.0.0.1'],
    // The browser sends the cookie with this one: a site is a host, whatever its port.
    ['another port of its own host', 'localhost'],
  ])('a form of %s, even with the right token', async (_where, host) => {
    const ana = await tour.person('approver', 'Ana Torres');
    const { reject, isWaiting } = await waitingStore();
    await ana.goto('/mis-sesiones');
    const csrf = await ana.page.locator('[name=csrf]').first().inputValue();
    foreignPage = formOf(reject, csrf);
    await ana.page.goto(`${foreign.url.replace('127.0.0.1', host)}/`);
    const [answer] = await Promise.all([
      ana.page.waitForResponse((response) => response.request().method() === 'POST'),
      ana.press('Go'),
    ]);
    expect(answer.status()).toBe(403);
    expect(await isWaiting()).toBe(true);
  });

  it('a form of its own page without the token', async () => {
    const ana = await tour.person('approver', 'Ana Torres');
    const { cornerStoreId, isWaiting } = await waitingStore();
    await ana.goto(`/validacion?tienda=${cornerStoreId}`);
    await ana.page.locator('summary', { hasText: 'Rechazar' }).click();
    await ana.page.locator('details').getByLabel('Motivo').fill('No coincide');
    await ana.page
      .locator('main [name=csrf]')
      .evaluateAll((fields) => fields.forEach((field) => field.remove()));
    await ana.press('Rechazar');
    await ana.page.getByRole('heading', { name: 'Formulario no válido' }).waitFor();
    expect(await isWaiting()).toBe(true);
  });

  it('a cookie of a session after its sign-out', async () => {
    const ana = await tour.person('approver', 'Ana Torres');
    const stolen = await ana.context.cookies(system.consoleUrl);
    await ana.press('Salir');
    await ana.page.waitForURL('**/entrar');
    await ana.context.addCookies(stolen);
    await ana.goto('/tiendas');
    expect(new URL(ana.page.url()).pathname).toBe('/entrar');
  });

  it('every change by GET', async () => {
    const ana = await tour.person('admin', 'Ana Torres');
    const { cornerStoreId, reject, isWaiting } = await waitingStore();
    const paths = [
      reject,
      `/validacion/${cornerStoreId}/aprobar`,
      `/personal/${ana.staffId}/baja`,
      `/personal/${ana.staffId}/rol`,
      '/salir',
    ];
    for (const path of paths) expect([path, await ana.goto(path)]).toEqual([path, 404]);
    expect(await isWaiting()).toBe(true);
    expect(await ana.goto('/mis-sesiones')).toBe(200);
  });
});
