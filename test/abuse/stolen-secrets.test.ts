import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { Client } from 'pg';
import { queuesDatabaseUrl } from '@fiado/chassis/db/roles';
import { type Caller, INTERNAL_TOKEN_HEADER } from '@fiado/contracts/caller';
import type { Envelope } from '@fiado/contracts/define';
import { Queues } from '@fiado/chassis/jobs/queues';
import { signEnvelope } from '@fiado/chassis/jobs/signed-envelope';
import { createLogger } from '@fiado/chassis/logger';
import { processKeysOf, publicKeysText, type ProcessKeys } from '@fiado/chassis/keys/process-keys';
import { type ProcessName, PROCESS_NAMES } from '@fiado/contracts/process-names';
import { waitFor } from '../e2e/support/api';
import { sharedSystem } from '../e2e/support/shared-system';
import { createStore, createWholesaler, type Store } from '../e2e/support/story';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

/** The secrets in the environment of one process. */
function stolenKeys(process: ProcessName): ProcessKeys {
  const file = readFileSync(join(system.dataDir, 'secrets.json'), 'utf8');
  const secrets = JSON.parse(file) as Record<string, string>;
  const keyOf = (name: string) => secrets[`${name.toUpperCase()}_INTERNAL_TOKEN_PRIVATE_KEY`] ?? '';
  return processKeysOf(process, {
    INTERNAL_TOKEN_PRIVATE_KEY: keyOf(process),
    INTERNAL_TOKEN_PUBLIC_KEYS: publicKeysText(keyOf),
  });
}

/** Calls a service past the gateway with a token that the stolen key has signed. */
async function callPast(
  keys: ProcessKeys,
  receiver: ProcessName,
  [method, path]: [method: string, path: string],
  claims: { caller?: Caller; issuer?: string },
): Promise<number> {
  const token = await new SignJWT(claims.caller === undefined ? {} : { caller: claims.caller })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.keyId })
    .setIssuer(claims.issuer ?? keys.process)
    .setAudience(receiver)
    .setExpirationTime('1 minute')
    .sign(keys.privateKey);
  const { status } = await fetch(
    `http://127.0.0.1:${system.ports[PROCESS_NAMES.indexOf(receiver)]}${path}`,
    {
      method,
      headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ credential: 'x' }) }),
    },
  );
  return status;
}

it('the key of one service does not speak for anybody else', async () => {
  const victim = await createWholesaler(system);
  const { wholesalerId } = victim;
  const wholesaler: Caller = { kind: 'wholesaler', id: wholesalerId, name: 'x', scopes: [] };
  const ops: Caller = { kind: 'ops', id: 'ops', name: 'ops', scopes: ['admin'] as never };

  await besideNeighbour(system, 'the stolen key of a service', async () => {
    for (const thief of ['accounts', 'payments', 'notifier'] as const) {
      const keys = stolenKeys(thief);
      const orders = (claims: object) =>
        callPast(keys, 'transactions', ['GET', '/v1/transaction'], claims);
      const stores = (claims: object) =>
        callPast(keys, 'accounts', ['GET', '/v1/admin/corner-stores'], claims);
      expect(await orders({ caller: wholesaler })).toBe(503);
      expect(await orders({ caller: wholesaler, issuer: 'gateway' })).toBe(503);
      expect(await stores({ caller: ops })).toBe(503);
      expect(await stores({})).toBe(403);
      // Whose credential is it? Only the gateway asks that.
      const check: [string, string] = ['POST', '/internal/credentials/check'];
      expect(await callPast(keys, 'accounts', check, {})).toBe(403);
    }
  });
});

/** An event of accounts about a store with a different limit. */
function raisedLimit(store: Store, wholesalerId: string): Envelope {
  return {
    id: randomUUID(),
    type: 'corner-store.changed',
    version: 1,
    occurredAt: new Date().toISOString(),
    aggregateId: store.cornerStoreId,
    aggregateVersion: 1_000,
    data: {
      cornerStoreId: store.cornerStoreId,
      userId: store.userId,
      status: 'approved',
      creditLimitCents: 900_000_000,
      interestRate: '0.05',
      phoneSealed: 'AAAA',
      customers: [{ wholesalerId, externalId: store.externalId }],
    },
  };
}

it('a job that is written into a queue raises no limit', async () => {
  const attacker = await createWholesaler(system);
  const store = await createStore(system, attacker);
  const queues = new Queues({
    redisUrl: undefined,
    queuesDatabaseUrl: queuesDatabaseUrl(system.databaseUrl),
    prefix: '',
    keys: stolenKeys('payments'),
    log: createLogger('attacker', 'silent'),
  });
  const envelope = raisedLimit(store, attacker.wholesalerId);
  const forgeries: [unknown, string][] = [
    [envelope, 'it is not signed'],
    [
      await signEnvelope(stolenKeys('payments'), 'transactions', envelope),
      'payments does not send jobs of type corner-store.changed',
    ],
    [
      await signEnvelope(stolenKeys('gateway'), 'transactions', envelope),
      'gateway does not send jobs of type corner-store.changed',
    ],
    [
      await signEnvelope(stolenKeys('accounts'), 'notifier', envelope),
      'it was signed for another queue',
    ],
  ];

  await besideNeighbour(system, 'jobs forged in a queue', async () => {
    for (const [data, refusal] of forgeries) {
      const jobId = randomUUID();
      const job = { name: envelope.type, data, opts: { jobId } };
      await queues.queue('transactions').addBulk([job]);
      const outcome = await waitFor(async () => {
        const found = await queues.outcomeOf('transactions', jobId);
        return found.state === 'failed' ? found : undefined;
      });
      expect(outcome.reason).toBe(`The job was refused: ${refusal}`);
    }
  });
  await queues.close();

  const { body } = await system.call(attacker.key, 'POST', '/transaction', {
    body: {
      cornerStoreId: store.cornerStoreId,
      totalAmount: 20_000,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
    },
  });
  expect(body.errorCode).toBe('CREDIT_LIMIT_EXCEEDED');
});

it('a sealed phone that is copied to another row gets no code of it', async () => {
  const [attacker, victim] = [await createWholesaler(system), await createWholesaler(system)];
  const [own, target] = [await createStore(system, attacker), await createStore(system, victim)];
  const owner = new Client({ connectionString: system.databaseUrl });
  await owner.connect();
  // A later snapshot of the store would overwrite the copy.
  await waitFor(async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM transactions.credit_lines WHERE corner_store_id = ANY($1) AND status = 'approved'`,
      [[own.cornerStoreId, target.cornerStoreId]],
    );
    return rowCount === 2 || undefined;
  });
  await owner.query(
    `UPDATE transactions.credit_lines SET phone_sealed =
       (SELECT phone_sealed FROM transactions.credit_lines WHERE corner_store_id = $2)
      WHERE corner_store_id = $1`,
    [target.cornerStoreId, own.cornerStoreId],
  );
  await owner.end();

  await besideNeighbour(system, 'a sealed phone moved', async () => {
    const { status } = await system.call(victim.key, 'POST', '/transaction', {
      body: {
        cornerStoreId: target.cornerStoreId,
        totalAmount: 500,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
      },
    });
    expect(status).toBe(500);
  });
  const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
    body: { phoneNumber: own.phone },
  });
  const templates = body.messages.map(({ template }: { template: string }) => template);
  expect(templates).not.toContain('order-code');
});
