import type { ServiceDefinition } from '@fiado/shared/chassis/service';
import type { AccountsConfig } from './config';
import { closeContext, createContext, type Context } from './context';
import { accountsSchema } from './db/schema';
import { routes } from './http/routes';
import { jobs } from './jobs/routes';
import { createDocumentSweep } from './use-cases/sweep-documents';

/** accounts: who they are. Wholesalers, credentials, users, corner stores, verifications. */
export const accountsService: ServiceDefinition<AccountsConfig, Context> = {
  name: 'accounts',
  schema: accountsSchema,
  secrets: ({ ENCRYPTION_KEY, CODE_PEPPER }) => ({ ENCRYPTION_KEY, CODE_PEPPER }),
  createContext,
  closeContext,
  routes,
  jobs,
  loops: (context) => [createDocumentSweep(context)],
};
