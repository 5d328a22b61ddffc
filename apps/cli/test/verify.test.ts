import {
  page,
  startStandInServices,
  storeId,
  type Reports,
  type StandInServices,
} from './support/verify-services';

let services: StandInServices;
beforeEach(async () => {
  services = await startStandInServices();
});
afterEach(() => services.api.stop());

/** Answers what a service knows of the debts of a store. */
function knowDebts(service: 'transactions' | 'payments', debts: object[]): void {
  services.api.on(`GET /invariants/${service}/debts`, () => ({
    body: { debts, nextCursor: null },
  }));
}

const debt = (transactionId: string, more = {}) => ({
  transactionId,
  wholesalerId: 'w-1',
  userId: 'user-5',
  externalId: 'tienda-5',
  principalCents: 30_000,
  interestCents: 1_500,
  ivaCents: 240,
  dueAt: '2026-12-07T05:59:59.999Z',
  paid: false,
  inDefault: false,
  owedPrincipalCents: 30_000,
  version: 1,
  ...more,
});

test('if all balances reconcile, every check is ok and the exit code 0', async () => {
  const { exitCode, stdout, stderr } = await services.verify();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/^ok /gm)).toHaveLength(13);
  expect(services.api.seen.at(-1)).toMatchObject({
    method: 'POST',
    body: { checks: 13, failed: 0, since: expect.any(String) },
  });
  expect(stdout).toMatch(/^ok +across +used credit equals holds plus outstanding principal/m);
  expect(stdout).toMatch(/^10 corner stores compared; what ended before .* was left out/m);
});

test('it warns where one person may count as two, and ends with 0', async () => {
  services.api.on('GET /staff/roots', () => ({ body: { members: [], warning: 'too-few-roots' } }));
  const { exitCode, stderr } = await services.verify();
  expect(exitCode).toBe(0);
  expect(stderr).toContain('WARNING: fewer than two people are known to be two');
});

test('every call has the same period: the last 35 days, those of --days, or with --all everything', async () => {
  const sinceOf = async (...args: string[]): Promise<Array<string | undefined>> => {
    services.api.seen.length = 0;
    expect((await services.verify(...args)).exitCode).toBe(0);
    const checks = services.api.seen.filter(({ path }) => path.includes('/invariants/'));
    return [...new Set(checks.map(({ query }) => query['since']))];
  };
  for (const [args, days] of [[[], 35] as const, [['--days', '7'], 7] as const]) {
    const [since = '', ...others] = await sinceOf(...args);
    expect(others).toEqual([]);
    const daysAgo = (Date.now() - Date.parse(since)) / 86_400_000;
    expect(Math.round(daysAgo)).toBe(days);
  }
  expect(await sinceOf('--all')).toEqual([undefined]);
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
    'a store of another user',
    ({ payments }) => Object.assign(payments[2] ?? {}, { userId: 'user-9' }),
    [/same user .*\n.*0{11}5, accounts user-5, transactions user-5, payments user-9/],
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
    'a phone that did not travel',
    ({ accounts }) => Object.assign(accounts[0] ?? {}, { phoneDigest: 'other' }),
    [/phone number and the version.*\n.*samePhone false/],
  ],
  [
    'a version that did not travel',
    ({ accounts }) => Object.assign(accounts[0] ?? {}, { version: 2 }),
    [/phone number and the version.*\n.*versions \(accounts 2, transactions 1\)/],
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
  breakIt(services.reports);
  const { exitCode, stdout, stderr } = await services.verify('--settle', '0');
  expect(exitCode).toBe(1);
  for (const text of texts) expect(stdout).toMatch(text);
  expect(stderr).toMatch(/^fiado: \d of 13 checks failed\n$/);
});

test('debts that differ are named order by order, with what differs', async () => {
  Object.assign(services.reports.payments[2] ?? {}, { debtsDigest: 'other' });
  knowDebts('transactions', [debt('order-1'), debt('order-2'), debt('order-3')]);
  knowDebts('payments', [debt('order-1'), debt('order-2', { interestCents: 1_501 })]);
  const { stdout } = await services.verify('--settle', '0');
  const lines = stdout.split('\n').filter((line) => line.includes('order-'));
  expect(lines).toEqual([
    `  cornerStoreId ${storeId(5)}, transactionId order-2, transactions (interest 15.00), ` +
      'payments (interest 15.01)',
    `  cornerStoreId ${storeId(5)}, transactionId order-3, transactions true, payments false`,
  ]);
});

test('what only payments tells of a debt is a difference', async () => {
  Object.assign(services.reports.payments[2] ?? {}, { debtsDigest: 'other' });
  knowDebts('transactions', [debt('order-1')]);
  knowDebts('payments', [debt('order-1', { disputed: true })]);
  const { exitCode, stdout } = await services.verify('--settle', '0');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('disputed');
});

test('debts that agree when they are named are no difference', async () => {
  Object.assign(services.reports.payments[2] ?? {}, { debtsDigest: 'other' });
  knowDebts('transactions', [debt('order-1')]);
  knowDebts('payments', [debt('order-1')]);
  expect((await services.verify('--settle', '0')).exitCode).toBe(0);
});

test('a violated invariant of a service is shown with the rows of all its ranges', async () => {
  const broken = (depositId: string) => ({
    name: 'sums add up',
    holds: false,
    violations: [{ depositId }],
  });
  services.reports.ranges = [
    [broken('d-1')],
    [{ name: 'sums add up', holds: true, violations: [] }],
  ];
  services.reports.ranges.push([broken('d-2')]);
  const { exitCode, stdout } = await services.verify('--json');
  expect(exitCode).toBe(1);
  const report = JSON.parse(stdout) as { ok: boolean; checks: object[] };
  expect(report.ok).toBe(false);
  const violations = [{ depositId: 'd-1' }, { depositId: 'd-2' }];
  const found = { service: 'payments', name: 'sums add up', holds: false, violations };
  expect(report.checks).toContainEqual(found);
});

test('a difference that settles is not reported, and only its pages are read again', async () => {
  const [late] = services.reports.payments.splice(4, 1);
  let asked = 0;
  services.api.on('GET /invariants/payments/corner-stores', (request) => {
    asked += 1;
    if (asked === 4 && late !== undefined) services.reports.payments.push(late);
    return page(services.reports.payments, request);
  });
  expect(await services.verify()).toMatchObject({ exitCode: 0, stderr: '' });
  const ofAccounts = services.api.seen.filter(({ path }) =>
    path.endsWith('accounts/corner-stores'),
  );
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
  services.api.on('GET /invariants/transactions/corner-stores', (request) => {
    asked += 1;
    const busy = services.reports.transactions.map((row) =>
      row.cornerStoreId !== storeId(9)
        ? row
        : asked <= 4
          ? { ...row, limitCents: 1 }
          : { ...row, usedCents: 1 },
    );
    return page(busy, request);
  });
  expect((await services.verify('--settle', '2')).exitCode).toBe(0);
});

test('a service that lists in another order than the merge needs is named', async () => {
  services.reports.payments.reverse();
  const { exitCode, stderr } = await services.verify();
  expect(exitCode).toBe(1);
  expect(stderr).toBe('fiado: payments lists its corner stores out of order\n');
});
