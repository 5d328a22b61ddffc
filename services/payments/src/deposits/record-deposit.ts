import { IsString, MinLength } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { currentRequestId } from '@fiado/chassis/request-context';
import { currentTraceparent } from '@fiado/chassis/tracing/tracer';
import { About, DescribedAs } from '@fiado/contracts/about';
import { IsNonEmptyText, IsPositiveAmount, IsVisible, Passes } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { exampleNotice, KEPT_REFERENCE_LENGTH, noticeFields } from './deposit';
import {
  depositHash,
  isPaymentTime,
  isPossibleTime,
  isSameDeposit,
  paymentTimeOf,
  valuesOfBody,
} from './deposit.rules';
import type { KnownDeposit, NewDeposit } from './insert-deposits.sql';
import { DepositRow } from './deposit.entity';

/**
 * Conflicting bodies that are kept of one deposit. Each is answered with 409. The first ones are
 * enough to find the bug of a provider that sends more.
 */
const MAX_CONFLICTS = 20;

/** Longest claveDePago in characters: the longest key that Mexican banks print has 40. */
const MAX_KEY_LENGTH = 64;

/**
 * A payer types both references, so any text is accepted: no, short or long. The limit of the
 * request's body bounds them.
 */
@DescribedAs(noticeFields)
class DepositBody {
  @IsString()
  idFactura: string;

  @IsString()
  numeroReferencia: string;

  /** Pesos. */
  @IsPositiveAmount()
  valor: number;

  @IsPaymentTime()
  fechaPago: string;

  @IsNonEmptyText(MAX_KEY_LENGTH)
  @IsVisible()
  claveDePago: string;
}

class DepositQuery {
  @About('Name of the payment provider that the key belongs to', 'Acme')
  @IsString()
  @MinLength(1)
  paymentProviderName: string;
}

export const recordDepositEndpoint = endpoint({
  id: 'recordDeposit',
  as: 'payments.recordDeposit',
  ignoresUnknown: true,
  tag: 'Payments',
  route: 'POST /v1/customer-transaction/payment/deposit',
  scope: 'deposits:write',
  summary: 'Notify a deposit',
  description:
    'Answered as soon as the deposit is stored; it is applied a moment later. The same `claveDePago` with ' +
    'the same body has no second effect: it gets the same `depositId`, with `repeated`. A different body is a conflict. ' +
    '`paymentProviderName` is the name of the key’s provider. Both references are free text: ' +
    'empty, long, without leading zeros or swapped, the deposit is accepted.',
  body: DepositBody,
  bodyExample: exampleNotice,
  query: DepositQuery,
  errors: ['DEPOSIT_CONFLICT', 'SIGNATURE_NOT_VALID'],
  idempotent: true,
  signed: true,
  answer: t.object('RecordedDeposit', {
    success: t.field(t.constant(true), 'Always true'),
    depositId: fields.depositId,
    repeated: t.field(t.flag, 'Whether the deposit was known already', false),
  }),
  input: (request, { clock, config }: Context) => {
    const { id: paymentProviderId, name, timeZone = config.TIME_ZONE } = request.caller;
    if (request.query.paymentProviderName !== name) {
      const message = `paymentProviderName must be ${name}, as the provider of the key is spelled`;
      throw new AppError('FORBIDDEN', { message });
    }
    const { valor, fechaPago, ...notice } = request.body;
    const paidAt = paymentTimeOf(fechaPago, timeZone);
    if (!isPossibleTime(paidAt, clock.now())) {
      throw new ValidationError(['fechaPago must be from 2000 on, and at most a day ahead']);
    }
    return {
      ...notice,
      paymentProviderId,
      providerName: name,
      valorCents: centsOf(valor),
      fechaPago,
      paidAt,
      isSigned: request.caller.hasSigned === true,
      body: JSON.stringify(request.json),
    };
  },
  handle: recordDeposit,
  present: ({ depositId, repeated }) => ({ success: true, depositId, repeated }),
});

function IsPaymentTime(): PropertyDecorator {
  return Passes(
    'isPaymentTime',
    '$property must be a real time in the format YYYY-MM-DD HH:MM:SS.SSS',
    (value) => typeof value === 'string' && isPaymentTime(value),
  );
}

/**
 * Stores a deposit and leaves its processing to the loop of deposits that are `received`. The same
 * five values under the same key change nothing, however their texts are spelled (foldKey).
 * @throws AppError DEPOSIT_CONFLICT if the key belongs to other values; the body is stored for ops
 */
export async function recordDeposit(
  context: Context,
  notice: DepositNotice,
  answerOf: StoreAnswer<RecordedDeposit>,
): Promise<RecordedDeposit> {
  const deposit = {
    ...notice,
    id: newId(),
    idFactura: startOf(notice.idFactura),
    numeroReferencia: startOf(notice.numeroReferencia),
    // Over the whole texts: two that differ only after the stored start are different.
    bodyHash: depositHash(notice),
    requestId: currentRequestId() ?? null,
    traceparent: currentTraceparent() ?? null,
  };
  // If the deposit is known, the statement puts the id of the known one into the stored answer.
  const answer = answerOf({ depositId: deposit.id, repeated: false });
  const known = await context.lanes.deposits.add({ deposit, answer });

  if (!known.bodyHash.equals(deposit.bodyHash) && !(await isSpelling(context.db, known, notice))) {
    await keepConflict(context.db, known.id, deposit);
    countDeposit('contradicted');
    context.log.warn(
      { depositId: known.id },
      'provider sent a different deposit under the same claveDePago',
    );
    throw new AppError('DEPOSIT_CONFLICT');
  }
  const isNew = known.id === deposit.id;
  countDeposit(isNew ? 'received' : 'repeated');
  if (isNew) context.depositWorker.wake(deposit.paymentProviderId);
  return { depositId: known.id, repeated: !isNew };
}

interface RecordedDeposit {
  depositId: string;
  repeated: boolean;
}

/** Whether the body of a known deposit has the values of a notice, spelled otherwise. */
async function isSpelling(db: Db, { id }: KnownDeposit, notice: DepositNotice): Promise<boolean> {
  const { body } = await db.manager.findOneByOrFail(DepositRow, { id });
  const values = valuesOfBody(body);
  return values !== undefined && isSameDeposit(values, notice);
}

/** Cut between characters: half of a surrogate pair is no text. */
function startOf(text: string): string {
  if (text.length <= KEPT_REFERENCE_LENGTH) return text;
  return Array.from(text).slice(0, KEPT_REFERENCE_LENGTH).join('');
}

/** A provider's notice: validated, but not matched yet. */
export type DepositNotice = Omit<NewDeposit, 'id' | 'bodyHash' | 'requestId' | 'traceparent'>;

/** Keeps a body that conflicts with a known deposit; the same one again is kept once. */
async function keepConflict(
  db: Db,
  depositId: string,
  { bodyHash, body }: NewDeposit,
): Promise<void> {
  await query(
    db,
    `INSERT INTO deposit_conflicts (deposit_id, body_hash, body)
     SELECT $1, $2, $3
      WHERE (SELECT count(*) FROM deposit_conflicts WHERE deposit_id = $1) < $4
     ON CONFLICT DO NOTHING`,
    [depositId, bodyHash, body, MAX_CONFLICTS],
  );
}
