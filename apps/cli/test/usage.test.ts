import { ID, OPS_KEY } from './support/run-fiado';
import { useApi } from './support/use-api';

const { api, env, fiado } = useApi();

/** The help of each command that does something, by its name. */
async function helpTexts(path: string[] = []): Promise<Array<[name: string, help: string]>> {
  const { stdout } = await fiado(...path, '--help');
  const listed = /\nCommands:\n([^]*?)(\n\n|$)/.exec(stdout)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  if (names.length === 0) return [[path.join(' '), stdout]];
  const below = names.filter((name) => name !== 'help');
  return (await Promise.all(below.map((name) => helpTexts([...path, name])))).flat();
}

test('every command has examples, and takes them as they are printed', async () => {
  const texts = await helpTexts();
  expect(texts.length).toBeGreaterThan(100);
  env['API_KEY'] = OPS_KEY;
  for (const [name, help] of texts) {
    const examples = help.match(/(?<=\n {2})fiado .+/g) ?? [];
    expect([name, examples]).not.toEqual([name, []]);
    // The files of the others do not exist here.
    for (const line of examples.filter((one) => !/\.(csv|log)\b/.test(one))) {
      const words = line.replace(/ \|.*/, '').match(/"[^"]*"|\S+/g) ?? [];
      const { exitCode } = await fiado(...words.slice(1).map((word) => word.replaceAll('"', '')));
      // Refused by the API, not by the command line.
      expect([line, exitCode]).toEqual([line, 1]);
    }
  }
});

describe('wrong usage is exit code 2, and nothing is sent', () => {
  test.each([
    [''],
    ['nonsense'],
    ['corner-stores approve ../wholesalers'],
    ['jobs retry .. x'],
    ['jobs retry payments'],
    [`jobs retry payments ${ID} --all`],
    [`jobs retry payments ${ID} --type apply-deposit`],
    ['keys list'],
    [`keys list --wholesaler ${ID} --provider ${ID}`],
    ['audit verify --anchors /nowhere.log'],
    [`corner-stores set ${ID}`],
    [`corner-stores set ${ID} --limit 10.005`],
    [`corner-stores set ${ID} --rate 5`],
    [`corner-stores set ${ID} --limit -1`],
    [`wholesalers update ${ID}`],
    [`wholesalers update ${ID} --confirmation-required maybe`],
    ['wholesalers create'],
    [`orders credit ${ID} --amount 1`],
    [`orders credit ${ID} --amount 1.005 --reason return`],
    [`orders credit ${ID} --amount 10.000 --reason return`],
    ['wholesalers create --name A --commission-rate 5'],
    [`orders credit ${ID} --amount 1 --reason unknown`],
    ['verify --settle soon'],
    [`customers import /nowhere.csv --wholesaler ${ID}`],
  ])('fiado %s', async (line) => {
    const { exitCode, stdout, stderr } = await fiado(...line.split(' ').filter(Boolean));
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
    expect(api.seen).toEqual([]);
  });

  test.each([['--help'], ['customers import --help'], ['help verify']])(
    'asking for help is none: fiado %s',
    async (line) => {
      const { exitCode, stdout } = await fiado(...line.split(' '));
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}fiado/);
    },
  );
});
