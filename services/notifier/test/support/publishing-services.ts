import { startStandIn } from '@fiado/chassis/testing/stand-in';
import type { EventSettings } from '@fiado/contracts/events';

type Publisher = 'accounts' | 'transactions' | 'payments';

/** Stand-ins of the services that publish events: each records the settings that it receives. */
export interface PublishingServices {
  /** In the order of the calls. */
  told: Array<{ service: Publisher; path: string; settings: EventSettings }>;
  /** Those that do not answer. */
  hanging: Set<Publisher>;
  /** For the notifier that calls them. */
  environment: { ACCOUNTS_URL: string; TRANSACTIONS_URL: string; PAYMENTS_URL: string };
  stop(): Promise<void>;
}

export async function startPublishingServices(): Promise<PublishingServices> {
  const told: PublishingServices['told'] = [];
  const hanging: PublishingServices['hanging'] = new Set();
  const start = (service: Publisher) =>
    startStandIn(({ path, body }) => {
      if (hanging.has(service)) return undefined;
      told.push({ service, path, settings: JSON.parse(body) });
      return { body: {} };
    });
  const services = await Promise.all([start('accounts'), start('transactions'), start('payments')]);
  const [accounts, transactions, payments] = services;
  return {
    told,
    hanging,
    environment: {
      ACCOUNTS_URL: accounts.url,
      TRANSACTIONS_URL: transactions.url,
      PAYMENTS_URL: payments.url,
    },
    stop: async () => {
      for (const service of services) await service.stop();
    },
  };
}
