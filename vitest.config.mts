import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Workspaces are tested as sources: unit and integration tests need no build. */
const alias = [
  { find: /^@fiado\/(shared|embedded-postgres)\/(.*)$/, replacement: `${root}libs/$1/src/$2.ts` },
  {
    find: /^@fiado\/(gateway|accounts|transactions|payments|notifier)\/(.*)$/,
    replacement: `${root}services/$1/src/$2.ts`,
  },
];

const INTEGRATION = '{libs,services,apps}/*/test/**/*.test.ts';
const E2E = ['test/e2e/*.test.ts', 'test/contract/*.test.ts'];
const TEST_DATABASE = 'test/support/global-setup.ts';
const LONG = 'test/e2e/*.long.test.ts';

/**
 * A deadline only ends what hangs. It is long enough for two cores that are busy with something
 * else; what a test waits for is there in milliseconds.
 */
const DEADLINES = { testTimeout: 120_000, hookTimeout: 180_000, teardownTimeout: 60_000 };

interface Suite {
  include: string[];
  exclude?: string[];
  globalSetup?: string[];
  /** Projects of one group run together, groups one after the other. */
  group: number;
  testTimeout?: number;
  /** Files at a time. Whoever starts a whole system has the machine for itself. */
  workers: number;
}

/**
 * The files of a worker share their modules, so that a library is loaded once and not for each file.
 * What a module keeps, such as a metric, is the same for all of them.
 */
function project(name: string, suite: Suite): TestProjectConfiguration {
  const { group, workers, ...files } = suite;
  return {
    resolve: { alias },
    test: {
      name,
      ...DEADLINES,
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
        ],
        group: 0,
        workers: 2,
      }),
      project('simulation', {
        include: ['test/simulation/**/*.test.ts'],
        globalSetup: [TEST_DATABASE],
        group: 0,
        workers: 2,
      }),
      project('integration', {
        include: [INTEGRATION],
        globalSetup: [TEST_DATABASE],
        group: 0,
        workers: 2,
      }),
      project('e2e', {
        include: E2E,
        exclude: [LONG],
        globalSetup: ['test/support/shared-system.ts'],
        group: 1,
        workers: 1,
      }),
      // Minutes each; the gate runs them after the others.
      project('long', { include: [LONG], group: 2, workers: 1, testTimeout: 600_000 }),
      // Integration and end-to-end tests once more, on Postgres and Redis in containers.
      project('containers', {
        include: [INTEGRATION, ...E2E],
        exclude: [
          // The embedded database itself, or starts and stops together with it.
          'libs/embedded-postgres/**',
          'apps/supervisor/**',
          'test/e2e/start-and-stop.test.ts',
          // They use neither database nor queue.
          'services/gateway/**',
          LONG,
        ],
        globalSetup: ['test/containers/global-setup.ts', 'test/support/shared-system.ts'],
        group: 3,
        workers: 1,
      }),
      project('compose', { include: ['test/compose/*.test.ts'], group: 4, workers: 1 }),
    ],
  },
});
