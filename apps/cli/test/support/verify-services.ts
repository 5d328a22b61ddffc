import type {
  AccountsSums,
  InvariantCheck,
  PaymentsSums,
  TransactionsSums,
} from '@fiado/contracts/invariants';
import { SERVICES } from '@fiado/contracts/process-names';
import { OPS_KEY, runFiado, type Ran } from './run-fiado';
import type { StandInAnswer } from '@fiado/chassis/testing/stand-in';
import { StandInApi, type SeenRequest } from './stand-in-api';

/** So few that stores of one service are on other pages than those of the next. */
const PAGE_SIZE = 3;
const STORES = 10;
/** The digest of no debts. */
const NO_DEBTS = 'd41d8cd98f00b204e9800998ecf8427e';
const SUMS = ['accounts', 'transactions', 'payments'] as const;

export interface Reports {
  accounts: AccountsSums[];
  transactions: TransactionsSums[];
  payments: PaymentsSums[];
  /** The checks of each range of a service. */
  ranges: InvariantCheck[][];
}

/** Four services that agree, behind a stand-in of the gateway. */
export interface StandInServices {
  api: StandInApi;
  reports: Reports;
  verify: (...args: string[]) => Promise<Ran>;
}

export async function startStandInServices(): Promise<StandInServices> {
  const api = await new StandInApi().start();
  const services: StandInServices = {
    api,
    reports: consistentReports(),
    verify: (...args) => runFiado(['verify', ...args], { BASE_URL: api.url, OPS_API_KEY: OPS_KEY }),
  };
  for (const service of SERVICES) {
    api.on(`GET /invariants/${service}`, ({ query }) => {
      const at = Number(query['from']?.slice('range:'.length) ?? 0);
      const isLast = at === services.reports.ranges.length - 1;
      const next = isLast ? null : `range:${at + 1}`;
      const checks = services.reports.ranges[at] ?? [];
      return { body: { service, checks, rows: 100, done: isLast ? 1 : 0.5, next } };
    });
  }
  for (const service of SUMS) {
    api.on(`GET /invariants/${service}/corner-stores`, (request) =>
      page(services.reports[service], request),
    );
  }
  api.on('POST /audit/verify-runs', () => ({ status: 204 }));
  api.on('GET /staff/roots', () => ({ body: { members: [], warning: null } }));
  return services;
}

export const storeId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A page of the stores after the cursor of a request. */
export function page(
  rows: Array<{ cornerStoreId: string }>,
  { query }: SeenRequest,
): StandInAnswer {
  const after = rows.filter((row) => row.cornerStoreId > (query['cursor'] ?? ''));
  const cornerStores = after.slice(0, PAGE_SIZE);
  const nextCursor = after.length > PAGE_SIZE ? cornerStores.at(-1)?.cornerStoreId : null;
  return { body: { cornerStores, nextCursor } };
}

/** payments knows every second store only. */
function consistentReports(): Reports {
  const all = Array.from({ length: STORES }, (_, n) => n);
  const buyers = all.filter((n) => n % 2 === 1);
  const copied = (n: number) => ({
    cornerStoreId: storeId(n),
    userId: `user-${n}`,
    version: 1,
    phoneDigest: `phone-${n}`,
    status: 'approved',
    overdue: n === 3,
    overdueVersion: n === 3 ? 1 : 0,
    customersDigest: `customers-${n}`,
    settingsDigest: 'settings',
  });
  return {
    ranges: [
      [{ name: 'sums add up', holds: true, violations: [] }],
      [{ name: 'sums add up', holds: true, violations: [] }],
    ],
    accounts: all.map((n) =>
      Object.assign(copied(n), { creditLimitCents: 1_000_000, interestRate: '0.05' }),
    ),
    transactions: all.map((n) =>
      Object.assign(copied(n), {
        limitCents: 1_000_000,
        interestRate: '0.050000',
        usedCents: n % 2 === 1 ? 50_000 : 20_000,
        heldCents: 20_000,
        debts: n % 2,
        debtsDigest: n % 2 === 1 ? `debts-${n}` : NO_DEBTS,
      }),
    ),
    payments: buyers.map((n) => ({
      cornerStoreId: storeId(n),
      userId: `user-${n}`,
      owedPrincipalCents: 30_000,
      overdueCount: n === 3 ? 2 : 0,
      overdueVersion: n === 3 ? 1 : 0,
      debts: 1,
      debtsDigest: `debts-${n}`,
    })),
  };
}
