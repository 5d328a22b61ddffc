import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Workspaces are tested as sources: unit and integration tests need no build. */
const alias = [
  { find: /^@fiado\/client$/, replacement: `${root}libs/client/src/index.ts` },
  { find: /^@fiado\/client\/resources$/, replacement: `${root}libs/client/src/resources.ts` },
  { find: /^@fiado\/(shared|embedded-postgres)\/(.*)$/, replacement: `${root}libs/$1/src/$2.ts` },
  {
    find: /^@fiado\/(gateway|accounts|transactions|payments|notifier)\/(.*)$/,
    replacement: `${root}services/$1/src/$2.ts`,
  },
  { find: /^@fiado\/console\/(.*)$/, replacement: `${root}apps/console/src/$1.ts` },
];

export const E2E = ['test/e2e/*.test.ts', 'test/contract/*.test.ts'];
const TEST_DATABASE = 'test/support/global-setup.ts';
const SHARED_SYSTEM = 'test/support/shared-system.ts';
/** They start and end a system of their own, so other tests may run beside them. */
const OWN_SYSTEM = [
  'test/e2e/check-rate-limit.test.ts',
  'test/e2e/start-and-stop.test.ts',
  'test/e2e/identity-provider.test.ts',
  'test/e2e/twilio.test.ts',
  'test/e2e/cost-of-an-order.test.ts',
];
export const LONG = 'test/e2e/*.long.test.ts';

/**
 * A deadline only ends what hangs. It is long enough for two cores that are busy with something
 * else; what a test waits for is there in milliseconds.
 */
const DEADLINES = { testTimeout: 120_000, hookTimeout: 180_000, teardownTimeout: 60_000 };

/**
 * The gate runs a failed test once more, so that one race on a busy machine does not refuse a change.
 * Its log marks such a test with "retry x1": it is a fault of the test, to be mended.
 */
const RETRIES = process.env.CI ? 1 : 0;

interface Suite {
  include: string[];
  exclude?: string[];
  globalSetup?: string[];
  /** Projects of one group run together, groups one after the other. */
  group: number;
  testTimeout?: number;
  /** Files at a time. Three keep two cores busy, as many tests wait for a deadline. */
  workers: number;
}

/**
 * The files of a worker share their modules, so that a library is loaded once and not for each file.
 * What a module keeps, such as a metric, is the same for all of them.
 */
export function project(name: string, suite: Suite): TestProjectConfiguration {
  const { group, workers, ...files } = suite;
  return {
    resolve: { alias },
    test: {
      name,
      ...DEADLINES,
      retry: RETRIES,
      ...files,
      globals: true,
      pool: 'forks',
      isolate: false,
      maxWorkers: workers,
      sequence: { groupOrder: group },
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('unit', {
        include: [
          '{libs,services,apps}/*/src/**/*.test.ts',
          'scripts/*.test.ts',
          'test/{chaos,e2e}/support/**/*.test.ts',
          'test/helm/*.test.ts',
        ],
        group: 0,
        workers: 3,
      }),
      project('simulation', {
        include: ['test/simulation/**/*.test.ts'],
        globalSetup: [TEST_DATABASE],
        group: 0,
        workers: 3,
      }),
      project('integration', {
        include: ['{libs,services,apps}/*/test/**/*.test.ts'],
        globalSetup: [TEST_DATABASE],
        group: 0,
        workers: 3,
      }),
      project('e2e', {
        include: E2E,
        exclude: [LONG, ...OWN_SYSTEM],
        globalSetup: [SHARED_SYSTEM],
        group: 1,
        workers: 1,
      }),
      project('e2e-own-system', { include: OWN_SYSTEM, group: 0, workers: 3 }),
      // Attacks by one tenant, with another one beside them; the gate runs them after the others.
      project('abuse', {
        include: ['test/abuse/*.test.ts'],
        globalSetup: ['test/abuse/support/global-setup.ts'],
        group: 2,
        workers: 1,
      }),
      // Minutes each; the gate runs them after the others.
      project('long', {
        include: [LONG],
        globalSetup: [SHARED_SYSTEM],
        group: 3,
        workers: 2,
        testTimeout: 600_000,
      }),
    ],
  },
});
