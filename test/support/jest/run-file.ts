import { AsyncLocalStorage } from 'node:async_hooks';
import { loadSourcesAs, sourceMaps, type ProjectConfig } from './load-sources';

/** What is used of Jest's runtime for a file. */
interface Runtime {
  requireModuleOrMock(from: string, name: '@jest/globals'): { jest: typeof jest };
  getSourceMaps(): Map<string, string>;
}

/** A test framework as Jest calls it; what it passes on only is not described. */
type RunFile = (
  ...args: [
    globalConfig: { testTimeout: number },
    config: ProjectConfig,
    environment: unknown,
    runtime: Runtime,
    testPath: string,
    sendMessageToJest: unknown,
  ]
) => Promise<unknown>;

const asyncHooks = require('node:async_hooks') as { AsyncLocalStorage: typeof AsyncLocalStorage };
const runByCircus = (require('jest-circus/runner') as { default: RunFile }).default;

/** How often a worker looks whether its Jest is still there. */
const ORPHAN_CHECK_MS = 1_000;

// A worker that waits in a test would outlive a Jest that was stopped. A listener of `disconnect` would
// keep the process from ending by itself. With --runInBand there is no worker.
if (process.connected) {
  setInterval(() => {
    if (!process.connected) process.exit(1);
  }, ORPHAN_CHECK_MS).unref();
}

/** What jest-circus keeps of a file, by the names of its symbols. */
const STATE_OF_A_FILE = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
]);

/**
 * Runs a test file with jest-circus, but loads modules with Node's `require` and not with Jest's, which
 * would load each library anew for each file.
 */
const runFile: RunFile = async (...args) => {
  const [globalConfig, config, environment, runtime, testPath, sendMessageToJest] = args;
  await loadSourcesAs(config);
  const ofNode = {
    requireInternalModule: (path: string): unknown => {
      forgetLastFile();
      return loadCircus(path);
    },
    requireModule: (path: string): unknown => {
      globalThis.jest = runtime.requireModuleOrMock(testPath, '@jest/globals').jest;
      // A race on a busy machine must not refuse a change. The log has the error of the first run: it
      // is a fault of the test, to be mended.
      if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
      try {
        return loadAnew(path);
      } finally {
        for (const [file, map] of sourceMaps) runtime.getSourceMaps().set(file, map);
      }
    },
  };
  const mixed = new Proxy(runtime, {
    get(target, name) {
      if (Object.hasOwn(ofNode, name)) return Reflect.get(ofNode, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  // It takes the deadline of the whole run; a project may have another.
  const deadline = { ...globalConfig, testTimeout: config.testTimeout };
  return runByCircus(deadline, config, environment, mixed, testPath, sendMessageToJest);
};
export default runFile;

/** The storages that jest-circus made for the file that runs. */
let storages: AsyncLocalStorage<unknown>[] = [];

/**
 * Loads jest-circus, which makes an AsyncLocalStorage whenever it is loaded, and ends those of the last file. Node 20
 * and 22 copy every storage that was not ended into every promise: a worker that has run a hundred files would copy a
 * hundred.
 */
function loadCircus(path: string): unknown {
  for (const storage of storages) storage.disable();
  const made: typeof storages = [];
  storages = made;
  asyncHooks.AsyncLocalStorage = class<T> extends AsyncLocalStorage<T> {
    constructor() {
      super();
      made.push(this);
    }
  };
  try {
    return loadAnew(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

function loadAnew(path: string): unknown {
  delete require.cache[path];
  return require(path);
}

function forgetLastFile(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (STATE_OF_A_FILE.has(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
  }
}
