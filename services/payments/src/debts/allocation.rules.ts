/** An amount in integer cents, split by its parts: interests, IVA and principal. */
export interface Parts {
  interestCents: number;
  ivaCents: number;
  principalCents: number;
}

/** A receivable with the parts of it that are still to pay. */
export interface Outstanding extends Parts {
  id: string;
  dueAt: Date;
}

/** Money for one receivable, split into its parts. */
export interface Allocation<Receivable> {
  receivable: Receivable;
  paid: Parts;
}

/** Within a receivable the lender's costs are paid first. */
const PARTS_IN_ORDER = ['interestCents', 'ivaCents', 'principalCents'] as const;

export function sumOf({ interestCents, ivaCents, principalCents }: Parts): number {
  return interestCents + ivaCents + principalCents;
}

export function plus(a: Parts, b: Parts): Parts {
  return {
    interestCents: a.interestCents + b.interestCents,
    ivaCents: a.ivaCents + b.ivaCents,
    principalCents: a.principalCents + b.principalCents,
  };
}

/** What remains of `from` without `taken`. */
export function minus(from: Parts, taken: Parts): Parts {
  return {
    interestCents: from.interestCents - taken.interestCents,
    ivaCents: from.ivaCents - taken.ivaCents,
    principalCents: from.principalCents - taken.principalCents,
  };
}

/** The parts that an amount pays: interests, then IVA, then principal, never more than is owed. */
export function payParts(amountCents: number, owed: Parts): Parts {
  return fillParts(amountCents, owed, PARTS_IN_ORDER);
}

/**
 * Spreads money over what a user owes: the receivable that the deposit names, then the oldest due
 * first. The rest is left over.
 * @param namedId the receivable of the deposit's idFactura
 */
export function allocate<Receivable extends Outstanding>(
  amountCents: number,
  receivables: Receivable[],
  namedId: string | null = null,
): { allocations: Allocation<Receivable>[]; leftCents: number } {
  const allocations: Allocation<Receivable>[] = [];
  let leftCents = amountCents;
  for (const receivable of inOrderOfPayment(receivables, namedId)) {
    const paid = payParts(leftCents, receivable);
    if (sumOf(paid) === 0) continue;
    allocations.push({ receivable, paid });
    leftCents -= sumOf(paid);
  }
  return { allocations, leftCents };
}

function inOrderOfPayment<Receivable extends Outstanding>(
  receivables: Receivable[],
  namedId: string | null,
): Receivable[] {
  return receivables.toSorted(
    (a, b) =>
      Number(b.id === namedId) - Number(a.id === namedId) ||
      a.dueAt.getTime() - b.dueAt.getTime() ||
      // Two that are due at the same time: any order, as long as it is stable.
      (a.id < b.id ? -1 : 1),
  );
}

function fillParts(amountCents: number, limits: Parts, order: readonly (keyof Parts)[]): Parts {
  const filled: Parts = { interestCents: 0, ivaCents: 0, principalCents: 0 };
  let leftCents = amountCents;
  for (const part of order) {
    filled[part] = Math.min(leftCents, limits[part]);
    leftCents -= filled[part];
  }
  return filled;
}

/** Money that reached a receivable and was not taken back yet. */
export interface Payment extends Parts {
  allocationId: string;
  receivableId: string;
}

/**
 * What a credit note takes back of the payments of its receivable, so that no part of it is paid
 * beyond what is owed.
 * @param excess by part, what is paid beyond the new total
 * @param payments newest first: the newest one loses first
 */
export function takeBackExcess<Paid extends Payment>(excess: Parts, payments: Paid[]): Paid[] {
  const takenBack: Paid[] = [];
  let left = excess;
  for (const payment of payments) {
    const parts: Parts = {
      interestCents: Math.min(left.interestCents, payment.interestCents),
      ivaCents: Math.min(left.ivaCents, payment.ivaCents),
      principalCents: Math.min(left.principalCents, payment.principalCents),
    };
    if (sumOf(parts) === 0) continue;
    takenBack.push({ ...payment, ...parts });
    left = minus(left, parts);
  }
  return takenBack;
}

/** By part, how much a credit note exceeds what is outstanding: this much was overpaid. */
export function excessOf(note: Parts, outstanding: Parts): Parts {
  return {
    interestCents: Math.max(0, note.interestCents - outstanding.interestCents),
    ivaCents: Math.max(0, note.ivaCents - outstanding.ivaCents),
    principalCents: Math.max(0, note.principalCents - outstanding.principalCents),
  };
}

interface DepositUse {
  /** What the deposit paid. */
  payments: Payment[];
  /** The part of it that went to the credit balance of the user. */
  surplusCents: number;
  /** What the user's credit balance paid, newest first: the surplus may be in it. */
  spendings: Payment[];
}

interface Reversal {
  /** The amount that each payment loses. */
  takenBack: Payment[];
  /** The part of it that returns to the credit balance, so that the surplus can be taken there. */
  returnedCents: number;
  /** What is still missing: it was paid out to the store, which owes it as a recovery. */
  recoveredCents: number;
}

/**
 * How to undo a deposit: reverse all that it paid. If its surplus is no longer in the credit
 * balance, also reverse payments of the balance, newest first, until the balance is not below zero.
 * The store owes what was paid out to it.
 */
export function reversalOf(
  { payments, surplusCents, spendings }: DepositUse,
  balanceCents: number,
): Reversal {
  const takenBack = [...payments];
  const missingCents = Math.max(0, surplusCents - balanceCents);
  let leftCents = missingCents;
  for (const spending of spendings) {
    // The last paid is outstanding again first, so principal first.
    const parts = fillParts(leftCents, spending, PARTS_IN_ORDER.toReversed());
    if (sumOf(parts) === 0) break;
    const { allocationId, receivableId } = spending;
    takenBack.push({ allocationId, receivableId, ...parts });
    leftCents -= sumOf(parts);
  }
  return { takenBack, returnedCents: missingCents - leftCents, recoveredCents: leftCents };
}
