import { query, queryNamed } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { smsBudgetCall, smsStatusCall } from '@fiado/contracts/sms';
import type { Context } from '../context';
import { overPhoneBudget, phoneUseQuery, QUEUE_ID } from './message-budgets.sql';
import type { MessageStatus } from './messages.sql';

const WOULD_BE_SENT = `
  SELECT (${overPhoneBudget({
    template: '$3::text',
    perPhone: '$4::integer',
    perPhoneAndWholesaler: '$5::integer',
  })}) IS NULL
     AND (SELECT count(*) FROM (
            SELECT FROM messages
             WHERE status = 'pending' AND ${QUEUE_ID} = $2::uuid AND next_attempt_at <= now()
             -- Without an order, a plan for a new table may read all pending messages.
             ORDER BY next_attempt_at LIMIT $6) waiting) < $6 AS allowed
    FROM (${phoneUseQuery({ phone: '$1', wholesaler: '$2::uuid', perPhone: '$4' })}) used`;

/**
 * Whether a new message would be sent: within the budgets of its phone, and before its expiry given
 * the messages that wait before it behind its wholesaler's cap. Called before a code or word is sent
 * again. It locks nothing, so two that are requested at the same time may both be accepted.
 */
export const smsBudgetEndpoint = internalEndpoint({
  call: smsBudgetCall,
  allow: ['service:accounts', 'service:transactions'],
  handle: async (
    { db, smsBudgets: { perPhone, perPhoneAndWholesaler, perWholesaler } }: Context,
    { template, phoneIndex, wholesalerId, lifeSeconds },
  ) => {
    const withinLife = perWholesaler * Math.max(Math.floor(lifeSeconds / 60), 1);
    const index = Buffer.from(phoneIndex, 'base64');
    const [row] = await queryNamed<{ allowed: boolean }>(db, 'would-be-sent', WOULD_BE_SENT, [
      index,
      wholesalerId,
      template,
      perPhone,
      perPhoneAndWholesaler,
      withinLife,
    ]);
    return { allowed: row?.allowed ?? true };
  },
});

/** The outcome of the newest SMS of a kind about an object. */
export const smsStatusEndpoint = internalEndpoint({
  call: smsStatusCall,
  allow: ['service:transactions'],
  handle: async ({ db }: Context, { subjectId, template }) => {
    const [newest] = await query<{ status: MessageStatus }>(
      db,
      `SELECT status FROM messages WHERE subject_id = $1 AND template = $2
        ORDER BY created_at DESC, id DESC LIMIT 1`,
      [subjectId, template],
    );
    // `sending` is internal: callers see `pending`.
    return { status: newest?.status === 'sending' ? 'pending' : (newest?.status ?? null) };
  },
});
