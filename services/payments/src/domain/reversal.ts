import { sumOf, takeBackParts, type Parts } from './allocation';

/** Money that reached a receivable and was not taken back yet. */
export interface Payment extends Parts {
  allocationId: string;
  receivableId: string;
}

export interface DepositUse {
  /** What the deposit paid. */
  payments: Payment[];
  /** What of it went to the user's credit balance. */
  surplusCents: number;
  /** What the user's credit balance paid, newest first: the surplus may be in it. */
  spendings: Payment[];
}

export interface Reversal {
  /** What each payment loses. */
  takenBack: Payment[];
  /** The part of it that returns to the credit balance, so that the surplus can be taken there. */
  returnedCents: number;
  /** What is missing still: it left the balance to the store, which owes it as a recovery. */
  recoveredCents: number;
}

/**
 * How to undo a deposit: reverse all that it paid. If its surplus is no longer in the credit
 * balance, also reverse as much as necessary of what the balance paid, newest first, so that it
 * never goes below zero. What was paid out, the store owes.
 */
export function reversalOf(
  { payments, surplusCents, spendings }: DepositUse,
  balanceCents: number,
): Reversal {
  const takenBack = [...payments];
  const missingCents = Math.max(0, surplusCents - balanceCents);
  let leftCents = missingCents;
  for (const spending of spendings) {
    const parts = takeBackParts(leftCents, spending);
    if (sumOf(parts) === 0) break;
    const { allocationId, receivableId } = spending;
    takenBack.push({ allocationId, receivableId, ...parts });
    leftCents -= sumOf(parts);
  }
  return { takenBack, returnedCents: missingCents - leftCents, recoveredCents: leftCents };
}
