import { randomUUID } from 'node:crypto';
import { consoleRoutes } from '@fiado/console/routes';
import { EXAMPLE_TAX_PROFILE } from '@fiado/contracts/tax-profile-body';
import type { Client } from 'pg';
import { readOperations } from '../../libs/ops-client/src/api-document';
import { ARGUMENTS, commandWords, optionNames } from '../../apps/cli/src/names';
import { runFiado } from '../../apps/cli/test/support/run-fiado';
import {
  documentedRoutes,
  type DocumentedRoute,
  parametersOf,
} from '../contract/support/conformance';
import { INVOICE_PRODUCT } from '../contract/support/world';
import { waitFor } from './support/api';
import { type MarkedPerson, seedMarkedPerson } from './support/marked-person';
import { endOpenJobs } from './support/open-jobs';
import { idsOf, insertRareRows, tablesWithoutRow } from './erasure/personal-rows';
import { moveToTheirDays } from './support/past-weeks';
import { createProvider, createWholesaler, type Provider, type Wholesaler } from './support/story';
import { startSystem, type System } from './support/system';

/** Ends what hangs. On a busy machine an erasure takes a minute. */
const DEADLINE_MS = 150_000;

/** An export ends ten minutes ago at the latest. */
const AGO_MS = 11 * 60_000;

/** Tables without a row of the person before the erasure: the first is written by nobody any more, the others by it. */
const WITHOUT_ROW = [
  'accounts.account_links',
  'accounts.erased_phones',
  'accounts.erasures',
  'notifier.outbox',
  // Its invoice is simulated, and has no file.
  'transactions.invoice_files',
  // None of its statements is paid.
  'transactions.tax_documents',
];

/** Reads of what this person has no more, never had or may not have yet: for one id at least they are refused. */
const NOT_FOUND = [
  'lookUpReference',
  'getWebhookEndpoint',
  'listDeliveries',
  'getDelivery',
  'showDocument',
  'getExport',
  'showPrivacyPackage',
  // The store is blocked.
  'listDocuments',
  'getTaxProfile',
  'getCornerStoreTaxProfile',
  'getInvoiceFile',
  'getTransactionInvoiceFile',
  'getCommissionInvoiceFile',
  'getStatementCommissionInvoiceFile',
  // Of the person's earlier request, which erased nothing.
  'verifyErasure',
];

/** Reads of more than one operation, and those that judge what they read. */
const WRITTEN_COMMANDS = ['privacy verify {cancellationId}', 'verify --settle 20'];

const READS = documentedRoutes.filter(({ method }) => method === 'get');

const [WEEKS_AGO, LAST_WEEK, TOMORROW] = [-15, -8, 1].map((days) =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10),
) as [string, string, string];

describe('after the erasure of a person with a row in every table', () => {
  let system: System;
  let owner: Client;
  let wholesalers: [Wholesaler, Wholesaler];
  let provider: Provider;
  let person: MarkedPerson;
  const ids: Record<string, string[]> = {
    from: [WEEKS_AGO],
    to: [TOMORROW],
    q: ['erased'],
  };

  beforeAll(async () => {
    system = await startSystem({ env: { RETENTION_YEARS: '0' } });
    owner = await system.connect();
    const settings = { deliveryWordRequired: false, settlementEvery: 'on-demand' };
    wholesalers = [
      await createWholesaler(system, settings),
      await createWholesaler(system, settings),
    ];
    provider = await createProvider(system);
    person = await seedMarkedPerson(system, { wholesalers, provider });
    await seedEveryTable();
    expect(await tablesWithoutRow(owner, person)).toEqual(WITHOUT_ROW);
    await Promise.all([erase(), seedMarkedPerson(system, { wholesalers, provider })]);
    await endOpenJobs(owner, DEADLINE_MS);
    Object.assign(ids, await idsOf(owner, person));
  });
  afterAll(() => system?.dispose());

  it('every list and record is answered', async () => {
    const failed: string[] = [];
    const answered = new Set<string>();
    for (const route of READS) {
      for (const [key, path] of requestsOf(route)) {
        const { status, text } = await untilAvailable(() => system.call(key, 'GET', path));
        if (status >= 500) failed.push(`${path} ${status} ${text}`);
        if (status === 200) answered.add(route.operation.operationId);
      }
    }
    expect(failed).toEqual([]);
    const operations = READS.map(({ operation }) => operation.operationId);
    expect(operations.filter((id) => !answered.has(id) && !NOT_FOUND.includes(id))).toEqual([]);
  });

  it.each(['csv', 'people'])('every export is made: %s', async (format) => {
    const failed: string[] = [];
    const route = documentedRoutes.find(({ operation }) => operation.operationId === 'startExport');
    const [kind] = parametersOf(route as DocumentedRoute, 'path');
    expect(kind?.values).toContain('deposits');
    for (const path of (kind?.values ?? []).map((value) => `/admin/exports/${value}`)) {
      const body = { from: LAST_WEEK, to: new Date(Date.now() - AGO_MS), format };
      const started = await system.call(system.opsKey, 'POST', path, { body });
      expect(started.status).toBe(202);
      const exportId = await untilNow(started.body.exportId);
      const made = await waitFor(async () => {
        const { status, rows } = (await system.call(system.opsKey, 'GET', `${path}/${exportId}`))
          .body;
        return status === 'ready' || status === 'failed' ? { status, rows } : undefined;
      }, DEADLINE_MS);
      if (made.status === 'failed' || made.rows === 0) failed.push(`${path} ${made.status}`);
    }
    expect(failed).toEqual([]);
  });

  it('every page of the console is shown', async () => {
    const failed: string[] = [];
    const cookie = await signIn();
    const pages = consoleRoutes({} as never).stack.flatMap(({ route }) => {
      const found = route as { path: string; methods: Record<string, boolean> } | undefined;
      return found?.methods.get ? [found.path.replaceAll(/:(\w+)/g, '{$1}')] : [];
    });
    expect(pages).toContain('/depositos/{depositId}');
    for (const path of pages.flatMap((page) => filled(page))) {
      const page = { headers: { cookie }, redirect: 'manual' } as const;
      const { status } = await untilAvailable(() => fetch(`${system.consoleUrl}${path}`, page));
      if (status >= 500) failed.push(`${path} ${status}`);
    }
    expect(failed).toEqual([]);
  });

  it('every command that reads is answered', async () => {
    const failed: string[] = [];
    const env = { BASE_URL: system.baseUrl, OPS_API_KEY: system.opsKey };
    const reads = new Set(READS.map(({ operation }) => operation.operationId));
    const commands = readOperations()
      .filter(({ id }) => reads.has(id) && !NOT_FOUND.includes(id))
      .map((operation) => {
        const needed = operation.fields
          .filter(({ place, isRequired }) => place === 'path' || isRequired)
          .map(({ place, choices, path: [name = ''] }) => {
            const isArgument = place === 'path' || ARGUMENTS[operation.id]?.includes(name);
            const value = choices[0] ?? `{${name}}`;
            return isArgument ? value : `--${optionNames(name)[0]} ${value}`;
          });
        return [...commandWords(operation), ...needed].join(' ');
      });
    for (const words of [...commands, ...WRITTEN_COMMANDS].flatMap((command) => filled(command))) {
      const { exitCode, stdout, stderr } = await runFiado(words.split(' '), env);
      if (exitCode !== 0) failed.push(`${words}: ${stderr} ${stdout}`);
    }
    expect(failed).toEqual([]);
  });

  /** A busy machine answers 503 now and then. */
  function untilAvailable<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
    return waitFor(async () => {
      const answer = await ask();
      return answer.status === 503 ? undefined : answer;
    }, DEADLINE_MS);
  }

  /** A path of that route for each id of the person and for each value of each filter, with a key that may read it. */
  function requestsOf(route: DocumentedRoute): [key: string, path: string][] {
    const fixed = parametersOf(route, 'path');
    const paths = filled(
      route.path,
      (name) => fixed.find((one) => one.name === name)?.values ?? [],
    );
    const query = parametersOf(route, 'query');
    const needed = query
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => `${name}=${ids[name]?.[0] ?? ''}`);
    const filters = query.flatMap(({ name, example, values }) => {
      if (name === 'cursor') return [];
      const known = values.length > 0 ? values : (ids[name] ?? [example]);
      return known.map((value) => `${name}=${encodeURIComponent(value)}`);
    });
    const keys: Record<string, string[]> = {
      ops: [system.opsKey],
      wholesaler: wholesalers.map(({ key }) => key),
      provider: [provider.key],
    };
    const queries = ['', ...filters].map((filter) => {
      const [name = ''] = filter.split('=');
      const others = needed.filter((one) => !one.startsWith(`${name}=`));
      return [...others, filter].filter((one) => one !== '').join('&');
    });
    return route.operation['x-callers']
      .flatMap((caller) => keys[caller] ?? [])
      .flatMap((key) => paths.map((path): [string, string] => [key, path]))
      .flatMap(([key, path]) => queries.map((one): [string, string] => [key, `${path}?${one}`]));
  }

  /** A text with its parameters in braces, for each id that the person has of each. */
  function filled(text: string, fixed: (name: string) => string[] = () => []): string[] {
    let texts = [text];
    for (const [brace, name = ''] of text.matchAll(/\{(\w+)\}/g)) {
      const known = [fixed(name), ids[name] ?? []].find(({ length }) => length > 0);
      texts = texts.flatMap((one) =>
        (known ?? [randomUUID()]).map((value) => one.replace(brace, value)),
      );
    }
    return texts;
  }

  /** Orders the same export again, with the rows of the last minutes. @returns its id */
  async function untilNow(exportId: string): Promise<string> {
    const columns = 'kind, format, for_people, from_at, requested_by, key, expires_at';
    const copied = ['transactions', 'payments'].map((schema) =>
      owner.query<{ id: string }>(
        `INSERT INTO ${schema}.exports (${columns}, to_at)
         SELECT ${columns}, now() FROM ${schema}.exports WHERE id = $1 RETURNING id`,
        [exportId],
      ),
    );
    return (await Promise.all(copied)).flatMap(({ rows }) => rows)[0]?.id ?? '';
  }

  /** Moves the orders into last week, closes the statements, and adds what the person's story does not make. */
  async function seedEveryTable(): Promise<void> {
    const { rows } = await owner.query<{ transactionId: string }>(
      'SELECT transaction_id AS "transactionId" FROM payments.receivables WHERE user_id = $1',
      [person.userId],
    );
    await moveToTheirDays(
      owner,
      rows.map(({ transactionId }) => ({ transactionId, day: LAST_WEEK })),
    );
    const until = new Date().toISOString();
    for (const { wholesalerId } of wholesalers) {
      const body = { wholesalerId, until };
      await system.call(system.opsKey, 'POST', '/admin/statements/close', { body });
    }
    await endOpenJobs(owner, DEADLINE_MS);
    const [{ key }] = wholesalers;
    const { body } = await system.call(key, 'GET', '/transaction');
    const { transactionId } = body.transactions.find(
      ({ transactionStatus }: { transactionStatus: string }) => transactionStatus === 'paid',
    );
    const products = [{ product: INVOICE_PRODUCT, quantity: 1 }];
    await system.call(key, 'POST', `/transaction/${transactionId}/invoice`, {
      body: { invoice: { discount: 0, products } },
    });
    await owner.query(
      `UPDATE transactions.invoices SET created_at = created_at - interval '1 day'`,
    );
    const issuer = { provider: 'facturapi', apiKey: 'sk_test_1', receiptPaymentForm: '03' };
    for (const { wholesalerId } of wholesalers) {
      for (const [setting, body] of [
        ['invoice-issuer', issuer],
        ['tax-profile', EXAMPLE_TAX_PROFILE],
      ] as const) {
        const path = `/admin/wholesalers/${wholesalerId}/${setting}`;
        expect((await system.call(system.opsKey, 'PUT', path, { body })).status).toBe(200);
      }
    }
    const unknown = `/account/${person.userId}/verification/${randomUUID()}`;
    await system.call(key, 'POST', unknown, { body: {} });
    await insertRareRows(owner, person);
    await waitFor(async () => {
      const written = `SELECT FROM accounts.refusals, payments.portfolio_calendar
                        WHERE corner_store_id = $1 AND day >= $2`;
      const found = await owner.query(written, [person.cornerStoreId, LAST_WEEK]);
      return found.rowCount || undefined;
    }, DEADLINE_MS);
    await endOpenJobs(owner, DEADLINE_MS);
  }

  async function erase(): Promise<void> {
    const path = '/admin/privacy-requests';
    const request = { userId: person.userId, kind: 'cancellation' };
    const body = { ...request, channel: 'email', identityProof: 'official-id' };
    const opened = await system.call(system.opsKey, 'POST', path, { body });
    ids.cancellationId = [opened.body.privacyRequestId];
    const answer = `${path}/${opened.body.privacyRequestId}/answer`;
    await waitFor(async () => {
      const outcome = { body: { outcome: 'granted' } };
      const granted = await system.call(system.opsKey, 'POST', answer, outcome);
      return granted.status < 300 || undefined;
    });
    await waitFor(async () => {
      const { rowCount } = await owner.query(
        `SELECT FROM accounts.erasures WHERE user_id = $1 AND phase = 'suppress' AND state = 'done'`,
        [person.userId],
      );
      return rowCount || undefined;
    }, DEADLINE_MS);
  }

  /** @returns the cookie of an admin who signed in with an invitation */
  async function signIn(): Promise<string> {
    const body = { email: 'ana@lender.example', name: 'Ana Torres', role: 'admin' };
    const invited = await system.call(system.opsKey, 'POST', '/admin/staff', { body });
    const path = new URL(invited.body.invitationLink).pathname;
    const entered = await fetch(`${system.consoleUrl}${path}/entrar`, {
      method: 'POST',
      headers: { origin: system.consoleUrl, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
    return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }
});
