import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceDefinition } from '@fiado/chassis/service';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { auditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import type { NotifierConfig } from './config';
import { createContext, type Context } from './context';
import { notifierSchema } from './db/schema';
import { callbacks } from './http/receive-twilio-callback';
import { notifierEvents } from './http/present-events';
import { routes } from './http/routes';
import { loops } from './jobs/loops';
import { SEALED_TABLES } from './jobs/sealed-tables';
import { jobs } from './jobs/handlers';
import { sampleMessages } from './use-cases/sample-messages';
import { sampleWebhooks } from './use-cases/sample-webhooks';

/** How long a process that stops waits for the answers of webhook endpoints. */
const FINISH_WEBHOOKS_MS = 3_000;
/** All pending messages are counted: 50 ms of CPU time for 100,000. */
const COUNT_MESSAGES_MS = 30_000;

/** notifier: the messages, each sent at most once. */
export const notifierService: ServiceDefinition<NotifierConfig, Context> = {
  name: 'notifier',
  schema: notifierSchema,
  sealing: {
    secret: ({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }) => ({
      current: ENCRYPTION_KEY,
      previous: ENCRYPTION_KEY_PREVIOUS,
      bind: true,
    }),
    tables: SEALED_TABLES,
  },
  createContext,
  closeContext: async ({ senders, calls, attempts, webhooks }) => {
    // A webhook that takes longer is sent again when its claim has lapsed.
    await Promise.race([
      Promise.all(attempts),
      sleep(FINISH_WEBHOOKS_MS, undefined, { ref: false }),
    ]);
    await Promise.all(calls);
    await webhooks.close();
    await Promise.all(senders.map((sender) => sender.close()));
  },
  routes,
  callbacks,
  jobs,
  publishes: [auditRecorded, announceEvent],
  events: () => notifierEvents,
  samples: (context) => [
    { name: 'messages', everyMs: COUNT_MESSAGES_MS, read: () => sampleMessages(context) },
    { name: 'webhooks', everyMs: COUNT_MESSAGES_MS, read: () => sampleWebhooks(context) },
  ],
  loops,
};
