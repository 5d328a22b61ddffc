import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { includedOpsScopes, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { Answer } from '@fiado/chassis/testing/call';
import { createProvider, createWholesaler, type Wholesaler } from '../e2e/support/story';
import { documentedRoutes, type DocumentedRoute } from './support/conformance';
import { sharedSystem } from '../e2e/support/shared-system';
import { callOf } from './support/operation-inputs';
import { idsFor, ownIds, tenantRoutes, unknownIds, type OwnIds } from './support/tenant-matrix';
import { buildWorld, type World } from './support/world';

/** A key expires so soon after it was issued, and is tried a little later. */
const KEY_LIFE_MS = 1_000;
const HOUR_MS = 3600_000;

const UNAUTHORIZED = {
  errorCode: 'UNAUTHORIZED',
  errorMessage: expect.stringMatching(/^The (?:credential is not valid|header Authorization is m)/),
};
const FORBIDDEN = {
  errorCode: 'FORBIDDEN',
  errorMessage: 'The credential does not allow this call',
};

const system = sharedSystem();
let world: World;
let own: OwnIds;
let stranger: Wholesaler;
const keys = { expired: '', revoked: '', provider: '' };
beforeAll(async () => {
  world = await buildWorld(system);
  own = await ownIds(world);
  stranger = await createWholesaler(system);
  keys.provider = (await createProvider(system)).key;
  keys.expired = (await issueKey({ expiresAt: inMs(KEY_LIFE_MS) })).apiKey;
  const revoked = await issueKey({});
  keys.revoked = revoked.apiKey;
  await system.call(system.opsKey, 'DELETE', `/admin/api-keys/${revoked.apiKeyId}`);
  await sleep(2 * KEY_LIFE_MS);
});

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

async function issueKey(terms: object): Promise<{ apiKeyId: string; apiKey: string }> {
  const { system, wholesaler } = world;
  const path = `/admin/wholesalers/${wholesaler.wholesalerId}/api-keys`;
  return (await system.call(system.opsKey, 'POST', path, { body: terms })).body;
}

function call(
  route: DocumentedRoute,
  key: string,
  ids: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { method, path, body } = callOf(route, ids);
  return system.call(key, method, path, { body, headers });
}

function described(routes: DocumentedRoute[]): Array<[string, DocumentedRoute]> {
  return routes.map((route) => [route.operation.operationId, route]);
}

describe('another wholesaler’s object', () => {
  it('38 operations of wholesalers or more name one', () => {
    expect(tenantRoutes.length).toBeGreaterThanOrEqual(38);
  });

  it.each(described(tenantRoutes))('%s answers as if it did not exist', async (_id, route) => {
    const foreign = idsFor(route, own);
    const unknown = idsFor(route, unknownIds(own));

    const toForeign = await call(route, stranger.key, foreign);
    const toUnknown = await call(route, stranger.key, unknown);

    expect([toForeign.status, masked(toForeign, foreign)]).toEqual([
      toUnknown.status,
      masked(toUnknown, unknown),
    ]);
    // Its owner gets another answer, so these ids exist.
    const toOwner = await call(route, ownerKey(route), foreign);
    expect([toOwner.status, toOwner.body]).not.toEqual([toForeign.status, toForeign.body]);
  });
});

function ownerKey({ operation }: DocumentedRoute): string {
  const isOnboarding = operation['x-fiado-names']?.['userId'] === 'user';
  return isOnboarding ? world.wholesaler.key : world.quick.key;
}

/** The answer's text without the ids that the request itself named. */
function masked({ text }: Answer, ids: Record<string, string>): string {
  return Object.entries(ids).reduce((rest, [name, id]) => rest.replaceAll(id, name), text);
}

describe.each(described(documentedRoutes))('%s', (_id, route) => {
  const callers = route.operation['x-callers'];

  it('refuses a caller without a valid credential', async () => {
    const credentials = ['', `fiado_test_${randomUUID()}`, keys.expired, keys.revoked];
    const answers = await Promise.all(credentials.map((key) => call(route, key)));

    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('ignores identity headers of callers', async () => {
    const forged = {
      'x-fiado-caller': `${Buffer.from(
        JSON.stringify({
          caller: { kind: callers[0], id: stranger.wholesalerId, name: 'x', scopes: [] },
          expiresAt: Date.now() + 60_000,
        }),
      ).toString('base64url')}.c2lnbmVk`,
      'x-forwarded-for': '127.0.0.1',
    };

    const answer = await call(route, '', {}, forged);

    expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
  });

  it('refuses callers of another kind', async () => {
    const kinds = {
      wholesaler: stranger.key,
      provider: keys.provider,
      ops: system.opsKey,
    };
    const others = Object.entries(kinds).filter(([kind]) => !callers.includes(kind));

    for (const [, key] of others) {
      const answer = await call(route, key);
      expect([answer.status, answer.body]).toEqual([403, FORBIDDEN]);
    }
    expect(others.length).toBe(3 - callers.length);
  });
});

it('a key does only what its scopes allow', async () => {
  for (const scope of SCOPES_OF_KIND.wholesaler) {
    const { apiKey } = await issueKey({ scopes: [scope] });
    const refused = documentedRoutes.filter(
      ({ operation }) =>
        operation['x-callers'].includes('wholesaler') &&
        operation['x-scope'] !== undefined &&
        operation['x-scope'] !== scope,
    );
    for (const route of refused) {
      const answer = await call(route, apiKey);
      expect([scope, route.path, answer.status, answer.body]).toEqual([
        scope,
        route.path,
        403,
        FORBIDDEN,
      ]);
    }
  }
});

it('an ops key does only what its scope includes', async () => {
  for (const scope of SCOPES_OF_KIND.ops) {
    const issued = await system.call(system.opsKey, 'POST', '/admin/ops-keys', {
      body: { name: scope, scope, expiresAt: inMs(HOUR_MS) },
    });
    const included: string[] = includedOpsScopes(scope);
    const refused = documentedRoutes.filter(({ operation }) => {
      const needed = operation['x-scope'] ?? scope;
      return operation['x-callers'].includes('ops') && !included.includes(needed);
    });
    expect(refused.length > 0).toBe(scope !== 'admin');
    for (const route of refused) {
      const answer = await call(route, issued.body.apiKey);
      expect([scope, route.path, answer.status]).toEqual([scope, route.path, 403]);
    }
  }
});

it('refused attempts changed nothing', async () => {
  const { system, quick } = world;
  const { status, body } = await system.call(quick.key, 'GET', `/transaction/${own.order}`);
  expect(status).toBe(200);
  // Its owner credited it above: payments may have settled its debt by now.
  expect(['delivery', 'paid']).toContain(body.transactionStatus);
});
