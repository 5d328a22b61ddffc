import { DataSource } from 'typeorm';
import type { Schema } from '../chassis/db/data-source';
import { createTestDatabase } from './database';

/**
 * The statements that would change the columns of the migrated tables to those of the entities; none
 * when they agree. Migrations define the schema. A table has an entity only where code uses it, and
 * TypeORM writes the statements of that code from the entity: a wrong column would fail at run time.
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
