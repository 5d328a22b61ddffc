import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Database } from '../src/db/database';
import { Personal, personalTableOf, Sealed, sealedTableOf } from '../src/db/marked-columns';
import { isDatabaseUnavailable, isUniqueViolation } from '../src/db/errors';
import { queryRow } from '../src/db/query';
import type { Schema } from '../src/db/schema';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';

@Entity('parcels')
class ParcelRow {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  id: number;

  @Personal('identity')
  @Sealed('phone', 'owner_id')
  @Column({ name: 'phone_sealed', type: 'bytea', nullable: true })
  phoneSealed: Buffer | null;

  @Personal('free-text', { suppress: 'kept' })
  @Column({ name: 'note', type: 'text' })
  note: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;
}

const schema: Schema = {
  name: 'entities_test',
  baseline: `CREATE TABLE parcels (id integer PRIMARY KEY, phone_sealed bytea,
                                   note text NOT NULL DEFAULT 'none', amount_cents bigint NOT NULL)`,
  entities: () => [ParcelRow],
  migrations: [],
};

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase(schema);
  db = Database.open(schema, database.connection, () => {});
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it('entities and statements of a database transaction see each other and are rolled back together', async () => {
  const failed = db.transaction(async (tx) => {
    await tx.manager.insert(ParcelRow, { id: 1, amountCents: 2 ** 40 });
    expect(await queryRow(tx, 'SELECT note, amount_cents FROM parcels WHERE id = 1')).toEqual({
      note: 'none',
      amountCents: 2 ** 40,
    });
    await tx.manager.update(ParcelRow, 1, { note: 'seen' });
    const lock = { mode: 'for_no_key_update' } as const;
    const locked = await tx.manager.findOne(ParcelRow, { where: { id: 1 }, lock });
    expect(locked).toEqual({ id: 1, phoneSealed: null, note: 'seen', amountCents: 2 ** 40 });
    expect(await db.manager.findOneBy(ParcelRow, { id: 1 })).toBeNull();
    throw new Error('the work failed');
  });
  await expect(failed).rejects.toThrow('the work failed');

  expect(await db.manager.countBy(ParcelRow, { id: 1 })).toBe(0);
});

it('a failed statement of an entity tells what Postgres refused', async () => {
  await db.manager.insert(ParcelRow, { id: 2, amountCents: 1 });
  const again = await db.manager
    .insert(ParcelRow, { id: 2, amountCents: 1 })
    .catch((error: unknown) => error);
  expect(isUniqueViolation(again, 'parcels_pkey')).toBe(true);
});

it('entities are read without a database, and a statement says that there is none', async () => {
  const url = 'postgres://fiado_entities_test:x@127.0.0.1:1/none';
  const gone = Database.open(schema, { ...database.connection, url }, () => {});
  expect(gone.entities.hasMetadata(ParcelRow)).toBe(true);
  const failure = await gone.manager
    .findOneBy(ParcelRow, { id: 1 })
    .catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await gone.close();
});

it('the lists of personal and of sealed columns come from the marks of an entity', () => {
  expect(personalTableOf(ParcelRow, { what: 'parcels', kept: '30 days' })).toEqual({
    table: 'parcels',
    what: 'parcels',
    kept: '30 days',
    columns: {
      phone_sealed: { class: 'identity' },
      note: { class: 'free-text', suppress: 'kept' },
    },
  });
  expect(sealedTableOf(ParcelRow)).toEqual({
    table: 'parcels',
    id: 'id',
    columns: [{ column: 'phone_sealed', purpose: 'phone', boundTo: 'owner_id' }],
  });
});
