import { DataSource } from 'typeorm';
import type { Schema } from '../chassis/db/data-source';
import { createTestDatabase } from './database';

/**
 * Statements that would make the migrated tables what the entities say of their columns; none when
 * they agree. Indexes, checks and defaults are the migrations' business alone.
 */
export async function schemaDrift(schema: Schema): Promise<string[]> {
  const database = await createTestDatabase(schema);
  const db = new DataSource({
    type: 'postgres',
    url: database.ownerUrl,
    schema: schema.name,
    entities: schema.entities,
    installExtensions: false,
  });
  await db.initialize();
  try {
    const { upQueries } = await db.driver.createSchemaBuilder().log();
    return upQueries
      .map(({ query }) => query)
      .filter((query) =>
        /CREATE TABLE|(ADD|DROP) "|ALTER COLUMN "\w+" (TYPE|SET NOT|DROP NOT)/.test(query),
      );
  } finally {
    await db.destroy();
    await database.drop();
  }
}
