import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ID } from './support/run-fiado';
import { useApi } from './support/use-api';

const { api, fiado } = useApi();

const folder = mkdtempSync(join(tmpdir(), 'fiado-reports-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileOf(text: string | Buffer): string {
  const file = join(folder, 'provider.csv');
  writeFileSync(file, text);
  return file;
}

test('fiado reports portfolio shows the buckets and the portfolio at risk', async () => {
  const atRisk = { amount: 1500, ratio: 0.15 };
  const portfolio = {
    asOf: '2026-11-22',
    outstanding: 10_000,
    buckets: [{ bucket: '1-7', debts: 3, principal: 1500, interests: 75, IVAAmount: 12 }],
    par: { par1: atRisk, par90: { amount: 0, ratio: null } },
    writtenOff: 500,
    wholesalers: [],
  };
  api.on('GET /reports/portfolio', { body: portfolio });
  const { exitCode, stdout } = await fiado('reports', 'portfolio', '--as-of', '2026-11-22');
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    [
      'end of 2026-11-22',
      'bucket  debts  principal  interests  IVAAmount',
      '1-7         3    1500.00      75.00      12.00',
      '',
      'outstanding principal  10000.00',
      'PAR1                   1500.00  15.00 %',
      'PAR90                  0.00',
      'written off            500.00',
      '',
    ].join('\n'),
  );
  expect(api.seen[0]?.query).toEqual({ asOf: '2026-11-22' });
});

test.each([
  [`flows --wholesaler ${ID}`, 'flows', 3],
  ['vintages', 'vintages', 2],
  ['collections', 'collections', 2],
])('fiado reports %s asks for its days', async (words, field, parameters) => {
  const [name = ''] = words.split(' ');
  api.on(`GET /reports/${name}`, { body: { [field]: [] } });
  const days = ['--from', '2026-11-01', '--to', '2026-11-30'];
  const { exitCode, stdout } = await fiado('reports', ...words.split(' '), ...days);
  expect([exitCode, stdout]).toEqual([0, 'none\n']);
  expect(Object.keys(api.seen[0]?.query ?? {})).toHaveLength(parameters);
});

describe('fiado deposits reconcile', () => {
  const deposit = (claveDePago: string, valor: number, paymentProvider = 'OXXO') => ({
    depositId: ID,
    claveDePago,
    valor,
    paymentProvider,
    status: 'applied',
  });
  const reconcile = (text: string | Buffer, ...more: string[]) =>
    fiado(
      'deposits',
      'reconcile',
      fileOf(text),
      '--provider',
      'OXXO',
      '--day',
      '2026-11-22',
      ...more,
    );
  const withDeposits = (ofDay: Record<string, object[]>) => {
    const paymentProviders = [{ name: 'Acme' }, { name: 'OXXO' }];
    api.on('GET /payment-providers', { body: { paymentProviders, nextCursor: null } });
    api.on('GET /deposits', ({ query }) => ({
      body: { deposits: ofDay[query['from'] ?? ''] ?? [], nextCursor: null },
    }));
  };

  test('prints what is missing on either side and other amounts, and exits with 1', async () => {
    withDeposits({
      '2026-11-21': [deposit('EARLY', 10), deposit('OF-YESTERDAY', 10)],
      '2026-11-22': [
        deposit('EQUAL', 0.29),
        deposit('OTHER', 100),
        deposit('NEW', 5),
        deposit('ELSEWHERE', 5, 'Acme'),
      ],
    });
    const file = 'valor,claveDePago,extra\n0.29,EQUAL,x\n99.99,OTHER,\n10,EARLY,\n7.5,LOST,\n';
    const { exitCode, stdout, stderr } = await reconcile(file, '--json');
    expect([exitCode, stderr]).toEqual([1, 'fiado: 3 differences\n']);
    const { payments, differences } = JSON.parse(stdout) as {
      payments: number;
      differences: Array<Record<string, unknown>>;
    };
    expect(payments).toBe(4);
    expect(
      differences.map((one) => [one['difference'], one['claveDePago'], one['file'], one['valor']]),
    ).toEqual([
      ['missing-here', 'LOST', 7.5, null],
      ['missing-there', 'NEW', null, 5],
      ['other-amount', 'OTHER', 99.99, 100],
    ]);
  });

  test('a key spelled otherwise in the file is equal', async () => {
    withDeposits({ '2026-11-22': [deposit('K\u00d1 ', 10)] });
    const { exitCode, stdout } = await reconcile(
      'claveDePago,valor\n"KN\u0303\u200b",10\n',
      '--json',
    );
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { payments: 1, differences: [] }]);
  });

  test('a payment whose deposit was reversed is a difference', async () => {
    withDeposits({ '2026-11-22': [{ ...deposit('BACK', 10), status: 'reversed' }] });
    const { exitCode, stdout } = await reconcile('claveDePago,valor\nBACK,10\n', '--json');
    const { differences } = JSON.parse(stdout) as { differences: object[] };
    expect([exitCode, differences]).toEqual([
      1,
      [expect.objectContaining({ difference: 'reversed-here', file: 10, valor: 10 })],
    ]);
  });

  test('a name that no provider has is wrong usage, and not lost money', async () => {
    withDeposits({});
    const file = fileOf('claveDePago,valor\nA,10\n');
    const words = ['deposits', 'reconcile', file, '--provider', 'Oxxo', '--day', '2026-11-22'];
    const { exitCode, stdout, stderr } = await fiado(...words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no payment provider is named Oxxo');
  });

  test('of equal sides it says so, and exits with 0', async () => {
    withDeposits({ '2026-11-22': [deposit('A', 10)] });
    const { exitCode, stdout } = await reconcile('claveDePago,valor\nA,10.00\n');
    expect([exitCode, stdout]).toEqual([0, 'no difference: 1 payments\n']);
  });

  test.each([
    ['', 'no payment'],
    ['clave,valor\nA,1\n', 'needs the columns'],
    ['claveDePago,valor\nA,1.234\n', 'line 2'],
    ['claveDePago,valor,valor\nA,1,2\n', 'the column valor twice'],
    ['claveDePago,valor\nA,1\nA,2\n', 'line 3: the file has A twice'],
    ['claveDePago,valor\nA,"1\n', 'not CSV'],
    [Buffer.from('claveDePago,valor\n\u00d1,1\n', 'latin1'), 'line 2: is not UTF-8'],
  ])('a wrong file is refused before anything is asked: %p', async (text, words) => {
    const { exitCode, stderr } = await reconcile(text);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(api.seen).toHaveLength(0);
  });

  test('a file that is not there and a day that is none are wrong usage', async () => {
    const words = [
      'deposits',
      'reconcile',
      join(folder, 'none.csv'),
      '--provider',
      'OXXO',
      '--day',
    ];
    expect((await fiado(...words, '2026-11-22')).exitCode).toBe(2);
    expect((await fiado(...words, 'today')).exitCode).toBe(2);
  });
});
