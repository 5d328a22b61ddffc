import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { amountOf } from '@fiado/contracts/money';
import { type DepositStatus, noticeFields } from './deposit';
import type { DepositRow } from './deposit.entity';
import { REVERSAL_REQUEST } from './reversal-requests.sql';

const REQUEST_STATUSES = ['open', 'refused', 'reversed'] as const;

/** A reversal that the provider of a deposit asked for, as its column in SQL has it. */
export interface ReversalRequest {
  reason: string;
  /** ISO 8601, as PostgreSQL writes it in JSON. */
  requestedAt: string;
  /** Why the lender refused it; null while it has not. */
  refusal: string | null;
  refusedAt: string | null;
}

export const reversalRequest = t.field(
  t.nullable(
    t.object('ReversalRequest', {
      status: t.field(t.oneOf(REQUEST_STATUSES), 'Whether the lender has decided, and how'),
      reason: t.field(t.text, 'Why its provider asked for the reversal', 'Charged twice'),
      requestedAt: fields.requestedAt,
      refusal: t.textOrNull(
        'Why the lender refused it; null of any other',
        'The store got the goods',
      ),
    }),
  ),
  'The reversal that its payment provider asked for; null if it has not',
);

export function presentReversalRequest(
  request: ReversalRequest | null,
  status: DepositStatus,
): t.AnswerOf<typeof reversalRequest> {
  if (request === null) return null;
  const { reason, requestedAt, refusal, refusedAt } = request;
  const decided = refusedAt === null ? 'open' : 'refused';
  return {
    status: status === 'reversed' ? 'reversed' : decided,
    reason,
    requestedAt: new Date(requestedAt).toISOString(),
    refusal,
  };
}

/** Columns of `deposits` that an OwnDeposit has. */
export const OWN_COLUMNS = `id, clave_de_pago, valor_cents, fecha_pago, received_at, status,
  CASE WHEN status = 'reversed' THEN
    (SELECT max(decided_at) FROM deposit_decisions one
      WHERE one.deposit_id = deposits.id AND one.decision = 'reversed') END AS reversed_at,
  ${REVERSAL_REQUEST}`;

/** A deposit as its provider reads it. */
export interface OwnDeposit extends Pick<
  DepositRow,
  'id' | 'claveDePago' | 'valorCents' | 'fechaPago' | 'receivedAt' | 'status'
> {
  reversedAt: Date | null;
  reversalRequest: ReversalRequest | null;
}

/**
 * It does not show whether a reference exists or a debt was paid: a provider could find debts with deposits
 * of a centavo. It does not show references: a stolen key would list the references of payers.
 */
export const ownDeposit = t.object('OwnDeposit', {
  depositId: fields.depositId,
  claveDePago: noticeFields.claveDePago,
  valor: noticeFields.valor,
  fechaPago: noticeFields.fechaPago,
  receivedAt: noticeFields.receivedAt,
  status: t.field(
    t.oneOf(['received', 'reversed']),
    '`reversed` when the lender took it back; any other is `received`',
  ),
  reversedAt: t.timeOrNull(
    'Time at which it was reversed; null if it was not',
    '2026-12-03T18:00:00.000Z',
  ),
  reversalRequest,
});

export const exampleOwnDeposit: t.ExampleOf<typeof ownDeposit> = {
  reversedAt: null,
  reversalRequest: {
    requestedAt: '2026-10-02T16:30:01.234Z',
    refusal: null,
  },
};

export function presentOwnDeposit(deposit: OwnDeposit): t.AnswerOf<typeof ownDeposit> {
  const { status } = deposit;
  return t.presentRow(ownDeposit, deposit, {
    depositId: deposit.id,
    valor: amountOf(deposit.valorCents),
    status: status === 'reversed' ? 'reversed' : 'received',
    reversalRequest: presentReversalRequest(deposit.reversalRequest, status),
  });
}
