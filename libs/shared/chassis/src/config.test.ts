import { MinLength } from '@fiado/contracts/class-validator';
import { ConfigError, loadConfig, loadPartOfConfig } from './config';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { HasStrongPassword } from './weak-settings';

class ExampleConfig {
  @IsIntegerText(1)
  PORT = 3000;

  @MinLength(8)
  SECRET: string;
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(ExampleConfig, env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

it('accepts set variables, uses defaults for the others, and nothing else', () => {
  const config = loadConfig(ExampleConfig, { SECRET: 'long enough', PORT: '', PATH: '/bin' });
  expect(Object.entries(config)).toEqual([
    ['PORT', 3000],
    ['SECRET', 'long enough'],
  ]);
});

it('reads some variables of a class while others are missing, and refuses a bad one of them', () => {
  expect(loadPartOfConfig(ExampleConfig, { PORT: '4000' }, ['PORT']).PORT).toBe(4000);
  expect(() => loadPartOfConfig(ExampleConfig, { PORT: 'http' }, ['PORT'])).toThrow('PORT');
});

it('names every bad variable at once and never its value', () => {
  const problems = problemsOf({ PORT: 'http', SECRET: 's3cret', FIADO_MDOE: 'production' });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'PORT',
    'SECRET',
    'FIADO_MDOE',
  ]);
  expect(problems.join()).not.toMatch(/s3cret|http/);
});

it.each([
  { HOST: '0.0.0.0' },
  { INTERNAL_HOST: '10.0.0.5' },
  { DATABASE_URL: 'postgresql://owner:password@db.example.com/fiado' },
])('a single process requires FIADO_MODE if others can reach it: %j', (env) => {
  const settings = { SECRET: 'long enough', ...env };
  expect(problemsOf(settings)).toEqual([expect.stringMatching(/^FIADO_MODE: choose sandbox/)]);
  expect(problemsOf({ ...settings, FIADO_MODE: 'sandbox' })).toEqual([]);
  expect(problemsOf({ SECRET: 'long enough', HOST: '127.0.0.1' })).toEqual([]);
});

it.each(['postgres://fiado:se%cret@db/fiado', 'redis://:se%cret@redis'])(
  'names the variable whose URL has a password with a bare percent sign: %s',
  (url) => {
    class StoreConfig {
      @HasStrongPassword()
      STORE_URL: string;
    }
    const load = () => loadConfig(StoreConfig, { FIADO_MODE: 'sandbox', STORE_URL: url });
    expect(load).toThrow(
      new ConfigError(['STORE_URL: its password has a % that is not written as %25']),
    );
  },
);
