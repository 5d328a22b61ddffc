import { wholesaler } from '@fiado/chassis/testing/callers';
import { keyIdOf } from './credential-checker';

const token = (claims: unknown) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('the key of a credential', () => {
  it('is the one that accounts returns', () => {
    const caller = { ...wholesaler(), keyId: 'key-1' };
    expect(keyIdOf('fiado_test_x', caller)).toBe('key-1');
    expect(keyIdOf(token({ keyId: 'key-2' }), caller)).toBe('key-1');
  });

  it('is in the claims of an access token', () => {
    expect(keyIdOf(token({ keyId: 'key-2' }), wholesaler())).toBe('key-2');
  });

  it.each([
    'fiado_test_x',
    'a.b',
    'a.!.c',
    token(null),
    token('text'),
    token({}),
    token({ keyId: 7 }),
  ])('is not known of %j', (credential) => {
    expect(keyIdOf(credential, wholesaler())).toBeUndefined();
  });
});
