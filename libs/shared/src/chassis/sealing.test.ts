import { createSealer } from './sealing';

const SECRET = 'a-secret-of-at-least-32-characters-x';
const sealer = createSealer(SECRET);
/** Seals as the previous release, whose values are not bound to their rows. */
const before = createSealer(SECRET, { bind: false });
const other = createSealer('b-secret-of-at-least-32-characters-x');

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
  expect(sealer.blindIndex('x', 'p')).toEqual(before.blindIndex('x', 'p'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(sealer.blindIndex('x', 'q'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(other.blindIndex('x', 'p'));
});

it('opens bytes that are no text as they were', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80, 0xc3]);
  const sealed = sealer.sealBytes(bytes, 'image', 'row-1');
  expect(sealer.openBytes(sealed, 'image', 'row-1')).toEqual(bytes);
  expect(() => sealer.openBytes(sealed, 'image', 'row-2')).toThrow();
});

describe('beside the release before', () => {
  // What that release wrote, with this secret, for the purposes 'phone' and 'document row-1'.
  const PHONE = Buffer.from(
    'yxnrYyMXwY+xcU761r61RuPQI700y25cFoeBssUg8KNQraxbxC+0cdXzTBs/',
    'base64',
  );
  const IMAGE = Buffer.from('yxnrYxFnhy7xkdU5pr9tTKarZUdZ+IdOCLCopm7pe5xZNChoSEaXBA==', 'base64');

  it('opens what it wrote, and binds it', () => {
    expect(sealer.open(PHONE, 'phone', 'row-1')).toBe('+525512345678');
    expect(sealer.openBytes(IMAGE, 'document', 'row-1').toString()).toBe('an image');
    expect(() => sealer.openBytes(IMAGE, 'document', 'row-2')).toThrow();

    const bound = sealer.bind(PHONE, 'phone', 'row-1') ?? PHONE;
    expect(sealer.open(bound, 'phone', 'row-1')).toBe('+525512345678');
    expect(() => sealer.open(bound, 'phone', 'row-2')).toThrow();
    expect(sealer.bind(bound, 'phone', 'row-1')).toBeUndefined();
  });

  it('writes the unbound form when bind is false', () => {
    const sealed = before.seal('+525512345678', 'phone', 'row-1');
    expect(sealed.subarray(0, 4)).toEqual(PHONE.subarray(0, 4));
    expect(sealer.open(sealed, 'phone', 'row-2')).toBe('+525512345678');
    expect(before.open(sealer.seal('x', 'phone', 'row-1'), 'phone', 'row-1')).toBe('x');
  });
});
