import { rateOf, ratioOf, type Rounds } from '../support/alternate';
import { rowFinding, type Finding } from '../support/world';

/**
 * The table of the phase `sizes`: rates, and the ratios that have targets.
 * @param labels of the sizes, the smaller one first
 * @param items of a batch, and of a lookup of many stores
 */
export function findingsOf(rounds: Rounds, labels: string[], items: number): Finding[] {
  const findings: Finding[] = [];
  for (const label of labels) {
    const name = (what: string): string => `${what} @ ${label}`;
    const rate = (what: string): number => rateOf(rounds, name(what));
    const perItem = ratioOf(rounds, name('order'), name('batch')) / items;
    if (rounds.has(name('pgbench'))) {
      const ratio = ratioOf(rounds, name('order'), name('pgbench'));
      findings.push(
        { what: name('pgbench, same statement'), value: rate('pgbench'), unit: '/s' },
        { what: name('order against pgbench'), value: ratio, unit: '×' },
        {
          what: name('order and its SMS against pgbench'),
          value: ratioOf(rounds, name('order and SMS'), name('pgbench')),
          unit: '×',
        },
        { what: name('pgbench, least SQL'), value: rate('least SQL'), unit: '/s' },
        {
          what: name('order and its SMS against the least SQL'),
          value: ratioOf(rounds, name('order and SMS'), name('least SQL')),
          unit: '×',
        },
      );
    }
    findings.push(
      { what: name('an order with its code'), value: rate('order'), unit: '/s' },
      { what: name('order while SMS go out'), value: rate('order and SMS'), unit: '/s' },
      { what: name(`items of batches of ${items}`), value: rate('batch') * items, unit: '/s' },
      { what: name('batch item, in orders'), value: perItem, unit: '×' },
      { what: name('an order by its own id'), value: rate('order by id'), unit: '/s' },
      { what: name('one corner store'), value: rate('store'), unit: '/s' },
      { what: name(`${items} corner stores`), value: rate('stores'), unit: '/s' },
      {
        what: name(`${items} corner stores, in single ones`),
        value: ratioOf(rounds, name('store'), name('stores')),
        unit: '×',
      },
    );
  }
  return [...findings, ...growthOf(rounds, labels), ...rowsOf(rounds, labels, items)];
}

/** The rows of the table, at the small size. */
function rowsOf(rounds: Rounds, [small = '', large]: string[], items: number): Finding[] {
  const ratio = (own: string, base: string): number =>
    ratioOf(rounds, `${own} @ ${small}`, `${base} @ ${small}`);
  const growth =
    large === undefined
      ? Number.NaN
      : ratioOf(rounds, `order and SMS @ ${small}`, `order and SMS @ ${large}`);
  return [
    rowFinding('least SQL', ratio('order and SMS', 'least SQL')),
    rowFinding('textbook', ratio('order and SMS', 'textbook')),
    rowFinding('growth', growth),
    rowFinding('batch item', ratio('order', 'batch') / items),
    rowFinding('lookup', ratio('store', 'stores')),
    {
      what: `textbook system, order and SMS @ ${small}`,
      value: rateOf(rounds, `textbook @ ${small}`),
      unit: '/s',
    },
  ];
}

/** Cost of each endpoint on the large database relative to the small one. */
function growthOf(rounds: Rounds, [small, large]: string[]): Finding[] {
  if (small === undefined || large === undefined) return [];
  return ['pgbench', 'order', 'order and SMS', 'batch', 'order by id', 'stores', 'store']
    .filter((what) => rounds.has(`${what} @ ${small}`))
    .map((what) => ({
      what: `${what}: cost @ ${large} in that @ ${small}`,
      value: ratioOf(rounds, `${what} @ ${small}`, `${what} @ ${large}`),
      unit: '×',
    }));
}
