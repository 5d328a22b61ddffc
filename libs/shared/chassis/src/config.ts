import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from '@fiado/contracts/class-validator';
import { modeProblem } from './weak-settings';

type Environment = Record<string, string | undefined>;

/** Exit code of a process whose configuration is refused (sysexits.h EX_CONFIG). */
export const EXIT_BAD_CONFIG = 78;

/**
 * All `FIADO_*` variables. Any other is a typing error and must be reported. FIADO_IMAGE is for
 * docker-compose.yml, from the same file.
 */
const KNOWN_FIADO_VARIABLES = new Set(['FIADO_MODE', 'FIADO_IMAGE']);

/** Thrown with one line for each variable that is missing, unknown or bad. Never holds a value. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`Configuration refused:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads a service's configuration class from the environment. An empty variable counts as unset.
 * @throws ConfigError listing every bad variable at once, by name and never by value.
 */
export function loadConfig<T extends object>(ConfigClass: new () => T, env: Environment): T {
  return load(ConfigClass, env, () => true);
}

/**
 * Reads some variables of a configuration class, for work that needs no others.
 * @throws ConfigError listing every bad one of them at once, by name and never by value.
 */
export function loadPartOfConfig<T extends object, Name extends keyof T & string>(
  ConfigClass: new () => T,
  env: Environment,
  names: readonly Name[],
): Pick<T, Name> {
  return load(ConfigClass, env, (name) => names.some((one) => one === name));
}

function load<T extends object>(
  ConfigClass: new () => T,
  env: Environment,
  isRead: (name: string) => boolean,
): T {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { config, found } = validated(ConfigClass, present);

  const mode = modeProblem(present);
  const problems = [
    ...(mode === undefined ? [] : [`FIADO_MODE: ${mode}`]),
    ...[...found].filter(([name]) => isRead(name)).map(([name, problem]) => `${name}: ${problem}`),
    ...Object.keys(present)
      .filter((name) => name.startsWith('FIADO_') && !KNOWN_FIADO_VARIABLES.has(name))
      .map((name) => `${name}: is not a variable of Fiado`),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The variables that a configuration class reads. */
export function variablesOf(ConfigClass: Function): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(ConfigClass, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** The problems that a configuration class finds, by variable. Never contains a value. */
export function problemsOf(ConfigClass: new () => object, settings: object): Map<string, string> {
  const present = Object.entries(settings).filter(([, value]) => value !== undefined);
  return validated(ConfigClass, Object.fromEntries(present)).found;
}

function validated<T extends object>(
  ConfigClass: new () => T,
  present: object,
): { config: T; found: Map<string, string> } {
  const config = plainToInstance(ConfigClass, present, { exposeDefaultValues: true });
  const errors = validateSync(config, { whitelist: true });
  return {
    config,
    found: new Map(
      errors.map(({ property, constraints = {} }) => [
        property,
        Object.values(constraints).join('; '),
      ]),
    ),
  };
}

/** Loads the configuration, or prints what is wrong to stderr and ends the process. */
export function loadConfigOrExit<T extends object>(ConfigClass: new () => T, env: Environment): T {
  return orExit(() => loadConfig(ConfigClass, env));
}

/** Runs `load`, or prints what is wrong with the configuration to stderr and ends the process. */
export function orExit<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_BAD_CONFIG);
  }
}

const ENV_FILE = '.env';

/**
 * Adds the variables of `.env` in the current folder to the environment, if the file is there. A
 * variable that is set already stays. A file that cannot be read ends the process.
 */
export function loadEnvFileOrExit(): void {
  if (!existsSync(ENV_FILE)) return;
  let text: string;
  try {
    text = readFileSync(ENV_FILE, 'utf8');
  } catch (error) {
    process.stderr.write(`${ENV_FILE} cannot be read: ${(error as Error).message}\n`);
    process.exit(EXIT_BAD_CONFIG);
  }
  orExit(() => readEnvText(text, ENV_FILE));
  process.loadEnvFile(ENV_FILE);
}

/** A line that gives a variable a value. */
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;

/**
 * The variables in the text of an env file.
 * @param file as its reader calls it
 * @throws ConfigError with each line whose value has a `#` outside of quotes that no blank precedes: parsers disagree
 *   about it, and Node would silently end a secret there. After a blank it begins a comment.
 */
export function readEnvText(text: string, file: string): NodeJS.Dict<string> {
  const problems: string[] = [];
  let openQuote: string | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    if (openQuote !== undefined) {
      // A value of several lines goes on.
      if (line.includes(openQuote)) openQuote = undefined;
      continue;
    }
    const [, name, value = ''] = ASSIGNMENT.exec(line) ?? [];
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote !== undefined) {
      if (!value.slice(1).includes(quote)) openQuote = quote;
    } else if (name !== undefined && /(?:^|\S)#/.test(value)) {
      problems.push(
        `${file}, line ${at + 1}: put the value of ${name} into quotes, because it has a #`,
      );
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return parseEnv(text);
}
