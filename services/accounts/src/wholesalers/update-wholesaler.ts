import { IsOptional } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { endWaitingChanges, requestChange } from '../approvals/request-change';
import { type AuditedBy, changedValues, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { wholesalerEvent } from '../snapshots/snapshots.sql';
import {
  exampleWholesaler,
  MAX_NAME,
  presentWholesaler,
  settingsOf,
  wholesalerAnswer,
  WholesalerSettingsBody,
} from './wholesaler';
import {
  looserSettings,
  settingsProblems,
  type WholesalerSettings,
} from './wholesaler-settings.rules';
import { WholesalerRow } from './wholesaler.entity';

class UpdateWholesalerBody extends WholesalerSettingsBody {
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  name?: string;
}

export const updateWholesalerEndpoint = endpoint({
  id: 'updateWholesaler',
  as: 'wholesalers.update',
  tag: 'Ops: wholesalers',
  route: 'PUT /v1/admin/wholesalers/:wholesalerId',
  scope: 'admin',
  summary: 'Change the settings of a wholesaler',
  description:
    'Omitted fields keep their value. `deliveryWordRequired` is refused while ' +
    '`deliveryWordEnabled` is false. `phoneChangeHold`: a wholesaler that changes the phone number ' +
    'of a store may not place large orders for it for 24 hours, where other wholesalers sell to the ' +
    'store too (`shared`), always or never. `batchEnabled` false, or `batchItemsPerDay` or ' +
    '`batchAmountPerDay` reached (0 is no limit), rejects items of createTransactions. `holdUnprovenDays` ' +
    'applies to deliveries that are reported from then on.',
  body: UpdateWholesalerBody,
  bodyExample: { deliveryWordRequired: true },
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  answer: wholesalerAnswer,
  example: { ...exampleWholesaler, deliveryWordRequired: true },
  input: ({ body, id, caller: by }) => ({
    by,
    wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
    reason: body.reason ?? null,
    changes: {
      ...settingsOf(body),
      ...(body.name === undefined ? {} : { name: body.name }),
    },
  }),
  handle: updateWholesaler,
  present: presentWholesaler,
});

interface UpdateWholesaler {
  by: Caller;
  wholesalerId: string;
  /** Of who asks for it, for a second person. */
  reason?: string | null;
  /** Absent fields stay unchanged. */
  changes: WholesalerChanges;
}

/**
 * Changes the named settings and publishes them. A change that makes one of them less strict waits, as a
 * whole, for a second person.
 * @throws ValidationError when the settings contradict each other after this change
 */
export async function updateWholesaler(
  context: Context,
  { by, wholesalerId, reason = null, changes }: UpdateWholesaler,
): Promise<Required<WholesalerSnapshot> | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    const requested = await changeWholesaler(tx, {
      by,
      wholesalerId,
      decide: async (before) => {
        const isGuarded = looserSettings(before, changes).length > 0;
        if (!isGuarded || !needsSecondPerson(context.config.FOUR_EYES, by)) return changes;
        refuseContradiction(before, changes);
        return requestChange(tx, {
          by,
          kind: 'wholesaler.settings',
          targetId: wholesalerId,
          targetVersion: before.version,
          payload: changes,
          before: changedValues<WholesalerChanges>(before, changes).before,
          reason,
        });
      },
    });
    return requested ?? (await wholesalerEvent(tx, wholesalerId)).current.snapshot;
  });
}

type WholesalerChanges = Partial<WholesalerSettings & { name: string }>;

/** A wholesaler that this transaction has locked. */
type LockedWholesaler = WholesalerSettings & { name: string; version: number };

type Decision = WholesalerChanges | ChangeRequested | undefined;

interface ChangeWholesaler extends AuditedBy {
  wholesalerId: string;
  /** Decides on the locked wholesaler; undefined and a change that waits leave it unchanged. */
  decide: (wholesaler: LockedWholesaler) => Decision | Promise<Decision>;
}

/**
 * Changes a wholesaler: locks it, decides, writes, publishes the change and audits it. Changes of it that
 * wait for a second person are over.
 * @throws AppError WHOLESALER_NOT_FOUND
 * @throws ValidationError when the settings contradict each other after this change
 */
export async function changeWholesaler(
  tx: Transaction,
  { by, wholesalerId, decide, auditDetails = {} }: ChangeWholesaler,
): Promise<ChangeRequested | undefined> {
  const before = await tx.manager.findOne(WholesalerRow, {
    where: { id: wholesalerId },
    lock: { mode: 'for_no_key_update' },
  });
  if (before === null) throw new AppError('WHOLESALER_NOT_FOUND');
  const changes = await decide(before);
  if (changes === undefined || changes instanceof ChangeRequested) return changes;
  refuseContradiction(before, changes);
  const raised = { version: () => 'version + 1', updatedAt: () => 'now()' };
  await tx.manager.update(WholesalerRow, wholesalerId, { ...changes, ...raised });
  await endWaitingChanges(tx, { by, kind: 'wholesaler.settings', targetId: wholesalerId });
  await appendToOutbox(tx, (await wholesalerEvent(tx, wholesalerId)).event);
  await recordAudit(tx, {
    by,
    action: 'wholesaler.changed',
    objectId: wholesalerId,
    details: { ...changedValues<WholesalerChanges>(before, changes), ...auditDetails },
  });
  return undefined;
}

/**
 * Refuses settings that contradict each other. Stored settings from before this rule may: a change that
 * names none of the two still passes.
 * @throws ValidationError
 */
function refuseContradiction(before: LockedWholesaler, changes: WholesalerChanges): void {
  const isNamed = 'deliveryWordEnabled' in changes || 'deliveryWordRequired' in changes;
  const problems = isNamed ? settingsProblems({ ...before, ...changes }) : [];
  if (problems.length > 0) throw new ValidationError(problems);
}
