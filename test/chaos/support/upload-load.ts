import { randomUUID } from 'node:crypto';
import { createWholesaler, importStore } from '../../e2e/support/story';
import { noiseJpeg } from '../../support/noise-jpeg';
import type { Deployment } from './deployment';
import { SteadyLoad } from './steady-load';

/** Onboarding images of a wholesaler's customer whose onboarding has begun. */
export async function uploadLoad({ system, database }: Deployment): Promise<SteadyLoad> {
  const wholesaler = await createWholesaler(system);
  const { userId } = await importStore(system, wholesaler);
  const verificationId = randomUUID();
  // As createAccountVerification leaves it, without its code.
  await database.query(
    `INSERT INTO accounts.verifications
       (id, user_id, wholesaler_id, phone, phone_index, code_salt, expires_at)
     SELECT $1, id, $3, phone, phone_index, '\\x00', now() FROM accounts.users WHERE id = $2`,
    [verificationId, userId, wholesaler.wholesalerId],
  );
  const path = `/v1/account/${userId}/verification/${verificationId}/onboarding`;
  const load = new SteadyLoad(async () => {
    const image = await noiseJpeg({ width: 400, height: 300 });
    const document = { fileExtension: 'jpg', base64Content: image.toString('base64') };
    const body = { step: 'SELFIE_IMAGE', document };
    return { method: 'PUT', url: `${system.baseUrl}${path}`, key: wholesaler.key, body };
  });
  await load.send();
  const [first] = load.sent.splice(0);
  if (first?.status !== 200) throw new Error(`The first image was answered ${first?.status}`);
  return load;
}
