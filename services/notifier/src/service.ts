import { encryptionSecret } from '@fiado/chassis/keys/reseal';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPresenters } from '@fiado/chassis/outbox/events';
import type { ServiceDefinition } from '@fiado/chassis/service';
import type { NotifierConfig } from './config';
import { createContext, type Context } from './context';
import { notifierSchema } from './db/schema';
import { SEALED_TABLES } from './db/sealed-columns';
import { jobs } from './jobs';
import { loops } from './loops';
import { callbacks } from './messages/receive-twilio-callback';
import { sampleMessages } from './messages/waiting-messages';
import { routes } from './routes';
import { sampleWebhooks } from './webhooks/webhook-sender';

/** The objects of this service's events, from what the triggers of its schema wrote. */
const notifierEvents: EventPresenters = {
  // The trigger writes the fields of the event, and no phone number.
  'message.failed': (message: object) => message,
};

/** How long a process that stops waits for the answers of webhook endpoints. */
const FINISH_WEBHOOKS_MS = 3_000;
/** All pending messages are counted: 50 ms of CPU time for 100,000. */
const COUNT_MESSAGES_MS = 30_000;

/** notifier: the messages, each sent at most once. */
export const notifierService: ServiceDefinition<NotifierConfig, Context> = {
  name: 'notifier',
  schema: notifierSchema,
  sealing: {
    secret: encryptionSecret,
    tables: SEALED_TABLES,
  },
  createContext,
  closeContext: async ({ senders, sender, webhookSender }) => {
    // A webhook that takes longer is sent again when its claim has lapsed.
    await Promise.race([
      webhookSender.ended(),
      sleep(FINISH_WEBHOOKS_MS, undefined, { ref: false }),
    ]);
    await sender.calls.allEnded();
    await webhookSender.client.close();
    await Promise.all(senders.map((sender) => sender.close()));
  },
  routes,
  callbacks,
  jobs,
  sendsTo: ['accounts'],
  events: () => notifierEvents,
  samples: (context) => [
    { name: 'messages', everyMs: COUNT_MESSAGES_MS, read: () => sampleMessages(context) },
    { name: 'webhooks', everyMs: COUNT_MESSAGES_MS, read: () => sampleWebhooks(context) },
  ],
  loops,
};
