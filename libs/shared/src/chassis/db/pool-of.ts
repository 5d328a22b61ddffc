import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** The pg pool below a connected data source: for statements that TypeORM would only slow down. */
export function poolOf(db: DataSource): Pool {
  return (db.driver as unknown as { master: Pool }).master;
}
