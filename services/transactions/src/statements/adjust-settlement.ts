import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { ReasonBody } from '@fiado/contracts/reason-body';
import { About } from '@fiado/contracts/about';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsSignedAmount } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { commissionBack } from './settlement.rules';
import { amountFields, type Decision } from './statement';
import type { SettlementLineRow } from './settlement-line.entity';

const ADJUSTMENT_KINDS = ['clawback', 'adjustment'] as const;

class AdjustSettlementBody extends ReasonBody {
  @IsUUID()
  wholesalerId: string;

  @IsOptional()
  @IsUUID()
  transactionId?: string;

  @About('Kind of the line')
  @IsIn(ADJUSTMENT_KINDS)
  kind: (typeof ADJUSTMENT_KINDS)[number];

  @About(
    'What a clawback takes back; what an adjustment adds, or takes with a negative amount',
    480.5,
  )
  @IsSignedAmount()
  amount: number;
}

const adjustmentAnswer = t.object('SettlementAdjustment', {
  lineId: t.id('Id of the line', '0199e2c4-9d4e-7f50-8b62-738495061731'),
  wholesalerId: fields.wholesalerId,
  transactionId: t.nullable(fields.transactionId),
  kind: t.field(t.oneOf(ADJUSTMENT_KINDS), 'Kind of the line'),
  grossAmount: amountFields.grossAmount,
  commission: amountFields.commission,
  reason: fields.reason,
});

export const adjustSettlementEndpoint = endpoint({
  id: 'adjustSettlement',
  as: 'statements.adjust',
  tag: 'Ops: statements',
  route: 'POST /v1/admin/settlement-adjustments',
  scope: 'approver',
  summary: 'Correct what a wholesaler is owed',
  description:
    'A line of the draft. `clawback` takes back a positive `amount` of what was settled for an order, with the commission on it; the ' +
    'store still owes its debt. With credit notes, clawbacks never exceed the delivered amount. `adjustment` adds `amount`, or takes it with a negative one. Waits for a second person, also for a key: 202. Without `FOUR_EYES` it is made at once: 201.',
  body: AdjustSettlementBody,
  bodyExample: {
    wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    transactionId: EXAMPLE_IDS.transactionId,
    kind: 'clawback',
    amount: 480.5,
    reason: 'La entrega fue falsa',
  },
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'ADJUSTMENT_NOT_ALLOWED'],
  // Two equal requests are two corrections. Only the Idempotency-Key tells a repetition.
  idempotent: true,
  status: 201,
  answer: adjustmentAnswer,
  example: {
    grossAmount: -480.5,
    commission: -9.61,
    reason: 'La entrega fue falsa',
  },
  input: ({ body, caller: by }) => ({ by, adjustment: adjustmentOf(body) }),
  handle: async (context: Context, { by, adjustment }, answerOf) => {
    const { wholesalerId } = adjustment;
    return answerInTransaction<AdjustmentLine | ChangeRequested>(context, answerOf, async (tx) => {
      const known = await queryRow(tx, 'SELECT 1 FROM wholesalers WHERE wholesaler_id = $1', [
        wholesalerId,
      ]);
      if (known === undefined) throw new AppError('WHOLESALER_NOT_FOUND');
      if (context.config.FOUR_EYES === 'off') {
        const decision = { requestedBy: by.id, approvedBy: null };
        const line = await writeAdjustment(tx, newId(), adjustment, decision);
        const { id: lineId, kind, grossCents, commissionCents } = line;
        const details = { wholesalerId, lineId, kind, grossCents, commissionCents };
        await audit(tx, by, { action: 'settlement.adjusted', objectId: lineId, details });
        return line;
      }
      await commissionOf(tx, adjustment);
      return requestChange(tx, {
        by,
        kind: 'settlement.adjust',
        payload: adjustment,
        before: {},
        reason: adjustment.reason,
      });
    });
  },
  present: (line: AdjustmentLine) =>
    t.presentRow(adjustmentAnswer, line, {
      lineId: line.id,
      grossAmount: amountOf(line.grossCents),
      commission: amountOf(line.commissionCents),
    }),
});

function adjustmentOf(body: AdjustSettlementBody): Adjustment {
  const { wholesalerId, kind, amount, reason, transactionId = null } = body;
  const isClawback = kind === 'clawback';
  const problems = [
    ...(isClawback && transactionId === null ? ['transactionId is needed for a clawback'] : []),
    ...(isClawback && amount < 0 ? ['amount of a clawback must be above 0'] : []),
  ];
  if (problems.length > 0) throw new ValidationError(problems);
  return { wholesalerId, transactionId, kind, amountCents: centsOf(amount), reason };
}

/** A correction. `amountCents` is what a clawback takes, and what an adjustment adds. */
export interface Adjustment extends Pick<SettlementLineRow, 'wholesalerId' | 'transactionId'> {
  kind: Extract<SettlementLineRow['kind'], (typeof ADJUSTMENT_KINDS)[number]>;
  amountCents: number;
  reason: NonNullable<SettlementLineRow['reason']>;
}

type AdjustmentLine = Omit<Adjustment, 'amountCents'> &
  Pick<SettlementLineRow, 'id' | 'grossCents' | 'commissionCents'>;

/**
 * Stores a decided adjustment, and writes its line.
 * @param id of its request: one line for each
 * @throws AppError TRANSACTION_NOT_FOUND, ADJUSTMENT_NOT_ALLOWED
 */
export async function writeAdjustment(
  tx: Transaction,
  id: string,
  adjustment: Adjustment,
  { requestedBy, approvedBy }: Decision,
): Promise<AdjustmentLine> {
  const { wholesalerId, transactionId, kind, amountCents, reason } = adjustment;
  const commissionCents = await commissionOf(tx, adjustment);
  const grossCents = kind === 'clawback' ? -amountCents : amountCents;
  return queryOne<AdjustmentLine>(
    tx,
    `WITH decided AS (
       INSERT INTO settlement_adjustments
         (id, wholesaler_id, kind, transaction_id, amount_cents, commission_cents, requested_by,
          approved_by)
       VALUES ($3, $1, $2, $4, $8, $6, $9, $10))
     INSERT INTO settlement_lines
       (wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
    [
      wholesalerId,
      kind,
      id,
      transactionId,
      grossCents,
      commissionCents,
      reason,
      amountCents,
      requestedBy,
      approvedBy,
    ],
  );
}

/**
 * The commission on an adjustment, in signed cents. Locks its order, as credit notes do, so that all
 * corrections together stay within what was delivered.
 */
async function commissionOf(
  tx: Transaction,
  { wholesalerId, transactionId, kind, amountCents }: Adjustment,
): Promise<number> {
  if (transactionId === null) return 0;
  const order = await queryRow<{ commissionRate: string }>(
    tx,
    `SELECT trim_scale(commission_rate)::text AS "commissionRate" FROM transactions
      WHERE id = $1 AND wholesaler_id = $2 FOR NO KEY UPDATE`,
    [transactionId, wholesalerId],
  );
  if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (kind === 'adjustment') return 0;
  // 0 for an order without a line: it is not delivered, or older than the settlement.
  const { leftCents } = await queryOne<{ leftCents: number }>(
    tx,
    `SELECT ((SELECT coalesce(sum(gross_cents), 0) FROM settlement_lines
              WHERE kind = 'delivery' AND source_id = $1)
          + (SELECT coalesce(sum(gross_cents), 0) FROM settlement_lines
              WHERE transaction_id = $1 AND kind IN ('credit-note', 'clawback')))::bigint
            AS "leftCents"`,
    [transactionId],
  );
  if (amountCents > leftCents) throw new AppError('ADJUSTMENT_NOT_ALLOWED');
  return -commissionBack(leftCents, amountCents, order.commissionRate) || 0;
}
