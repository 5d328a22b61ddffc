import { type DataKey, DataKeys, firstDataKeys, KEYS_VALID_MS } from './data-keys';
import { createSealer } from './sealing';
import { createTestSealer } from '../testing/sealed-columns';

const SECRET = 'a-secret-of-at-least-32-characters-x';
const sealer = createTestSealer(SECRET);
const other = createTestSealer('b-secret-of-at-least-32-characters-x');

it('unseals a value for its own purpose and row only', () => {
  const sealed = sealer.seal('+525512345678 ñ', 'phone', 'row-1');
  expect(sealer.open(sealed, 'phone', 'row-1')).toBe('+525512345678 ñ');
  expect(() => sealer.open(sealed, 'name', 'row-1')).toThrow();
  expect(() => sealer.open(sealed, 'phone', 'row-2')).toThrow(
    'The sealed value of phone row-2 was changed or belongs to another row',
  );
});

it('refuses a value with any byte changed', () => {
  const sealed = sealer.seal('text', 'phone', 'row-1');
  for (let i = 0; i < sealed.length; i += 1) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'phone', 'row-1')).toThrow();
  }
});

it('names another key as the reason', () => {
  const sealed = sealer.seal('text', 'phone', 'row-1');
  expect(() => other.open(sealed, 'phone', 'row-1')).toThrow('another ENCRYPTION_KEY');
});

it('seals the same text differently each time and indexes it equally', () => {
  expect(sealer.seal('x', 'p', 'r').equals(sealer.seal('x', 'p', 'r'))).toBe(false);
  expect(sealer.blindIndex('x', 'p')).toEqual(sealer.blindIndex('x', 'p'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(sealer.blindIndex('x', 'q'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(other.blindIndex('x', 'p'));
});

it('opens bytes that are no text as they were', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80, 0xc3]);
  const sealed = sealer.sealBytes(bytes, 'image', 'row-1');
  expect(sealer.openBytes(sealed, 'image', 'row-1')).toEqual(bytes);
  expect(() => sealer.openBytes(sealed, 'image', 'row-2')).toThrow();
});

describe('with several keys', () => {
  const first = firstDataKeys(SECRET);
  const second: DataKey = { kind: 'seal', number: 1, secret: Buffer.alloc(32, 7), isSealing: true };
  let nowMs = 0;
  const keys = new DataKeys(() => nowMs);
  const rotating = createSealer(keys);

  it('opens with a new key before it seals with it', () => {
    keys.take([...first, { ...second, isSealing: false }], nowMs);
    const newer = new DataKeys();
    newer.take([...first, second], Infinity);
    const sealed = createSealer(newer).seal('x', 'phone', 'row-1');
    expect(sealed.readUInt32BE()).toBe(1);
    expect(rotating.open(sealed, 'phone', 'row-1')).toBe('x');
    expect(sealer.open(rotating.seal('x', 'phone', 'row-1'), 'phone', 'row-1')).toBe('x');
  });

  it('reseals what an older key sealed, text and bytes, and nothing twice', () => {
    keys.take([...first, second], nowMs);
    const resealed = rotating.reseal(sealer.seal('x', 'phone', 'row-1'), 'phone', 'row-1');
    expect(resealed?.readUInt32BE()).toBe(1);
    expect(rotating.open(resealed ?? Buffer.alloc(0), 'phone', 'row-1')).toBe('x');
    expect(rotating.reseal(resealed ?? Buffer.alloc(0), 'phone', 'row-1')).toBeUndefined();
    const image = sealer.sealBytes(Buffer.from([0xff]), 'document', 'row-1');
    const bytes = rotating.reseal(image, 'document', 'row-1');
    expect(rotating.openBytes(bytes ?? Buffer.alloc(0), 'document', 'row-1')[0]).toBe(0xff);
  });

  it('a value of a key that is not read yet is unavailable, one of a retired key is lost', () => {
    keys.take([...first, second], nowMs);
    const sealed = rotating.seal('x', 'phone', 'row-1');
    expect(() => sealer.open(sealed, 'phone', 'row-1')).toThrow('temporarily unavailable');
    const old = sealer.seal('x', 'phone', 'row-1');
    keys.take([second], nowMs);
    expect(() => rotating.open(old, 'phone', 'row-1')).toThrow('a retired key');
  });

  it('does not seal with keys that were read too long ago, but opens', () => {
    keys.take([...first, second], nowMs);
    const sealed = rotating.seal('x', 'phone', 'row-1');
    nowMs += KEYS_VALID_MS + 1;
    expect(() => rotating.seal('x', 'phone', 'row-1')).toThrow('temporarily unavailable');
    expect(rotating.open(sealed, 'phone', 'row-1')).toBe('x');
  });
});
