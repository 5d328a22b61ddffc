import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './support/alternate';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { Load } from './support/load';
import { orderBody } from './support/market';
import { isInstalled } from './support/programs';
import { startProxies } from './support/proxies';

/** Discarded rounds, so that V8 has compiled the hot functions. */
const WARM_UPS = 12;

const HELP = `npm run bench:gateway-cpu [-- --requests 800 --rounds 60 --connections 64 --other FOLDER --profile FOLDER]

CPU time of the gateway and of nginx for a request, from /proc, before an upstream that answers at
once: createTransaction with a key. Rounds alternate. The lower quartile of the rounds counts, as
other load on the machine only adds.

  --requests N      of a round (800)
  --rounds N        rounds of each (60)
  --connections N   requests at the same time (64)
  --other FOLDER    root of another build of this repository, measured as well; may be repeated
  --profile FOLDER  leaves CPU profiles of the gateways there
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '800' },
      rounds: { type: 'string', default: '60' },
      connections: { type: 'string', default: '64' },
      other: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  await cleaningUp(async (cleanup) => {
    await measure(cleanup, {
      requests: Number(values.requests),
      rounds: Number(values.rounds),
      connections: Number(values.connections),
      otherRoots: values.other.map((folder) => resolve(folder)),
      profileFolder: values.profile === undefined ? undefined : resolve(values.profile),
    });
  });
}

interface Options {
  requests: number;
  rounds: number;
  connections: number;
  otherRoots: string[];
  profileFolder: string | undefined;
}

async function measure(
  cleanup: Cleanup,
  { requests, rounds, connections, otherRoots, profileFolder }: Options,
): Promise<void> {
  const ownFolder = await mkdtemp(join(tmpdir(), 'fiado-gateway-cpu-'));
  cleanup.add(() => rm(ownFolder, { recursive: true, force: true }));
  const proxies = await startProxies(cleanup, {
    folder: profileFolder ?? ownFolder,
    nginx: isInstalled('nginx'),
    profile: profileFolder !== undefined,
    otherRoots,
  });
  const urls = new Map([
    ['gateway', proxies.gateway],
    ...proxies.others.map((url, at) => [`other ${at + 1}`, url] as const),
    ['nginx', proxies.nginx],
  ]);
  const ways = [...urls].flatMap(([name, url]) => {
    const pid = proxies.pids.get(name);
    if (url === undefined || pid === undefined) return [];
    const load = new Load({
      url,
      connections,
      headers: { authorization: 'any-key' },
      amount: requests,
      draw: (n) => ({
        method: 'POST',
        path: '/v1/transaction',
        headers: { 'idempotency-key': `order-${n}` },
        body: orderBody({ stores: [] }, n),
      }),
    });
    return [{ name, pid, load, micros: [] as number[] }];
  });

  for (let round = -WARM_UPS; round < rounds; round += 1) {
    for (const { pid, load, micros } of round % 2 === 0 ? ways : ways.toReversed()) {
      const before = cpuMicros(pid);
      await load.round(0);
      if (round >= 0) micros.push((cpuMicros(pid) - before) / requests);
    }
  }

  const gateway = lowerQuartile(ways.find(({ name }) => name === 'gateway')?.micros ?? []);
  process.stdout.write(
    'CPU time of a request in microseconds: lower quartile, in that of the gateway, median\n',
  );
  for (const { name, micros } of ways) {
    const own = lowerQuartile(micros);
    process.stdout.write(
      `  ${name.padEnd(8)} ${own.toFixed(1).padStart(6)}  ${(own / gateway).toFixed(3)}  ${median(micros).toFixed(1)}\n`,
    );
  }
}

/** CPU time of all threads of a process so far, in microseconds: exact, where /proc/<pid>/stat counts in 10 ms. */
function cpuMicros(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    .reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1_000, 0);
}

/** Other load only adds: it takes the caches of the processors. */
function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
