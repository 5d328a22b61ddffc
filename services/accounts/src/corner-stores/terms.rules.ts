import { CHANGE_KINDS } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { amountOf, centsOf } from '@fiado/contracts/money';

/** Terms of a corner store that ops sets. */
export interface Terms {
  creditLimitCents: number;
  /** Decimal string, at most 6 decimals. */
  interestRate: string;
  /** Null: the installation's. */
  timeZone: string | null;
}

/** A higher rate is more often a typing error (30 for 0.30) than meant. */
const USUAL_RATE = 0.3;

/** A corner store's limit, and how far people raised it one at a time. */
export interface LimitHistory {
  creditLimitCents: number;
  /** The limit that two people approved last, else the imported one. Null: it never changed. */
  approvedLimitCents: number | null;
  /** Sum of the raises by one person since then. It has no window, and a lower limit does not reduce it. */
  raisedAloneCents: number;
}

/** The people who set a limit: one, two, or a caller that needs no second one. */
export type LimitAuthority = 'one-person' | 'two-people' | 'exempt';

/**
 * Whether one person may not make these changes alone: a raise by more than the threshold, of the limit as
 * it is or in sum since two people approved one, or another rate.
 */
export function termsNeedApproval(
  before: LimitHistory & Pick<Terms, 'interestRate'>,
  changes: Partial<Terms>,
): boolean {
  const { aboveCents, aboveShare } = CHANGE_KINDS['corner-store.terms'];
  const { creditLimitCents: limit } = before;
  const raisedCents = raiseOf(before, changes);
  const summedCents = before.raisedAloneCents + raisedCents;
  const isRaisedTooFar =
    raisedCents > limit * aboveShare ||
    summedCents > approvedLimitOf(before) * aboveShare ||
    summedCents > aboveCents;
  return changes.interestRate !== undefined || (raisedCents > 0 && isRaisedTooFar);
}

/** By how many cents changes raise the limit; 0 when they do not. */
export function raiseOf(
  { creditLimitCents: before }: Pick<LimitHistory, 'creditLimitCents'>,
  { creditLimitCents = before }: Partial<Terms>,
): number {
  return Math.max(0, creditLimitCents - before);
}

/**
 * The limit and its history after a change. A raise by an exempt caller counts as approved, and leaves the
 * sum of what people raised.
 */
export function limitAfter(
  before: LimitHistory,
  creditLimitCents: number,
  authority: LimitAuthority,
): LimitHistory {
  if (authority === 'two-people') {
    return { creditLimitCents, approvedLimitCents: creditLimitCents, raisedAloneCents: 0 };
  }
  const raisedCents = raiseOf(before, { creditLimitCents });
  const [exempt, alone] = authority === 'exempt' ? [raisedCents, 0] : [0, raisedCents];
  return {
    creditLimitCents,
    approvedLimitCents: approvedLimitOf(before) + exempt,
    raisedAloneCents: before.raisedAloneCents + alone,
  };
}

function approvedLimitOf({ approvedLimitCents, creditLimitCents }: LimitHistory): number {
  return approvedLimitCents ?? creditLimitCents;
}

/** The terms that differ from those of the store. */
export function differingTerms(store: Terms, terms: Partial<Terms>): Partial<Terms> {
  const { creditLimitCents, interestRate, timeZone } = terms;
  const isOtherLimit =
    creditLimitCents !== undefined && creditLimitCents !== store.creditLimitCents;
  const isOtherRate =
    interestRate !== undefined && Number(interestRate) !== Number(store.interestRate);
  const isOtherZone = timeZone !== undefined && timeZone !== store.timeZone;
  return {
    ...(isOtherLimit && { creditLimitCents }),
    ...(isOtherRate && { interestRate }),
    ...(isOtherZone && { timeZone }),
  };
}

/**
 * Refuses unusual terms that nobody has confirmed.
 * @param ceilingPesos a higher limit is unusual
 * @throws AppError CONFIRMATION_REQUIRED with the old and the new values
 */
export function termsNeedConfirmation(
  before: Pick<Terms, 'creditLimitCents' | 'interestRate'>,
  { creditLimitCents = 0, interestRate = '0' }: Partial<Terms>,
  ceilingPesos: number,
): void {
  const fields = {
    ...(creditLimitCents > centsOf(ceilingPesos) && {
      creditLimit: amountOf(before.creditLimitCents),
      newCreditLimit: amountOf(creditLimitCents),
    }),
    ...(Number(interestRate) > USUAL_RATE && {
      interestRate: Number(before.interestRate),
      newInterestRate: Number(interestRate),
    }),
  };
  if (Object.keys(fields).length > 0) throw new AppError('CONFIRMATION_REQUIRED', { fields });
}
