import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountsConfig } from '@fiado/accounts/config';
import { ConsoleConfig } from '@fiado/console/config';
import { GatewayConfig } from '@fiado/gateway/config';
import { NotifierConfig } from '@fiado/notifier/config';
import { PaymentsConfig } from '@fiado/payments/config';
import { variablesOf } from '@fiado/chassis/config';
import { ContainersConfig } from '@fiado/supervisor/containers/config';
import { TransactionsConfig } from '@fiado/transactions/config';
import { getMetadataStorage } from '@fiado/contracts/class-validator';

export const ROOT = join(__dirname, __dirname.includes('dist') ? '../../..' : '../..');

/** The processes, in the order in which lists name them, with their configuration classes. */
const PROCESSES: Record<string, new () => object> = {
  gateway: GatewayConfig,
  accounts: AccountsConfig,
  transactions: TransactionsConfig,
  payments: PaymentsConfig,
  notifier: NotifierConfig,
  console: ConsoleConfig,
};

const CHASSIS = 'libs/shared/chassis/src/service-config.ts';

/**
 * The classes that declare variables, by section of the generated files. A variable is in the first section that
 * declares it, with the comment there.
 */
const DECLARED_IN = [
  { section: 'All of Fiado', file: 'apps/supervisor/src/config.ts', name: 'SupervisorConfig' },
  {
    section: 'Postgres and Redis',
    file: 'apps/supervisor/src/config.ts',
    name: 'StoresConfig',
  },
  { section: 'Every process', file: CHASSIS, name: 'ProcessConfig' },
  { section: 'Every service with a database', file: CHASSIS, name: 'ServiceConfig' },
  { section: 'accounts and transactions', file: CHASSIS, name: 'CodeServiceConfig' },
  { section: 'gateway', file: 'services/gateway/src/config.ts', name: 'GatewayConfig' },
  { section: 'accounts', file: 'services/accounts/src/config.ts', name: 'AccountsConfig' },
  {
    section: 'transactions',
    file: 'services/transactions/src/config.ts',
    name: 'TransactionsConfig',
  },
  { section: 'payments', file: 'services/payments/src/config.ts', name: 'PaymentsConfig' },
  { section: 'notifier', file: 'services/notifier/src/config.ts', name: 'NotifierConfig' },
  { section: 'console', file: 'apps/console/src/config.ts', name: 'ConsoleConfig' },
  {
    section: 'docker-compose.yml',
    file: 'apps/supervisor/src/containers/config.ts',
    name: 'ContainersConfig',
  },
];

export interface Variable {
  name: string;
  section: string;
  /** The text of its doc comment, on one line. */
  about: string;
  /** As a text; undefined where it is unset by default. */
  default: string | undefined;
  /** The processes that read it. */
  readers: string[];
  /** `@secret`: never in a container's definition or in the chart's values. */
  isSecret: boolean;
  /** `@production VALUE`: a line of production.env.example that has to be filled in or kept. */
  production: string | undefined;
  /** `@productionOption VALUE`: lines of production.env.example that are commented out. */
  productionOptions: string[];
  /** Whether people set it: otherwise `npm start` or the step `settings` makes it for each process. */
  isSet: boolean;
  /** The JSON schema of its value in a YAML file. */
  schema: object;
}

/**
 * Every variable of the configuration classes: texts and tags from the doc comments, rules from class-validator.
 * @throws Error for a variable without a doc comment, or with a secret's name and no `@secret`
 */
export function readVariables(): Variable[] {
  const setByPeople = new Set(variablesOf(ContainersConfig));
  const classes = [ContainersConfig, ...Object.values(PROCESSES)];
  const all = new Set(classes.flatMap((Config) => variablesOf(Config)));
  const declared = DECLARED_IN.flatMap(({ section, file, name }) =>
    propertiesIn(readFileSync(join(ROOT, file), 'utf8'), name).map((property) => ({
      section,
      ...property,
    })),
  );
  const variables: Variable[] = [];
  for (const { name, section, comment } of declared) {
    if (!all.has(name) || variables.some((variable) => variable.name === name)) continue;
    if (comment === '') continue;
    const { about, tags } = read(comment);
    variables.push({
      name,
      section,
      about,
      default: defaultOf(name, classes),
      readers: Object.keys(PROCESSES).filter((process) =>
        variablesOf(PROCESSES[process] ?? Object).includes(name),
      ),
      isSecret: tags.has('secret'),
      production: tags.get('production')?.[0],
      productionOptions: tags.get('productionOption') ?? [],
      isSet: setByPeople.has(name),
      schema: schemaOf(name, classes),
    });
  }
  const described = new Set(variables.map(({ name }) => name));
  refuse(
    'has no doc comment',
    [...all].filter((name) => !described.has(name)),
  );
  refuse('needs @secret in its doc comment', unmarkedSecrets(variables));
  return variables;
}

function refuse(problem: string, names: string[]): void {
  if (names.length > 0) throw new Error(`${names.join(', ')}: ${problem}`);
}

const SECRET_NAME =
  /(PASSWORD|PRIVATE_KEY|API_KEY|ACCESS_KEY|ENCRYPTION_KEY|FACTURAPI_KEY|PEPPER|AUTH_TOKEN|CLIENT_SECRET|OTLP_HEADERS|DATABASE_URL|REDIS_URL)(_PREVIOUS)?$/;

function unmarkedSecrets(variables: Variable[]): string[] {
  return variables
    .filter(({ name, isSecret }) => SECRET_NAME.test(name) && !isSecret)
    .map(({ name }) => name);
}

/** The properties that a class declares, in their order, each with its doc comment. */
function propertiesIn(source: string, className: string): { name: string; comment: string }[] {
  const start = source.indexOf(`class ${className} `);
  const body = source.slice(start, source.indexOf('\n}', start));
  return body
    .split(/^(?= {2}\/\*\*)/m)
    .slice(1)
    .map((part) => ({
      name: /^ {2}([A-Z][A-Z\d_]+)[?!]?(?::| =)/m.exec(part)?.[1] ?? '',
      comment: /\/\*\*([\s\S]*?)\*\//.exec(part)?.[1] ?? '',
    }));
}

/** The text of a doc comment, and the values of its tags. */
function read(comment: string): { about: string; tags: Map<string, string[]> } {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const tags = new Map<string, string[]>();
  for (const line of lines) {
    const [, tag = '', value = ''] = /^@(\w+) ?(.*)$/.exec(line.trim()) ?? [];
    if (tag !== '') tags.set(tag, [...(tags.get(tag) ?? []), value]);
  }
  const about = lines.filter((line) => !line.trim().startsWith('@'));
  return { about: about.join(' ').replaceAll(/\s+/g, ' ').trim(), tags };
}

function defaultOf(name: string, classes: (new () => object)[]): string | undefined {
  for (const Config of classes) {
    const value: unknown = Object.entries(new Config()).find(([key]) => key === name)?.[1];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return undefined;
}

/** From the rules of the process that reads it; a text without any that a schema can have. */
function schemaOf(name: string, classes: (new () => object)[]): object {
  const rules = [...classes.slice(1), ...classes.slice(0, 1)].flatMap((Config) =>
    getMetadataStorage()
      .getTargetValidationMetadatas(Config, '', true, false)
      .filter(({ propertyName }) => propertyName === name),
  );
  const limit = (rule: string): unknown => rules.find((one) => one.name === rule)?.constraints?.[0];
  const choices = limit('isIn');
  // YAML reads true and false as booleans.
  if (Array.isArray(choices)) {
    return {
      enum: choices.flatMap((one) =>
        one === 'true' || one === 'false' ? [one, one === 'true'] : [one],
      ),
    };
  }
  if (limit('min') !== undefined) {
    const max = limit('max');
    return {
      type: 'integer',
      minimum: limit('min'),
      ...(max !== Number.MAX_SAFE_INTEGER && { maximum: max }),
    };
  }
  const isUrl = /_(URL|ENDPOINT|ISSUER)$/.test(name);
  return { $ref: isUrl ? '#/$defs/url' : '#/$defs/setting' };
}
