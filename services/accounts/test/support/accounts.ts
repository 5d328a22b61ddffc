import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  startTestService,
  type TestOptions,
  type TestService,
} from '@fiado/chassis/testing/service';
import type { CornerStoreSnapshot } from '@fiado/contracts/corner-store';
import { ops } from '@fiado/chassis/testing/callers';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { AccountsConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { accountsService } from '../../src/service';

export type Accounts = TestService<Context>;

/** A process that the service forks runs from the sources too: it takes its parent's options. */
if (!process.execArgv.includes('fiado-src')) process.execArgv.push(...RUN_SOURCES);

export function startAccounts(options: TestOptions<AccountsConfig> = {}): Promise<Accounts> {
  return startTestService(accountsService, AccountsConfig, options);
}

/** Starts accounts, with one wholesaler. */
export async function startAccountsWithWholesaler(
  options: TestOptions<AccountsConfig> = {},
): Promise<{ accounts: Accounts; wholesalerId: string; apiKey: string }> {
  const accounts = await startAccounts(options);
  const { wholesalerId, apiKey } = await createWholesaler(accounts);
  return { accounts, wholesalerId, apiKey };
}

/** Creates a wholesaler through the API. */
export async function createWholesaler(
  accounts: Accounts,
  settings: object = {},
): Promise<{ wholesalerId: string; apiKey: string; apiKeyId: string }> {
  const { status, body } = await accounts.call(ops(), 'POST', '/v1/admin/wholesalers', {
    body: { name: 'Abarrotes del Norte', ...settings },
  });
  expect(status).toBe(201);
  return body;
}

export interface CustomerBody {
  externalId: string;
  firstName: string;
  lastNames: string;
  phoneNumber: string;
  creditLimit: number;
  interestRate: number;
  timeZone?: string;
  whatsappConsent?: string;
}

/** A customer that shares nothing with any other. */
export function customerBody(over: Partial<CustomerBody> = {}): CustomerBody {
  return {
    externalId: `C-${randomUUID()}`,
    firstName: 'Ana María',
    lastNames: 'Ruiz Peña',
    phoneNumber: newPhone(),
    creditLimit: 5000,
    interestRate: 0.05,
    ...over,
  };
}

let phones = 0;

/** A valid Mexican number that this test file has not used yet. */
export function newPhone(): string {
  phones += 1;
  return `+5255${String(10_000_000 + phones)}`;
}

export function importCustomers(
  accounts: Accounts,
  wholesalerId: string,
  customers: object[],
): Promise<Answer> {
  return accounts.call(ops(), 'POST', `/v1/admin/wholesalers/${wholesalerId}/customers`, {
    body: { customers },
  });
}

export interface Customer extends CustomerBody {
  userId: string;
  cornerStoreId: string;
}

/** Imports customers in one request, which a busy machine answers as soon as one of a single customer. */
export async function createCustomers(
  accounts: Accounts,
  wholesalerId: string,
  count: number,
): Promise<Customer[]> {
  const customers = Array.from({ length: count }, () => customerBody());
  const { status, body } = await importCustomers(accounts, wholesalerId, customers);
  expect(status).toBe(201);
  return customers.map((customer, at) => ({ ...customer, ...body.customers[at] }));
}

/** Imports one customer through the API. */
export async function createCustomer(
  accounts: Accounts,
  wholesalerId: string,
  over: Partial<CustomerBody> = {},
): Promise<Customer> {
  const customer = customerBody(over);
  const { status, body } = await importCustomers(accounts, wholesalerId, [customer]);
  expect(status).toBe(201);
  return { ...customer, ...body.customers[0] };
}

export function approve(accounts: Accounts, cornerStoreId: string): Promise<Answer> {
  return accounts.call(ops(), 'POST', `/v1/admin/corner-stores/${cornerStoreId}/approve`);
}

/** The published snapshots of a corner store, in the order of their versions. */
export async function publishedSnapshots(
  accounts: Accounts,
  cornerStoreId: string,
): Promise<CornerStoreSnapshot[]> {
  return (await accounts.outbox('corner-store.changed'))
    .filter((row) => row.aggregate_id === cornerStoreId)
    .sort((a, b) => a.aggregate_version - b.aggregate_version)
    .map((row) => row.data as CornerStoreSnapshot);
}
