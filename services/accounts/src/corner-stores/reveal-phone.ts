import { IsIn } from '@fiado/contracts/class-validator';
import { query, queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { REVEAL_REASONS, type RevealReason } from '@fiado/contracts/privacy';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import type { UserRow } from './user.entity';

/** People who call stores all day have the role operator; this is for exceptions. */
const MAX_REVEALED_PER_DAY = 30;

class RevealPhoneBody {
  /** From a list, because the audit log, which has it, forgets nothing and holds no personal data. */
  @IsIn(REVEAL_REASONS)
  reason: RevealReason;
}

export const revealPhoneEndpoint = endpoint({
  id: 'revealPhone',
  as: 'cornerStores.revealPhone',
  tag: 'Ops: corner stores',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/reveal-phone',
  scope: 'viewer',
  summary: 'Show the phone number of a corner store to a person, with a reason',
  description:
    'For people who see masked numbers. Each call is audited with its reason; a person may make ' +
    `${MAX_REVEALED_PER_DAY} in 24 hours. A key is refused: one that needs numbers has the scope operator.`,
  body: RevealPhoneBody,
  bodyExample: { reason: 'payment' },
  errors: ['CORNER_STORE_NOT_FOUND', 'CORNER_STORE_IS_BLOCKED', 'TOO_MANY_REVEALS'],
  answer: t.object('RevealedPhone', { phoneNumber: fields.phoneNumber }),
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: ({ db, sealer }: Context, { by, cornerStoreId, reason }) => {
    if (by.staff === undefined) throw new AppError('FORBIDDEN');
    return db.transaction(async (tx) => {
      // One call of a person at a time, so that calls together do not pass the limit.
      await query(tx, 'SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE', [by.id]);
      const [store] = await query<Pick<UserRow, 'phone'> & { isBlocked: boolean }>(
        tx,
        `SELECT u.phone, s.blocked_at IS NOT NULL AS "isBlocked"
           FROM corner_stores s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
        [cornerStoreId],
      );
      if (store === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
      if (store.isBlocked || store.phone === null) throw new AppError('CORNER_STORE_IS_BLOCKED');
      const { revealed } = await queryOne<{ revealed: number }>(
        tx,
        `SELECT count(*)::int AS revealed FROM audit_log
          WHERE actor_id = $1 AND action = 'phone.revealed' AND occurred_at > now() - interval '24 hours'`,
        [by.id],
      );
      if (revealed >= MAX_REVEALED_PER_DAY) {
        throw new AppError('TOO_MANY_REVEALS');
      }
      await recordAudit(tx, {
        by,
        action: 'phone.revealed',
        objectId: cornerStoreId,
        details: { reason },
      });
      return sealer.open(store.phone, PURPOSE.phone, cornerStoreId);
    });
  },
  present: (phoneNumber) => ({ phoneNumber }),
});
