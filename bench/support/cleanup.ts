import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a program, and undoes what it set up when it ends: also after an error, and when it is
 * interrupted.
 */
export async function cleaningUp(program: (cleanup: Cleanup) => Promise<void>): Promise<void> {
  const cleanup = new Cleanup();
  const end = (): void => void cleanup.run().then(() => process.exit(130));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    await program(cleanup);
  } finally {
    await cleanup.run();
  }
}

/** Undoes what a run set up, the newest first, each once; a step that fails does not stop the rest. */
export class Cleanup {
  private readonly steps: Array<() => unknown> = [];

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  /** Makes a folder that a database server with a user of its own can enter, and removes it at the end. */
  async makeFolder(prefix: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    this.add(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o711);
    return folder;
  }

  async run(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step();
      } catch (error) {
        process.stderr.write(`cleaning up: ${String(error)}\n`);
      }
    }
  }
}
