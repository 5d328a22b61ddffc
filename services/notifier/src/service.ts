import type { ServiceDefinition } from '@fiado/shared/chassis/service';
import type { NotifierConfig } from './config';
import { createContext, type Context } from './context';
import { notifierSchema } from './db/schema';
import { callbacks } from './http/callbacks';
import { routes } from './http/routes';
import { createMessageCleaner } from './jobs/message-cleaner';
import { createMessageSender } from './jobs/message-sender';
import { jobs } from './jobs/routes';
import { sampleMessages } from './use-cases/sample-messages';

/** notifier: the messages, each sent at most once. */
export const notifierService: ServiceDefinition<NotifierConfig, Context> = {
  name: 'notifier',
  schema: notifierSchema,
  secrets: ({ ENCRYPTION_KEY }) => ({ ENCRYPTION_KEY }),
  createContext,
  closeContext: async ({ smsBreaker, senders }) => {
    smsBreaker.close();
    await Promise.all(senders.map((sender) => sender.close()));
  },
  routes,
  callbacks,
  jobs,
  sample: sampleMessages,
  loops: (context) => [createMessageSender(context), createMessageCleaner(context)],
};
