import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fiado/chassis/testing/until';
import type { System } from '../../e2e/support/system';
import type { Stage } from '../run-under-load';
import { checkSealedValues } from '../support/check-sealed-values';
import type { ChaosDatabase } from '../support/database';
import type { Deployment } from '../support/deployment';
import { inflict, noDamage, type Damage } from '../support/inflict';
import { Instance } from '../support/instance';
import { raiseCredit } from '../support/market';
import { PROXIED, type PlannedFault, type Proxied } from '../support/schedule';
import { secretsOf } from '../support/secrets';
import type { Scenario } from './scenario';

/** The services whose values are sealed, each with keys of its schema. */
const SEALING = ['accounts', 'transactions', 'notifier'] as const;
type SealingService = (typeof SEALING)[number];
const NEXT_ENCRYPTION_KEY = 'the-next-encryption-key-of-chaos-0123456789';

const WORK_FIRST_MS = 4_000;
/** More than two pages of the loop that seals anew. */
const CUSTOMERS = 1_200;
/** Of one import. */
const CUSTOMERS_AT_ONCE = 600;
const FIRST_PHONE = 5_560_000;
/** A killed process is waited for a minute, and each service learns of the key within 10 s. */
const SEALS_DEADLINE_MS = 120_000;
/** Each process reads the keys every 5 s, and a request or job ends within 30 s. */
const IN_HAND_MS = 40_000;
/** With IN_HAND_MS, the five minutes after which the loop begins. */
const SKIPPED_SECONDS = 260;
/** The loop looks every 30 s. */
const LOOP_DEADLINE_MS = 90_000;
/** The lease of an abandoned page is a minute; three pages of a table are seconds. */
const SEALED_ANEW_DEADLINE_MS = 150_000;
const STATUS_POLL_MS = 1_000;

/**
 * The data key is exchanged while each service is killed, before the new key seals and while the loop
 * seals anew. Of two processes of each service, the second then has the next ENCRYPTION_KEY already.
 */
export const keyRotation: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: 210,
  // The first step of its exchange: every process knows both.
  environment: { ENCRYPTION_KEY_PREVIOUS: NEXT_ENCRYPTION_KEY },
  disturb: async (stage: Stage): Promise<Damage> => {
    const damage = noDamage();
    const others = new Others(stage);
    try {
      for (const service of PROXIED) await others.start(service);
      await rotateUnderFaults(stage, others, damage);
    } finally {
      const codes = await others.stop();
      if (codes.some((code) => code !== 0)) {
        damage.violations.push(`the other processes ended with ${codes.join(', ')}`);
      }
    }
    return damage;
  },
};

/** The second process of each service. */
class Others {
  readonly #running = new Map<Proxied, Instance>();

  constructor(private readonly stage: Stage) {}

  async start(service: Proxied, variables: Record<string, string> = {}): Promise<void> {
    const instance = await Instance.start(this.stage.deployment, service, { variables });
    this.stage.output.follow(instance.process);
    this.#running.set(service, instance);
  }

  async kill(service: Proxied): Promise<void> {
    await this.#running.get(service)?.kill();
    this.#running.delete(service);
  }

  /** With the next ENCRYPTION_KEY, and the old one to read what it wrapped. */
  async startExchanged(service: Proxied): Promise<void> {
    const { ENCRYPTION_KEY } = await secretsOf(this.stage.deployment.system);
    await this.start(service, {
      ENCRYPTION_KEY: NEXT_ENCRYPTION_KEY,
      ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY,
    });
  }

  stop(): Promise<Array<number | null>> {
    return Promise.all([...this.#running.values()].map((instance) => instance.stop()));
  }
}

async function rotateUnderFaults(stage: Stage, others: Others, damage: Damage): Promise<void> {
  const { deployment, market } = stage;
  const { database, system } = deployment;
  await sleep(WORK_FIRST_MS);
  await raiseCredit(system, market);
  await importCustomers(system);

  const from = Date.now();
  const key = await rotate(system);
  await Promise.all([
    inflict(deployment, killsOf(['accounts', 'gateway', 'payments']), damage),
    ...PROXIED.map(async (service) => {
      await others.kill(service);
      await others.startExchanged(service);
    }),
  ]);
  if ((await servicesThatSealWith(database, key)) > 0) {
    damage.violations.push('the key sealed before the processes were killed');
  }
  await until(
    'all services seal with the new key',
    async () => (await servicesThatSealWith(database, key)) === SEALING.length,
    SEALS_DEADLINE_MS,
  );
  const sealsMs = Date.now() - from;

  await sleep(IN_HAND_MS);
  for (const service of SEALING) {
    await database.query(
      `UPDATE ${service}.data_keys SET sealing_from = sealing_from - make_interval(secs => $2)
        WHERE kind = 'seal' AND number = $1`,
      [key, SKIPPED_SECONDS],
    );
  }
  const loopFrom = Date.now();
  const abandoned = await Promise.all(
    SEALING.map((service) => killInPage(deployment, service, { others, damage })),
  );
  await sealedAnew(system, key).catch((error: unknown) => damage.violations.push(String(error)));

  const pages = abandoned.reduce((sum, count) => sum + count, 0);
  damage.measured.push(
    `all services sealed with the new key ${sealsMs} ms after it was made; ${pages} pages abandoned ` +
      `by killed processes; all rows sealed anew ${Date.now() - loopFrom} ms after the loop began`,
  );
  if (pages === 0) damage.violations.push('no process was killed while it sealed a page anew');
  damage.violations.push(
    ...(await checkSealedValues(deployment, { schemas: SEALING, market, key })),
  );
}

/** Customers whose names and phones are resealed, in accounts and in transactions. */
async function importCustomers(system: System): Promise<void> {
  const created = await system.call(system.opsKey, 'POST', '/admin/wholesalers', {
    body: { name: 'Abarrotera de las Llaves' },
  });
  const path = `/admin/wholesalers/${created.body.wholesalerId}/customers`;
  for (let first = 0; first < CUSTOMERS; first += CUSTOMERS_AT_ONCE) {
    const customers = Array.from({ length: CUSTOMERS_AT_ONCE }, (_, number) => ({
      externalId: `llave-${first + number}`,
      firstName: 'Ana',
      lastNames: 'Ruiz',
      phoneNumber: `+52555${FIRST_PHONE + first + number}`,
      creditLimit: 1_000,
      interestRate: 0.05,
    }));
    const answer = await system.call(system.opsKey, 'POST', path, { body: { customers } });
    if (answer.status >= 300) throw new Error(`The import was answered ${answer.text}`);
  }
}

/** @returns the number of the new key */
async function rotate(system: System): Promise<number> {
  const answer = await system.call(system.opsKey, 'POST', '/admin/data-keys');
  if (answer.status !== 201) throw new Error(`The rotation was answered ${answer.text}`);
  return answer.body.dataKeyNumber as number;
}

function killsOf(services: Array<'gateway' | Proxied>): PlannedFault[] {
  return services.map((service) => ({ atMs: 0, fault: { kind: 'kill', service } }));
}

async function servicesThatSealWith(database: ChaosDatabase, key: number): Promise<number> {
  const schemas = SEALING.map((service) => `SELECT * FROM ${service}.data_keys`);
  const rows = await database.query(
    `SELECT FROM (${schemas.join(' UNION ALL ')}) AS own
      WHERE kind = 'seal' AND number = $1 AND sealing_from IS NOT NULL`,
    [key],
  );
  return rows.length;
}

/**
 * Kills both processes of a service while one of them seals a page anew.
 * @returns how many pages were claimed and not ended
 */
async function killInPage(
  deployment: Deployment,
  service: SealingService,
  { others, damage }: { others: Others; damage: Damage },
): Promise<number> {
  const claimed = () =>
    deployment.database.query(
      `SELECT FROM ${service}.sealed_tables WHERE leased_until IS NOT NULL`,
    );
  await until(
    `${service} seals a page anew`,
    async () => (await claimed()).length > 0,
    LOOP_DEADLINE_MS,
  );
  await Promise.all([others.kill(service), inflict(deployment, killsOf([service]), damage)]);
  const abandoned = (await claimed()).length;
  await others.startExchanged(service);
  return abandoned;
}

/** Waits until `fiado keys status` shows that all services are done with the old keys. */
async function sealedAnew(system: System, key: number): Promise<void> {
  await until(
    'no row is sealed with an old key',
    async () => {
      await sleep(STATUS_POLL_MS);
      const answer = await system.call(system.opsKey, 'GET', '/admin/data-keys').catch(() => null);
      if (answer?.status !== 200 || answer.body.missing.length > 0) return false;
      const services = answer.body.sealingServices as { sealingNumber: number; oldRows: number }[];
      return services.every(({ sealingNumber, oldRows }) => sealingNumber === key && oldRows === 0);
    },
    SEALED_ANEW_DEADLINE_MS,
  );
}
