import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import type { System } from '../../e2e/support/system';
import { grouped } from './grouped';
import type { Operation } from './history';

interface ListedDeposit {
  claveDePago: string;
  valor: number;
  status: string;
}

interface DepositBody {
  claveDePago: string;
  valor: number;
}

/** Each acknowledged deposit is kept once with its value, and none that nobody posted. */
export async function checkDeposits(system: System, operations: Operation[]): Promise<string[]> {
  const rows: ListedDeposit[] = await rowsOfAll('deposits', (cursor) =>
    system.call(system.opsKey, 'GET', `/admin/deposits?limit=100${cursor}`),
  );
  const listed = grouped(rows, ({ claveDePago }) => claveDePago);
  const posts = grouped(
    operations.filter(({ kind }) => kind === 'deposit'),
    ({ body }) => (body as DepositBody).claveDePago,
  );
  const problems = [...posts].flatMap(([claveDePago, attempts]) => {
    const kept = listed.get(claveDePago) ?? [];
    const acknowledged = attempts.some(({ outcome }) => outcome === 'ok');
    if (kept.length > 1) return [`the deposit ${claveDePago} is kept ${kept.length} times`];
    if (kept.length === 0) {
      return acknowledged ? [`the deposit ${claveDePago} was answered and is gone`] : [];
    }
    const [{ valor }] = attempts.map(({ body }) => body as DepositBody) as [DepositBody];
    const right = kept[0]?.valor === valor && kept[0]?.status === 'applied';
    return right ? [] : [`the deposit ${claveDePago} is ${JSON.stringify(kept[0])}`];
  });
  const strange = [...listed.keys()].filter((claveDePago) => !posts.has(claveDePago));
  return [...problems, ...strange.map((key) => `nobody posted the deposit ${key}`)];
}
