import { commissionBack, lastClosing, totalsOf } from './settlement.rules';

const ADDED = { commissionIva: 'added', ivaRate: '0.16' } as const;
const INCLUDED = { commissionIva: 'included', ivaRate: '0.16' } as const;

describe('totalsOf', () => {
  it('adds the IVA to the commission, and rounds it once', () => {
    expect(totalsOf({ grossCents: 80_025, commissionCents: 1603 }, 0, ADDED)).toEqual({
      grossCents: 80_025,
      commissionCents: 1603,
      // 256.48
      commissionIvaCents: 256,
      openingCents: 0,
      netCents: 78_166,
      dueCents: 78_166,
    });
  });

  it('takes the IVA out of a commission that includes it', () => {
    const totals = totalsOf({ grossCents: 100_000, commissionCents: 2000 }, 0, INCLUDED);
    expect(totals).toMatchObject({
      commissionCents: 1724,
      commissionIvaCents: 276,
      netCents: 98_000,
    });
  });

  it.each([ADDED, INCLUDED])(
    'mirrors the totals of returned goods: IVA $commissionIva',
    (terms) => {
      const sold = totalsOf({ grossCents: 33_333, commissionCents: 667 }, 0, terms);
      const returned = totalsOf({ grossCents: -33_333, commissionCents: -667 }, 0, terms);
      expect(returned.netCents).toBe(-sold.netCents);
      expect(returned.dueCents).toBe(0);
    },
  );

  it('opens with what the wholesaler owes', () => {
    const totals = totalsOf({ grossCents: 1000, commissionCents: 0 }, -1500, ADDED);
    expect(totals).toMatchObject({ openingCents: -1500, netCents: -500, dueCents: 0 });
  });
});

it('corrections of a whole order in any parts take back its whole commission', () => {
  const parts = [333, 1, 4000, 5679];
  let left = parts.reduce((sum, part) => sum + part, 0);
  const whole = commissionBack(left, left, '0.015');
  let back = 0;
  for (const part of parts) {
    back += commissionBack(left, part, '0.015');
    left -= part;
  }
  expect(back).toBe(whole);
});

describe('lastClosing', () => {
  // A Tuesday, when it is still Monday in Mexico City.
  const now = new Date('2026-11-24T05:59:59.999Z');
  it.each([
    ['daily', 'America/Mexico_City', '2026-11-23T06:00:00.000Z'],
    ['weekly', 'America/Mexico_City', '2026-11-23T06:00:00.000Z'],
    ['daily', 'UTC', '2026-11-24T00:00:00.000Z'],
    ['weekly', 'UTC', '2026-11-23T00:00:00.000Z'],
  ] as const)('%s in %s', (every, timeZone, closing) => {
    expect(lastClosing(now, timeZone, every).toISOString()).toBe(closing);
  });

  it('follows the clock of Tijuana into winter', () => {
    const monday = new Date('2026-11-02T12:00:00Z');
    const sunday = new Date('2026-11-01T12:00:00Z');
    const at = (moment: Date) => lastClosing(moment, 'America/Tijuana', 'daily').toISOString();
    expect([at(sunday), at(monday)]).toEqual([
      '2026-11-01T07:00:00.000Z',
      '2026-11-02T08:00:00.000Z',
    ]);
  });
});
