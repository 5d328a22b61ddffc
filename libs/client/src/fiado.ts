import { call } from './call';
import { createManyOf, type CreateMany } from './create-many';
import { keyCredentials, tokenCredentials } from './credentials';
import {
  ROUTES,
  type Accounts,
  type Auth,
  type CornerStores,
  type Events,
  type Payments,
  type Route,
  type Sandbox,
  type Transactions,
  type WebhookEndpoints,
} from './generated/resources';
import { pagesOf } from './pages';
import type { Transport } from './send';
import { settingsOf, type FiadoOptions } from './settings';
import type { AnswerOf, OperationId } from './types';
import { readCodeOf, waitForOf, type ReadCode, type WaitForStatus } from './wait';
import { unwrapWebhook } from './webhooks';

type Method = (...args: unknown[]) => unknown;
type Resources = Record<string, Record<string, Method>>;

/** A client of the Fiado API. */
export class Fiado {
  readonly accounts: Accounts;
  readonly auth: Auth;
  readonly cornerStores: CornerStores;
  readonly events: Events;
  readonly payments: Payments;
  readonly sandbox: Sandbox & ReadCode;
  readonly transactions: Transactions & CreateMany & WaitForStatus;
  readonly webhookEndpoints: WebhookEndpoints;
  /** `unwrap` verifies the webhooks that you receive. */
  readonly webhooks = { unwrap: unwrapWebhook };

  /** @throws TypeError for options that cannot work */
  constructor(options: FiadoOptions) {
    const resources = resourcesOf(transportOf(options)) as unknown as Fiado;
    const { transactions, sandbox } = resources;
    this.accounts = resources.accounts;
    this.auth = resources.auth;
    this.cornerStores = resources.cornerStores;
    this.events = resources.events;
    this.payments = resources.payments;
    this.sandbox = { ...sandbox, ...readCodeOf(sandbox) };
    this.transactions = {
      ...transactions,
      ...createManyOf(transactions),
      ...waitForOf(transactions),
    };
    this.webhookEndpoints = resources.webhookEndpoints;
  }
}

function transportOf(options: FiadoOptions): Transport {
  const settings = settingsOf(options);
  const withKey = { settings, credentials: keyCredentials(options.apiKey) };
  if (options.tokens !== true) return withKey;
  const issue = (): Promise<AnswerOf<'issueAccessToken'>> =>
    call(withKey, 'issueAccessToken', []) as Promise<AnswerOf<'issueAccessToken'>>;
  return { settings, credentials: tokenCredentials(issue) };
}

/** A method for each route. The key stays in closures, so that nothing prints it. */
function resourcesOf(transport: Transport): Resources {
  const resources: Resources = {};
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    const operation = id as OperationId;
    const { resource, name, items } = route;
    const method: Method =
      items === undefined
        ? (...args) => call(transport, operation, args)
        : (...args) =>
            pagesOf((next) => call(transport, operation, args, next) as Promise<object>, items);
    (resources[resource] ??= {})[name] = method;
  }
  return resources;
}
