import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const EXAMPLE = resolve(__dirname, '../../../production.env.example');

const SETTINGS: Record<string, string> = {
  FIADO_IMAGE: 'fiado:test',
  PUBLIC_URL: 'https://fiado.test',
  LENDER_NAME: 'Financiera del Barrio',
  SUPPORT_PHONE: '+525512345678',
  PRIVACY_URL: 'https://lender.example.com/privacidad',
  TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString('hex')}`,
  TWILIO_FROM: '+525555550199',
  TWILIO_MESSAGING_SERVICE_SID: '',
};

/** The text of production.env.example as it is filled in, and what is given besides. */
export function productionEnv(given: Record<string, string>): string {
  const filled = readFileSync(EXAMPLE, 'utf8').replaceAll(
    /^([A-Z_]+)=(.*)$/gm,
    (_line, name: string, value: string) =>
      `${name}=${SETTINGS[name] ?? (value === '' ? secretFor(name) : value)}`,
  );
  const lines = Object.entries(given).map(([name, value]) => `${name}=${value}\n`);
  return `${filled}${lines.join('')}`;
}

function secretFor(name: string): string {
  if (!name.endsWith('PRIVATE_KEY')) return randomBytes(32).toString('hex');
  const { privateKey } = generateKeyPairSync('ed25519');
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
}
