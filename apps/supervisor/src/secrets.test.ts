import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@fiado/chassis/config';
import { openEnvelope, signEnvelope } from '@fiado/chassis/jobs/signed-envelope';
import { InternalTokens } from '@fiado/chassis/keys/internal-token';
import { processKeysOf, type ProcessKeys } from '@fiado/chassis/keys/process-keys';
import { testSigningKey } from '@fiado/chassis/testing/process-keys';
import { PROCESS_NAMES, type ProcessName } from '@fiado/contracts/process-names';
import { SupervisorConfig } from './config';
import { loadSecrets, processKeyVariables, secretsFile } from './secrets';

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

describe('an exchange of the keys of all processes', () => {
  /** The rounds of docs/operations/rotate-keys.md: the key, and the previous one with it. */
  const ROUNDS = [['old'], ['old', 'new'], ['new', 'old'], ['new']];

  async function keysIn(round: string[] | undefined): Promise<(name: ProcessName) => ProcessKeys> {
    const [current, previous] = round ?? [];
    const env = PROCESS_NAMES.flatMap((name) => {
      const variable = `${name.toUpperCase()}_INTERNAL_TOKEN_PRIVATE_KEY`;
      const next = previous && [[`${variable}_PREVIOUS`, testSigningKey(`${previous} ${name}`)]];
      return [[variable, testSigningKey(`${current} ${name}`)], ...(next || [])];
    });
    const config = loadConfig(SupervisorConfig, Object.fromEntries(env));
    const secrets = await loadSecrets(config, folder);
    const keys = new Map(
      PROCESS_NAMES.map((name) => [
        name,
        processKeysOf(name, processKeyVariables(name, { secrets, config })),
      ]),
    );
    return (name) => keys.get(name) as ProcessKeys;
  }

  /** Whether the receiver takes calls and jobs of the sender. */
  async function takes(receiver: ProcessKeys, sender: ProcessKeys): Promise<boolean[]> {
    const token = await new InternalTokens(sender).sign(receiver.process);
    const job = await signEnvelope(sender, 'accounts', {
      id: 'id',
      type: 'type',
      version: 1,
      occurredAt: '',
      aggregateId: 'id',
      aggregateVersion: 1,
      data: {},
    });
    const caller = await new InternalTokens(receiver).verify(token);
    const { refusal } = await openEnvelope(receiver, 'accounts', job);
    return [caller?.id === sender.process, refusal === undefined];
  }

  it('leaves no two processes of one round and the next that refuse each other', async () => {
    for (const [at, round] of ROUNDS.entries()) {
      const [before, after] = [await keysIn(round), await keysIn(ROUNDS[at + 1] ?? round)];
      for (const receiver of PROCESS_NAMES) {
        for (const sender of PROCESS_NAMES) {
          expect(await takes(before(receiver), after(sender))).toEqual([true, true]);
          expect(await takes(after(receiver), before(sender))).toEqual([true, true]);
        }
      }
    }
  });

  it('ends with the old keys refused', async () => {
    const [before, after] = [await keysIn(ROUNDS[0]), await keysIn(ROUNDS[3])];
    expect(await takes(after('accounts'), before('gateway'))).toEqual([false, false]);
  });
});

function load(env: Record<string, string>) {
  return loadSecrets(loadConfig(SupervisorConfig, env), folder);
}
