import JestRunner from 'jest-runner';

type Tests = Parameters<JestRunner['runTests']>[0];
type Watcher = Parameters<JestRunner['runTests']>[1];

/** Projects whose files share a system, or need the whole machine. */
const ONE_FILE_AT_A_TIME = new Set(['e2e', 'abuse', 'compose']);

/** Small files that take long: they begin before those that Jest thinks longer. */
const FIRST =
  /(redis-failover|deposits|check-provider|rolling-restart|erase-person|kills|chaos)\.long\.test\.ts$|simulation\.test\.ts$/;

/**
 * Runs files in worker processes, a single file too: what a test leaves open ends with its worker. The
 * files of the projects above run one after the other, beside those of the other projects.
 */
export default class Runner extends JestRunner {
  readonly #listeners: ((runner: JestRunner) => void)[] = [];

  override async runTests(tests: Tests, watcher: Watcher): Promise<void> {
    const isSingle = ({ context: { config } }: Tests[number]) =>
      ONE_FILE_AT_A_TIME.has(config.displayName?.name ?? '');
    const runs = [
      () => this.#run(tests.filter(isSingle), watcher, 1),
      () =>
        this.#run(
          tests.filter((test) => !isSingle(test)),
          watcher,
          this._globalConfig.maxWorkers,
        ),
    ];
    if (this._globalConfig.runInBand) for (const run of runs) await run();
    else await Promise.all(runs.map((run) => run()));
  }

  override on: JestRunner['on'] = (name, listener) => {
    this.#listeners.push((runner) => runner.on(name, listener));
    return () => undefined;
  };

  async #run(tests: Tests, watcher: Watcher, workers: number): Promise<void> {
    if (tests.length === 0) return;
    const maxWorkers = Math.min(workers, tests.length);
    const isFirst = ({ path }: Tests[number]) => FIRST.test(path);
    const inOrder = [...tests.filter(isFirst), ...tests.filter((test) => !isFirst(test))];
    const runner = new JestRunner({ ...this._globalConfig, maxWorkers }, this._context);
    for (const addTo of this.#listeners) addTo(runner);
    await runner.runTests(inOrder, watcher, { serial: this._globalConfig.runInBand });
  }
}
