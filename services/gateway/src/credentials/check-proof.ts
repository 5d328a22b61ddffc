import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { ProviderProof } from '@fiado/contracts/credential';
import { AppError } from '@fiado/contracts/errors';

/** `t=<seconds since 1970>,v1=<signature>`; of several signatures one must be right. */
export const SIGNATURE_HEADER = 'fiado-signature';
/**
 * How far the time of a signature may be off. A recorded request can be replayed for this time,
 * without effect, because a claveDePago counts once.
 */
const TOLERANCE_SECONDS = 300;
/** Most signatures that are compared: one for each secret while it is being changed. */
const MAX_SIGNATURES = 5;

/**
 * @param address an IPv4 address or the /64 of an IPv6 one
 * @throws AppError FORBIDDEN when the caller has a list of addresses and this is not in it
 */
export function checkAddress({ allowedAddresses }: ProviderProof, address: string): void {
  if (allowedAddresses.length === 0) return;
  const allowed = new BlockList();
  for (const entry of allowedAddresses) {
    const [network = '', bits] = entry.split('/');
    if (isIPv4(network)) allowed.addSubnet(network, Number(bits ?? 32), 'ipv4');
    else allowed.addSubnet(network, Number(bits), 'ipv6');
  }
  const [ip = ''] = address.split('/');
  if (isIP(ip) === 0 || !allowed.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')) {
    throw new AppError('FORBIDDEN', {
      message: 'The credential may not be used from this address',
    });
  }
}

/**
 * Checks the HMAC-SHA256 of `<t>.<body>`, in hexadecimal, with the body as it was sent. A GET signs
 * `<t>.`. A caller that need not sign may do so, and then its signature must be correct.
 * @param body empty for a request that has none
 * @returns whether it is signed
 * @throws AppError SIGNATURE_NOT_VALID
 */
export function checkSignature(
  { signatureRequired, signingSecrets }: ProviderProof,
  { header, body, now }: { header: string | string[] | undefined; body: Buffer; now: Date },
): boolean {
  if (signingSecrets.length === 0) return false;
  if (header === undefined && !signatureRequired) return false;
  const { time, signatures } = partsOf(String(header));
  const isRecent = Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE_SECONDS;
  const isRight = signingSecrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return signatures.some((signature) => timingSafeEqual(signature, expected));
  });
  if (!isRecent || !isRight) throw new AppError('SIGNATURE_NOT_VALID');
  return true;
}

function partsOf(header: string): { time: string | undefined; signatures: Buffer[] } {
  const parts = header.split(',').map((part) => part.trim());
  return {
    time: parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice('t='.length),
    signatures: parts
      .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
      .slice(0, MAX_SIGNATURES)
      .map((part) => Buffer.from(part.slice('v1='.length), 'hex')),
  };
}
