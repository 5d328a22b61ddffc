import { consoleOnStandIn } from './support/console-on-stand-in';
import { STORE } from './support/stand-in-gateway';

const running = consoleOnStandIn();
const { page, post } = running;

/** The words of the page that answers a file of OXXO Pay. */
async function compared(file: string, changes: object = {}): Promise<string> {
  const form = { provider: 'OXXO Pay', day: '2026-11-22', file, ...changes };
  const { status, text } = await post('/reportes/conciliar', form);
  expect(status).toBe(200);
  return text.replaceAll(/<textarea[^]*?<\/textarea>/g, '').replaceAll(/\s+/g, ' ');
}

it('the file of a provider is compared with the deposits of its day, and nothing changes', async () => {
  const form = await page('/reportes/conciliar');
  expect(form.text).toMatch(/<option value="OXXO Pay"/);
  const text = await compared(
    '\uFEFFvalor,claveDePago,nota\n529.00, K-1,\n101,K-2,\n5,K-9,"a, b"\n',
  );
  const plain = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(plain).toContain('Hay 3 diferencias en 3 pagos.');
  expect(text).not.toContain('notice done');
  expect(plain).toContain('K-2 Otro monto Aplicado $101.00 $100.00');
  expect(plain).toContain('K-3 No está en el archivo: no cuentes con él Sin asignar — $7.00');
  expect(plain).toMatch(/K-9 No llegó: pide que lo reporten otra vez \$5\.00 —/);
  expect(plain).not.toContain('K-4');
  expect(text).toContain(`href="/depositos/${STORE}"`);
  expect(await compared('claveDePago,valor\nK-1,529\nK-2,100\nK-3,7\n')).toContain(
    'Todo coincide: 3 pagos.',
  );
  const methods = running.gateway.calls.map(({ method }) => method);
  expect(methods.every((method) => method === 'GET' || method === 'POST')).toBe(true);
  expect(running.changes()).toEqual([]);
});

it.each([
  ['no columns', 'a,b\n1,2\n', 'Faltan las columnas claveDePago y valor.'],
  [
    'no amount',
    'claveDePago,valor\nK,mucho\n',
    'Renglón 2: falta la clave, o un valor como 529.00.',
  ],
  ['a key twice', 'claveDePago,valor\nK,1\nK,1\n', 'Renglón 3: K está dos veces.'],
  ['an open quote', 'claveDePago,valor\n"K,1\n', 'El archivo no es CSV'],
  ['no row', 'claveDePago,valor\n', 'El archivo no tiene pagos.'],
])('a file with %s is a sentence, and keeps what was typed', async (_, file, words) => {
  expect(await compared(file)).toContain(words);
});

it('a file of a day with thousands of payments is taken, and a wrong day is refused', async () => {
  const rows = Array.from({ length: 15_000 }, (_, at) => `CLAVE-${at},529.00`);
  const file = `claveDePago,valor\n${rows.join('\n')}\n`;
  const text = await compared(file);
  expect(text).toContain('Hay 15003 diferencias');
  expect(text.match(/No llegó/g)).toHaveLength(100);
  expect(text.length).toBeLessThan(60_000);
  expect(await compared('claveDePago,valor\nK,1\n', { day: 'ayer' })).toContain(
    'El día no es válido.',
  );
});
