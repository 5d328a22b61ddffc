import { asOwner } from '@fiado/chassis/testing/as-owner';
import { dayAfter } from '@fiado/contracts/clock';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { waitFor } from './support/api';
import {
  counted,
  describeInBrowser,
  keepPicture,
  look,
  openConsole,
  type ConsoleTour,
} from './support/console';
import { seedPastWeeks, type PastOrder, type PastWeeks } from './support/past-weeks';
import { startSystem, type System } from './support/system';

/** The page of exports is read again every four seconds. */
const READY_DEADLINE_MS = 60_000;

/** Pages that docs/guides/ops.md shows, on a computer and on a phone. */
const IN_GUIDE = ['statements', 'reports', 'exports'];
const WIDTHS = [1280, 360];

/** Columns of the books that the page of reports shows. */
const AMOUNTS = {
  portfolio_days: ['principal_cents', 'interest_cents', 'iva_cents'],
  portfolio_flows: ['collected_principal_cents', 'collected_interest_cents'],
  portfolio_cohorts: ['principal_cents', 'reached_cents', 'unpaid_cents'],
};

describeInBrowser('the money pages of the console', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let system: System & { databaseUrl: string };
  let tour: ConsoleTour;
  let past: PastWeeks;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-money-'));
    postgres = new EmbeddedPostgres({ dataDir: folder, durable: false });
    const { databaseUrl } = await postgres.start();
    const env = { FIADO_MODE: 'sandbox', DATABASE_URL: databaseUrl, FOUR_EYES: 'off' };
    system = { ...(await startSystem({ env })), databaseUrl };
    [past] = await seedPastWeeks(system, 2);
    // A missing day of the reports is looked for each minute, and first at the start of payments.
    system.kill('payments');
    await waitFor(async () => {
      const { body } = await system.call(system.opsKey, 'GET', '/admin/reports/portfolio');
      return (body.asOf ?? '') >= dayBefore() || undefined;
    });
    tour = await openConsole(system);
  });
  afterAll(async () => {
    await tour?.close();
    await system?.dispose();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_words, scripts) => {
    it('have the orders of last week in one press, of the wholesaler that is chosen', async () => {
      const { page, ...ana } = await tour.person('admin', 'Ana Torres', scripts);
      await ana.goto('/exportaciones');
      const [from, to] = [
        await page.getByLabel('Desde el día').inputValue(),
        await page.getByLabel('Hasta el día').inputValue(),
      ];
      await page.getByLabel('Desde el día').fill('2026-01-01');
      await page.getByLabel('Mayorista').selectOption(past.wholesaler.wholesalerId);
      await page.getByRole('button', { name: 'La semana pasada' }).click();
      // The newest export is the first one.
      const newest = page.locator('tbody tr').first();
      const ready = newest.getByRole('button', { name: 'Descargar' });
      await ready.waitFor({ timeout: READY_DEADLINE_MS });
      const [file] = await Promise.all([page.waitForEvent('download'), ready.click()]);

      const rows = rowsIn(await readFile(await file.path(), 'utf8'));
      const ofWeek = past.orders.filter(({ day }) => from <= day && day <= to);
      expect(ofWeek).toHaveLength(3);
      expect(rows.map(amountsOf)).toEqual(ofWeek.map(expectedAmounts));
    });

    it('lead to the lines of its statement in two clicks', async () => {
      const { page, ...ana } = await tour.person('admin', 'Ana Torres', scripts);
      await ana.goto('/');
      await page.getByRole('link', { name: 'Liquidaciones', exact: true }).click();
      const name = `Descargar CSV: ${past.wholesaler.name} 3`;
      const link = page.getByRole('link', { name });
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);

      const rows = rowsIn(await readFile(await file.path(), 'utf8'));
      const [ofFirst, ofSecond, ofLast] = past.orders.slice(3, 6);
      expect(rows.map((row) => [row['Renglón'], Number(row['Principal'])])).toEqual([
        ['Entrega', ofFirst?.delivered],
        ['Entrega', ofSecond?.delivered],
        ['Entrega', ofLast?.delivered],
        ['Nota de crédito', -(ofLast?.credited ?? 0)],
      ]);
    });

    it('lead to what made a statement lower than the last one in 2 clicks', async () => {
      const ana = await tour.person('admin', 'Ana Torres', scripts);
      const { page } = ana;
      await ana.goto('/liquidaciones');
      const { press, clicks } = counted(ana);
      const { name } = past.wholesaler;
      const row = page.getByRole('row', { name: `${name} Núm. 3` });
      await press(row.getByRole('link', { name }).first());
      await page.getByText('La anterior, núm. 2').waitFor();
      await press(page.getByRole('link', { name: 'Nota de crédito' }));
      await page.waitForURL('**/pedidos/*');
      expect(clicks()).toBe(2);
    });

    it('lead to the movements of the month in 5 clicks, and say whether it agrees', async () => {
      const ana = await tour.person('admin', 'Ana Torres', scripts);
      const { page } = ana;
      await ana.goto('/');
      const { press, clicks } = counted(ana);
      await press(page.getByRole('link', { name: 'Reportes', exact: true }));
      await press(page.getByRole('link', { name: 'Cierre del mes' }));
      await page.getByRole('heading', { name: /^Cierre de / }).waitFor();
      await look(ana, 'money-month');
      await press(page.getByRole('link', { name: 'Archivos del mes, para la contabilidad' }));
      expect(await page.getByLabel('Desde el día').inputValue()).toMatch(/-01$/);
      await press(page.getByRole('button', { name: 'Exportar' }));
      const ready = page.locator('tbody tr').first().getByRole('button', { name: 'Descargar' });
      await ready.waitFor({ timeout: READY_DEADLINE_MS });
      const [file] = await Promise.all([page.waitForEvent('download'), press(ready)]);
      expect(clicks()).toBe(5);
      expect(await readFile(await file.path(), 'utf8')).toContain('\nTotal,');
    });

    if (scripts) {
      it('let the arrows go from row to row, and Enter open one', async () => {
        const { page, ...ana } = await tour.person('admin', 'Ana Torres', scripts);
        await ana.goto('/liquidaciones');
        const rows = page.locator('td.name a');
        await rows.first().focus();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowDown');
        const second = await rows.nth(1).getAttribute('href');
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${second}`);
      });
    }

    it('have no findings of axe, fit a phone, and keep each amount on a line', async () => {
      const ana = await tour.person('admin', 'Ana Torres', scripts);
      const { wholesalerId } = past.wholesaler;
      const path = `/admin/statements?wholesalerId=${wholesalerId}`;
      const { body } = await system.call(system.opsKey, 'GET', path);
      const month = dayAfter(new Date(), 'America/Mexico_City').date.slice(0, 'YYYY-MM'.length);
      const pages = {
        statements: '/liquidaciones',
        statement: `/liquidaciones/${body.statements[0].statementId}`,
        draft: `/liquidaciones/mayorista/${wholesalerId}`,
        reports: '/reportes',
        month: `/reportes/mes?mes=${month}`,
        'statements-to-pay': '/liquidaciones?status=closed&orden=closedAt',
        several: `/liquidaciones/varias?liquidacion=${body.statements[0].statementId}`,
        'reports-of-one': `/reportes?mayorista=${wholesalerId}`,
        exports: '/exportaciones',
        reconcile: '/reportes/conciliar',
      };
      for (const [name, path] of Object.entries(pages)) {
        expect([path, await ana.goto(path)]).toEqual([path, 200]);
        await look(ana, `money-${name}`);
        if (!scripts || !IN_GUIDE.includes(name)) continue;
        for (const width of WIDTHS) await keepPicture(ana.page, `console-${name}`, { width });
      }
    });
  });

  it('keep the amounts of a large lender on a line too', async () => {
    // Of some hundred million pesos.
    const updates = Object.entries(AMOUNTS).map(([table, columns]) => {
      const larger = columns.map((column) => `${column} = ${column} * 10000`);
      return `UPDATE payments.${table} SET ${larger.join()}`;
    });
    // Triggers keep the books as they are.
    const statements = ['SET session_replication_role = replica', ...updates];
    await asOwner(system.databaseUrl, (owner) => owner.query(statements.join(';')));
    const ana = await tour.person('viewer', 'Ana Torres');
    await ana.goto('/reportes');
    expect(await ana.text()).toMatch(/\$\d{3},\d{3},\d{3}\.\d{2}/);
    await look(ana, 'money-reports-large');
  });
});

/** The day before yesterday, which is over in every time zone. */
function dayBefore(): string {
  return new Date(Date.now() - 2 * 24 * 3_600_000).toISOString().slice(0, 10);
}

/** The rows of a spreadsheet above its sums, in which no value has a comma. */
function rowsIn(text: string): Array<Record<string, string>> {
  const [rows = ''] = text.replace('\uFEFF', '').split('\n\n');
  const [head = '', ...lines] = rows.split('\n');
  const columns = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((value, at) => [columns[at], value])),
  );
}

/** Of a row of the spreadsheet, as it is written there. */
function amountsOf(row: Record<string, string>): unknown[] {
  const amounts = [row['Principal'], row['Interés'], row['IVA'], row['Total']];
  return [row['Id del pedido'], ...amounts.map(Number)];
}

/** Interests of 5 % of what was delivered, and 16 % of them as IVA. */
function expectedAmounts({ transactionId, delivered }: PastOrder): unknown[] {
  const cents = Math.round(delivered * 100);
  const interests = Math.round(cents * 0.05);
  const iva = Math.round(interests * 0.16);
  return [transactionId, ...[cents, interests, iva, cents + interests + iva].map((c) => c / 100)];
}
