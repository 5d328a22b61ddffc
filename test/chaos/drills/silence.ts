import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROXIED, type Backend } from '../support/schedule';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Fault, Ground } from './drill';

/** How long orders and SMS are watched after the packets are dropped. */
const WATCHED_MS = 20_000;

const toPostgres = ({ deployment }: Ground) => [deployment.database.serverUrl];
const toTwilio = ({ deployment }: Ground) => [deployment.twilio.url];
const toServices = ({ deployment: { proxies, ports, secondPorts } }: Ground) => [
  ...PROXIED.map((service) => proxies[service].url),
  ...[ports, secondPorts].map(({ transactions }) => `http://127.0.0.1:${transactions}`),
];

/** A firewall forgets the connections of the services; new ones work. */
export const silence: Drills = {
  open: () => open('redis'),
  isolated: true,
  faults: {
    'The connections to Postgres die without a word': dropping(toPostgres, 'not-ready'),
    'The connections to Redis die without a word': dropping(
      ({ deployment }) => [deployment.redis?.url ?? ''],
      'jobs-stopped',
    ),
    'The connections between services die without a word': dropping(toServices, 'errors'),
    'The connections to Twilio die without a word': dropping(toTwilio, 'sms-unknown'),
  },
};

/** The same with queues in Postgres. */
export const silenceOfPostgres: Drills = {
  open: () => open('postgres'),
  isolated: true,
  faults: {
    'The connections to Postgres, with the queues in it, die without a word': dropping(
      toPostgres,
      'not-ready',
    ),
  },
};

async function open(backend: Backend): Promise<Ground> {
  const deployment = await startDeployment(backend, { two: ['transactions'] });
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  return { deployment, second, dispose: async () => undefined };
}

/**
 * Drops the packets of standing connections. It ends by itself, so the recovery is the time from its beginning to the
 * last request that failed.
 * @param serversOf the URLs of the servers whose connections die
 * @param runbook the page of the alert
 */
export function dropping(serversOf: (ground: Ground) => string[], runbook: string): Fault {
  return {
    faultMs: 0,
    runbook,
    worksAgain: { orders: 8_000, sms: 15_000 },
    inflict: async (ground) => {
      const ports = serversOf(ground).map((url) => Number(new URL(url).port));
      const dropped = dropConnectionsTo(ports);
      return async () => {
        await sleep(WATCHED_MS);
        return { measured: [`${dropped} connections`] };
      };
    },
  };
}

/**
 * Drops the packets of the connections that stand, both ways, but for those of this process.
 * @returns their number
 */
function dropConnectionsTo(ports: number[]): number {
  const to = ports.map((port) => `dport = :${port}`).join(' or ');
  const filter = ['state', 'established', `( ${to} )`];
  const standing = execFileSync('ss', ['-tnpH', ...filter], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '' && !line.includes(`pid=${process.pid},`));
  const rules = standing.flatMap((line) => {
    const [, local, port] = /:(\d+)\s+\S+:(\d+)\s/.exec(`${line} `) ?? [];
    return [
      `-A OUTPUT -p tcp --sport ${local} --dport ${port} -j DROP`,
      `-A OUTPUT -p tcp --sport ${port} --dport ${local} -j DROP`,
    ];
  });
  // All at the same moment.
  const input = ['*filter', ...rules, 'COMMIT', ''].join('\n');
  execFileSync('iptables-restore', ['--noflush'], { input });
  return standing.length;
}
