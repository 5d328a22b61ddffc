import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { firstNameInitialCall } from '@fiado/contracts/corner-store';
import { amountOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { matchReferences, readingsOf } from './payment-reference.rules';
import { owedCentsOf } from './receivable';
import { findReferences } from './references';

/** Look-ups of one payment provider in any minute: more than its clerks type, too few to guess. */
const LOOK_UPS_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

export const lookUpReferenceEndpoint = endpoint({
  id: 'lookUpReference',
  as: 'payments.lookUpReference',
  tag: 'Payments',
  route: 'GET /v1/customer-transaction/payment/reference/:reference',
  scope: 'deposits:write',
  summary: 'Look up a payment reference',
  description:
    'For a provider before it takes cash: what is owed, and the initial of who owes it. A reference ' +
    'that is unknown or paid is a 404. A provider has 60 look-ups a minute, over all of its keys.',
  errors: ['REFERENCE_NOT_FOUND', 'SIGNATURE_NOT_VALID'],
  signed: true,
  answer: t.object('LookedUpReference', {
    reference: t.field(
      t.text,
      'The reference that was found, with all of its digits',
      '4829105736423',
    ),
    amountDue: t.field(
      t.pesos,
      'What is still owed: of an `idFactura` for its debt, of a `numeroReferencia` for all debts',
      529,
    ),
    firstNameInitial: t.field(
      t.text,
      'First letter of the first name of the user who owes it',
      'L',
    ),
  }),
  input: ({ caller, text }) => ({ paymentProviderId: caller.id, text: text('reference') }),
  handle: lookUpReference,
  present: ({ reference, owedCents, firstNameInitial }) => ({
    reference,
    amountDue: amountOf(owedCents),
    firstNameInitial,
  }),
});

/**
 * The debt under a reference, read as a deposit's references are (lookUpReference). A reference
 * without an open debt takes the same steps as one with a debt, so that neither the answer nor its
 * time shows which references exist.
 * @throws AppError REFERENCE_NOT_FOUND when it is unknown, ambiguous or settled,
 *   RATE_LIMIT_EXCEEDED after too many look-ups of the provider,
 *   SERVICE_UNAVAILABLE when accounts cannot be reached
 */
async function lookUpReference(
  { db, accounts }: Context,
  { paymentProviderId, text }: { paymentProviderId: string; text: string },
) {
  const retryAfterSeconds = await countLookUp(db, paymentProviderId);
  if (retryAfterSeconds !== undefined) {
    throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
  }
  const readings = readingsOf({ idFactura: text, numeroReferencia: text });
  const known = await findReferences(db, readings);
  const match = matchReferences(readings, known);

  const { userId, receivableId } =
    typeof match === 'string' ? { userId: newId(), receivableId: null } : match;
  const [owedCents, { firstNameInitial }] = await Promise.all([
    owedCentsOf(db, userId, receivableId),
    accounts.ask(firstNameInitialCall, { userId }),
  ]);
  const found = known.find((one) => one.userId === userId && one.receivableId === receivableId);
  if (found === undefined || owedCents === 0 || firstNameInitial === null) {
    throw new AppError('REFERENCE_NOT_FOUND');
  }
  return { reference: found.reference, owedCents, firstNameInitial };
}

/**
 * Counts a look-up of a payment provider, in one statement with its own commit, so that parallel ones
 * on all instances share the limit.
 * @returns seconds until the next look-up is allowed; undefined when this one is
 */
async function countLookUp(db: Db, paymentProviderId: string): Promise<number | undefined> {
  const [row] = await query<{ counted: boolean; waitSeconds: number }>(
    db,
    `WITH counted AS (
       INSERT INTO reference_lookups AS known (payment_provider_id, looked_up_at)
       VALUES ($1, ARRAY[now()])
       ON CONFLICT (payment_provider_id) DO UPDATE
         -- The newest of them, with this one.
         SET looked_up_at = (known.looked_up_at || now())
               [greatest(1, cardinality(known.looked_up_at) + 2 - $2::integer):]
         WHERE cardinality(known.looked_up_at) < $2::integer
            OR known.looked_up_at[1] <= now() - make_interval(secs => $3::float)
       RETURNING payment_provider_id
     )
     SELECT EXISTS (SELECT FROM counted) AS counted,
            coalesce((SELECT ceil(extract(epoch FROM looked_up_at[1] - now()) + $3::float)
                        FROM reference_lookups WHERE payment_provider_id = $1), 1)::integer
              AS "waitSeconds"`,
    [paymentProviderId, LOOK_UPS_PER_MINUTE, WINDOW_SECONDS],
  );
  return row?.counted === true ? undefined : Math.max(1, row?.waitSeconds ?? WINDOW_SECONDS);
}
