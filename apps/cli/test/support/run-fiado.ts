import { Readable, Writable } from 'node:stream';
import { runCli } from '../../src/program';

export const OPS_KEY = 'fiado_test_the-key-of-ops';
export const ID = '5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';
export const OTHER_ID = '7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21';

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs one command line in this process, with streams that keep what is written.
 * @param typed what a person at a terminal types; undefined: stdin is no terminal
 */
export async function runFiado(
  args: string[],
  env: Record<string, string>,
  isTTY = false,
  typed?: string,
): Promise<Ran> {
  const stdout = new Kept();
  const stderr = Object.assign(new Kept(), { isTTY });
  const stdin = Object.assign(Readable.from(typed ?? ''), { isTTY: typed !== undefined });
  const exitCode = await runCli(args, { stdin, stdout, stderr, env });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

class Kept extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
