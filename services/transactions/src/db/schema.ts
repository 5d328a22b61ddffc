import type { Schema } from '@fiado/chassis/db/schema';
import { transactionsBaseline } from './baseline.sql';
import { CreateStatements1795600000000 } from './migrations/1795600000000-create-statements';
import { CreateExports1795900000000 } from './migrations/1795900000000-create-exports';
import { IndexDeliveries1795500001000 } from './migrations/1795500001000-index-deliveries';
import { IndexPayments1795500002000 } from './migrations/1795500002000-index-payments';
import { IndexCreditNotesByTime1796500000000 } from './migrations/1796500000000-index-credit-notes-by-time';
import { KeepOrderedAmounts1795500000000 } from './migrations/1795500000000-keep-ordered-amounts';
import { KeepAdjustments1796400000000 } from './migrations/1796400000000-keep-adjustments';
import { LetPersonsBeErased1796100000000 } from './migrations/1796100000000-let-persons-be-erased';
import { CreateCreditNotes1795700010000 } from './migrations/1795700010000-create-credit-notes';
import { ValidateCreditEntries1795700011000 } from './migrations/1795700011000-validate-credit-entries';
import { IndexDeliveriesOfStores1796800000000 } from './migrations/1796800000000-index-deliveries-of-stores';
import { KeepRefusedCreditNotes1797100000000 } from './migrations/1797100000000-keep-refused-credit-notes';
import { IndexOrdersOfStores1797300000000 } from './migrations/1797300000000-index-orders-of-stores';
import { IndexCreditNotesOfStores1797300002000 } from './migrations/1797300002000-index-credit-notes-of-stores';
import { NameStoresOfCreditNotes1797300001000 } from './migrations/1797300001000-name-stores-of-credit-notes';
import { transactionsTriggers } from './triggers.sql';

export const transactionsSchema: Schema = {
  name: 'transactions',
  baseline: transactionsBaseline,
  migrations: [
    KeepOrderedAmounts1795500000000,
    IndexDeliveries1795500001000,
    IndexPayments1795500002000,
    CreateStatements1795600000000,
    CreateCreditNotes1795700010000,
    ValidateCreditEntries1795700011000,
    CreateExports1795900000000,
    LetPersonsBeErased1796100000000,
    KeepAdjustments1796400000000,
    IndexCreditNotesByTime1796500000000,
    IndexDeliveriesOfStores1796800000000,
    KeepRefusedCreditNotes1797100000000,
    IndexOrdersOfStores1797300000000,
    NameStoresOfCreditNotes1797300001000,
    IndexCreditNotesOfStores1797300002000,
  ],
  triggers: transactionsTriggers,
  before: { migrations: 34, last: 'KeyProductLines1798601004000' },
};
