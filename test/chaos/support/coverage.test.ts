import { allKinds, kindOf, SEEDS_THAT_MEET_ALL } from './coverage';
import { scheduleOf, type Backend } from './schedule';

/** As `npm run test:chaos` plans without --seconds. */
const SECONDS = 20;

describe.each<Backend>(['postgres', 'redis'])('on %s', (backend) => {
  const kindsOf = (seed: number) =>
    scheduleOf(seed, { seconds: SECONDS, backend }).map(({ fault }) => kindOf(fault));

  it('any ten seeds in a row plan every kind of fault', () => {
    for (let first = 0; first < 200; first += 1) {
      const planned = new Set(
        Array.from({ length: SEEDS_THAT_MEET_ALL }, (_, at) => kindsOf(first + at)).flat(),
      );
      expect([first, allKinds(backend).filter((kind) => !planned.has(kind))]).toEqual([first, []]);
    }
  });

  it('every seed plans a kill, a pause, an outage of the database, of the network and of Twilio', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const planned = new Set(kindsOf(seed).map((kind) => kind.split(' ')[0]));
      const missing = ['kill', 'pause', 'database', 'network', 'twilio'].filter(
        (kind) => !planned.has(kind),
      );
      expect([seed, missing]).toEqual([seed, []]);
    }
  });

  it('the same seed plans the same', () => {
    const plan = () => scheduleOf(4_711, { seconds: SECONDS, backend });
    expect(plan()).toEqual(plan());
  });
});
