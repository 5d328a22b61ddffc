/**
 * The images of `npm run test:containers`: the oldest PostgreSQL that Fiado supports, a PgBouncer before
 * it, and the Redis of docker-compose.yml.
 */
export const IMAGES = {
  postgres: 'postgres:15',
  pgbouncer: 'edoburu/pgbouncer:latest',
  redis: 'redis:8',
};
