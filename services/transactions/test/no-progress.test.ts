import { setTimeout as sleep } from 'node:timers/promises';
import { ClockWatch } from '@fiado/chassis/jobs/worker-gate';
import { Lane, type LaneOptions } from '@fiado/chassis/lanes/lane';
import { until } from '@fiado/chassis/testing/until';
import { TcpProxy } from '../../../test/support/tcp-proxy';
import { startTransactions, type TransactionsService } from './support/transactions';

let transactions: TransactionsService;
let network: TcpProxy;
beforeAll(async () => {
  network = await TcpProxy.start(1);
  transactions = await startTransactions(
    {},
    {
      through: (url) => {
        network.moveTo(url);
        return network.urlOf(url);
      },
    },
  );
});
afterAll(async () => {
  await transactions.stop();
  await network.stop();
});
afterEach(() => jest.restoreAllMocks());

interface Ready {
  checks: Record<string, 'ok' | 'failed'>;
}

async function ready(): Promise<{ status: number; failed: string[] }> {
  const answer = await fetch(`${transactions.url}/health/ready`);
  const { checks } = (await answer.json()) as Ready;
  const failed = Object.keys(checks).filter((name) => checks[name] === 'failed');
  return { status: answer.status, failed };
}

/** Lets time pass for what measures it, and for no timer. */
function pass(ms: number): void {
  // A comparison of the clocks of process and database would take the jump for a wrong clock.
  jest.spyOn(ClockWatch.prototype, 'lookIfDue').mockResolvedValue(undefined);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** Every lane of the service, by its name. */
function lanesOf(): Array<[string, LaneOptions<unknown, unknown>, Lane<unknown, unknown>]> {
  const found = [transactions.context, transactions.context.lanes]
    .flatMap((place) => Object.values(place) as unknown[])
    .filter((part) => part instanceof Lane);
  return found.map((lane) => {
    const { options } = lane as unknown as { options: LaneOptions<unknown, unknown> };
    return [options.name, options, lane];
  });
}

/** Adds an item whose batch hangs until `end` is called. */
function hang([, options, lane]: ReturnType<typeof lanesOf>[number]): { end: () => void } {
  let end = (): void => {};
  const hung = new Promise<unknown[]>((resolve) => {
    end = () => resolve([undefined]);
  });
  jest.spyOn(options, 'run').mockReturnValue(hung);
  jest.spyOn(options, 'tenantOf').mockReturnValue('tenant');
  if (options.keysOf !== undefined) jest.spyOn(options, 'keysOf').mockReturnValue([]);
  void lane.add({});
  return { end };
}

test('a process whose lane hangs is not ready, whichever lane it is, and ready again when the lane goes on', async () => {
  const lanes = lanesOf();
  expect(lanes.length).toBeGreaterThan(7);
  for (const lane of lanes) {
    const { end } = hang(lane);
    await sleep(1);
    expect([lane[0], await ready()]).toEqual([lane[0], { status: 200, failed: [] }]);
    pass(15_100);
    expect([lane[0], await ready()]).toEqual([
      lane[0],
      { status: 503, failed: expect.arrayContaining(['progress']) },
    ]);
    end();
    jest.restoreAllMocks();
    await until(`${lane[0]} goes on`, async () => (await ready()).failed.length === 0);
  }
});

test('a lane that hangs because the database is unavailable to everybody says nothing about this process', async () => {
  const [lane] = lanesOf();
  const { end } = hang(lane!);
  await network.stop();
  await sleep(1);
  pass(15_100);
  const { failed } = await ready();
  expect(failed).toContain('database');
  expect(failed).not.toContain('progress');
  end();
  jest.restoreAllMocks();
  await network.restore();
  await until('the database is back', async () => (await ready()).status === 200);
});
