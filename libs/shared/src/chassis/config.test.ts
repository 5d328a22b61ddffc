import { IsInt, Min, MinLength } from 'class-validator';
import { ConfigError, loadConfig, ToNumber } from './config';

class ExampleConfig {
  @ToNumber()
  @IsInt()
  @Min(1)
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

it('takes what is set, defaults for the rest, and nothing else', () => {
  const config = loadConfig(ExampleConfig, { SECRET: 'long enough', PORT: '', PATH: '/bin' });
  expect(Object.entries(config)).toEqual([
    ['PORT', 3000],
    ['SECRET', 'long enough'],
  ]);
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
