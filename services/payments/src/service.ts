import type { ServiceDefinition } from '@fiado/shared/chassis/service';
import type { PaymentsConfig } from './config';
import { closeContext, createContext, type Context } from './context';
import { paymentsSchema } from './db/schema';
import { routes } from './http/routes';
import { loops } from './jobs/loops';
import { jobs } from './jobs/routes';
import { sampleDeposits } from './use-cases/sample-deposits';

/** The payments service: what corner stores owe, and what was paid. */
export const paymentsService: ServiceDefinition<PaymentsConfig, Context> = {
  name: 'payments',
  schema: paymentsSchema,
  // Nothing of payments rests sealed or hashed with a key.
  secrets: () => ({}),
  createContext,
  closeContext,
  routes,
  jobs,
  sample: sampleDeposits,
  loops,
};
