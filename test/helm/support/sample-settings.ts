import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@fiado/chassis/config';
import type { ProcessName } from '@fiado/contracts/process-names';
import { testSigningKey } from '@fiado/chassis/testing/process-keys';

import { ContainersConfig, withStores } from '../../../apps/supervisor/src/containers/config';
import { loadSecrets } from '../../../apps/supervisor/src/secrets';
import { environmentOf } from '../../../apps/supervisor/src/service-environment';
import { SERVICES } from '../../../apps/supervisor/src/services';

const secret = () => randomBytes(24).toString('base64url');

/** The owner's database, past PgBouncer. */
export const OWNER_URL = `postgresql://owner:${secret()}@db.example.com:5432/fiado`;

/**
 * What the step `settings` writes for each process of an installation with every optional secret:
 * the content of the Secrets.
 */
export async function sampleSettings(): Promise<Map<ProcessName, NodeJS.ProcessEnv>> {
  const config = loadConfig(
    ContainersConfig,
    withStores({
      FIADO_MODE: 'sandbox',
      DATABASE_URL: OWNER_URL,
      READ_DATABASE_URL: OWNER_URL.replace('db.', 'replica.'),
      REDIS_URL: `redis+cluster://all:${secret()}@redis-1.example.com:6379,redis-2.example.com:6379`,
      ACCOUNTS_REDIS_URL: `rediss://accounts:${secret()}@redis.example.com:6379`,
      ENCRYPTION_KEY_PREVIOUS: secret(),
      CODE_PEPPER_PREVIOUS: secret(),
      ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS: testSigningKey('access tokens before'),
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'fiado',
      OIDC_CLIENT_SECRET: secret(),
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: secret(),
      TWILIO_AUTH_TOKEN_PREVIOUS: secret(),
      TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
      INVOICE_PROVIDER: 'facturapi',
      FACTURAPI_KEY: secret(),
      UPLOADS_URL: 's3://fiado-uploads/images?region=us-east-1',
      UPLOADS_ACCESS_KEY_ID: 'AKIA00000000EXAMPLE0',
      UPLOADS_SECRET_ACCESS_KEY: secret(),
      EXPORTS_URL: 's3://fiado-exports/files?region=us-east-1',
      EXPORTS_ACCESS_KEY_ID: 'AKIA00000000EXAMPLE1',
      EXPORTS_SECRET_ACCESS_KEY: secret(),
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${secret()}`,
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), 'fiado-helm-'));
  try {
    const secrets = await loadSecrets(config, folder);
    const installation = { config, secrets, databaseUrl: OWNER_URL, inherited: {} };
    return new Map(
      SERVICES.map((service) => [service.name, environmentOf(service, installation)] as const),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
