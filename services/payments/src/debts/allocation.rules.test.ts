import * as fc from 'fast-check';
import {
  allocate,
  minus,
  type Outstanding,
  type Payment,
  payParts,
  reversalOf,
  sumOf,
} from './allocation.rules';

describe('reversalOf', () => {
  const paid = payment('paid', [500, 80, 10_000]);
  const newest = payment('newest', [100, 16, 300]);
  const older = payment('older', [50, 8, 1_000]);

  const NOTHING = { returnedCents: 0, recoveredCents: 0 };

  it('takes back all that the deposit paid', () => {
    const use = { payments: [paid], surplusCents: 0, spendings: [newest] };
    expect(reversalOf(use, 0)).toEqual({ takenBack: [paid], ...NOTHING });
  });

  it('leaves what the balance paid while the balance holds the surplus', () => {
    const use = { payments: [paid], surplusCents: 700, spendings: [newest] };
    expect(reversalOf(use, 700)).toEqual({ takenBack: [paid], ...NOTHING });
  });

  it('takes the rest from what the balance paid, newest and principal first', () => {
    const use = { payments: [], surplusCents: 700, spendings: [newest, older] };
    expect(reversalOf(use, 390)).toEqual({
      takenBack: [payment('newest', [0, 10, 300])],
      returnedCents: 310,
      recoveredCents: 0,
    });
    expect(reversalOf(use, 0)).toEqual({
      takenBack: [newest, payment('older', [0, 0, 284])],
      returnedCents: 700,
      recoveredCents: 0,
    });
  });

  it('leaves as a recovery what the balance neither holds nor paid', () => {
    const use = { payments: [], surplusCents: 2_000, spendings: [newest] };
    expect(reversalOf(use, 100)).toEqual({
      takenBack: [newest],
      returnedCents: 416,
      recoveredCents: 1_484,
    });
  });

  it('gives back the deposit to the cent, and never more than was paid', () => {
    const cents = fc.integer({ min: 0, max: 100_000 });
    const spendings = fc.array(
      fc.tuple(cents, cents, cents).map((parts) => payment('spent', parts)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        spendings,
        cents,
        fc.double({ min: 0, max: 2, noNaN: true }),
        (spent, balanceCents, share) => {
          const inReachCents = balanceCents + spent.reduce((total, one) => total + sumOf(one), 0);
          const surplusCents = Math.floor(inReachCents * share);
          const { takenBack, returnedCents, recoveredCents } = reversalOf(
            { payments: [], surplusCents, spendings: spent.filter((one) => sumOf(one) > 0) },
            balanceCents,
          );
          expect(takenBack.reduce((total, one) => total + sumOf(one), 0)).toBe(returnedCents);
          expect(recoveredCents).toBe(Math.max(0, surplusCents - inReachCents));
          const leftCents = balanceCents + returnedCents + recoveredCents - surplusCents;
          expect(leftCents).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

const cents = fc.integer({ min: 0, max: 10_000_000 });
const parts = fc.record({ interestCents: cents, ivaCents: cents, principalCents: cents });
const receivables = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    dueAt: fc.date({ noInvalidDate: true }),
    interestCents: cents,
    ivaCents: cents,
    principalCents: cents,
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

function receivable(id: string, dueAt: string, outstanding: number[]): Outstanding {
  const [interestCents = 0, ivaCents = 0, principalCents = 0] = outstanding;
  return { id, dueAt: new Date(dueAt), interestCents, ivaCents, principalCents };
}

describe('payParts', () => {
  it('pays interests, then IVA, then principal', () => {
    const owed = { interestCents: 500, ivaCents: 80, principalCents: 10_000 };
    expect(payParts(300, owed)).toEqual({ interestCents: 300, ivaCents: 0, principalCents: 0 });
    expect(payParts(550, owed)).toEqual({ interestCents: 500, ivaCents: 50, principalCents: 0 });
    expect(payParts(600, owed)).toEqual({ interestCents: 500, ivaCents: 80, principalCents: 20 });
    expect(payParts(99_999, owed)).toEqual(owed);
  });

  it('never pays more than the amount or than any part owes', () => {
    fc.assert(
      fc.property(cents, parts, (amountCents, owed) => {
        const paid = payParts(amountCents, owed);
        const left = minus(owed, paid);
        expect(sumOf(paid)).toBe(Math.min(amountCents, sumOf(owed)));
        expect(Math.min(...Object.values(paid), ...Object.values(left))).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('allocate', () => {
  const march = receivable('march', '2026-03-01', [100, 16, 1_000]);
  const april = receivable('april', '2026-04-01', [200, 32, 2_000]);
  const may = receivable('may', '2026-05-01', [300, 48, 3_000]);

  it('pays the oldest due first when no receivable is named', () => {
    const { allocations, leftCents } = allocate(1_300, [may, april, march]);
    expect(allocations).toEqual([
      { receivable: march, paid: { interestCents: 100, ivaCents: 16, principalCents: 1_000 } },
      { receivable: april, paid: { interestCents: 184, ivaCents: 0, principalCents: 0 } },
    ]);
    expect(leftCents).toBe(0);
  });

  it('pays the named one first and the oldest due with the surplus', () => {
    const { allocations, leftCents } = allocate(3_400, [march, april, may], 'may');
    expect(allocations).toEqual([
      { receivable: may, paid: { interestCents: 300, ivaCents: 48, principalCents: 3_000 } },
      { receivable: march, paid: { interestCents: 52, ivaCents: 0, principalCents: 0 } },
    ]);
    expect(leftCents).toBe(0);
  });

  it('leaves the amount that exceeds all debts', () => {
    const { allocations, leftCents } = allocate(2_000, [march]);
    expect(allocations).toHaveLength(1);
    expect(leftCents).toBe(884);
    expect(allocate(2_000, [])).toEqual({ allocations: [], leftCents: 2_000 });
  });

  it('the parts and what is left sum to the amount, and nothing is paid beyond its debt', () => {
    fc.assert(
      fc.property(cents, receivables, (amountCents, owed) => {
        const { allocations, leftCents } = allocate(amountCents, owed, owed[0]?.id);
        const paidCents = allocations.reduce((total, { paid }) => total + sumOf(paid), 0);
        const owedCents = owed.reduce((total, one) => total + sumOf(one), 0);

        expect(paidCents + leftCents).toBe(amountCents);
        expect(paidCents).toBe(Math.min(amountCents, owedCents));
        for (const { receivable: one, paid } of allocations) {
          expect(Math.min(...Object.values(minus(one, paid)))).toBeGreaterThanOrEqual(0);
          expect(sumOf(paid)).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('does not depend on the order in which the receivables come', () => {
    fc.assert(
      fc.property(cents, receivables, (amountCents, owed) => {
        expect(allocate(amountCents, owed.toReversed())).toEqual(allocate(amountCents, owed));
      }),
    );
  });
});

function payment(allocationId: string, parts: [number, number, number]): Payment {
  const [interestCents, ivaCents, principalCents] = parts;
  return {
    allocationId,
    receivableId: `of ${allocationId}`,
    interestCents,
    ivaCents,
    principalCents,
  };
}
