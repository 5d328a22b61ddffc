import * as fc from 'fast-check';
import { CREATE_FOLD_KEY, foldKey, FOLD_KEY_WITH_COST } from '@fiado/contracts/fold-key';
import { Database } from '../src/db/database';
import {
  collisionsOf,
  type FoldedKey,
  foldedKeyMigration,
  rowsWithKey,
} from '../src/db/folded-keys';
import { migration } from '../src/db/migration';
import { query, queryOne } from '../src/db/query';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';
import { anyCharacter } from '../../../../test/support/any-character';

const KEY: FoldedKey = {
  table: 'payments',
  scope: ['owner'],
  key: 'reference',
  live: (prefix) => `NOT ${prefix}ended`,
  index: 'payments_once_folded',
};

const [FIRST, SECOND, THIRD, OTHER, ENDED] = Array.from(
  { length: 5 },
  (_, place) => `00000000-0000-7000-8000-00000000000${place}`,
) as [string, string, string, string, string];

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  const schema = {
    name: 'folded_keys_test',
    migrations: [
      migration(
        'CreatePayments1700000000000',
        `CREATE TABLE payments (id uuid PRIMARY KEY, owner text NOT NULL, reference text, ended boolean NOT NULL,
           key_collides boolean, UNIQUE (owner, reference));
         INSERT INTO payments VALUES ('${FIRST}', 'a', 'K3 ', false), ('${SECOND}', 'a', 'K3', false),
           ('${THIRD}', 'a', 'K3\u200b', false), ('${OTHER}', 'b', 'K3 ', false),
           ('${ENDED}', 'b', 'K3', true);
         ${CREATE_FOLD_KEY}`,
      ),
      foldedKeyMigration('FoldKeys1700000000100', KEY),
      migration('PriceFoldKey1700000000200', FOLD_KEY_WITH_COST),
    ],
  };
  database = await createTestDatabase(schema);
  db = Database.open(schema, database.connection, () => {});
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function foldsOfSql(texts: string[]): Promise<string[]> {
  const { folded } = await queryOne<{ folded: string[] }>(
    db,
    `SELECT array_agg(fold_key(text) ORDER BY at) AS folded
       FROM unnest($1::text[]) WITH ORDINALITY AS given(text, at)`,
    [texts],
  );
  return folded;
}

it.each([
  ['K3', ' K3\n'],
  ['K3', '\u00a0\u3000K3\u0085'],
  ['K3', '\u202aK\u200b3\u202c\ufeff'],
  ['PÑ', 'PN\u0303'],
  ['PÑ', 'PN\u200b\u0303'],
  ['', ' \u200b '],
])('%j is also %j', async (folded, text) => {
  expect([foldKey(text), ...(await foldsOfSql([text]))]).toEqual([folded, folded]);
});

it.each(['k3', 'K03', 'K-3', 'K 3', 'Ｋ３', '²', 'ſ', 'K\u0001'])(
  '%j stays what it is',
  async (text) => {
    expect([foldKey(text), ...(await foldsOfSql([text]))]).toEqual([text, text]);
  },
);

it('removes the marks that Unicode calls ignorable and the space that it calls white, and no other', () => {
  const wrong: string[] = [];
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = String.fromCodePoint(code);
    const isNothing = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}]$/u.test(text);
    if ((foldKey(text) === '') !== isNothing) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

it('SQL and JavaScript fold alike, and a folded text stays as it is', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      '\n',
      '\u00a0',
      '\u200b',
      '\u202e',
      '\u0301',
      '\u0303',
      '\u034f',
      'n',
      'Ñ',
      '\ufeff',
    ),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
    fc.string({ unit: anyCharacter, maxLength: 1 }),
  );
  const text = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => pieces.join('').replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 200 }), async (texts) => {
      const folded = texts.map(foldKey);
      expect(await foldsOfSql(texts)).toEqual(folded);
      expect(folded.map(foldKey)).toEqual(folded);
    }),
    { numRuns: 50 },
  );
});

it('rows that collided before stay, marked, and are listed; later ones are refused', async () => {
  const marked = await query<{ id: string }>(
    db,
    'SELECT id FROM payments WHERE key_collides ORDER BY id',
  );
  expect(marked.map(({ id }) => id)).toEqual([SECOND, THIRD]);
  expect(await collisionsOf(db, KEY, [FIRST, SECOND, THIRD, OTHER])).toEqual([
    { id: SECOND, earlierId: FIRST },
    { id: THIRD, earlierId: FIRST },
  ]);
  const again = `INSERT INTO payments VALUES (gen_random_uuid(), $1, $2, false)`;
  await expect(query(db, again, ['a', 'K3\t'])).rejects.toMatchObject({
    constraint: 'payments_once_folded',
  });
  await query(db, again, ['c', 'K3\t']);
});

it('a key finds its row however it is spelled, the very spelling first', async () => {
  const idOf = async (asked: string): Promise<string> => {
    const { id } = await queryOne<{ id: string }>(
      db,
      `${rowsWithKey(KEY, 'found.id', { of: [`'a'`], asked: '$1' })} LIMIT 1`,
      [asked],
    );
    return id;
  };
  expect([await idOf('K3'), await idOf('K3\u200b'), await idOf('\u200eK3')]).toEqual([
    SECOND,
    THIRD,
    FIRST,
  ]);
});
