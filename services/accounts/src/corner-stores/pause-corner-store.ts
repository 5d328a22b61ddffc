import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { About } from '@fiado/contracts/about';
import { PAUSE_REASONS, type PauseReason } from '@fiado/contracts/corner-store';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { MAX_REASON_LENGTH } from '@fiado/contracts/reason-body';
import { type ApprovedChange, endWaitingChanges, requestChange } from '../approvals/request-change';
import type { Context } from '../context';
import { endCodesAndLinks } from '../privacy/block-person';
import { mayBeOneHuman } from '../staff/roots.sql';
import {
  changeCornerStore,
  changeLockedStore,
  type CornerStoreChanges,
  type LockedStore,
} from './change-corner-store';
import { cornerStoreChange, exampleDetails } from './corner-store-details';
import { cornerStoreDetails } from './corner-store-details.sql';

class PauseCornerStoreBody {
  @About('Why it is paused', 'stolen-phone')
  @IsIn(PAUSE_REASONS)
  reason: PauseReason;
}

export const pauseCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'pauseCornerStore',
  as: 'cornerStores.pause',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/pause',
  scope: 'operator',
  summary: 'Pause a corner store at once',
  description:
    'For a stolen phone, a doubt or a fraud. Until a second person lifts the pause, the store cannot order or confirm an ' +
    'order, gets no code and does not open its account page; to wholesalers its status is `in-manual-validation`. ' +
    'What it owes stays, and can be paid. Pausing it again changes nothing.',
  body: PauseCornerStoreBody,
  bodyExample: { reason: 'stolen-phone' },
  example: {
    ...exampleDetails,
    paused: {},
  },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  // Pauses a corner store: to everybody it is in manual validation, so no order is taken or confirmed.
  // Its open codes and links end.
  handle: (context: Context, { by, cornerStoreId, reason }) =>
    changeCornerStore(context, {
      by,
      cornerStoreId,
      action: 'corner-store.paused',
      auditDetails: { reason },
      decide: async ({ pause, status: from }, tx) => {
        if (pause !== null) return undefined;
        const { userId } = await cornerStoreDetails(tx, cornerStoreId);
        await endCodesAndLinks(tx, userId);
        const at = (await timeOf(tx)).toISOString();
        return { status: 'in-manual-validation', pause: { by: by.id, at, reason, from } };
      },
    }),
});

class ResumeCornerStoreBody {
  @About('Why the pause is lifted', 'The owner has a new number, and came to the office')
  @IsOptional()
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason?: string;
}

export const resumeCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'resumeCornerStore',
  as: 'cornerStores.resume',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/resume',
  scope: 'approver',
  mayWait: true,
  summary: 'Lift the pause of a corner store',
  description:
    'The store has the status again that it had. Of the person who paused it, the call waits for a second person; of ' +
    'another one it counts at once. It does nothing to a store that is not paused.',
  body: ResumeCornerStoreBody,
  bodyOptional: true,
  bodyExample: { reason: 'The owner has a new number, and came to the office' },
  errors: [...cornerStoreChange.errors, 'CHANGE_ALREADY_REQUESTED'],
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: (context: Context, { by, cornerStoreId, reason }) =>
    changeCornerStore(context, {
      by,
      cornerStoreId,
      action: ACTION,
      decide: async (store, tx) => {
        const { pause, version } = store;
        if (pause === null) return undefined;
        const waits =
          needsSecondPerson(context.config.FOUR_EYES, by) &&
          (await mayBeOneHuman(tx, pause.by, by.id));
        if (!waits) {
          await endWaitingChanges(tx, { by, kind: KIND, targetId: cornerStoreId });
          return resumed(store);
        }
        return requestChange(tx, {
          by,
          reason,
          kind: KIND,
          targetId: cornerStoreId,
          targetVersion: version,
          payload: { cornerStoreId },
        });
      },
    }),
});

const ACTION = 'corner-store.resumed';
const KIND = 'corner-store.resume';

/** Lifts a pause that a second person approved. */
export async function resumeApproved(
  tx: Transaction,
  { decide, ...approved }: ApprovedChange & { cornerStoreId: string },
): Promise<void> {
  await changeLockedStore(tx, {
    ...approved,
    action: ACTION,
    decide: (store) => decide(store) && resumed(store),
  });
}

/** The status of before. A store that was submitted meanwhile still waits for its validation. */
function resumed({ pause, onboardingSteps }: LockedStore): CornerStoreChanges | undefined {
  if (pause === null) return undefined;
  const isSubmitted = pause.from === 'pre-approved' && onboardingSteps.includes('COMPLETED');
  return { status: isSubmitted ? 'in-manual-validation' : pause.from, pause: null };
}
