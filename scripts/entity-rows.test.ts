import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import {
  type CallExpression,
  type Class,
  parseSync,
  type TSInterfaceDeclaration,
  type TSType,
  type TSTypeAliasDeclaration,
  Visitor,
} from 'oxc-parser';

const ROOT = resolve(__dirname, '..');
/** What has entities. */
const WORKSPACES = [
  ...['accounts', 'transactions', 'payments', 'notifier'].map((name) => `services/${name}`),
  'libs/shared/chassis',
];

/** What the rules look at, of one file. */
interface Module {
  path: string;
  text: string;
  types: Map<string, Class | TSInterfaceDeclaration | TSTypeAliasDeclaration>;
  /** Texts of constants and functions in the file's root. */
  values: Map<string, string>;
  /** The module that a name is imported from. */
  imports: Map<string, string>;
  /** Calls of `query`, `queryRow`, `queryOne` and `queryNamed` with the type of a row. */
  queries: CallExpression[];
  /** Texts without substitutions, on one line. */
  texts: string[];
}

/** Properties of a table's entity, with its class. */
interface EntityTable {
  name: string;
  properties: string[];
}

/** A field of the type of a row. */
interface Field {
  name: string;
  /** Whether its type is that of a property of an entity. */
  isOfEntity: boolean;
}

/** Statements that `findOneBy`, `find`, `insert`, `update` and `delete` of an entity say. */
const CONDITION = String.raw`[\w.]+(?: = (?:\$\d+|'[\w-]+'|ANY ?\(\$\d+\))| IS (?:NOT )?NULL)`;
const BY_KEY = String.raw`WHERE ${CONDITION}(?: AND ${CONDITION})*`;
const TAIL = String.raw`(?: ORDER BY [\w.]+(?: DESC)?(?:, [\w.]+(?: DESC)?)*)?(?: FOR (?:NO KEY )?UPDATE)?`;
const VALUE = String.raw`(?:\$\d+|NULL|'[\w-]+'|now\(\)|true|false)`;
const PLAIN = [
  String.raw`SELECT [\w,. *"]+ FROM (\w+)(?: \w+)? ${BY_KEY}${TAIL}`,
  String.raw`DELETE FROM (\w+) ${BY_KEY}`,
  String.raw`INSERT INTO (\w+) \([\w, ]+\) VALUES \(${VALUE}(?:, ${VALUE})*\)`,
  String.raw`UPDATE (\w+) SET \w+ = ${VALUE}(?:, \w+ = ${VALUE})* ${BY_KEY}`,
].map((statement) => new RegExp(`^${statement}$`));

/** A helper that writes a row to any table: it hides which columns it writes. */
const ROW_HELPER =
  /INSERT INTO \$\{[^}]+\}\s*\(\$\{|UPDATE \$\{[^}]+\}\s+SET \$\{[^}]+\}\s*(?:WHERE|RETURNING|`)/;

test('statements by key on a table with an entity are calls of the entity, and other rows of it have its types', () => {
  const sources = new Map<string, string>();
  for (const workspace of WORKSPACES) {
    const folder = `${workspace}/src`;
    for (const entry of readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts') || entry.endsWith('.test.ts')) continue;
      sources.set(`${folder}/${entry}`, readFileSync(resolve(ROOT, folder, entry), 'utf8'));
    }
  }
  expect(brokenRules(sources)).toEqual([]);
});

test('a statement by key, the type of a row that is stated anew, and a row helper are found', () => {
  const sources = new Map(
    Object.entries({
      'services/accounts/src/fees/fee.entity.ts': `
        @Entity('fees') export class FeeRow { id: string; amountCents: number; paidAt: Date | null }`,
      'services/accounts/src/fees/fee.ts': `
        export interface Fee { id: string; amountCents: number; isLate: boolean }
        export const FEE = 'fee.id, fee.amount_cents, fee.paid_at IS NULL AS "isLate"';`,
      'services/accounts/src/fees/rows.ts':
        'query(db, `INSERT INTO ${table} (${names}) VALUES (${values})`, row)',
      'services/accounts/src/fees/fees.ts': `
        import { type Fee, FEE } from './fee';
        import type { FeeRow } from './fee.entity';
        query<Fee>(db, \`SELECT \${FEE} FROM fees fee JOIN payers ON payers.id = fee.payer_id\`);
        query<Pick<FeeRow, 'id' | 'paidAt'> & { late: number }>(db, 'SELECT * FROM fees LIMIT 1');
        query<{ feeId: string; id: string }>(
          db, 'SELECT payer.id, fee.id AS "feeId" FROM fees fee JOIN payers payer USING (payer_id)');
        queryRow<FeeRow>(db, 'SELECT * FROM fees WHERE id = $1 FOR UPDATE', [id]);
        query(db, 'UPDATE fees SET paid_at = now() WHERE id = $1 AND paid_at IS NULL', [id]);
        query(db, 'UPDATE fees SET paid_at = now() WHERE id = $1 RETURNING id', [id]);`,
    }),
  );
  expect(brokenRules(sources)).toEqual([
    'services/accounts/src/fees/rows.ts: writes a row to any table',
    'services/accounts/src/fees/fees.ts: Fee states its own type of amountCents',
    'services/accounts/src/fees/fees.ts: { feeId: string; id: string } states its own type of feeId',
    'services/accounts/src/fees/fees.ts: SELECT * FROM fees WHERE id = $1 FOR UPDATE',
    'services/accounts/src/fees/fees.ts: UPDATE fees SET paid_at = now() WHERE id = $1 AND paid_at IS NULL',
  ]);
});

/** What breaks the two rules, of sources by their path. */
function brokenRules(sources: Map<string, string>): string[] {
  const modules = new Map([...sources].map(([path, text]) => [path, moduleOf(path, text)]));
  return [...modules.values()].flatMap((module) => {
    const [workspace = ''] = module.path.split('/src/');
    const entities = entitiesOf(modules, workspace);
    return [
      ...module.queries.flatMap((call) => restatedOf(modules, module, call, entities)),
      ...(ROW_HELPER.test(module.text) ? ['writes a row to any table'] : []),
      ...module.texts.filter((statement) => {
        const table = PLAIN.map((pattern) => pattern.exec(statement)?.[1]).find(Boolean);
        return table !== undefined && entities.has(table);
      }),
    ].map((broken) => `${module.path}: ${broken}`);
  });
}

function moduleOf(path: string, text: string): Module {
  const module: Module = {
    path,
    text,
    types: new Map(),
    values: new Map(),
    imports: new Map(),
    queries: [],
    texts: [],
  };
  const { program } = parseSync(path, text);
  for (const statement of program.body) {
    const node =
      statement.type === 'ExportNamedDeclaration'
        ? (statement.declaration ?? statement)
        : statement;
    if (node.type === 'ImportDeclaration') {
      for (const { local } of node.specifiers) module.imports.set(local.name, node.source.value);
    } else if (node.type === 'FunctionDeclaration' && node.id !== null) {
      module.values.set(node.id.name, text.slice(node.start, node.end));
    } else if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        if (id.type === 'Identifier' && init)
          module.values.set(id.name, text.slice(init.start, init.end));
      }
    } else if (
      node.type === 'TSInterfaceDeclaration' ||
      node.type === 'TSTypeAliasDeclaration' ||
      node.type === 'ClassDeclaration'
    ) {
      if (node.id !== null) module.types.set(node.id.name, node);
    }
  }
  const addText = (written: string) => module.texts.push(written.replaceAll(/\s+/g, ' ').trim());
  new Visitor({
    Literal: ({ value }) => typeof value === 'string' && addText(value),
    TemplateLiteral: ({ quasis: [first, ...others] }) =>
      others.length === 0 && addText(first?.value.raw ?? ''),
    CallExpression: (call) => {
      const { callee, typeArguments } = call;
      if (!typeArguments || callee.type !== 'Identifier') return;
      if (/^query(?:Row|One|Named)?$/.test(callee.name)) module.queries.push(call);
    },
  }).visit(program);
  return module;
}

/** The entities of a workspace by their table. */
function entitiesOf(modules: Map<string, Module>, workspace: string): Map<string, EntityTable> {
  const entities = new Map<string, EntityTable>();
  for (const { path, types } of modules.values()) {
    if (!path.startsWith(`${workspace}/`) || !path.endsWith('.entity.ts')) continue;
    for (const node of types.values()) {
      const table = tableOf(node);
      if (table !== undefined) {
        const [name = ''] = [...types].find(([, one]) => one === node) ?? [];
        entities.set(table, { name, properties: propertiesOf(node) });
      }
    }
  }
  return entities;
}

/** The table of a class with the decorator `Entity`. */
function tableOf(node: Class | TSInterfaceDeclaration | TSTypeAliasDeclaration) {
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return undefined;
  for (const { expression } of node.decorators) {
    if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') continue;
    const [name] = expression.arguments;
    if (expression.callee.name === 'Entity' && name?.type === 'Literal') return String(name.value);
  }
  return undefined;
}

function propertiesOf(node: Class | TSInterfaceDeclaration | TSTypeAliasDeclaration): string[] {
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return [];
  return node.body.body.flatMap((member) =>
    member.type === 'PropertyDefinition' && member.key.type === 'Identifier'
      ? [member.key.name]
      : [],
  );
}

/** Fields of a statement's row that are a column of an entity, and have a type of their own. */
function restatedOf(
  modules: Map<string, Module>,
  module: Module,
  call: CallExpression,
  entities: Map<string, EntityTable>,
): string[] {
  const type = call.typeArguments?.params[0];
  if (type === undefined) return [];
  const sql = statementOf(modules, module, module.text.slice(call.start, call.end));
  const fields = fieldsOf(modules, module, type);
  const checked = new Set(fields.filter(({ isOfEntity }) => isOfEntity).map(({ name }) => name));
  const restated = [...new Set(fields.map(({ name }) => name))].filter(
    (name) => !checked.has(name) && isColumn(sql, name, entities),
  );
  if (restated.length === 0) return [];
  const row = module.text.slice(type.start, type.end).replaceAll(/\s+/g, ' ');
  return [`${row} states its own type of ${restated.join(', ')}`];
}

/** The text of a call, followed by those of the constants with SQL that it names, however far away. */
function statementOf(modules: Map<string, Module>, module: Module, call: string): string {
  const seen = new Set<string>();
  const texts: string[] = [];
  const add = (home: Module, text: string): void => {
    texts.push(text);
    for (const [name] of text.matchAll(/\b[A-Za-z_]\w+\b/g)) {
      if (seen.has(name)) continue;
      const owner = home.values.has(name) ? home : importedBy(modules, home, name);
      const value = owner?.values.get(name);
      const isSql = /^[A-Z_]+$/.test(name) || /\b(?:SELECT|FROM|JOIN) /.test(value ?? '');
      if (owner === undefined || value === undefined || !isSql || /\bawait /.test(value)) continue;
      seen.add(name);
      add(owner, value);
    }
  };
  add(module, call);
  return texts.join('\n');
}

function importedBy(modules: Map<string, Module>, { path, imports }: Module, name: string) {
  const source = imports.get(name);
  if (!source?.startsWith('.')) return undefined;
  return modules.get(`${posix.join(posix.dirname(path), source)}.ts`);
}

/** The fields of a type. Those that another workspace declares, as a message has them, are left out. */
function fieldsOf(modules: Map<string, Module>, module: Module, type: TSType): Field[] {
  const of = (inner: TSType | undefined) =>
    inner === undefined ? [] : fieldsOf(modules, module, inner);
  if (type.type === 'TSTypeLiteral') return membersOf(module, type.members);
  if (type.type === 'TSIntersectionType' || type.type === 'TSUnionType')
    return type.types.flatMap(of);
  if (type.type === 'TSParenthesizedType') return of(type.typeAnnotation);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return [];
  const { name } = type.typeName;
  const [inner, keys] = type.typeArguments?.params ?? [];
  if (['Partial', 'Readonly', 'Required'].includes(name)) return of(inner);
  if ((name === 'Pick' || name === 'Omit') && keys !== undefined) {
    const text = module.text.slice(keys.start, keys.end);
    const named = new Set([...text.matchAll(/'(\w+)'/g)].map(([, key]) => key));
    for (const [, other = ''] of text.matchAll(/keyof (\w+)/g)) {
      for (const field of namedFields(modules, module, other)) named.add(field.name);
    }
    return of(inner).filter((field) => named.has(field.name) === (name === 'Pick'));
  }
  return namedFields(modules, module, name);
}

function namedFields(modules: Map<string, Module>, module: Module, name: string): Field[] {
  const home = module.types.has(name) ? module : importedBy(modules, module, name);
  const node = home?.types.get(name);
  if (home === undefined || node === undefined) return [];
  if (node.type === 'TSTypeAliasDeclaration') return fieldsOf(modules, home, node.typeAnnotation);
  if (node.type !== 'TSInterfaceDeclaration') {
    return propertiesOf(node).map((property) => ({ name: property, isOfEntity: true }));
  }
  const inherited = node.extends.flatMap(({ expression, typeArguments }) =>
    expression.type === 'Identifier'
      ? fieldsOf(modules, home, {
          ...expression,
          type: 'TSTypeReference',
          typeName: expression,
          typeArguments,
        })
      : [],
  );
  return [...membersOf(home, node.body.body), ...inherited];
}

function membersOf({ text }: Module, members: TSInterfaceDeclaration['body']['body']): Field[] {
  return members.flatMap((member) => {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return [];
    const { start = 0, end = 0 } = member.typeAnnotation ?? {};
    const isOfEntity = /\b\w+Row\['/.test(text.slice(start, end));
    return [{ name: member.key.name, isOfEntity }];
  });
}

/** Whether a field of a statement's row is a column of an entity, as it is. */
function isColumn(sql: string, name: string, entities: Map<string, EntityTable>): boolean {
  const tables = new Map<string | undefined, string>();
  const named = /\b(?:FROM|JOIN|UPDATE|INTO|ONLY)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z_]+))?/g;
  for (const [, table = '', alias = table] of sql.matchAll(named)) {
    tables.set(table, table).set(alias, table);
  }
  const has = (table: string | undefined, property: string) =>
    entities.get(table ?? '')?.properties.includes(property) ?? false;
  const inAny = (property: string) => [...tables.values()].some((table) => has(table, property));
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  const asName = String.raw`\s+AS\s+"?(?:${name}|${column})"?(?![\w"])`;
  const renamed = [...sql.matchAll(new RegExp(asName, 'g'))];
  if (renamed.length > 0) {
    const plain = String.raw`(?:,|SELECT|DISTINCT|RETURNING|\}|${'`'})\s*(?:(\w+)\.)?([a-z][a-z_\d]*)(?:::text)?`;
    const columns = [...sql.matchAll(new RegExp(plain + asName, 'g'))];
    return (
      columns.length === renamed.length &&
      columns.every(([, alias, from = '']) => {
        const property = from.replaceAll(/_([a-z\d])/g, (_, letter: string) =>
          letter.toUpperCase(),
        );
        return alias === undefined ? inAny(property) : has(tables.get(alias), property);
      })
    );
  }
  const owners = [...sql.matchAll(new RegExp(String.raw`\b(\w+)\.${column}\b`, 'g'))];
  if (owners.length > 0) return owners.every(([, alias]) => has(tables.get(alias), name));
  return inAny(name);
}
