import type {
  AccountsSums,
  InvariantCheck,
  PaymentsSums,
  TransactionsSums,
} from '@fiado/shared/contracts/invariants';
import { SERVICES } from '@fiado/shared/contracts/process-names';
import { OPS_KEY, runFiado } from './support/run-fiado';
import { StandInApi, type SeenRequest } from './support/stand-in-api';

/** So few that stores of one service are on other pages than those of the next. */
const PAGE_SIZE = 3;
const STORES = 10;

interface Reports {
  accounts: AccountsSums[];
  transactions: TransactionsSums[];
  payments: PaymentsSums[];
  checks: InvariantCheck[];
}

let api: StandInApi;
let reports: Reports;

beforeEach(async () => {
  reports = consistentReports();
  api = await new StandInApi().start();
  for (const service of SERVICES) {
    api.on(`GET /invariants/${service}`, () => ({ body: { service, checks: reports.checks } }));
    if (service === 'notifier') continue;
    api.on(`GET /invariants/${service}/corner-stores`, (request) =>
      page(reports[service], request),
    );
  }
});

afterEach(() => api.stop());

const storeId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const verify = (...args: string[]) =>
  runFiado(['verify', ...args], { BASE_URL: api.url, OPS_API_KEY: OPS_KEY });

function page(rows: Array<{ cornerStoreId: string }>, { query }: SeenRequest) {
  const after = rows.filter((row) => row.cornerStoreId > (query['cursor'] ?? ''));
  const cornerStores = after.slice(0, PAGE_SIZE);
  const nextCursor = after.length > PAGE_SIZE ? cornerStores.at(-1)?.cornerStoreId : null;
  return { body: { cornerStores, nextCursor } };
}

/** payments knows every second store only. */
function consistentReports(): Reports {
  const all = Array.from({ length: STORES }, (_, n) => n);
  const buyers = all.filter((n) => n % 2 === 1);
  return {
    checks: [{ name: 'sums add up', holds: true, violations: [] }],
    accounts: all.map((n) => ({
      cornerStoreId: storeId(n),
      creditLimitCents: 1_000_000,
      interestRate: '0.05',
      status: 'approved',
      overdue: n === 3,
      customersDigest: `customers-${n}`,
      settingsDigest: 'settings',
    })),
    transactions: all.map((n) => ({
      cornerStoreId: storeId(n),
      limitCents: 1_000_000,
      interestRate: '0.050000',
      status: 'approved',
      overdue: n === 3,
      usedCents: n % 2 === 1 ? 50_000 : 20_000,
      heldCents: 20_000,
      deliveredCents: n % 2 === 1 ? 40_000 : 0,
      deliveredInterestCents: n % 2 === 1 ? 2_000 : 0,
      deliveredIvaCents: n % 2 === 1 ? 320 : 0,
      paidCount: n % 2,
      repaidCents: n % 2 === 1 ? 10_000 : 0,
      customersDigest: `customers-${n}`,
      settingsDigest: 'settings',
    })),
    payments: buyers.map((n) => ({
      cornerStoreId: storeId(n),
      principalCents: 40_000,
      principalPaidCents: 10_000,
      interestCents: 2_000,
      ivaCents: 320,
      paidCount: 1,
      overdueCount: n === 3 ? 2 : 0,
    })),
  };
}

test('if all balances reconcile, every check is ok and the exit code 0', async () => {
  const { exitCode, stdout, stderr } = await verify();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/^ok /gm)).toHaveLength(14);
  expect(stdout).toMatch(/^ok +across +used credit equals holds plus outstanding principal/m);
  expect(stdout).toMatch(/^10 corner stores compared$/m);
});

test.each<[string, (reports: Reports) => void, RegExp[]]>([
  [
    'a service that does not know a store',
    ({ transactions }) => transactions.splice(4, 1),
    [
      /same corner stores\n {2}cornerStoreId 0{8}-0000-4000-8000-0{11}4, accounts true, transactions false/,
    ],
  ],
  [
    'a limit that did not travel',
    ({ accounts }) => Object.assign(accounts[9] ?? {}, { creditLimitCents: 5 }),
    [
      /equal in accounts and transactions\n.*accounts \(limit 0.05, .*transactions \(limit 10000.00/,
    ],
  ],
  [
    'a status that did not travel',
    ({ accounts }) => Object.assign(accounts[0] ?? {}, { status: 'pre-approved' }),
    [/equal in accounts and transactions/],
  ],
  [
    'a rate that did not travel',
    ({ accounts }) => Object.assign(accounts[0] ?? {}, { interestRate: '0.06' }),
    [/equal in accounts and transactions/],
  ],
  [
    'a customer link that did not travel',
    ({ transactions }) => Object.assign(transactions[2] ?? {}, { customersDigest: 'other' }),
    [/customer links are equal.*\n.*0{11}2, accounts customers-2, transactions other/],
  ],
  [
    'a setting that did not travel',
    ({ accounts }) => Object.assign(accounts[2] ?? {}, { settingsDigest: 'other' }),
    [/settings are equal.*\n.*0{11}2, accounts other, transactions settings/],
  ],
  [
    'an interest that differs',
    ({ payments }) => Object.assign(payments[2] ?? {}, { interestCents: 2_001 }),
    [/deliveredInterest 20.00, interest 20.01/],
  ],
  [
    'an IVA that differs',
    ({ transactions }) => Object.assign(transactions[5] ?? {}, { deliveredIvaCents: 0 }),
    [/deliveredIva 0.00, iva 3.20/],
  ],
  [
    'an order that is paid in one place only',
    ({ transactions }) => Object.assign(transactions[5] ?? {}, { paidCount: 2 }),
    [/paidOrders 2, paidReceivables 1/],
  ],
  [
    'a delivery that payments does not know',
    ({ payments }) => payments.splice(0, 1),
    [/delivered 400.00, principal 0.00/, /repaid 100.00, principalPaid 0.00/, /owed 0.00/],
  ],
  [
    'a payment that was not told',
    ({ transactions }) => Object.assign(transactions[5] ?? {}, { repaidCents: 0 }),
    [/repaid 0.00, principalPaid 100.00/],
  ],
  [
    'credit that is held for nothing',
    ({ transactions }) => Object.assign(transactions[2] ?? {}, { usedCents: 20_001 }),
    [/used 200.01, held 200.00, owed 0.00/],
  ],
  [
    'a store that is overdue in one place only',
    ({ payments }) => Object.assign(payments[0] ?? {}, { overdueCount: 1 }),
    [/accounts false, transactions false, overdueCount 1/],
  ],
  [
    'a store that has paid, and is overdue in one place only',
    ({ payments }) => Object.assign(payments[1] ?? {}, { overdueCount: 0 }),
    [/accounts true, transactions true, overdueCount 0/],
  ],
])('%s is found, and exit code 1', async (_what, breakIt, texts) => {
  breakIt(reports);
  const { exitCode, stdout, stderr } = await verify('--settle', '0');
  expect(exitCode).toBe(1);
  for (const text of texts) expect(stdout).toMatch(text);
  expect(stderr).toMatch(/^fiado: \d of 14 checks failed\n$/);
});

test('a violated invariant of a service is shown with its rows', async () => {
  reports.checks = [{ name: 'sums add up', holds: false, violations: [{ depositId: 'd-1' }] }];
  const { exitCode, stdout } = await verify('--json');
  expect(exitCode).toBe(1);
  const report = JSON.parse(stdout) as { ok: boolean; checks: object[] };
  expect(report.ok).toBe(false);
  expect(report.checks).toContainEqual({ service: 'payments', ...reports.checks[0] });
});

test('a difference that settles is not reported, and only its pages are read again', async () => {
  const [late] = reports.payments.splice(4, 1);
  let asked = 0;
  api.on('GET /invariants/payments/corner-stores', (request) => {
    asked += 1;
    if (asked === 4 && late !== undefined) reports.payments.push(late);
    return page(reports.payments, request);
  });
  expect(await verify()).toMatchObject({ exitCode: 0, stderr: '' });
  const ofAccounts = api.seen.filter(({ path }) => path.endsWith('accounts/corner-stores'));
  expect(ofAccounts.map(({ query }) => query['cursor'])).toEqual([
    undefined,
    storeId(2),
    storeId(5),
    storeId(8),
    ...Array.from({ length: ofAccounts.length - 4 }, () => storeId(8)),
  ]);
});

test('different differences, one after the other, are traffic and not a fault', async () => {
  let asked = 0;
  api.on('GET /invariants/transactions/corner-stores', (request) => {
    asked += 1;
    const busy = reports.transactions.map((row) =>
      row.cornerStoreId !== storeId(9)
        ? row
        : asked <= 4
          ? { ...row, limitCents: 1 }
          : { ...row, repaidCents: 1 },
    );
    return page(busy, request);
  });
  expect((await verify('--settle', '2')).exitCode).toBe(0);
});

test('a service that lists in another order than the merge needs is named', async () => {
  reports.payments.reverse();
  const { exitCode, stderr } = await verify();
  expect(exitCode).toBe(1);
  expect(stderr).toBe('fiado: payments lists its corner stores out of order\n');
});
