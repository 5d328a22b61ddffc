import { spawnSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { waitFor } from './support/api';
import { sharedSystem } from './support/shared-system';
import { createWholesaler } from './support/story';

/** A command block of a document, and the answer that stands below it. */
interface Example {
  document: string;
  line: number;
  commands: string;
  answer?: { language: 'json' | 'text'; text: string };
}

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

/**
 * The `sh` blocks of a Markdown file in their order, each with the `json` or `text` that follows.
 */
function examplesOf(root: string, document: string): Example[] {
  const text = readFileSync(`${root}/${document}`, 'utf8');
  const examples: Example[] = [];
  for (const { 1: language, 2: content = '', index } of text.matchAll(FENCE)) {
    const line = text.slice(0, index).split('\n').length;
    const last = examples.at(-1);
    if (language === 'sh') {
      examples.push({ document, line, commands: content });
    } else if ((language === 'json' || language === 'text') && last && !last.answer) {
      last.answer = { language, text: content };
    } else if (language !== 'mermaid') {
      throw new Error(`${document}:${line}: a block that no command answers`);
    }
  }
  return examples;
}

/** The Markdown files that a text links to, in their order. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name);
}

/** The lines of a block that do something. */
function commandLines({ commands }: Example): string[] {
  return commands.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Masks what differs from run to run, and nothing else: ids, keys, times, codes, references. */
function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/fiado_(test|live)_[\w-]{43}/g, '<$1 key>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"incrementalID": ?\d+/g, '"incrementalID": <count>')
    .replaceAll(/"nextCursor": ?(null|"<uuid>")/g, '"nextCursor": <cursor>')
    .replaceAll(/"(idFactura|numeroReferencia|reference)": ?"\d+"/g, '"$1": "<reference>"')
    .replaceAll(/-\d{10}(?=")/g, '-<run>')
    .replaceAll(/\+52550\d{5}01|\*{8}\d\d01/g, '<sandbox phone>')
    .replaceAll(/\b\d{6} es tu clave/g, '<code> es tu clave')
    .replaceAll(/\/kyc\/[\w-]{43}/g, '/kyc/<token>')
    .replaceAll(/fiado_invite_[\w-]{43}/g, '<invitation>')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+|port \d+/g, '<port>')
    .replaceAll(/ready in [\d.]+ s/g, 'ready in <seconds>');
}

/** An answer in one form, however its JSON is laid out. */
function normalised(text: string, language: 'json' | 'text'): string {
  if (language === 'text') return masked(text.replaceAll('\r', '').trim());
  try {
    return masked(JSON.stringify(JSON.parse(text), null, 1));
  } catch {
    return `not JSON: ${text}`;
  }
}

/** One shell for all blocks of a document or several: a later block uses what an earlier one has set. */
interface Shell {
  /** @returns what the block printed, and the exit code of its last command */
  run(commands: string): Promise<{ output: string; code: number }>;
  close(): void;
}

const END = '--- end of the block ---';

/**
 * On a busy machine an answer may be 503, which an integrator sends again. curl's own --retry would print the answers
 * of all attempts.
 */
const CURL_AGAIN_AFTER_503 = `curl() {
  local answer=$(mktemp) status=$(mktemp) attempt code
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    command curl -w '%{stderr}%{http_code}' "$@" >$answer 2>$status; code=$?
    [ "$(tail -c 3 $status)" = 503 ] || break
    sleep 2
  done
  cat $answer; rm $answer $status; return $code
}`;

function openShell(cwd: string, preparation: string): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    // Not the test runner's own variables: BASE_URL and others mean something to commands.
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  let heard = (): void => undefined;
  bash.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    heard();
  });
  bash.stdin.write(`set -o pipefail\n${CURL_AGAIN_AFTER_503}\n${preparation}\n`);
  const block = new RegExp(`^([^]*?)\n${END} (\\d+)\n`);

  return {
    run: async (commands) => {
      printed = '';
      // Commands such as npx would read the next block from standard input.
      bash.stdin.write(`{\n${commands}\n} </dev/null 2>&1; printf '\\n${END} %s\\n' $?\n`);
      for (;;) {
        const [, output, code] = block.exec(printed) ?? [];
        if (output !== undefined) return { output, code: Number(code) };
        if (bash.exitCode !== null) throw new Error(`bash ended:\n${printed}`);
        await new Promise<void>((done) => (heard = done));
      }
    },
    close: () => bash.stdin.end(),
  };
}

const ROOT = resolve(__dirname, '../..');
const { scripts } = createRequire(__filename)(`${ROOT}/package.json`) as {
  scripts: Record<string, string>;
};
const LIST = readFileSync(`${ROOT}/docs/guides/README.md`, 'utf8');
const guidesOf = (text: string) => linksOf(text).map((name) => `docs/guides/${name}`);
const GUIDES = guidesOf(LIST);
/** Those for wholesalers, whose commands need nothing but these two values. */
const FOR_WHOLESALERS = guidesOf(LIST.split('For payment providers')[0] ?? '');
/** The same with the key of a provider. */
const FOR_PROVIDERS = 'docs/guides/payment-providers.md';
const GIVEN =
  /^(?:export )?BASE=http:\/\/127\.0\.0\.1:3000\/v1\n(?:export )?KEY=fiado_test_[\w-]{43}\n$/;
/** What an integrator does not have. */
const NO_GIVEN = /\.data\/|OPS_API_KEY/;
/** Lists of an answer that are empty when all is well. */
const EMPTY_WHEN_WELL = ['warnings', 'skipped'];
const DOCUMENTS = ['README.md', ...GUIDES];
/** Commands that start or test Fiado are run by other suites. Here their names are checked. */
const RUN_ELSEWHERE = /^(?:[A-Z_]+=\S+ )*(npm (?!run demo)|docker compose |\.\/production )/;

const system = sharedSystem();
const folders: string[] = [];
const shells = new Map<string, Shell>();
let testKey: string;
/** Of the provider whose name the guide shows. */
let providerKey: string;
/** In place of the one that a guide shows. */
let receiverPort: number;
beforeAll(async () => {
  [receiverPort = 0] = await freePorts(1);
  ({ key: testKey } = await createWholesaler(system, { name: 'Mi Empresa' }));
  const demo = JSON.parse(readFileSync(`${system.dataDir}/demo.json`, 'utf8')) as {
    paymentProvider: { apiKey: string };
  };
  providerKey = demo.paymentProvider.apiKey;
});

afterAll(() => {
  for (const shell of shells.values()) shell.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A guide for integrators has a shell in an empty folder, with the key of one wholesaler for them all. */
function shellOf(document: string): Shell {
  const isForIntegrators = FOR_WHOLESALERS.includes(document) || document === FOR_PROVIDERS;
  const name = isForIntegrators ? document : 'others';
  const shell = shells.get(name) ?? (isForIntegrators ? openInEmptyFolder() : openWithPrograms());
  shells.set(name, shell);
  return shell;
}

function openInEmptyFolder(): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'fiado-guide-'));
  folders.push(folder);
  // What is installed comes from the sandbox; a registry is not asked.
  return openShell(folder, 'export npm_config_offline=true npm_config_update_notifier=false');
}

/** In a folder with the sandbox's `.data`. */
function openWithPrograms(): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'fiado-documents-'));
  folders.push(folder);
  symlinkSync(system.dataDir, join(folder, '.data'));
  // The programs of these two commands, started directly to skip a build before each command.
  return openShell(
    folder,
    `npx() { "${ROOT}/node_modules/.bin/$1" "\${@:2}"; }
     npm() { node ${ROOT}/apps/demo/dist/main.js; }`,
  );
}

const EXAMPLES = DOCUMENTS.flatMap((document) => examplesOf(ROOT, document));
const isStart = ({ commands }: Example) => commands.endsWith('npm start\n');
const isRunElsewhere = (example: Example) =>
  commandLines(example).every((line) => RUN_ELSEWHERE.test(line));

it('the list of guides names every guide', () => {
  const files = readdirSync(`${ROOT}/docs/guides`).map((name) => `docs/guides/${name}`);
  expect(GUIDES.toSorted()).toEqual(files.filter((name) => !name.endsWith('/README.md')).sort());
});

it.each(FOR_WHOLESALERS)(
  '%s begins with a URL and a test key, and names no other key',
  (document) => {
    const [first, ...others] = examplesOf(ROOT, document);
    if (first === undefined) return;
    expect(first.commands).toMatch(GIVEN);
    let hasTool = false;
    for (const { commands } of others) {
      hasTool ||= /npm install --silent \.\/fiado-check/.test(commands);
      expect(commands).not.toMatch(hasTool ? NO_GIVEN : new RegExp(`${NO_GIVEN.source}|\\bnpx\\b`));
    }
  },
);

it.each(EXAMPLES.filter(({ document, answer }) => answer && document !== 'README.md'))(
  '$document:$line shows an answer with something in it',
  ({ answer: { language, text } = { language: 'text', text: '' } }) => {
    expect(text.trim()).not.toBe('');
    expect(text).not.toMatch(/"count": ?0\b/);
    if (language === 'text') return;
    const empty: string[] = [];
    const values = [
      JSON.parse(text, (name, value: unknown) => {
        if (Array.isArray(value) && value.length === 0) empty.push(name);
        return value;
      }) as object,
    ].flatMap((answered) => Object.values(answered).flat());

    expect(empty.filter((name) => !EMPTY_WHEN_WELL.includes(name))).toEqual([]);
    expect(values.filter(Boolean)).not.toEqual([]);
  },
);

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

for (const { document, line } of RUN_HERE.filter((example) => !canRun(programOf(example)))) {
  it.skip(`${document}:${line} needs a program that is not here, or has another time`, () =>
    undefined);
}

it.each(RUN_HERE.filter((example) => canRun(programOf(example))))(
  '$document:$line answers as shown',
  async (example) => {
    const commands = example.commands
      .replaceAll('http://127.0.0.1:3000', system.baseUrl)
      .replaceAll('PORT=8080', `PORT=${receiverPort}`)
      .replaceAll(/PROVIDER_KEY=fiado_test_[\w-]{43}/g, `PROVIDER_KEY=${providerKey}`)
      .replaceAll(/(?<!_)KEY=fiado_test_[\w-]{43}/g, `KEY=${testKey}`);
    const run = async () => {
      const { output, code } = await shellOf(example.document).run(commands);
      if (code !== 0) throw new Error(`The last command ended with ${code}:\n${output}`);
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
  return /^(python3|php|java|go|dotnet) /m.exec(commands)?.[1] ?? 'node';
}

/** @returns whether a program is here, and has the time of the tests: `npm run test:dates` gives that to Node.js only */
function canRun(program: string): boolean {
  if (program !== 'node' && process.env.TEST_SECONDS_AHEAD !== undefined) return false;
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
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
