/** What the tests need of the servers: their URLs, of the owner. */
export interface OldestServers {
  postgres: string;
  /** The same server, through PgBouncer in transaction mode. */
  pgbouncer: string;
  redis: string;
}

/** A server, or what servers share. */
export interface Started {
  stop(): Promise<unknown>;
}
