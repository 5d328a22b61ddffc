import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = resolve(__dirname, '..');

/** What a column is in TypeScript, where it is always the same. */
const TYPESCRIPT: Record<string, string> = {
  timestamptz: 'Date',
  bytea: 'Buffer',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
};

test('the properties of entities have the types and nulls of their columns', () => {
  const files = ['services', 'libs/shared/chassis/src'].flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((entry) => /^(?!.*(?:node_modules|dist)\/).*\.entity\.ts$/.test(entry))
      .map((entry) => join(folder, entry)),
  );
  expect(files.length).toBeGreaterThan(30);
  const wrong = files.flatMap((path) =>
    wrongProperties(path, readFileSync(resolve(ROOT, path), 'utf8')),
  );
  expect(wrong).toEqual([]);
});

test('a property of an entity that is null too seldom, or of another type, is found', () => {
  const text = `@Entity('fees') export class FeeRow {
    @PrimaryColumn({ name: 'id', type: 'uuid' }) id: string;
    @Column({ name: 'paid_at', type: 'timestamptz', nullable: true }) paidAt: Date;
    @Column({ name: 'amount_cents', type: 'bigint' }) amountCents: string;
    @Column({ name: 'words', type: 'text', array: true }) words: string; }`;
  expect(wrongProperties('fee.entity.ts', text)).toEqual([
    'fee.entity.ts: paidAt: Date',
    'fee.entity.ts: amountCents: string',
    'fee.entity.ts: words: string',
  ]);
});

/** Properties whose type is not that of their column, as its decorator states it. */
function wrongProperties(path: string, text: string): string[] {
  const wrong: string[] = [];
  new Visitor({
    PropertyDefinition: ({ decorators, key, typeAnnotation }) => {
      const [options = ''] = decorators
        .map(({ expression }) => text.slice(expression.start, expression.end))
        .filter((decorator) => /^(?:Primary)?Column\(/.test(decorator));
      if (options === '' || key.type !== 'Identifier') return;
      const { start = 0, end = 0 } = typeAnnotation ?? {};
      const stated = text.slice(start, end).replace(/^:\s*/, '');
      const type = stated.replace(/\s*\| null$/, '');
      const [, column = ''] = /\btype: '(\w+)'/.exec(options) ?? [];
      const isArray = options.includes('array: true');
      const expected = TYPESCRIPT[column];
      const fits =
        (stated === type) !== options.includes('nullable: true') &&
        (column === 'json' || type.endsWith('[]') === isArray) &&
        (isArray || (expected ?? type) === type) &&
        (expected !== undefined || !Object.values(TYPESCRIPT).includes(type));
      if (!fits) wrong.push(`${path}: ${key.name}: ${stated}`);
    },
  }).visit(parseSync(path, text).program);
  return wrong;
}
