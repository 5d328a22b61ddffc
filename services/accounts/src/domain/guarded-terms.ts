import { CHANGE_KINDS } from '@fiado/shared/contracts/change-requests';
import { AppError } from '@fiado/shared/contracts/errors';
import { amountOf, centsOf } from '@fiado/shared/money';

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

/** Whether new terms move enough to need a second person. */
export function termsNeedApproval(
  before: Pick<Terms, 'creditLimitCents' | 'interestRate'>,
  { creditLimitCents = before.creditLimitCents, interestRate }: Partial<Terms>,
): boolean {
  const { aboveCents, aboveShare } = CHANGE_KINDS['corner-store.terms'];
  const raisedCents = creditLimitCents - before.creditLimitCents;
  const isRateChanged =
    interestRate !== undefined && Number(interestRate) !== Number(before.interestRate);
  return (
    isRateChanged || raisedCents > aboveCents || raisedCents > before.creditLimitCents * aboveShare
  );
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
