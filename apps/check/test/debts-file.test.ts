import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../src/program';

const OPTIONS = ['--url', 'http://127.0.0.1:1', '--key', 'fiado_test_x', '--provider', 'Acme'];

it.each([
  ['', 'has no debt'],
  ['idFactura\n123', 'row 1 needs idFactura and numeroReferencia'],
  ['idFactura,numeroReferencia\n123,\n', 'row 1 needs idFactura and numeroReferencia'],
  ['idFactura,numeroReferencia\n"123', 'is no CSV'],
  [Buffer.from('idFactura,numeroReferencia\n\u00d1,1', 'latin1'), 'is not UTF-8'],
])('%p is refused before anything is sent', async (text, problem) => {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-check-'));
  const file = join(folder, 'debts.csv');
  await writeFile(file, text);

  expect(await run('--debts', file)).toEqual([2, expect.stringContaining(problem)]);
  await rm(folder, { recursive: true });
});

it('needs a file or a wholesaler, not both', async () => {
  const problem = expect.stringContaining('use --as-wholesaler or --debts');

  expect(await run()).toEqual([2, problem]);
  expect(await run('--debts', 'x.csv', '--as-wholesaler', 'fiado_test_y')).toEqual([2, problem]);
  expect(await run('--debts', '/nowhere.csv')).toEqual([
    2,
    expect.stringContaining('cannot be read'),
  ]);
});

async function run(...args: string[]): Promise<[number, string]> {
  let printed = '';
  const output = { write: (text: string) => (printed += text) };
  const code = await runCheck(['provider', ...OPTIONS, ...args], {
    stdout: output,
    stderr: output,
  });
  return [code, printed];
}
