import { type Loop, loopOf } from '@fiado/chassis/loop';
import { expireChangeRequests } from './approvals/expire-change-requests';
import { anchorAuditChain } from './audit/anchor-audit-chain';
import { chainAuditLog } from './audit/chain-audit-log';
import type { Context } from './context';
import { sweepDocuments } from './documents/sweep-documents';
import { keepNames } from './names/keep-names';
import { buildPackages } from './privacy/build-packages';
import { deleteContacts } from './privacy/delete-contacts';
import { runErasures } from './privacy/run-erasures';
import { spreadDataKeys } from './keys/spread-data-keys';

/** An entry that is not chained yet can be changed unseen, so it does not wait long. */
const CHAIN_EVERY_MS = 2_000;
/** How often it is checked whether the daily check of the chain is due. */
const ANCHOR_EVERY_MS = 10 * 60_000;
/** A rotation waits for a few rounds. */
const SPREAD_EVERY_MS = 10_000;
/** A decision checks the time itself; the loop only shows which requests have expired. */
const EXPIRE_EVERY_MS = 60_000;
/** Nothing depends on the removal of the files, and a list of an S3 store costs money. */
const SWEEP_EVERY_MS = 24 * 60 * 60_000;
/**
 * A suppression that found a service unavailable, or that a crash stopped, goes on when the service is back.
 * A round reads a few rows.
 */
const ERASE_EVERY_MS = 5_000;
/** Staff wait for the copy before the page of its request. A round reads a few rows. */
const PACKAGES_EVERY_MS = 5_000;
/** People look for a store by name right after they imported it. */
const NAMES_EVERY_MS = 2_000;
/** The hour does not matter. */
const CONTACTS_EVERY_MS = 24 * 60 * 60_000;

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  return [
    context.changeWorker.loop,
    loopOf(context, { name: 'document-sweep', everyMs: SWEEP_EVERY_MS, round: sweepDocuments }),
    loopOf(context, { name: 'spread data keys', everyMs: SPREAD_EVERY_MS, round: spreadDataKeys }),
    loopOf(context, { name: 'audit-chain', everyMs: CHAIN_EVERY_MS, round: chainAuditLog }),
    loopOf(context, { name: 'audit-anchor', everyMs: ANCHOR_EVERY_MS, round: anchorAuditChain }),
    loopOf(context, {
      name: 'change-expiry',
      everyMs: EXPIRE_EVERY_MS,
      round: expireChangeRequests,
    }),
    loopOf(context, { name: 'erasures', everyMs: ERASE_EVERY_MS, round: runErasures }),
    loopOf(context, { name: 'privacy-packages', everyMs: PACKAGES_EVERY_MS, round: buildPackages }),
    loopOf(context, { name: 'names', everyMs: NAMES_EVERY_MS, round: keepNames }),
    loopOf(context, { name: 'contacts', everyMs: CONTACTS_EVERY_MS, round: deleteContacts }),
  ];
}
