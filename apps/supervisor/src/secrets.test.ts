import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '@fiado/shared/chassis/config';

import { SupervisorConfig } from './config';
import { loadSecrets, secretsFile } from './secrets';

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'fiado-secrets-')), 'new');
});

afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

describe('loadSecrets', () => {
  it('generates missing secrets once, readable for their owner only', async () => {
    const first = await load({});

    expect(first.OPS_API_KEY).toMatch(/^fiado_test_[\w-]{43}$/);
    expect(first.ENCRYPTION_KEY).toMatch(/^[\w-]{43}$/);
    const key = createPrivateKey(Buffer.from(first.ACCESS_TOKEN_PRIVATE_KEY, 'base64'));
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect((await stat(secretsFile(folder))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secrets.json']);
    expect(await load({})).toEqual(first);
  });

  it('prefers the environment, and does not write that down', async () => {
    const OPS_API_KEY = 'an-ops-key-of-more-than-32-characters';
    const secrets = await load({ OPS_API_KEY });

    expect(secrets.OPS_API_KEY).toBe(OPS_API_KEY);
    expect(await readFile(secretsFile(folder), 'utf8')).not.toContain('OPS_API_KEY');
  });

  it('does not replace a file that it cannot read', async () => {
    await load({});
    await writeFile(secretsFile(folder), '{"CODE_PEPPER": "tru');

    await expect(load({})).rejects.toThrow('it is not JSON. Restore it from a backup.');
  });
});

function load(env: Record<string, string>) {
  return loadSecrets(loadConfig(SupervisorConfig, env), folder);
}
