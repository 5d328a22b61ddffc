import { AppError } from '@fiado/contracts/errors';
import { firstNameInitialCall } from '@fiado/contracts/first-name-initial';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { countLookUp } from '../db/look-ups.repository';
import { findReferences, owedCentsOf } from '../db/receivables.repository';
import { matchReferences } from '../domain/match-references';
import { readingsOf } from '../domain/payment-reference';

/** What a payment provider sees before it takes cash. */
export interface LookedUpReference {
  /** At its full length, with all leading zeros. */
  reference: string;
  owedCents: number;
  firstNameInitial: string;
}

/**
 * The debt under a reference, read as a deposit's references are (lookUpReference). A reference
 * without an open debt takes the same steps as one with a debt, so that neither the answer nor its
 * time shows which references exist.
 * @throws AppError REFERENCE_NOT_FOUND when it is unknown, ambiguous or settled,
 *   RATE_LIMIT_EXCEEDED after too many look-ups of the provider,
 *   SERVICE_UNAVAILABLE when accounts cannot be reached
 */
export async function lookUpReference(
  { db, accounts }: Context,
  { paymentProviderId, text }: { paymentProviderId: string; text: string },
): Promise<LookedUpReference> {
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
