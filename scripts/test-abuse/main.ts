import { parseArgs } from 'node:util';
import { runJest } from '../run-jest';

const HELP = `npm run test:abuse [-- [--measure] [file ...]]

Plays attacks by a wholesaler with a valid key against a started system, with a well-behaved
wholesaler beside each. Fails when an attack has an effect or the well-behaved one is refused.

  --measure   longer attacks; prints the well-behaved wholesaler's percentiles, quiet and attacked
  file        only the attacks of files with this in their path
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { measure: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const measure = values.measure === true ? { ABUSE_MEASURE: '1' } : {};
  return runJest([...positionals, '--selectProjects', 'abuse'], { ...process.env, ...measure });
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
