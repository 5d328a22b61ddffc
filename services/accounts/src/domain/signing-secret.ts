import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new secret that a payment provider signs its deposits with. */
export function newSigningSecret(): string {
  return `fiado_sign_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
