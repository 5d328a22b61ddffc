import { setTimeout as sleep } from 'node:timers/promises';
import { pidOf } from '../../e2e/support/system';
import type { Stage } from '../run-under-load';
import { noDamage, type Damage } from '../support/inflict';
import { ChaosPrometheus } from '../support/prometheus';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 6_000;
/** The alert waits a minute; scrapes, rules and a busy machine take some seconds more. */
const GONE_MS = 80_000;
/** The work of the clients afterwards. */
const AFTERMATH_S = 10;
/** By the end of its absence its oldest job has waited nearly as long. */
const MIN_AGE_SECONDS = 45;

/**
 * The only notifier stops (SIGSTOP) and leaves service discovery for 80 s, under a real Prometheus:
 * FiadoServiceGone fires, and the age of its queue is known from the services that add jobs to it.
 */
export const notifierGone: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: (WORK_FIRST_MS + GONE_MS) / 1_000 + AFTERMATH_S,
  disturb: async ({ deployment }: Stage): Promise<Damage> => {
    const damage = noDamage();
    const { ports, system } = deployment;
    const prometheus = await ChaosPrometheus.start({
      gateway: system.ports.slice(0, 1),
      ...Object.fromEntries(Object.entries(ports).map(([service, port]) => [service, [port]])),
    });
    try {
      await sleep(WORK_FIRST_MS);
      const before = await prometheus.firing();
      const pid = pidOf(system.supervisorPid, 'notifier');
      const from = Date.now();
      process.kill(pid, 'SIGSTOP');
      await prometheus.discover('notifier', []);
      await sleep(GONE_MS);
      const firing = await prometheus.firing();
      const age = await prometheus.value(
        'max(fiado_queue_oldest_waiting_seconds{queue="notifier"})',
      );
      process.kill(pid, 'SIGCONT');
      damage.pauses.push({ service: 'notifier', from, to: Date.now() });

      damage.measured.push(
        `notifier gone for ${GONE_MS / 1_000} s: ${firing.join(', ')}; its oldest job waited ${age} s`,
      );
      if (before.some((alert) => alert.startsWith('FiadoServiceGone'))) {
        damage.violations.push('FiadoServiceGone fired before');
      }
      if (!firing.includes('FiadoServiceGone notifier')) {
        damage.violations.push('FiadoServiceGone did not fire');
      }
      if (age === undefined || age < MIN_AGE_SECONDS) {
        damage.violations.push(`the age of the queue was ${age} s to its producers`);
      }
    } finally {
      await prometheus.stop();
    }
    return damage;
  },
};
