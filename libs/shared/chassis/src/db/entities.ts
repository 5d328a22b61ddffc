import { DataSource } from 'typeorm/data-source/DataSource';
import type { EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder';
import type { Pool, PoolClient } from 'pg';
import { getMetadataArgsStorage } from './typeorm';

/**
 * TypeORM over a pool that exists. `initialize()` would open a pool of its own and connect at once, and
 * refuse to start without a database. So this takes the pool as the driver's, and reads the entities.
 */
export class Entities extends DataSource {
  constructor(pool: Pool, entities: Function[]) {
    super({ type: 'postgres', entities });
    (this.driver as PostgresDriver).master = pool;
    const metadata = new EntityMetadataBuilder(this, getMetadataArgsStorage()).build(entities);
    Object.assign(this, {
      entityMetadatas: metadata,
      entityMetadatasMap: new Map(metadata.map((one) => [one.target, one])),
    });
  }

  /** Of an open database transaction: its statements run on that connection, which is not released. */
  managerOn(connection: PoolClient): EntityManager {
    const runner = this.createQueryRunner();
    return Object.assign(runner, {
      connect: async () => connection,
      isTransactionActive: true,
      transactionDepth: 1,
    }).manager;
  }
}
