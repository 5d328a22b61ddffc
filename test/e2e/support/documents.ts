import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A command block of a document, and the answer that stands below it. */
export interface Example {
  document: string;
  line: number;
  commands: string;
  answer?: { language: 'json' | 'text'; text: string };
}

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

/**
 * The `sh` blocks of a Markdown file in their order, each with the `json` or `text` that follows.
 */
export function examplesOf(root: string, document: string): Example[] {
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

/** The Markdown files that a Markdown file links to, in their order. */
export function linksOf(root: string, document: string): string[] {
  const text = readFileSync(`${root}/${document}`, 'utf8');
  return [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name);
}

/** The lines of a block that do something. */
export function commandLines({ commands }: Example): string[] {
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
    .replaceAll(/\+52550\d{5}01|\*{8}\d\d01/g, '<sandbox phone>')
    .replaceAll(/\b\d{6} es tu clave/g, '<code> es tu clave')
    .replaceAll(/\/kyc\/[\w-]{43}/g, '/kyc/<token>')
    .replaceAll(/fiado_invite_[\w-]{43}/g, '<invitation>')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+|port \d+/g, '<port>')
    .replaceAll(/ready in [\d.]+ s/g, 'ready in <seconds>');
}

/** An answer in one form, however its JSON is laid out. */
export function normalised(text: string, language: 'json' | 'text'): string {
  if (language === 'text') return masked(text.replaceAll('\r', '').trim());
  try {
    return masked(JSON.stringify(JSON.parse(text), null, 1));
  } catch {
    return `not JSON: ${text}`;
  }
}

/** One shell for all blocks of a document: a later block uses what an earlier one has set. */
export interface Shell {
  /** @returns what the block printed, and the exit code of its last command */
  run(commands: string): Promise<{ output: string; code: number }>;
  close(): void;
}

const END = '--- end of the block ---';

export function openShell(cwd: string, preparation: string): Shell {
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
  bash.stdin.write(`set -o pipefail\n${preparation}\n`);
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
