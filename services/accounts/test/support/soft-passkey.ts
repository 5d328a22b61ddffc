import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Where the browser is when it asks for a passkey. */
const CONSOLE = { origin: 'http://localhost:3010', rpId: 'localhost' };
/** Flags of the authenticator's data: the user was present and verified; a key is attached. */
const PRESENT_AND_VERIFIED = 0x05;
const HAS_KEY = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** An authenticator in software: makes one passkey (ES256) and signs with it, as a browser answers. */
export class SoftPasskey {
  readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly site = CONSOLE,
    private readonly flags = PRESENT_AND_VERIFIED,
  ) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  /** Answers `navigator.credentials.create`. */
  create({ challenge }: { challenge: string }): object {
    const attestation = cborMap([
      ['fmt', cborText('none')],
      ['attStmt', Buffer.from([0xa0])],
      ['authData', cborBytes(this.authenticatorData(true))],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  /** Answers `navigator.credentials.get`. */
  get({ challenge }: { challenge: string }): object {
    const clientData = this.clientData('webauthn.get', challenge);
    const authenticatorData = this.authenticatorData(false);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.privateKey).toString('base64url'),
    });
  }

  private answer(response: object): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.site.origin }));
  }

  private authenticatorData(withKey: boolean): Buffer {
    const flags = Buffer.from([withKey ? this.flags | HAS_KEY : this.flags]);
    const head = Buffer.concat([sha256(this.site.rpId), flags, Buffer.alloc(4)]);
    if (!withKey) return head;
    const idLength = Buffer.from([0, this.id.length]);
    return Buffer.concat([head, Buffer.alloc(16), idLength, this.id, this.coseKey()]);
  }

  /** RFC 9053: kty EC2, alg ES256, crv P-256, x, y. */
  private coseKey(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}

function cborMap(entries: Array<[string, Buffer]>): Buffer {
  const parts = entries.flatMap(([key, value]) => [cborText(key), value]);
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...parts]);
}
