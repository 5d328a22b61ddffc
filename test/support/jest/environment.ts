import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type FakeTimersConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/**
 * Test files run in the realm of their process, as the product does. In Jest's own environment, a
 * context of `node:vm`, an error of Node is no `instanceof Error`.
 */
export default class ProcessEnvironment {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  // Jest replaces both for each file.
  readonly #console = globalThis.console;
  readonly #exit = process.exit.bind(process);
  /** A file must not change the variables of those that its worker runs after it. */
  readonly #variables = { ...process.env };

  constructor({ projectConfig }: { projectConfig: FakeTimersConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Jest demands the method. Nothing is loaded into a context. */
  getVmContext(): null {
    return null;
  }
}
