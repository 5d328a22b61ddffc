import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CommandFailed } from './errors';
import type { Io } from './session';

/**
 * Asks a person on stderr; only y or yes goes on.
 * @throws CommandFailed for any other answer, and where stdin is no terminal
 */
export async function confirm({ stdin, stderr }: Io, question: string): Promise<void> {
  if (stdin.isTTY !== true) {
    throw new CommandFailed(`${question} Nothing was changed: repeat the command with --yes`);
  }
  stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin });
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const [answer = ''] = (await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }),
    ])) as string[];
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was changed');
  } finally {
    ended.abort();
    lines.close();
  }
}
