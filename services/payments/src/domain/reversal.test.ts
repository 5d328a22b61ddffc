import * as fc from 'fast-check';
import { sumOf } from './allocation';
import { reversalOf, type Payment } from './reversal';

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
