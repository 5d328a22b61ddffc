import { CreateChassisTables1700000000000 } from '@fiado/chassis/db/chassis-tables';
import type { Schema } from '@fiado/chassis/db/schema';
import { CreateEventOwners1796600000000 } from '@fiado/chassis/db/event-owners';
import { CreateReceivables1763676000000 } from './migrations/1763676000000-create-receivables';
import { CreateDeposits1763676060000 } from './migrations/1763676060000-create-deposits';
import { DecideDeposits1763677000000 } from './migrations/1763677000000-decide-deposits';
import { CreatePaymentDefaults1763678000000 } from './migrations/1763678000000-create-payment-defaults';
import { KeepUnmatchedReason1764000000000 } from './migrations/1764000000000-keep-unmatched-reason';
import { KeepReferenceKey1795640000000 } from './migrations/1795640000000-keep-reference-key';
import { LetLargeDepositsWait1795640001000 } from './migrations/1795640001000-let-large-deposits-wait';
import { IndexReceivablesOfUser1795900000000 } from './migrations/1795900000000-index-receivables-of-user';
import { AnnouncePayments1796600001000 } from './migrations/1796600001000-announce-payments';
import { KeepNotices1797200000000 } from './migrations/1797200000000-keep-notices';
import { CountLookUps1797300000000 } from './migrations/1797300000000-count-look-ups';
import { IndexDecidedNotices1797600000000 } from './migrations/1797600000000-index-decided-notices';
import { IndexReceivables1798200000000 } from './migrations/1798200000000-index-receivables';
import { IndexDefaults1798200001000 } from './migrations/1798200001000-index-defaults';
import { LetDepositChangesWait1798300002000 } from './migrations/1798300002000-let-deposit-changes-wait';
import { UnassignDeposits1798550000000 } from './migrations/1798550000000-unassign-deposits';
import { IndexUnassignments1798550001000 } from './migrations/1798550001000-index-unassignments';
import { PayOutCreditBalances1798550003000 } from './migrations/1798550003000-pay-out-credit-balances';
import { IndexEntriesOfPayouts1798550004000 } from './migrations/1798550004000-index-entries-of-payouts';
import { IndexSmallAssignments1798600001000 } from './migrations/1798600001000-index-small-assignments';
import { SumSmallAssignments1798600000000 } from './migrations/1798600000000-sum-small-assignments';
import { KeepDueDays1798571000000 } from './migrations/1798571000000-keep-due-days';
import { TuneAutovacuum1798601001000 } from './migrations/1798601001000-tune-autovacuum';

export const paymentsSchema: Schema = {
  name: 'payments',
  migrations: [
    CreateChassisTables1700000000000,
    CreateReceivables1763676000000,
    CreateDeposits1763676060000,
    DecideDeposits1763677000000,
    CreatePaymentDefaults1763678000000,
    KeepUnmatchedReason1764000000000,
    KeepReferenceKey1795640000000,
    LetLargeDepositsWait1795640001000,
    IndexReceivablesOfUser1795900000000,
    CreateEventOwners1796600000000,
    AnnouncePayments1796600001000,
    KeepNotices1797200000000,
    CountLookUps1797300000000,
    IndexDecidedNotices1797600000000,
    IndexReceivables1798200000000,
    IndexDefaults1798200001000,
    LetDepositChangesWait1798300002000,
    UnassignDeposits1798550000000,
    IndexUnassignments1798550001000,
    PayOutCreditBalances1798550003000,
    IndexEntriesOfPayouts1798550004000,
    KeepDueDays1798571000000,
    SumSmallAssignments1798600000000,
    IndexSmallAssignments1798600001000,
    TuneAutovacuum1798601001000,
  ],
};
