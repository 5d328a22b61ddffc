import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ID, OPS_KEY } from './support/run-fiado';
import { useApi } from './support/use-api';

const { env, fiado } = useApi();

const ROOT = resolve(__dirname, '../../..');
const PAGES = [
  'README.md',
  'apps/cli/README.md',
  'ops/helm/fiado/README.md',
  ...readdirSync(resolve(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** The text that follows `fiado` in command lines, each once, with the page that has it. */
function documentedCommands(): Map<string, string> {
  const found = PAGES.flatMap((page) => {
    const text = readFileSync(resolve(ROOT, page), 'utf8');
    const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
      ([, block, inline]) => block ?? inline ?? '',
    );
    const lines = code.flatMap((part) => part.replaceAll('\\\n', ' ').split('\n'));
    return lines
      .map((line) => /(?:run --rm (?:-\S+ )*ops|npx fiado|^ *fiado) (.+)/.exec(line)?.[1])
      .filter((command) => command !== undefined)
      .map((command): [string, string] => [command, page]);
  });
  return new Map(found);
}

/** The words of a command line as a shell splits it: without comment, pipe and redirection. */
function wordsOf(command: string): string[] {
  const filled = command
    .replaceAll('<day>', '2026-11-23')
    .replaceAll('$QUEUE', 'notifier')
    .replaceAll(/\$[A-Z_]+|<[A-Za-z]+>|\bID\b/g, ID)
    .replace(/ [|<>#].*/, '');
  const words = filled.match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

const isName = (word: string) => /^[a-z][a-z-]*$/.test(word);
/** The files of these commands do not exist here. */
const NEEDS_FILE = /\.(csv|log|json)\b|--anchors -/;

test('every command of the pages exists, with its arguments and options', async () => {
  env['API_KEY'] = OPS_KEY;
  const commands = [...documentedCommands()].filter(([command]) => !NEEDS_FILE.test(command));
  expect(commands.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const [command, page] of commands) {
    const words = wordsOf(command);
    // A name alone, such as `fiado keys create`, stands for the command and not for a call of it.
    if (words.every(isName)) {
      const { stdout } = await fiado(...words, '--help');
      if (stdout.includes(`Usage: fiado ${words.join(' ')}`)) continue;
    }
    const { exitCode, stderr } = await fiado(...words);
    // 1: refused by the stand-in for the API, and not by the command line.
    if (exitCode > 1) wrong.push(`${page}: ${command}: ${stderr.split('\n')[0]}`);
  }
  expect(wrong).toEqual([]);
});
