import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process that does not end by then after SIGTERM is killed. */
const STOP_MS = 20_000;
/** Of a log, what an error quotes. */
const TAIL_CHARACTERS = 2_000;

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Where its output is kept, as `<name>.log`: a file, as a pipe would cost the bench's own time. */
  folder: string;
}

/** A process that the bench started and ends. */
export class Child {
  private readonly process: ChildProcess;
  private readonly ended: Promise<number | null>;
  private readonly logFile: string;

  constructor({ name, command, args, env, folder }: ChildOptions) {
    this.logFile = join(folder, `${name}.log`);
    const log = openSync(this.logFile, 'a');
    this.process = spawn(command, args, { env, stdio: ['ignore', log, log] });
    closeSync(log);
    this.ended = new Promise((done) => {
      this.process.once('exit', (code) => done(code));
      this.process.once('error', () => done(null));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get running(): boolean {
    return this.pid > 0 && this.process.exitCode === null && this.process.signalCode === null;
  }

  /** The end of what it printed. */
  tail(): string {
    return readFileSync(this.logFile, 'utf8').slice(-TAIL_CHARACTERS);
  }

  /** Waits until it ends by itself. @throws Error when it fails */
  async finish(): Promise<void> {
    const code = await this.ended;
    if (code !== 0) throw new Error(`${this.logFile} ended with ${code}:\n${this.tail()}`);
  }

  /** Is suspended until `goOn`. */
  pause(): void {
    this.process.kill('SIGSTOP');
  }

  goOn(): void {
    this.process.kill('SIGCONT');
  }

  /** SIGTERM, and no mercy after a while. */
  async stop(): Promise<void> {
    if (!this.running) return;
    this.process.kill('SIGTERM');
    const mercy = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(mercy);
  }
}
