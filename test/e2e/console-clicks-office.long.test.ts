import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import type { Locator } from 'playwright-core';
import { waitFor } from './support/api';
import {
  counted,
  describeInBrowser,
  look,
  openConsole,
  type ConsoleTour,
  type Person,
} from './support/console';
import { requestLimit } from './support/console-changes';
import { createStore, createWholesaler, order, randomWord, type Wholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
/** The figures of the first page are a minute old at most. */
const FIGURES_DEADLINE_MS = 150_000;
/** The page of exports is read again every four seconds. */
const READY_DEADLINE_MS = 60_000;

describeInBrowser('in the console, from the first page', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system);
  });
  afterAll(() => tour.close());

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_words, scripts) => {
    it('a colleague is invited in 3 clicks', async () => {
      const carla = await tour.person('admin', 'Carla Soto', scripts);
      const { page } = carla;
      await carla.goto('/');
      const { press, clicks } = counted(carla);
      await press(page.getByRole('link', { name: 'Personal', exact: true }));
      await press(page.locator('summary', { hasText: 'Invitar a una persona' }));
      await page.getByLabel('Correo').fill(`eva.${randomUUID().slice(0, 8)}@lender.example`);
      await page.getByLabel('Nombre').fill('Eva Sol');
      await page.getByLabel('Motivo', { exact: true }).fill('Cubre a Luis');
      await press(page.getByRole('button', { name: 'Invitar', exact: true }));
      await page.getByText('espera la aprobación de otra persona').waitFor();
      expect(clicks()).toBe(3);
    });

    it('the access of a colleague ends in 2 clicks, after a look at what is open', async () => {
      const name = `Rita ${randomWord()}`;
      const rita = await tour.person('approver', name, scripts);
      const { cornerStoreId } = await createStore(system, wholesaler);
      await requestLimit(rita, cornerStoreId, 20_000);
      const carla = await tour.person('admin', 'Carla Soto', scripts);
      await carla.goto('/');
      const { press, find, clicks } = counted(carla);
      await find(name.toLowerCase());
      const open = carla.page.getByText(
        `${name} no podrá entrar, y sus sesiones terminan. Espera aprobación lo que pidió: 1. Termina sin aplicarse.`,
      );
      await open.waitFor();
      await look(carla, 'colleague');
      await press(carla.page.getByRole('button', { name: `Sí, quitar el acceso a ${name}` }));
      await carla.page.getByRole('status').waitFor();
      expect(clicks()).toBe(2);
      await waitFor(async () => {
        await rita.goto('/');
        return new URL(rita.page.url()).pathname === '/entrar' || undefined;
      });
    });

    it('the file of last week is downloaded in 3 clicks', async () => {
      const olga = await tour.person('operator', 'Olga Ruiz', scripts);
      const { page } = olga;
      await olga.goto('/');
      const { press, clicks } = counted(olga);
      await press(page.getByRole('link', { name: 'Exportaciones', exact: true }));
      await press(page.getByRole('button', { name: 'La semana pasada' }));
      await page.getByRole('status').waitFor();
      const ready = page.locator('tbody tr').first().getByRole('button', { name: 'Descargar' });
      await ready.waitFor({ timeout: READY_DEADLINE_MS });
      const [file] = await Promise.all([page.waitForEvent('download'), press(ready)]);
      expect(clicks()).toBe(3);
      expect(await readFile(await file.path(), 'utf8')).toContain('\nTotal,');
    });

    it('a job that failed last night is tried again in 2 clicks, and a message that failed leads to its store in 2', async () => {
      const depositId = await failedDeposit();
      const lastNames = randomWord();
      const phone = `+52550${String(randomInt(100_000)).padStart(5, '0')}02`;
      const store = await createStore(system, wholesaler, { phone, lastNames });
      await order(system, wholesaler, store);
      const olga = await tour.person('operator', 'Olga Ruiz', scripts);
      const { page } = olga;

      const failedJobs = page.locator('main a[href="/trabajos"]');
      await untilOnFirstPage(olga, failedJobs);
      const tried = counted(olga);
      await tried.press(failedJobs);
      await look(olga, 'failed-jobs');
      const row = page.locator('tr', {
        has: page.locator(`form[action="/trabajos/payments/${depositId}/repetir"]`),
      });
      expect(await row.innerText()).toContain('connect ECONNREFUSED');
      await tried.press(row.getByRole('button', { name: 'Repetir' }));
      await page.getByText('Se intenta otra vez.').waitFor();
      expect(tried.clicks()).toBe(2);
      await waitFor(async () => {
        const { body } = await olga.call('GET', `/admin/deposits/${depositId}`);
        return body.status === 'unmatched' || undefined;
      });

      // The first page may lead to older ones before.
      await waitFor(async () => {
        const path = '/admin/messages/search';
        const { body } = await system.call(system.opsKey, 'POST', path, {
          body: { phoneNumber: phone },
        });
        const messages = body.messages as { status: string }[];
        return messages.some(({ status }) => status === 'failed') || undefined;
      });
      const failedMessages = page.locator('main a[href="/mensajes?status=failed"]');
      await untilOnFirstPage(olga, failedMessages);
      const seen = counted(olga);
      await seen.press(failedMessages);
      await look(olga, 'failed-messages');
      await seen.press(page.getByRole('link', { name: `Lucía ${lastNames}` }).first());
      await page.waitForURL(`**/tiendas/${store.cornerStoreId}`);
      expect(seen.clicks()).toBe(2);
    });
  });
});

async function untilOnFirstPage(person: Person, link: Locator): Promise<void> {
  await waitFor(async () => {
    await person.goto('/');
    if (await link.isVisible()) return true;
    await sleep(1_000);
    return undefined;
  }, FIGURES_DEADLINE_MS);
}

/** A deposit that could not be applied, six hours ago for the last time: a failed job. @returns the id of both */
async function failedDeposit(): Promise<string> {
  const depositId = randomUUID();
  await asOwner(system.databaseUrl, (owner) =>
    owner.query(
      `INSERT INTO payments.deposits
         (id, payment_provider_id, provider_name, id_factura, numero_referencia, valor_cents,
          fecha_pago, paid_at, clave_de_pago, body_hash, body, attempts, last_error, dead_at)
       VALUES ($1::uuid, gen_random_uuid(), 'Pagos', '', $1::uuid::text, 10000, '2026-11-20 10:00:00.000', now(),
               $1::uuid::text, '\\x00', '{}', 8, 'connect ECONNREFUSED', now() - interval '6 hours')`,
      [depositId],
    ),
  );
  return depositId;
}
