import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { bomb } from '../../services/accounts/test/support/onboarding';
import { startVerification } from '../contract/support/world';
import { waitFor } from '../e2e/support/api';
import { sharedSystem } from '../e2e/support/shared-system';
import { createWholesaler, randomPhone, type Wholesaler } from '../e2e/support/story';
import { outcomeOf } from './attacker/flood';
import { sendBody } from './attacker/send-body';
import { hostileUpload } from './support/bodies';
import { ATTACK_MS } from './support/limits';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

/** The largest that the header of a PNG lets pass: 122 MB decoded, and one that is larger. */
const LARGEST_SIDE = 4_000;
const TOO_LARGE_SIDE = 5_000;

/** Uploads an image. @returns its outcome */
type Upload = (image: Buffer) => Promise<string>;

async function uploader(wholesaler: Wholesaler): Promise<Upload> {
  const path = `/admin/wholesalers/${wholesaler.wholesalerId}/customers`;
  const customer = { firstName: 'Lucía', lastNames: 'Ortega', creditLimit: 1, interestRate: 0.05 };
  const { body } = await system.call(system.opsKey, 'POST', path, {
    body: { customers: [{ ...customer, externalId: 'T-1', phoneNumber: randomPhone() }] },
  });
  const [{ userId }] = body.customers;
  const verificationId = await startVerification(system, wholesaler, { userId } as never);
  const url = `${system.baseUrl}/v1/account/${userId}/verification/${verificationId}/onboarding`;
  return async (image) =>
    outcomeOf(await sendBody({ method: 'PUT', url, key: wholesaler.key }, hostileUpload(image)));
}

it('the largest images of two wholesalers at once leave both memory and files as they were', async () => {
  const uploads = [
    await uploader(await createWholesaler(system)),
    await uploader(await createWholesaler(system)),
  ];
  const large = bomb(LARGEST_SIDE);
  const images = {
    large,
    cut: large.subarray(0, large.length / 2),
    'too large': bomb(TOO_LARGE_SIDE),
  };
  const outcomes = new Set<string>();

  await besideNeighbour(system, 'the largest images', async () => {
    const until = performance.now() + ATTACK_MS;
    const attack = async (upload: Upload): Promise<void> => {
      while (performance.now() < until) {
        const answers = await Promise.all(Object.values(images).map((image) => upload(image)));
        for (const answer of answers) outcomes.add(answer);
      }
    };
    await Promise.all([...uploads, ...uploads].map((upload) => attack(upload)));
  });

  expect([...outcomes].filter((outcome) => !/^(200|400|422|429)/.test(outcome))).toEqual([]);
  expect(outcomes).toContain('200');
  await waitFor(async () => ((await files()) === (await rows()) ? true : undefined));
});

/** How many images are stored; the folder's own id is hidden. */
async function files(): Promise<number> {
  const names = await readdir(join(system.dataDir, 'uploads'));
  return names.filter((name) => !name.startsWith('.')).length;
}

async function rows(): Promise<number> {
  const client = new Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    const { rows: counted } = await client.query<{ count: number }>(
      'SELECT count(*)::int FROM accounts.onboarding_documents',
    );
    return counted[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
