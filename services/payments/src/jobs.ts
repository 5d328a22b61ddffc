import { type JobRoute, on } from '@fiado/chassis/jobs/worker';
import { endLinksOf } from '@fiado/chassis/exports/export-links';
import { erasePart } from '@fiado/chassis/privacy/erase-part';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { timeZoneChanged } from '@fiado/contracts/jobs/corner-stores';
import {
  applyDeposit as applyDepositJob,
  creditNotesSettled,
  openSandboxDefault as openSandboxDefaultJob,
  transactionCredited,
  transactionDelivered,
} from '@fiado/contracts/jobs/debts';
import { disputeChanged } from '@fiado/contracts/jobs/disputes';
import { opsAccessEnded } from '@fiado/contracts/jobs/ops-access';
import { personErase, oppositionChanged } from '@fiado/contracts/jobs/privacy';
import type { Context } from './context';
import { creditReceivable } from './debts/credit-receivable';
import { ERASURE_PART } from './db/personal-data';
import { recordDispute } from './debts/disputes';
import { openReceivable } from './debts/open-receivable';
import { decideDepositChange } from './deposits/decide-deposit-change';
import { recordOpposition, recordTimeZone } from './notices/notices.sql';
import { decidePayoutChange } from './payouts/decide-payout-change';
import { settleCredits } from './payouts/held-credits';
import { decideWriteOff } from './portfolio/write-off-receivable';
import { openSandboxDefault } from './sandbox/orders';

/** The jobs that payments works on. */
export function jobs(context: Context): JobRoute[] {
  return [
    on(transactionDelivered, ({ id, data }) =>
      openReceivable(context, { delivered: data, messageId: id }),
    ),
    on(transactionCredited, ({ id, data }) => creditReceivable(context, id, data)),
    on(disputeChanged, ({ data }) => recordDispute(context.db, data)),
    on(creditNotesSettled, ({ data }) => settleCredits(context, data)),
    on(CHANGE_JOBS.deposit.decided, ({ id, data }) => decideDepositChange(context, id, data)),
    on(CHANGE_JOBS.payout.decided, ({ id, data }) => decidePayoutChange(context, id, data)),
    on(CHANGE_JOBS.receivable.decided, ({ id, data }) => decideWriteOff(context, id, data)),
    on(openSandboxDefaultJob, ({ id, data }) => openSandboxDefault(context, id, data)),
    on(timeZoneChanged, ({ aggregateVersion, data: { cornerStoreId, timeZone } }) =>
      recordTimeZone(context.db, { cornerStoreId, timeZone, version: aggregateVersion }),
    ),
    on(oppositionChanged, ({ aggregateVersion, data: { cornerStoreId, opposes } }) =>
      recordOpposition(context.db, { cornerStoreId, opposes, version: aggregateVersion }),
    ),
    // To be removed in the next release. Version 1.0 sends it for each deposit, also during a rolling update; the row
    // of the deposit is enough.
    on(applyDepositJob, async () => context.depositWorker.loop.wake()),
    on(personErase, ({ id, data }) => erasePart(context, id, data, ERASURE_PART)),
    on(opsAccessEnded, ({ data: { actorId } }) => endLinksOf(context.db, actorId)),
  ];
}
