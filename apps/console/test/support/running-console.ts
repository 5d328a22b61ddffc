import { createLogger } from '@fiado/chassis/logger';
import { loadConfig } from '@fiado/chassis/config';
import type { OpsScope } from '@fiado/contracts/caller';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { startTestService, type TestService } from '@fiado/chassis/testing/service';
import { GatewayConfig } from '@fiado/gateway/config';
import { startGateway } from '@fiado/gateway/service';
import { NotifierConfig } from '@fiado/notifier/config';
import { notifierService } from '@fiado/notifier/service';
import { PaymentsConfig } from '@fiado/payments/config';
import type { Context as Payments } from '@fiado/payments/context';
import { paymentsService } from '@fiado/payments/service';
import { TransactionsConfig } from '@fiado/transactions/config';
import type { Context as Transactions } from '@fiado/transactions/context';
import { transactionsService } from '@fiado/transactions/service';
import {
  createCustomer,
  createWholesaler,
  startAccounts,
  type Accounts,
  type Customer,
} from '../../../../services/accounts/test/support/accounts';
import { signedIn } from '../../../../services/accounts/test/support/staff';
import type { SoftPasskey } from '../../../../services/accounts/test/support/soft-passkey';
import { startTestConsole } from './console-on-stand-in';

interface Sent {
  status: number;
  text: string;
  location: string | null;
  /** Cookies that it sets, by name; one that it clears is empty. */
  cookies: Record<string, string>;
}

/** A person at a browser that holds the cookies it gets. */
export interface Person {
  staffId: string;
  passkey: SoftPasskey;
  get(path: string, headers?: Record<string, string>): Promise<Sent>;
  /** Sends a form of the console, with the token of its session. */
  post(path: string, form?: Record<string, string>): Promise<Sent>;
  /** Calls the console as its script does. */
  script(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>;
}

export interface RunningConsole {
  accounts: Accounts;
  payments: TestService<Payments>;
  transactions: TestService<Transactions>;
  person(role: OpsScope): Promise<Person>;
  stop(): Promise<void>;
}

/** The console on a gateway and the four services, all in this process and on databases of their own. */
export async function startRunningConsole(): Promise<RunningConsole> {
  const [transactions, payments, notifier] = await Promise.all([
    startTestService(transactionsService, TransactionsConfig),
    startTestService(paymentsService, PaymentsConfig),
    startTestService(notifierService, NotifierConfig),
  ]);
  const others = [transactions, payments, notifier];
  const urls = {
    TRANSACTIONS_URL: transactions.url,
    PAYMENTS_URL: payments.url,
    NOTIFIER_URL: notifier.url,
  };
  const accounts = await startAccounts({ config: urls });
  const gateway = await startGateway(
    loadConfig(GatewayConfig, {
      ...testKeyVariables('gateway'),
      ...urls,
      PORT: '0',
      ACCOUNTS_URL: accounts.url,
      RATE_LIMIT_PER_SECOND: '0',
    }),
    { log: createLogger('gateway', 'silent') },
  );
  const console = await startTestConsole(`http://127.0.0.1:${gateway.port}`);
  const url = `http://localhost:${console.port}`;
  return {
    accounts,
    payments,
    transactions,
    person: async (role) => {
      const { staffId, passkey, session } = await signedIn(accounts, role);
      return { staffId, passkey, ...browserAt(url, session.sessionToken) };
    },
    stop: async () => {
      await console.close();
      await gateway.close();
      await Promise.all([accounts, ...others].map((service) => service.stop()));
    },
  };
}

/** The same, with an admin, a viewer, and a wholesaler that has a customer. */
export async function startConsoleWithCustomer(): Promise<{
  fiado: RunningConsole;
  admin: Person;
  viewer: Person;
  wholesalerId: string;
  customer: Customer;
}> {
  const fiado = await startRunningConsole();
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  return {
    fiado,
    admin: await fiado.person('admin'),
    viewer: await fiado.person('viewer'),
    wholesalerId,
    customer: await createCustomer(fiado.accounts, wholesalerId),
  };
}

function browserAt(url: string, sessionToken: string): Pick<Person, 'get' | 'post' | 'script'> {
  const jar: Record<string, string> = { '__Host-fiado': sessionToken };
  const send = async (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> => {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const headers = { ...init.headers, cookie, 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
    Object.assign(jar, cookiesOf(response));
    return response;
  };
  /** Each page has it for the forms of its session. */
  let csrf: string | undefined;
  const sent = async (response: Response): Promise<Sent> => {
    const text = await response.text();
    csrf = /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? csrf;
    const { status, headers } = response;
    return { status, text, location: headers.get('location'), cookies: cookiesOf(response) };
  };
  return {
    get: async (path, headers = {}) => sent(await send(path, { headers })),
    post: async (path, form = {}) => {
      if (csrf === undefined) await sent(await send('/mis-sesiones', {}));
      const body = new URLSearchParams({ csrf: csrf ?? '', ...form });
      return sent(await send(path, { method: 'POST', body }));
    },
    script: async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

function cookiesOf(response: Response): Record<string, string> {
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}
