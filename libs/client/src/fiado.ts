import { createManyOf, type CreateMany } from './create-many';
import { ROUTES, type Resources } from './generated/resources';
import { createResources } from './resources';
import type { FiadoOptions } from './settings';
import { readCodeOf, waitForOf, type ReadCode, type WaitForStatus } from './wait';
import { unwrapWebhook } from './webhooks';

/** A client of the Fiado API. */
export class Fiado {
  readonly accounts: Resources['accounts'];
  readonly auth: Resources['auth'];
  readonly cornerStores: Resources['cornerStores'];
  readonly events: Resources['events'];
  readonly payments: Resources['payments'];
  readonly sandbox: Resources['sandbox'] & ReadCode;
  readonly transactions: Resources['transactions'] & CreateMany & WaitForStatus;
  readonly webhookEndpoints: Resources['webhookEndpoints'];
  /** `unwrap` verifies the webhooks that you receive. */
  readonly webhooks = { unwrap: unwrapWebhook };

  /** @throws TypeError for options that cannot work */
  constructor(options: FiadoOptions) {
    const resources = createResources(options, ROUTES) as unknown as Resources;
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
