import { meanOfTurns, ratioOfTurns } from './order-cpu';

describe('the CPU time of an order in turns', () => {
  const own = [
    { transactions: 2, postgres: 2 },
    { transactions: 4, postgres: 4 },
    { transactions: 1, postgres: 2 },
  ];

  it('a ratio is the median of the ratios of each turn, over all processes', () => {
    const base = [{ transactions: 5 }, { transactions: 2, postgres: 2 }, { transactions: 2 }];
    // 0.8, 2 and 1.5
    expect(ratioOfTurns(own, base)).toBe(1.5);
  });

  it('a process counts with the mean of its turns', () => {
    expect(meanOfTurns(own)).toEqual({ transactions: 7 / 3, postgres: 8 / 3 });
  });

  it('there is no ratio where /proc has no CPU time', () => {
    expect(ratioOfTurns([{}], [{}])).toBeNaN();
  });
});
