import { accountsSchema } from '@fiado/accounts/db/schema';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';

export const SCHEMAS = [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema];
