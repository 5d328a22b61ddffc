import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swc from './test/support/jest/swc.cjs';

/**
 * A deadline of a test or a hook only ends what hangs. It is long enough for two cores that are busy
 * with something else; what a test waits for is there in milliseconds.
 */
const TEST_TIMEOUT_MS = 180_000;
const LONG_TEST_TIMEOUT_MS = 600_000;
/** What Compose does in seconds takes minutes beside other tests. */
const COMPOSE_TEST_TIMEOUT_MS = 300_000;

/** Files at a time. Four keep two cores busy, as many tests wait for a deadline or a process. */
const WORKERS = 4;

/** Maps a workspace's name to its sources, as `paths` of tsconfig.base.json does for editors and the compiler. */
function sourcesOfWorkspaces() {
  const base = readFileSync(new URL('tsconfig.base.json', import.meta.url), 'utf8');
  return Object.fromEntries(
    Object.entries(JSON.parse(base).compilerOptions.paths)
      .filter(([name]) => name.startsWith('@fiado/'))
      .map(([name, [source]]) => [
        `^${name.replace('*', '(?!.*\\.cjs$)(.*)')}$`,
        source.replace('./', '<rootDir>/').replace('*', '$1'),
      ]),
  );
}

/** What the projects have in common. */
const common = {
  rootDir: fileURLToPath(new URL('.', import.meta.url)),
  testTimeout: TEST_TIMEOUT_MS,
  roots: ['libs', 'services', 'apps', 'scripts', 'bench', 'test'].map(
    (name) => `<rootDir>/${name}`,
  ),
  modulePathIgnorePatterns: ['/dist/'],
  runner: '<rootDir>/test/support/jest/runner.ts',
  testRunner: '<rootDir>/test/support/jest/run-file.ts',
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  // Workspaces are tested as sources: unit and integration tests need no build.
  moduleNameMapper: sourcesOfWorkspaces(),
  transform: { '\\.ts$': ['@swc/jest', swc] },
};

const onTestDatabase = {
  globalSetup: '<rootDir>/test/support/global/database.ts',
  globalTeardown: '<rootDir>/test/support/global/teardown.ts',
};
const onSharedSystem = {
  globalSetup: '<rootDir>/test/support/global/system.ts',
  globalTeardown: '<rootDir>/test/support/global/teardown.ts',
};

const LONG = '\\.long\\.test\\.ts$';

/** @type {import('jest').Config} */
export default {
  maxWorkers: WORKERS,
  // The gate runs the files of failed tests once more.
  onlyFailures: process.env.ONLY_FAILURES === '1',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{libs,libs/shared,services,apps}/*/src/**/*.test.ts',
        '<rootDir>/scripts/*.test.ts',
        '<rootDir>/bench/**/*.test.ts',
        '<rootDir>/test/{chaos,e2e}/support/**/*.test.ts',
        '<rootDir>/test/helm/*.test.ts',
      ],
      testPathIgnorePatterns: [LONG],
    },
    {
      ...common,
      ...onTestDatabase,
      displayName: 'simulation',
      testMatch: ['<rootDir>/test/simulation/**/*.test.ts'],
    },
    {
      ...common,
      ...onTestDatabase,
      displayName: 'integration',
      testMatch: ['<rootDir>/{libs,libs/shared,services,apps}/*/test/**/*.test.ts'],
    },
    {
      ...common,
      ...onSharedSystem,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/{e2e,contract}/*.test.ts'],
      testPathIgnorePatterns: [LONG],
    },
    // Attacks by one tenant, with another one beside them; the gate runs them after the others.
    {
      ...common,
      globalSetup: '<rootDir>/test/abuse/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global/teardown.ts',
      displayName: 'abuse',
      testMatch: ['<rootDir>/test/abuse/*.test.ts'],
    },
    // Minutes each; the gate runs them after the others.
    {
      ...common,
      ...onSharedSystem,
      displayName: 'long',
      testRegex: [LONG],
      testTimeout: LONG_TEST_TIMEOUT_MS,
    },
    // Needs Docker.
    {
      ...common,
      displayName: 'compose',
      testMatch: ['<rootDir>/test/compose/*.test.ts'],
      testTimeout: COMPOSE_TEST_TIMEOUT_MS,
    },
  ],
};
