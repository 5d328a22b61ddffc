import { Argument, type Command, Option } from 'commander';
import type { Pages } from '@fiado/client';
import type { Route } from '@fiado/client/resources';
import { type ApiField, type ApiOperation, readOperations } from '@fiado/ops-client/api-document';
import { ROUTES } from '@fiado/ops-client/generated/resources';
import { count, id, pathPart, rate, signedAmount, yesOrNo } from './arguments';
import type { CliCommand } from './command';
import { UsageError } from './errors';
import { aliasesOf, ARGUMENTS, commandWords, FILLED, optionNames } from './names';
import { type Output, printChange, printPages, printSecret, recordOf, tableOf } from './output';
import { DONE, type Given, LINES, NOTES, TEXTS } from './presented';
import type { Session } from './session';

/** A field with the names under which commander keeps what is given for it. */
interface NamedField extends ApiField {
  flag: string;
  attributes: string[];
}

interface NamedOperation extends ApiOperation {
  fields: NamedField[];
}

type Method = (...args: unknown[]) => unknown;

const VALUES: Record<ApiField['type'], string> = {
  text: '<text>',
  id: '<id>',
  moment: '<text>',
  number: '<number>',
  rate: '<rate>',
  integer: '<count>',
  boolean: '[true|false]',
  texts: '<text...>',
};

const PARSERS: Partial<Record<ApiField['type'], (text: string) => unknown>> = {
  id,
  number: signedAmount,
  rate,
  integer: count,
  boolean: yesOrNo,
};

/** The command that `fiado audit` alone stands for. */
const DEFAULT_COMMAND = 'listAuditEntries';

/**
 * A command for each operation of the API document, unless a written command has its name. Arguments and options come
 * once the command line names the resource: a run needs those of one command, and there are a hundred others.
 */
export function addOperationCommands(program: CliCommand): void {
  const completions = new Map<Command, Array<() => void>>();
  const complete = (noun: Command): void => {
    for (const completion of completions.get(noun) ?? []) completion();
    completions.delete(noun);
  };
  program.hook('preSubcommand', (_program, noun) => complete(noun));
  // `fiado help orders` names it too.
  program.on('beforeAllHelp', ({ command }: { command: Command }) => complete(command));
  for (const operation of readOperations()) {
    const [first = '', verb] = commandWords(operation);
    const noun = verb === undefined ? program : nounOf(program, first);
    const name = verb ?? first;
    if (noun.commands.some((command) => command.name() === name)) continue;
    const isDefault = operation.id === DEFAULT_COMMAND;
    const command = noun.command(name, { isDefault });
    const completion = () =>
      addOperation(command, { ...operation, fields: operation.fields.map(namedField) });
    // The help of the program shows its own commands with their arguments.
    if (noun === program) completion();
    else completions.set(noun, [...(completions.get(noun) ?? []), completion]);
  }
  for (const noun of program.commands) {
    if (noun.description() !== '') continue;
    const verbs = noun.commands.map((command) => command.name());
    noun.description(verbs.toSorted().join(', '));
  }
}

/** The command under which the commands of a resource stand. */
export function nounOf(program: CliCommand, name: string): CliCommand {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known as CliCommand;
  return aliasesOf(name).reduce((noun, alias) => noun.alias(alias), program.command(name));
}

function addOperation(command: CliCommand, operation: NamedOperation): void {
  const { id: operationId, summary, description } = operation;
  const isArgument = ({ path: [name = ''], place }: ApiField) =>
    place === 'path' || ARGUMENTS[operationId]?.includes(name) === true;
  const positional = operation.fields.filter(isArgument);
  const named = operation.fields.filter((field) => !isArgument(field));
  command.summary(summary).description(`${summary}\n\n${description}`);
  positional.forEach((field) => command.addArgument(argumentOf(field)));
  named.forEach((field) => addOption(command, field, FILLED[operationId]));
  const { items } = routeOf(operation);
  if (items !== undefined) command.option('--all', 'every page; with --json one row on each line');
  command.example(exampleOf(operation, positional, named)).work((session, ...words: unknown[]) => {
    const fields = new Map<ApiField, unknown>();
    positional.forEach((field, at) => fields.set(field, oneText(words[at])));
    const { all, ...options } = command.opts<Record<string, unknown> & { all?: true }>();
    for (const field of named) {
      const value = field.attributes.map((name) => options[name]).find((one) => one !== undefined);
      if (value !== undefined) fields.set(field, value);
    }
    return run(session, operation, { fields: filled(operation, fields), all: all === true });
  });
}

function namedField(field: ApiField): NamedField {
  const flags = optionNames(field.path.at(-1) ?? '');
  const attributes = flags.map((flag) => new Option(`--${flag}`).attributeName());
  return { ...field, flag: `--${flags[0]}`, attributes };
}

function argumentOf({ path: [name = ''], type, choices, place, description }: ApiField): Argument {
  // A search text may have several words.
  const argument = new Argument(name === 'q' ? `<${name}...>` : `<${name}>`, description);
  if (choices.length > 0) return argument.choices(choices);
  const parse = PARSERS[type] ?? (place === 'path' ? pathPart : undefined);
  return parse === undefined ? argument : argument.argParser(parse);
}

/**
 * The shown option, and hidden ones with the field's other names.
 * @throws Error for two fields of an operation that give the same option
 */
function addOption(command: CliCommand, field: NamedField, filled: object = {}): void {
  const { type, choices, isRequired, description, default: usual } = field;
  const isNeeded = isRequired && !(field.path.join('.') in filled);
  const about = [
    description,
    isNeeded ? '(required)' : '',
    usual === undefined ? '' : `(default: ${JSON.stringify(usual)})`,
  ].filter((text) => text !== '');
  optionNames(field.path.at(-1) ?? '').forEach((name, at) => {
    const option = new Option(`--${name} ${VALUES[type]}`, about.join(' ')).hideHelp(at > 0);
    const parse = PARSERS[type];
    if (type === 'boolean') option.preset('true');
    if (choices.length > 0) option.choices(choices);
    else if (parse !== undefined) option.argParser(parse);
    command.addOption(option);
  });
}

/** A command line with what is needed, and with the body that the document shows. */
function exampleOf(operation: ApiOperation, positional: ApiField[], named: NamedField[]): string {
  const shown = named.filter(
    ({ example, place, isRequired }) => example !== undefined && (place === 'body' || isRequired),
  );
  return [
    'fiado',
    ...commandWords(operation),
    ...positional.map(({ example, path: [name = ''] }) => quoted(example ?? name)),
    ...shown.flatMap(({ flag, example }) => [flag, ...[example].flat().map(quoted)]),
  ].join(' ');
}

function quoted(value: unknown): string {
  const text = String(value);
  return /^[\w.,:/+@-]+$/.test(text) ? text : `"${text}"`;
}

function oneText(word: unknown): unknown {
  return Array.isArray(word) ? word.join(' ') : word;
}

/** @throws UsageError for a field that is needed and was not given */
function filled(operation: NamedOperation, given: Map<ApiField, unknown>): Map<ApiField, unknown> {
  const values = valuesOf(given, () => true);
  for (const field of operation.fields) {
    if (given.has(field)) continue;
    const fill = FILLED[operation.id]?.[field.path[0] ?? ''];
    if (fill !== undefined) given.set(field, fill(values));
    else if (field.isRequired) {
      throw new UsageError(`required option '${field.flag} ${VALUES[field.type]}' not specified`);
    }
  }
  return given;
}

/** The given values of some fields, as the API takes them. */
function valuesOf(given: Map<ApiField, unknown>, isMeant: (field: ApiField) => boolean): Given {
  const values: Given = {};
  for (const [field, value] of given) {
    if (!isMeant(field)) continue;
    const [name = '', inner] = field.path;
    if (inner === undefined) values[name] = value;
    else values[name] = { ...(values[name] as object | undefined), [inner]: value };
  }
  return values;
}

async function run(
  { ops, out }: Session,
  operation: ApiOperation,
  { fields, all }: { fields: Map<ApiField, unknown>; all: boolean },
): Promise<void> {
  const body = valuesOf(fields, ({ place }) => place === 'body');
  if (operation.needsBody && Object.keys(body).length === 0) {
    throw new UsageError('name at least one setting to change');
  }
  const query = valuesOf(fields, ({ place }) => place === 'query');
  const given = valuesOf(fields, () => true);
  const { resource, name = operation.id, ...takes } = routeOf(operation);
  const path = operation.fields.filter(({ place }) => place === 'path');
  const method = (ops as unknown as Record<string, Record<string, Method>>)[resource]?.[name];
  const called = method?.(
    ...path.map((field) => fields.get(field)),
    ...(takes.body === true ? [body] : []),
    ...(takes.query === true ? [query] : []),
  );
  const { items } = takes;
  if (items !== undefined) {
    const { id: operationId, columns } = operation;
    await printPages(out, called as Pages<object, object>, {
      all,
      items,
      columns,
      linesOf: (row) => LINES[operationId]?.(row as never, given) ?? [row],
      onPage: (page) => noteMore(operation, page, given, out),
    });
    return;
  }
  const answer = (await called) as object | undefined;
  if (answer === undefined) {
    const [result, text] = DONE[operation.id]?.(given) ?? [given];
    out.result(result, () => text ?? recordOf(result));
    return;
  }
  print(operation, answer, out);
  noteMore(operation, answer, given, out);
}

function print(operation: ApiOperation, answer: object, out: Output): void {
  const { id: operationId, rows, columns, secrets, mayWait } = operation;
  const text = TEXTS[operationId];
  if (text !== undefined) out.result(answer, () => text(answer as never));
  else if (rows !== undefined && columns !== undefined) {
    const list = (answer as Record<string, Given[]>)[rows] ?? [];
    out.result(answer, () => tableOf<Given>(list, columns));
  } else if (secrets.length > 0) printSecret(out, answer, secrets);
  else if (mayWait) printChange(out, answer);
  else out.record(answer);
}

/** Prints notes beside the answer: services that did not answer, and the next step. */
function noteMore(
  { id: operationId }: ApiOperation,
  answer: object,
  given: Given,
  out: Output,
): void {
  const { missing = [] } = answer as { missing?: string[] };
  if (missing.length > 0) {
    out.note(`Incomplete, because they did not answer: ${missing.join(', ')}`);
  }
  const text = NOTES[operationId]?.(answer as never, given, out);
  if (text !== undefined) out.note(text);
}

function routeOf({ id: operationId }: ApiOperation): Route {
  const routes: Record<string, Route> = ROUTES;
  const route = routes[operationId];
  if (route === undefined) throw new Error(`the client has no method for ${operationId}`);
  return route;
}
