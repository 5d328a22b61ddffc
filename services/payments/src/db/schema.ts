import type { Schema } from '@fiado/chassis/db/schema';
import { paymentsBaseline } from './baseline.sql';
import { CreatePortfolio1795800000000 } from './migrations/1795800000000-create-portfolio';
import { IndexEntriesByTime1795800001000 } from './migrations/1795800001000-index-entries-by-time';
import { IndexDebtsByDueDate1795800002000 } from './migrations/1795800002000-index-debts-by-due-date';
import { CreateExports1795900000000 } from './migrations/1795900000000-create-exports';
import { IndexCreditEntriesByTime1795900002000 } from './migrations/1795900002000-index-credit-entries-by-time';
import { IndexRecoveryEntriesByTime1795900003000 } from './migrations/1795900003000-index-recovery-entries-by-time';
import { KeepOppositions1796000004000 } from './migrations/1796000004000-keep-oppositions';
import { LetPersonsBeErased1796100000000 } from './migrations/1796100000000-let-persons-be-erased';
import { CreditReceivables1795700000000 } from './migrations/1795700000000-credit-receivables';
import { ValidateCreditedReceivables1795700001000 } from './migrations/1795700001000-validate-credited-receivables';
import { IndexCredits1795700002000 } from './migrations/1795700002000-index-credits';
import { IndexWhatIsOwed1795700003000 } from './migrations/1795700003000-index-what-is-owed';
import { HoldCredits1795700010000 } from './migrations/1795700010000-hold-credits';
import { IndexDebtsOfStores1796800001000 } from './migrations/1796800001000-index-debts-of-stores';
import { IndexPaidDebts1796800002000 } from './migrations/1796800002000-index-paid-debts';
import { CoverDebtsOfStores1797100000000 } from './migrations/1797100000000-cover-debts-of-stores';
import { IndexCreditedDebts1797100001000 } from './migrations/1797100001000-index-credited-debts';
import { IndexSurpluses1797300000000 } from './migrations/1797300000000-index-surpluses';
import { IndexDepositsOfProviders1797300001000 } from './migrations/1797300001000-index-deposits-of-providers';
import { IndexBalancesByTime1797300002000 } from './migrations/1797300002000-index-balances-by-time';
import { IndexDepositsOfUsers1797300003000 } from './migrations/1797300003000-index-deposits-of-users';
import { IndexWriteOffsOfDays1797400000000 } from './migrations/1797400000000-index-write-offs-of-days';
import { paymentsTriggers } from './triggers.sql';

export const paymentsSchema: Schema = {
  name: 'payments',
  baseline: paymentsBaseline,
  migrations: [
    CreditReceivables1795700000000,
    ValidateCreditedReceivables1795700001000,
    IndexCredits1795700002000,
    IndexWhatIsOwed1795700003000,
    HoldCredits1795700010000,
    CreatePortfolio1795800000000,
    IndexEntriesByTime1795800001000,
    IndexDebtsByDueDate1795800002000,
    CreateExports1795900000000,
    IndexCreditEntriesByTime1795900002000,
    IndexRecoveryEntriesByTime1795900003000,
    KeepOppositions1796000004000,
    LetPersonsBeErased1796100000000,
    IndexDebtsOfStores1796800001000,
    IndexPaidDebts1796800002000,
    CoverDebtsOfStores1797100000000,
    IndexCreditedDebts1797100001000,
    IndexSurpluses1797300000000,
    IndexDepositsOfProviders1797300001000,
    IndexBalancesByTime1797300002000,
    IndexDepositsOfUsers1797300003000,
    IndexWriteOffsOfDays1797400000000,
  ],
  triggers: paymentsTriggers,
  before: { migrations: 33, last: 'TuneAutovacuum1798601001000' },
};
