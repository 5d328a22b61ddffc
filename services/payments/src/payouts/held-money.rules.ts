/** Money of a credit balance that no payout takes before its credit notes are settled. */
export interface HeldMoney {
  cents: number;
  /** The payment of a debt that used it; null: it lies in the balance. */
  allocationId: string | null;
  /** The deposit whose surplus it is; null: a debt gave it back that the balance had paid. */
  depositId: string | null;
  /** Notes that gave it, one after the other. It is held while one of them is not settled. */
  creditNoteIds: string[];
}

function heldCentsOf(held: HeldMoney[]): number {
  return held.reduce((sum, { cents }) => sum + cents, 0);
}

/** Splits held money into its first cents and the rest. @param isTaken which of it may be taken */
function splitHeld(
  held: HeldMoney[],
  cents: number,
  isTaken: (one: HeldMoney) => boolean = () => true,
): { taken: HeldMoney[]; left: HeldMoney[] } {
  const taken: HeldMoney[] = [];
  const left: HeldMoney[] = [];
  let missingCents = Math.max(0, cents);
  for (const one of held) {
    const part = isTaken(one) ? Math.min(one.cents, missingCents) : 0;
    missingCents -= part;
    if (part > 0) taken.push({ ...one, cents: part });
    if (part < one.cents) left.push({ ...one, cents: one.cents - part });
  }
  return { taken, left };
}

/** A payment that a credit balance makes; without an allocation it pays a recovery. */
export interface BalancePayment {
  allocationId: string | null;
  cents: number;
}

/**
 * Where held money is once the balance made payments. What is free is used first. A debt keeps what it
 * used, because a credit note of it gives that back; a recovery does not.
 */
export function heldAfterPayments(
  held: HeldMoney[],
  balanceCents: number,
  payments: BalancePayment[],
): HeldMoney[] {
  let freeCents = balanceCents - heldCentsOf(held);
  let inBalance = held;
  const used: HeldMoney[] = [];
  for (const { allocationId, cents } of payments) {
    const ofFree = Math.min(freeCents, cents);
    freeCents -= ofFree;
    const { taken, left } = splitHeld(inBalance, cents - ofFree);
    inBalance = left;
    if (allocationId !== null) used.push(...taken.map((one) => ({ ...one, allocationId })));
  }
  return [...inBalance, ...used];
}

/** A payment that is taken back, with what returns of it to the balance. */
export interface ReturnedPayment {
  allocationId: string;
  depositId: string | null;
  cents: number;
}

/**
 * Where held money is once payments were taken back: what is held of each returns first.
 * @param creditNoteId the note that takes them back, which then holds all of it; null: a deposit was undone
 */
export function heldAfterReturns(
  held: HeldMoney[],
  returns: ReturnedPayment[],
  creditNoteId: string | null,
): HeldMoney[] {
  let after = held;
  for (const { allocationId, depositId, cents } of returns) {
    const { taken, left } = splitHeld(after, cents, (one) => one.allocationId === allocationId);
    const again = taken.map((one) => ({
      ...one,
      allocationId: null,
      creditNoteIds: [...one.creditNoteIds, ...(creditNoteId === null ? [] : [creditNoteId])],
    }));
    const newCents = creditNoteId === null ? 0 : cents - heldCentsOf(taken);
    const fresh: HeldMoney[] =
      creditNoteId === null || newCents === 0
        ? []
        : [{ cents: newCents, allocationId: null, depositId, creditNoteIds: [creditNoteId] }];
    after = [...left, ...again, ...fresh];
  }
  return after;
}

/**
 * What is held once the surplus of a deposit left the balance: its own money goes first, then what is
 * free, then other held money.
 * @param balanceCents before it left
 */
export function heldAfterSurplus(
  held: HeldMoney[],
  balanceCents: number,
  { depositId, cents }: { depositId: string; cents: number },
): HeldMoney[] {
  const isInBalance = ({ allocationId }: HeldMoney): boolean => allocationId === null;
  const freeCents = balanceCents - heldCentsOf(held.filter(isInBalance));
  const own = splitHeld(held, cents, (one) => isInBalance(one) && one.depositId === depositId);
  const missingCents = cents - heldCentsOf(own.taken) - freeCents;
  return splitHeld(own.left, missingCents, isInBalance).left;
}
