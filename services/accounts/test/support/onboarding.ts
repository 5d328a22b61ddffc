import { randomUUID } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import type { Accounts, Customer } from './accounts';

/** A size for which the specification recommends nothing else. Large pictures take long to decode. */
export const RECOMMENDED_SIZE = { width: 800, height: 600 };

/** A picture that no other test has: noise of the given size. */
export function picture(
  format: 'jpeg' | 'png',
  { width = 80, height = 60 }: { width?: number; height?: number } = {},
): sharp.Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  }).toFormat(format, format === 'jpeg' ? { quality: 95 } : {});
}

export async function documentOf(
  format: 'jpeg' | 'png',
  size?: { width?: number; height?: number },
): Promise<{ fileExtension: string; base64Content: string }> {
  const bytes = await picture(format, size).toBuffer();
  return {
    fileExtension: format === 'jpeg' ? 'jpg' : 'png',
    base64Content: bytes.toString('base64'),
  };
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A PNG of one colour, 16 bits RGBA: 4,200 × 4,200 pixels are some 140 kB that decode to 141 MB. */
export function bomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([16, 6], 8);
  const rows = deflateSync(Buffer.alloc(side * (1 + side * 8)), { level: 9 });
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

export const INFORMATION = {
  cornerStoreType: 'MISCELÁNEA',
  businessLifetime: 'ONE-TO-TWO_YEARS',
  ownershipStatus: 'DUEÑO',
  cornerStoreName: 'Abarrotes La Güera',
  cornerStoreAddress: 'Av. Juárez 12, Puebla',
  localeOwner: 'ALQUILADO',
};

/** One onboarding step of a customer, as that wholesaler. */
export function takeStep(
  accounts: Accounts,
  by: string,
  { userId, verificationId }: { userId: string; verificationId: string },
  { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const path = `/v1/account/${userId}/verification/${verificationId}/onboarding`;
  return accounts.call(wholesaler(by), 'PUT', path, { body, headers });
}

/**
 * A verification as createAccountVerification leaves it, without its request: recordOnboardingStep
 * and createKycLink only need that it is there.
 */
export async function createVerification(
  accounts: Accounts,
  wholesalerId: string,
  { userId }: Pick<Customer, 'userId'>,
): Promise<string> {
  const verificationId = randomUUID();
  await accounts.rows(
    `INSERT INTO verifications (id, user_id, wholesaler_id, phone, phone_index, code_salt, expires_at)
     SELECT $1, $2, $3, phone, phone_index, '\\x00', now() FROM users WHERE id = $2`,
    [verificationId, userId, wholesalerId],
  );
  return verificationId;
}
