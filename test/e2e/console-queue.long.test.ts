import { randomUUID } from 'node:crypto';
import { describeInBrowser, look, openConsole, type ConsoleTour } from './support/console';
import { termsOf } from './support/console-changes';
import { createQueue, createWaitingStore } from './support/console-stores';
import { createWholesaler, type Wholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
/** Stores on one page of the queue. */
const PAGE = 100;

describeInBrowser('in the console', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system);
  });
  afterAll(() => tour.close());

  it('an invited person makes a passkey, which is the only way in from then on', async () => {
    const ana = await tour.person('approver', 'Ana Torres');
    expect(await ana.text()).toContain('Ana Torres');

    await ana.press('Salir');
    await ana.page.waitForURL('**/entrar');
    await look(ana, 'sign-in');
    await ana.goto(ana.invitation);
    expect(await ana.text()).toContain('La invitación ya no sirve');
    await look(ana, 'invitation-used');
    await ana.goto('/entrar');
    await ana.press('Entrar con mi llave de acceso');
    await ana.page.waitForURL(`${system.consoleUrl}/`);
    expect(await ana.text()).toContain('datos de las');
  });

  it('a store is approved from the queue by keyboard alone, with its documents side by side', async () => {
    const name = `Abarrotes Lupita ${randomUUID().slice(0, 4)}`;
    const { cornerStoreId } = await createWaitingStore(system, wholesaler, name);
    await createQueue(system, wholesaler, 2);
    const { page, ...ana } = await tour.person('approver', 'Ana Torres');
    const focused = () =>
      page
        .locator('html')
        .evaluate((html) => html.ownerDocument.activeElement?.textContent?.trim());
    const tabTo = async (text: string): Promise<void> => {
      for (let tabs = 0; (await focused()) !== text; tabs += 1) {
        expect(tabs).toBeLessThan(PAGE);
        await page.keyboard.press('Tab');
      }
    };

    await tabTo('Validación');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/validacion');
    while (!(await ana.text()).includes(name)) {
      const before = page.url();
      await page.keyboard.press('j');
      await page.waitForURL((url) => url.href !== before);
    }
    const before = page.url();
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.href !== before);
    await page.keyboard.press('j');
    await page.waitForURL(before);

    const boxes = await Promise.all(
      (await page.locator('.documents img').all()).map((image) => image.boundingBox()),
    );
    const captions = await page.locator('.documents figcaption').allInnerTexts();
    expect(captions.map((caption) => caption.includes('Se ve borrosa'))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(boxes).toHaveLength(4);
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    await look({ ...ana, page }, 'queue-store');
    await tabTo('Aprobar');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href !== before);
    expect(await termsOf(system, cornerStoreId)).toMatchObject({ status: 'approved' });
  });

  it('a queue of more than 100 stores goes on behind its first page', async () => {
    await createQueue(system, wholesaler, PAGE + 1);
    const ana = await tour.person('operator', 'Olga Ruiz');
    await ana.goto('/validacion');
    expect(await ana.text()).toContain(`1 / ${PAGE}+`);
    const list = '/admin/corner-stores?status=in-manual-validation';
    const { body } = await ana.call('GET', list);
    await ana.goto(`/validacion?tienda=${body.cornerStores[PAGE - 1].cornerStoreId}`);
    await ana.page.keyboard.press('j');
    await ana.page.waitForURL((url) => url.search.startsWith('?cursor='));
    expect(await ana.text()).toContain('1 / ');
    await ana.page.keyboard.press('k');
    await ana.page.waitForURL(`${system.consoleUrl}/validacion?`);
    await ana.goto('/tiendas?status=in-manual-validation');
    expect(await ana.page.locator('tbody tr').count()).toBe(PAGE);
    await ana.page.getByRole('link', { name: 'Siguientes' }).click();
    await ana.page.waitForURL((url) => url.searchParams.has('cursor'));
    expect(await ana.page.locator('tbody tr').count()).toBeGreaterThan(0);
  });
});
