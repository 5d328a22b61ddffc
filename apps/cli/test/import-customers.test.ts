import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORT_PATH, serveImports, type ImportApi } from './support/import-api';
import { ID, OPS_KEY, runFiado } from './support/run-fiado';
import { refusal, StandInApi } from './support/stand-in-api';

const HEADER = 'externalId,firstName,lastNames,phoneNumber,creditLimit,interestRate';

let api: StandInApi;
let imports: ImportApi;
let folder: string;
let refusedFile: string;

beforeEach(async () => {
  api = await new StandInApi().start();
  imports = serveImports(api);
  folder = await mkdtemp(join(tmpdir(), 'fiado-cli-'));
  refusedFile = join(folder, 'refused.csv');
});

afterEach(async () => {
  await api.stop();
  await rm(folder, { recursive: true });
});

const phoneOf = (n: number) => `+52555${String(n).padStart(7, '0')}`;
const rowOf = (n: number, phone = phoneOf(n)) =>
  `tienda-${n},Rosa,"Peña, hija",${phone},10000,0.05`;

async function importFile(content: string | Buffer, ...options: string[]) {
  const file = join(folder, 'customers.csv');
  await writeFile(file, content);
  const args = ['customers', 'import', file, '--wholesaler', ID, ...options];
  return runFiado(args, { BASE_URL: api.url, OPS_API_KEY: OPS_KEY });
}

const rows = (count: number, row = (n: number) => rowOf(n)) =>
  [HEADER, ...Array.from({ length: count }, (_, n) => row(n))].join('\n');

test('5000 rows go in requests of 1000, two at the same time, and again without harm', async () => {
  const first = await importFile(rows(5000));
  expect(first).toEqual({
    exitCode: 0,
    stdout: 'rows 5000, imported 5000, refused 0\n',
    stderr: '',
  });
  expect(imports.sizes).toEqual([1000, 1000, 1000, 1000, 1000]);
  expect(imports.mostAtOnce()).toBe(2);
  expect(imports.customers.size).toBe(5000);
  expect(api.seen[0]?.body.customers[0]).toEqual({
    externalId: 'tienda-0',
    firstName: 'Rosa',
    lastNames: 'Peña, hija',
    phoneNumber: '+525550000000',
    creditLimit: 10000,
    interestRate: 0.05,
  });

  expect((await importFile(rows(5000))).exitCode).toBe(0);
  expect(imports.customers.size).toBe(5000);
});

test('rows at fault go to the refused file with their line and reason, all others in', async () => {
  imports.customers.set(phoneOf(7), 'another');
  imports.customers.set(phoneOf(900), 'another');
  const bad = new Set([3, 500, 1999]);
  const content = rows(2000, (n) => (bad.has(n) ? rowOf(n, 'no phone') : rowOf(n)));
  const ran = await importFile(content, '--refused', refusedFile, '--json');

  expect(ran.exitCode).toBe(1);
  expect(JSON.parse(ran.stdout)).toEqual({ rows: 2000, imported: 1995, refused: 5 });
  expect(ran.stderr).toBe('fiado: 5 of 2000 rows were refused\n');
  const lines = (await readFile(refusedFile, 'utf8')).trim().split('\n');
  expect(lines[0]).toBe(`line,${HEADER},reason`);
  expect(new Set(lines.slice(1))).toEqual(
    new Set([
      `5,${rowOf(3, 'no phone')},phoneNumber must be a valid phone number`,
      `502,${rowOf(500, 'no phone')},phoneNumber must be a valid phone number`,
      `2001,${rowOf(1999, 'no phone')},phoneNumber must be a valid phone number`,
      `9,${rowOf(7)},has the phoneNumber of a customer with another externalId`,
      `902,${rowOf(900)},has the phoneNumber of a customer with another externalId`,
    ]),
  );
  expect((await stat(refusedFile)).mode & 0o777).toBe(0o600);
});

test('a refused file, corrected, is imported as it is', async () => {
  await importFile(
    rows(3, (n) => rowOf(n, n === 1 ? 'no phone' : phoneOf(n))),
    '--refused',
    refusedFile,
  );
  const corrected = (await readFile(refusedFile, 'utf8')).replace('no phone', phoneOf(1));
  expect(await importFile(corrected)).toMatchObject({ exitCode: 0 });
  expect(imports.customers.get(phoneOf(1))).toBe('tienda-1');
});

test('where the API names no row, halves find the rows at fault', async () => {
  imports = serveImports(api, false);
  const bad = new Set([0, 600, 601]);
  const ran = await importFile(rows(1000, (n) => rowOf(n, bad.has(n) ? 'none' : phoneOf(n))));
  expect(ran.stdout).toBe('rows 1000, imported 997, refused 3\n');
  expect(imports.customers.size).toBe(997);
  expect(imports.sizes.length).toBeLessThan(60);
});

test('a batch in which every row conflicts with a customer is halved down to single rows', async () => {
  for (let n = 0; n < 250; n += 1) imports.customers.set(phoneOf(n), 'another');
  const ran = await importFile(rows(250), '--refused', refusedFile);
  expect(ran.stdout).toBe('rows 250, imported 0, refused 250\n');
  expect(imports.sizes.length).toBeLessThanOrEqual(250);
  expect(imports.sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500);
});

test('a row that conflicts with another one names its line', async () => {
  api.on(`POST ${IMPORT_PATH}`, ({ body }) =>
    body.customers.length === 3
      ? refusal(409, 'CUSTOMER_CONFLICT', 'customers.2 contradicts customers.0')
      : { status: 201, body: {} },
  );
  const { stderr } = await importFile(rows(3));
  expect(stderr).toBe('line 4: contradicts line 2\nfiado: 1 of 3 rows were refused\n');
});

test('rows that cannot be sent are refused here', async () => {
  const content = Buffer.concat([
    Buffer.from(`\ufeff${HEADER}\r\n`),
    Buffer.from(`a,Rosa,Peña,${phoneOf(1)},"$10,000",0.05\r\n\r\n`),
    Buffer.from(`b,Rosa,Peña,${phoneOf(2)},10000,5%\r\n`),
    Buffer.from(`c,Rosa,Peña,${phoneOf(3)},10000\r\n`),
    Buffer.from(`d,Rosa,Pe\u00f1a,${phoneOf(4)},10000,0.05\r\n`, 'latin1'),
    Buffer.from(`e,Rosa,Peña,${phoneOf(5)},10000,5\r\n`),
    Buffer.from(`f,Rosa,Peña,${phoneOf(6)},10.000,0.05\r\n`),
    Buffer.from(`${rowOf(6)}\r\n`),
  ]);
  const { stdout, stderr } = await importFile(content);
  expect(stdout).toBe('rows 7, imported 1, refused 6\n');
  expect(stderr.split('\n').slice(0, 6)).toEqual([
    'line 2: creditLimit must be a plain number such as 10000.50',
    'line 4: interestRate must be a rate from 0 to 1, such as 0.05',
    'line 5: has 5 columns instead of 6',
    'line 6: is not UTF-8',
    'line 7: interestRate must be a rate from 0 to 1, such as 0.05',
    'line 8: creditLimit is ambiguous: write 10000 or 10.00',
  ]);
});

test('a file that names a column twice is refused', async () => {
  const { stderr } = await importFile(
    `${HEADER},creditLimit\na,Rosa,Peña,${phoneOf(1)},1,0.05,2\n`,
  );
  expect(stderr).toContain('names creditLimit twice');
});

test('long names make smaller requests: none exceeds the limit of the API', async () => {
  const name = 'ñ'.repeat(1000);
  await importFile(rows(1000, (n) => `tienda-${n},${name},${name},${phoneOf(n)},1,0`));
  const sizes = api.seen.map(({ body }) => Buffer.byteLength(JSON.stringify(body)));
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  expect(imports.customers.size).toBe(1000);
});

describe('what ends an import', () => {
  test('a refusal that no row is at fault for: nothing more is sent', async () => {
    api.on(`POST ${IMPORT_PATH}`, refusal(404, 'WHOLESALER_NOT_FOUND', 'It does not exist'));
    const { exitCode, stdout, stderr } = await importFile(rows(5000));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^stopped after: imported 0, refused 0\nfiado: WHOLESALER_NOT_FOUND/);
    expect(api.seen.length).toBeLessThanOrEqual(2);
  });

  test.each([
    ['', 2, /the file is empty/],
    ['externalId,phoneNumber\na,b\n', 2, /must name firstName, lastNames, creditLimit/],
    [`${HEADER}\n${rowOf(1)}\n"never closed,${'x'.repeat(70_000)}`, 1, /not CSV any more/],
  ])('a file without our columns: %#', async (content, exitCode, text) => {
    const ran = await importFile(content);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(text);
    expect(api.seen).toEqual([]);
  });

  test('a refused file that is the imported one', async () => {
    const file = join(folder, 'customers.csv');
    const { exitCode, stderr } = await importFile(
      rows(1),
      '--refused',
      `${folder}/./customers.csv`,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/must not be the file that is imported/);
    expect(await readFile(file, 'utf8')).toBe(rows(1));
  });
});

test('waits for a service that is briefly unavailable', async () => {
  let left = 2;
  api.on(`POST ${IMPORT_PATH}`, () => {
    left -= 1;
    return left >= 0
      ? { ...refusal(503, 'SERVICE_UNAVAILABLE', 'Away'), headers: { 'retry-after': '0' } }
      : { status: 201, body: {} };
  });
  expect((await importFile(rows(10))).stdout).toBe('rows 10, imported 10, refused 0\n');
});

test('rows of a person wait for a second one, and each request is named', async () => {
  const changeRequestId = '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34';
  api.on(`POST ${IMPORT_PATH}`, { status: 202, body: { changeRequestId, status: 'pending' } });
  const { exitCode, stdout, stderr } = await importFile(rows(2));
  expect([exitCode, stdout]).toEqual([0, 'rows 2, imported 0, refused 0, waiting 2\n']);
  expect(stderr).toContain(`fiado change-requests show ${changeRequestId}`);
});
