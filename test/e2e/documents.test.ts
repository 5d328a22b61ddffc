import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitFor } from './support/api';
import {
  commandLines,
  examplesOf,
  linksOf,
  normalised,
  openShell,
  type Example,
  type Shell,
} from './support/documents';
import { sharedSystem } from './support/shared-system';

const ROOT = resolve(__dirname, '../..');
const { scripts } = createRequire(__filename)(`${ROOT}/package.json`) as {
  scripts: Record<string, string>;
};
const GUIDES = linksOf(ROOT, 'docs/guides/README.md').map((name) => `docs/guides/${name}`);
const DOCUMENTS = ['README.md', ...GUIDES];
/** Commands that start or test Fiado are run by other suites. Here their names are checked. */
const RUN_ELSEWHERE = /^(?:[A-Z_]+=\S+ )*(npm (?!run demo)|docker compose |\.\/production )/;

const system = sharedSystem();
let folder: string;
let shell: Shell;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiado-documents-'));
  symlinkSync(system.dataDir, join(folder, '.data'));
  // The programs of these two commands, started directly to skip a build before each command.
  shell = openShell(
    folder,
    `npx() { "${ROOT}/node_modules/.bin/$1" "\${@:2}"; }
     npm() { node ${ROOT}/apps/demo/dist/main.js; }`,
  );
});
afterAll(() => {
  shell?.close();
  rmSync(folder, { recursive: true, force: true });
});

const EXAMPLES = DOCUMENTS.flatMap((document) => examplesOf(ROOT, document));
const isStart = ({ commands }: Example) => commands.endsWith('npm start\n');
const isRunElsewhere = (example: Example) =>
  commandLines(example).every((line) => RUN_ELSEWHERE.test(line));

it('the list of guides names every guide', () => {
  const files = readdirSync(`${ROOT}/docs/guides`).map((name) => `docs/guides/${name}`);
  expect(GUIDES.toSorted()).toEqual(files.filter((name) => !name.endsWith('/README.md')).sort());
});

it('the README shows the output of npm start', () => {
  const [start] = EXAMPLES.filter(isStart);
  // Also in the output: JSON logs, SMS, and notices of a machine that is slow.
  const printed = system.output().split('\nready in')[0] ?? '';
  const lines = printed.split('\n').filter((line) => !/^(\{|SMS to |waiting for )/.test(line));

  // The logs are in a file on a terminal only.
  const [shown = ''] = (start?.answer?.text ?? '').replace(/^ +logs .*\n/m, '').split('\nready in');
  expect(sortedServices(lines.join('\n').replaceAll(system.dataDir, '.data'))).toBe(
    sortedServices(shown),
  );
});

it.each(EXAMPLES.filter(isRunElsewhere))(
  '$document:$line names scripts and files that exist',
  (example) => {
    for (const line of commandLines(example)) {
      const script = /npm run (\S+)/.exec(line)?.[1];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      const file = /(?:-f |^\.\/)(\S+)/.exec(line)?.[1];
      if (file !== undefined) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
    }
  },
);

const RUN_HERE = EXAMPLES.filter((example) => !isRunElsewhere(example));

for (const { document, line } of RUN_HERE.filter((example) => !isInstalled(programOf(example)))) {
  it.skip(`${document}:${line} needs a program that is not installed`, () => undefined);
}

it.each(RUN_HERE.filter((example) => isInstalled(programOf(example))))(
  '$document:$line answers as shown',
  async (example) => {
    const commands = example.commands.replaceAll('http://127.0.0.1:3000', system.baseUrl);
    const run = async () => {
      const { output, code } = await shell.run(commands);
      expect([code, output]).toEqual([0, expect.any(String)]);
      if (example.answer === undefined) return;
      const { language, text } = example.answer;
      expect(normalised(output, language)).toBe(normalised(text, language));
    };
    if (changesSomething(example)) return run();
    // Events take a moment; a reader takes longer.
    let problem: unknown;
    await waitFor(() =>
      run().then(
        () => true as const,
        (error: unknown) => void (problem = error),
      ),
    ).catch(() => {
      throw problem;
    });
  },
);

function programOf({ commands }: Example): string {
  return /^(python3|php) /m.exec(commands)?.[1] ?? 'node';
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

function changesSomething({ commands }: Example): boolean {
  return / -d | -X |npx fiado .*(create|revoke)|npm run/.test(commands);
}

/** Services become ready in any order. */
function sortedServices(text: string): string {
  const lines = normalised(text, 'text').split('\n');
  const isService = (line: string) => /^\w+ +ready on/.test(line);
  return [...lines.filter(isService).sort(), ...lines.filter((line) => !isService(line))].join(
    '\n',
  );
}
