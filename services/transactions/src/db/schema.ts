import { CreateChassisTables1700000000000 } from '@fiado/chassis/db/chassis-tables';
import { CreateDataKeys1798440000000 } from '@fiado/chassis/db/create-data-keys';
import type { Schema } from '@fiado/chassis/db/schema';
import { CreateEventOwners1796600000000 } from '@fiado/chassis/db/event-owners';
import { CreateRefusals1798100010000 } from '@fiado/chassis/refusals/create-refusals';
import { CreateTransactions1760000000000 } from './migrations/1760000000000-create-transactions';
import { CreateInvoices1760000100000 } from './migrations/1760000100000-create-invoices';
import { OrderIdsByTime1795500000000 } from './migrations/1795500000000-order-ids-by-time';
import { CountWrongCodes1795610000000 } from './migrations/1795610000000-count-wrong-codes';
import { CountWrongWords1795810000000 } from './migrations/1795810000000-count-wrong-words';
import { HoldChangedPhones1795610001000 } from './migrations/1795610001000-hold-changed-phones';
import { RetryInvoices1795820000000 } from './migrations/1795820000000-retry-invoices';
import { IndexDueInvoices1795820001000 } from './migrations/1795820001000-index-due-invoices';
import { IndexStatusAndCustomers1795900001000 } from './migrations/1795900001000-index-status-and-customers';
import { AnnounceTransactions1796600002000 } from './migrations/1796600002000-announce-transactions';
import { DateChangesOfTransactions1797400000000 } from './migrations/1797400000000-date-changes-of-transactions';
import { IndexChangedTransactions1797400001000 } from './migrations/1797400001000-index-changed-transactions';
import { DateNoSealing1798440001000 } from './migrations/1798440001000-date-no-sealing';
import { KeepTermsWithOrders1798570000000 } from './migrations/1798570000000-keep-terms-with-orders';
import { BoundPhoneHolds1798572000000 } from './migrations/1798572000000-bound-phone-holds';
import { DateDeliveryWords1798560000000 } from './migrations/1798560000000-date-delivery-words';
import { IndexWholesalersIds1798100020000 } from './migrations/1798100020000-index-wholesalers-ids';
import { AnnounceReversedPayments1798550002000 } from './migrations/1798550002000-announce-reversed-payments';
import { TuneAutovacuum1798601001000 } from './migrations/1798601001000-tune-autovacuum';
import {
  DropOrderIndexes1798601003000,
  IndexOrderIds1798601002000,
} from './migrations/1798601002000-index-order-ids';
import { KeyProductLines1798601004000 } from './migrations/1798601004000-key-product-lines';

export const transactionsSchema: Schema = {
  name: 'transactions',
  migrations: [
    CreateChassisTables1700000000000,
    CreateTransactions1760000000000,
    CreateInvoices1760000100000,
    OrderIdsByTime1795500000000,
    CountWrongCodes1795610000000,
    HoldChangedPhones1795610001000,
    CountWrongWords1795810000000,
    RetryInvoices1795820000000,
    IndexDueInvoices1795820001000,
    IndexStatusAndCustomers1795900001000,
    CreateEventOwners1796600000000,
    AnnounceTransactions1796600002000,
    DateChangesOfTransactions1797400000000,
    IndexChangedTransactions1797400001000,
    CreateRefusals1798100010000,
    IndexWholesalersIds1798100020000,
    CreateDataKeys1798440000000,
    DateNoSealing1798440001000,
    AnnounceReversedPayments1798550002000,
    KeepTermsWithOrders1798570000000,
    BoundPhoneHolds1798572000000,
    DateDeliveryWords1798560000000,
    TuneAutovacuum1798601001000,
    IndexOrderIds1798601002000,
    DropOrderIndexes1798601003000,
    KeyProductLines1798601004000,
  ],
};
