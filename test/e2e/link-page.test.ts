import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { codeIn, createStore, createWholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** A small phone, as many corner stores have. */
const PHONE = { width: 360, height: 740 };

const found = existsSync(CHROMIUM);
if (!found)
  process.stdout.write(`No Chromium at ${CHROMIUM}: its test of the link's page is skipped\n`);

(found ? describe : describe.skip)('in a real browser', () => {
  const system = sharedSystem();
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('the owner of a corner store confirms an order behind a link, without scripts', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const wholesaler = await createWholesaler(system, { name: 'Abarrotera "Ñandú" & Hijos' });
    const store = await createStore(system, wholesaler);
    const path = `/link/external/${store.externalId}`;
    const { body } = await system.call(wholesaler.key, 'POST', path, {
      body: {
        transaction: {
          totalAmount: 1234.5,
          products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
        },
      },
    });

    await page.goto(`${system.baseUrl}${new URL(body.link).pathname}`);
    expect(await page.title()).toBe('Confirma tu pedido · Fiado');
    expect(await textOf(page)).toContain(store.phone.slice(-4));
    expect(await textOf(page)).not.toMatch(/Abarrotera|1,234/);
    await takePicture(page, 'unsent');

    await page.getByRole('button', { name: 'Enviar clave' }).click();
    expect(await textOf(page)).toContain('Enviamos un SMS');
    await takePicture(page, 'waiting');
    const code = codeIn(await system.sms(store.phone, 'order-code'));
    await type(page, code === '000000' ? '000001' : '000000');
    expect(await textOf(page)).toContain('Esa clave no es válida');
    await takePicture(page, 'wrong');

    await page.getByRole('button', { name: 'Enviar otra vez' }).click();
    expect(await textOf(page)).toContain('te enviamos el SMS otra vez');
    expect(codeIn(await system.sms(store.phone, 'order-code', 1))).toBe(code);

    await type(page, code);
    expect(await textOf(page)).toMatch(/Abarrotera "Ñandú" & Hijos[^]*\$1,234\.50/);
    await takePicture(page, 'confirmed');
    await page.goto(`${system.baseUrl}/pedido/${body.transactionId}`);
    expect(await textOf(page)).toContain('Este pedido ya está confirmado');

    expect(complaints).toEqual([expect.stringContaining('status of 422')]);
    const { body: order } = await system.call(
      wholesaler.key,
      'GET',
      `/transaction/${body.transactionId}`,
    );
    expect(order.transactionStatus).toBe('on-hold');
  });
});

async function type(page: Page, code: string): Promise<void> {
  await page.getByLabel('Clave de seis números').fill(code);
  await page.getByRole('button', { name: 'Confirmar pedido' }).click();
}

async function textOf(page: Page): Promise<string> {
  return page.locator('body').innerText();
}

/** For a person to look at. */
async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(tmpdir(), `fiado-link-page-${name}.png`) });
}
