import { dayAfter } from '@fiado/contracts/clock';
import { consoleOnStandIn } from './support/console-on-stand-in';

const running = consoleOnStandIn();
const { page } = running;

/** The words of the page of a month. */
async function wordsOf(month: string): Promise<string> {
  const { text } = await page(`/reportes/mes?mes=${month}`);
  return text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

it('the close of a month adds up what moved, and agrees with the portfolio', async () => {
  const words = await wordsOf('2026-02');
  expect(words).toContain('Cierre de febrero de 2026');
  expect(words).toContain(
    'Al empezar $1,000.00 Entregado $1,200.00 Notas de crédito −$100.00 Cobrado −$1,000.20 ' +
      'Castigado −$99.80 Al terminar $1,000.00 Cuadra',
  );
  expect(words).toContain(
    'Principal $1,000.20 Interés $30.00 IVA $4.80 De adeudos castigados $20.00 De todo ello, por depósito $800.00',
  );
  expect(words).toMatch(
    /fiado verify , 1 mar[^.]* a\.m\. Sin diferencias 0 de 64 revisiones con diferencia; lo corrió Luis\./,
  );
  const asked = running.gateway.calls.map(({ path }) => path);
  expect(asked).toContain('/v1/admin/reports/portfolio?asOf=2026-01-31');
  expect(asked).toContain('/v1/admin/reports/portfolio?asOf=2026-02-28');
});

it('a month that is not over does not agree yet', async () => {
  const { date } = dayAfter(new Date(), 'America/Mexico_City');
  const words = await wordsOf(date.slice(0, 'YYYY-MM'.length));
  expect(words).toMatch(
    /Al terminar \$1,000\.00 Sin terminar Hasta el \d+ \S+ las sumas coinciden\./,
  );
  expect(words).not.toContain('Cuadra');
});

it('a missing cent is shown', async () => {
  expect(await wordsOf('2026-03')).toContain('No cuadra La suma da $1,000.01');
});

it('debts whose last day is a day or earlier are asked for up to its end', async () => {
  await page('/cobranza?vence=2026-12-18');
  expect(running.gateway.calls.map(({ path }) => path)).toContain(
    '/v1/admin/receivables?status=overdue&dueBefore=2026-12-19&limit=25&totals=true',
  );
});

it('a month whose days are not in the reports says so', async () => {
  expect(await wordsOf('2026-01')).toContain('De este mes no hay días cerrados.');
});

it('the close of a month leads to what is left to do in its days', async () => {
  const { text } = await page('/reportes/mes?mes=2026-02');
  const days = 'desde=2026-02-01&hasta=2026-02-28';
  for (const path of [
    `/depositos?status=unmatched&${days}`,
    `/liquidaciones?status=closed&${days}`,
    `/exportaciones?${days}`,
    '/reportes/mes?mes=2026-01',
    '/reportes/mes?mes=2026-03',
    '/reportes?dia=2026-11-22',
    `/depositos?status=todos&proveedor=OXXO+Pay&${days}`,
  ]) {
    expect(text.replaceAll('&amp;', '&')).toContain(`href="${path}"`);
  }
  const files = await page(`/exportaciones?${days}`);
  expect(files.text).toMatch(/name="from"[^>]*value="2026-02-01"/);
  expect(files.text).toMatch(/name="to"[^>]*value="2026-02-28"/);
});
