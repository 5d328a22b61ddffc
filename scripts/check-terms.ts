import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Refuses private words that a reader of one line, a log or a changelog cannot look up. Run by
 * `npm run check` in the root, for the files that are arguments or for all that Git knows.
 */
const TERMS: Array<[term: RegExp, instead: string]> = [
  [
    /(?<![\w.-])e(?:1[0-8]|[1-9])(?![\w.-])/,
    'the name of the operation, such as createTransaction',
  ],
  [/\bhouses?\b/i, 'the system, the installation or the repository'],
  [/\bdesign \d/i, 'the rule itself, or a link to a decision record'],
  [/\breal parts\b/i, 'what is meant: your own Postgres and Redis'],
  [/\ball sums agree\b/i, 'balances reconcile'],
  [/\bwhat must hold\b|\bthat must hold in\b/i, 'invariant'],
  [/\bwhat (?:be)?came of\b|\bwhat became of\b/i, 'status, outcome or result'],
  [/\ban? (?:accounts|transactions|payments) that\b/i, 'the name of the service'],
  [/\bpassed over\b/i, 'skipped'],
  [/\b(?:is|are|was|were) away\b/i, 'unavailable or down'],
  [/\bstands? still\b/i, 'is suspended, stuck or blocked'],
  [/\bcomes? alive\b|\bcame alive\b/i, 'is recovered or retried'],
];

/** Files that may contain them, each with its reason. */
const ALLOWED: Array<[file: RegExp, reason: string]> = [
  [/\/migrations\//, 'a migration is never edited after it was merged'],
  [/^package-lock\.json$/, 'generated'],
  [/^scripts\/check-terms\.ts$/, 'the list itself'],
];

const TEXT =
  /\.(?:ts|mts|cjs|md|json|jsonc|yml|html|sh|conf|acl|example)$|^Dockerfile$|^production$/;

const given = process.argv.slice(2);
const files = given.length > 0 ? given : filesOfGit();
const found = files.filter(isChecked).flatMap(violationsOf);
for (const line of found) process.stderr.write(`${line}\n`);
process.exitCode = found.length > 0 ? 1 : 0;

function filesOfGit(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '');
}

function isChecked(file: string): boolean {
  return TEXT.test(file) && !ALLOWED.some(([allowed]) => allowed.test(file));
}

function violationsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) =>
    TERMS.filter(([term]) => term.test(line)).map(
      ([term, instead]) => `${file}:${at + 1}: "${term.exec(line)?.[0]}": write ${instead}`,
    ),
  );
}
