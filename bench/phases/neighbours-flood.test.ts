import { latenciesOf } from './neighbours-flood';

describe('the orders beside a flood', () => {
  it('an order lasts from its request to its answer, and to the call for its phone', () => {
    const placed = [
      { phone: '+1', requestedAtMs: 1_000, answeredAtMs: 1_010 },
      { phone: '+2', requestedAtMs: 1_100, answeredAtMs: 1_130 },
      { phone: '+1', requestedAtMs: 2_000, answeredAtMs: 2_020 },
    ];
    const calls = new Map([
      ['+1', [1_015, 2_050]],
      ['+2', [1_500]],
    ]);
    expect(latenciesOf(placed, calls)).toEqual({ answers: [10, 30, 20], sms: [15, 400, 50] });
  });

  it('an order that is refused lasts forever, and takes no SMS of another one', () => {
    const placed = [
      { phone: '+1', requestedAtMs: 1_000, answeredAtMs: undefined },
      { phone: '+1', requestedAtMs: 2_000, answeredAtMs: 2_020 },
    ];
    expect(latenciesOf(placed, new Map([['+1', [2_050]]]))).toEqual({
      answers: [Infinity, 20],
      sms: [Infinity, 50],
    });
  });
});
