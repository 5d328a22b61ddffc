import type { Db, Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { maskPhone } from '@fiado/contracts/phone';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import type { LockedChangeRequest } from '../approvals/change-requests.sql';
import { requestChange } from '../approvals/request-change';
import { opsActor } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { correctPerson } from './correct-person';
import { lockRequestAndPerson } from './privacy-requests.sql';
import {
  type Corrections,
  finishPrivacyRequest,
  type Grant,
  type GrantedRequest,
  recordGrant,
} from './settle-request';

/** The request is what the second person decides on; it has no versions. */
const ONLY_VERSION = 1;

const NOT_OPEN = 'PRIVACY_REQUEST_IS_NOT_OPEN';

/** Each copy reads every schema. */
const MAX_COPIES_PER_DAY = 3;

/**
 * Access: the person gets a copy of what is kept; a loop makes it, and then the request is done. By a person, a
 * second one decides.
 * @throws AppError TOO_MANY_ATTEMPTS after three copies of a person in a day
 */
export const grantAccess: Grant = async (context, tx, { by, request, person: { userId } }) => {
  await refuseManyCopies(tx, userId);
  if (!needsSecondPerson(context.config.FOUR_EYES, by)) return 'executing';
  const payload = { privacyRequestId: request.id, userId };
  return requestChange(tx, { ...targetOf(request), by, kind: 'privacy.access', payload });
};

/** Grants an access that a second person approved. @throws AppError TOO_MANY_ATTEMPTS */
export async function executeAccess(
  context: Context,
  tx: Transaction,
  { targetId, requestedBy }: LockedChangeRequest,
): Promise<string | undefined> {
  const { request, person } = (await lockRequestAndPerson(tx, targetId ?? '')) ?? {};
  if (request?.status !== 'open' || person === undefined) return NOT_OPEN;
  await refuseManyCopies(tx, person.userId);
  await recordGrant(context, tx, { by: opsActor(requestedBy), request });
  return undefined;
}

async function refuseManyCopies(tx: Db, userId: string): Promise<void> {
  const { packages } = await queryOne<{ packages: number }>(
    tx,
    `SELECT count(*) AS packages FROM privacy_packages
      WHERE user_id = $1 AND ready_at > now() - interval '1 day'`,
    [userId],
  );
  if (packages >= MAX_COPIES_PER_DAY) throw limitOfADay();
}

/**
 * Rectification. A phone opens the account of the store, so by a person a second one decides on it, with
 * what is corrected beside it.
 * @throws AppError as correctPerson
 */
export const grantRectification: Grant = async (context, tx, granted) => {
  const { by, request, person, corrections = {} } = granted;
  const waits = corrections.phone !== undefined && needsSecondPerson(context.config.FOUR_EYES, by);
  if (!waits) return correctPerson(context, tx, granted);
  if (person.blockedAt !== null) throw new AppError('CORNER_STORE_IS_BLOCKED');
  const { sealer } = context;
  const id = newId();
  const text = JSON.stringify(corrections);
  return requestChange(tx, {
    ...targetOf(request),
    id,
    by,
    kind: 'privacy.rectify',
    payload: {
      privacyRequestId: request.id,
      userId: person.userId,
      phoneNumber: maskPhone(corrections.phone ?? ''),
      // Tells the same request from another one, without a value of the person.
      digest: sealer.blindIndex(text, PURPOSE.importRows).toString('hex'),
    },
    audited: { privacyRequestId: request.id },
    sealedPayload: sealer.seal(text, PURPOSE.importRows, id),
  });
};

/** Makes the corrections that a second person approved. @throws AppError as correctPerson */
export async function executeRectification(
  context: Context,
  tx: Transaction,
  { id, targetId, requestedBy, sealedPayload }: LockedChangeRequest,
): Promise<string | undefined> {
  if (sealedPayload === null) throw new Error(`The change request ${id} has lost its corrections`);
  const corrections = JSON.parse(
    context.sealer.open(sealedPayload, PURPOSE.importRows, id),
  ) as Corrections;
  const { request, person } = (await lockRequestAndPerson(tx, targetId ?? '')) ?? {};
  if (request?.status !== 'open' || person === undefined) return NOT_OPEN;
  const phoneIndex = context.sealer.blindIndex(corrections.phone ?? '', PURPOSE.phone);
  const taken = await queryRow(tx, 'SELECT FROM users WHERE phone_index = $1 AND id <> $2', [
    phoneIndex,
    person.userId,
  ]);
  if (taken !== undefined) return 'PHONE_NUMBER_ALREADY_EXISTS';
  const by = opsActor(requestedBy);
  await correctPerson(context, tx, { by, person, corrections });
  await recordGrant(context, tx, { by, request });
  await finishPrivacyRequest(tx, { by, request });
  return undefined;
}

function targetOf({ id }: GrantedRequest['request']): { targetId: string; targetVersion: number } {
  return { targetId: id, targetVersion: ONLY_VERSION };
}
