import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Fault, Ground } from './drill';

/** How long orders and SMS are watched after the packets are dropped. */
const WATCHED_MS = 20_000;

/** A firewall forgets the connections of the services; new ones work. */
export const silence: Drills = {
  open,
  isolated: true,
  faults: {
    'The connections to Postgres die without a word': dropping(
      ({ deployment }) => deployment.database.serverUrl,
      'not-ready',
    ),
    'The connections to Redis die without a word': dropping(
      ({ deployment }) => deployment.redis?.url,
      'jobs-stopped',
    ),
  },
};

async function open(): Promise<Ground> {
  const deployment = await startDeployment('redis', { two: ['transactions'] });
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  return { deployment, second, dispose: async () => undefined };
}

/** It ends by itself, so the recovery is the time from its beginning to the last request that failed. */
function dropping(storeOf: (ground: Ground) => string | undefined, runbook: string): Fault {
  return {
    faultMs: 0,
    runbook,
    inflict: async (ground) => {
      const startedAt = Date.now();
      const dropped = dropConnectionsTo(Number(new URL(storeOf(ground) ?? '').port));
      return async () => {
        await sleep(WATCHED_MS);
        const sms = ground.deployment.twilio.posts
          .map(({ at }) => at)
          .filter((at) => at > startedAt);
        const gaps = [startedAt, ...sms].map((at, index) => (sms[index] ?? Date.now()) - at);
        const seconds = (Math.max(...gaps) / 1_000).toFixed(1);
        return { measured: [`${dropped} connections; longest time without an SMS ${seconds} s`] };
      };
    },
  };
}

/**
 * Drops the packets of the connections that stand, both ways, but for those of this process.
 * @returns their number
 */
function dropConnectionsTo(port: number): number {
  const filter = ['state', 'established', `( dport = :${port} )`];
  const standing = execFileSync('ss', ['-tnpH', ...filter], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '' && !line.includes(`pid=${process.pid},`));
  for (const line of standing) {
    const local = /:(\d+)\s+\S+:\d+\s/.exec(`${line} `)?.[1] ?? '';
    for (const [from, to] of [
      [local, String(port)],
      [String(port), local],
    ] as const) {
      execFileSync('iptables', `-A OUTPUT -p tcp --sport ${from} --dport ${to} -j DROP`.split(' '));
    }
  }
  return standing.length;
}
