import type { PoolClient } from 'pg';
import { LimitedClient } from './limited-client';
import { dropReadOnly } from './writable';

it('a connection that is lost while it is checked fails the check and ends no process', async () => {
  const lost = new Error('Connection terminated unexpectedly');
  const client = Object.assign(new LimitedClient({}), { query: () => Promise.reject(lost) });

  const checked = new Promise((resolve) => dropReadOnly(client as unknown as PoolClient, resolve));
  // As pg does it; an event of this name that nobody listens to is thrown.
  client.emit('error', lost);

  expect(await checked).toBe(lost);
});
