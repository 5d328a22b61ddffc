import { generateKeyPairSync } from 'node:crypto';
import { strangeKeyVariables, testKeyVariables, testSigningKey } from '../testing/process-keys';
import { ConfigError, loadConfig } from '../config';
import { processKeysOf } from './process-keys';
import { ProcessConfig } from '../service-config';

const variables = testKeyVariables('payments');
const PRIVATE = 'INTERNAL_TOKEN_PRIVATE_KEY';
const PUBLIC = 'INTERNAL_TOKEN_PUBLIC_KEYS';

it('a process has its own key and the public keys of all processes', () => {
  const { process, keyId, publicKeys } = processKeysOf('payments', variables);
  expect(process).toBe('payments');
  expect(publicKeys.get(keyId)?.process).toBe('payments');
  expect(publicKeys.size).toBe(5);
});

it('a process whose public key is not in the list does not start', () => {
  const others = { ...variables, [PRIVATE]: testSigningKey('new') };
  expect(() => processKeysOf('payments', others)).toThrow(`${PUBLIC} does not name the key of`);
  expect(() => processKeysOf('accounts', variables)).toThrow(`${PUBLIC} does not name the key of`);
});

it('a process may have two keys, so that one can follow the other', () => {
  const two = `${variables[PUBLIC]},${strangeKeyVariables('payments')[PUBLIC]}`;
  const next = { [PUBLIC]: two, [PRIVATE]: strangeKeyVariables('payments')[PRIVATE] };
  expect(processKeysOf('payments', { ...variables, ...next }).publicKeys.size).toBe(6);
});

const x = 'A'.repeat(43);
it.each([
  [PRIVATE, 'a-secret-of-at-least-32-characters-x'],
  [PRIVATE, Buffer.from(String(ed448())).toString('base64')],
  [PUBLIC, 'gateway'],
  [PUBLIC, `gateway=${x.slice(1)}`],
  [PUBLIC, `bank=${x}`],
  [PUBLIC, `gateway=${x},accounts=${x}`],
])('refuses %s=%s by its name and without its value', (name, value) => {
  const load = () => loadConfig(ProcessConfig, { ...variables, [name]: value });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(new RegExp(`- ${name}: `));
  expect(load).not.toThrow(value);
});

function ed448(): string | Buffer {
  return generateKeyPairSync('ed448').privateKey.export({ type: 'pkcs8', format: 'pem' });
}
