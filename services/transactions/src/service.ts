import type { ServiceDefinition } from '@fiado/shared/chassis/service';
import type { TransactionsConfig } from './config';
import { createContext, type Context } from './context';
import { transactionsSchema } from './db/schema';
import { routes } from './http/routes';
import { loops } from './jobs/loops';
import { jobs } from './jobs/routes';

/** transactions: what corner stores may buy and bought. */
export const transactionsService: ServiceDefinition<TransactionsConfig, Context> = {
  name: 'transactions',
  schema: transactionsSchema,
  secrets: ({ ENCRYPTION_KEY, CODE_PEPPER }) => ({ ENCRYPTION_KEY, CODE_PEPPER }),
  createContext,
  closeContext: ({ accounts }) => accounts.close(),
  routes,
  jobs,
  loops,
};
