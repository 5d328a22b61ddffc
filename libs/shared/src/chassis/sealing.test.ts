import { createSealer } from './sealing';

const sealer = createSealer('a-secret-of-at-least-32-characters-x');
const other = createSealer('b-secret-of-at-least-32-characters-x');

it('opens what it sealed, for the same purpose only', () => {
  const sealed = sealer.seal('+525512345678 ñ', 'phone');
  expect(sealer.open(sealed, 'phone')).toBe('+525512345678 ñ');
  expect(() => sealer.open(sealed, 'name')).toThrow();
});

it('refuses a value with any byte changed', () => {
  const sealed = sealer.seal('text', 'phone');
  for (let i = 0; i < sealed.length; i += 1) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'phone')).toThrow();
  }
});

it('names another key as the reason', () => {
  expect(() => other.open(sealer.seal('text', 'phone'), 'phone')).toThrow('another ENCRYPTION_KEY');
});

it('seals the same text differently each time and indexes it equally', () => {
  expect(sealer.seal('x', 'p').equals(sealer.seal('x', 'p'))).toBe(false);
  expect(sealer.blindIndex('x', 'p')).toEqual(sealer.blindIndex('x', 'p'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(sealer.blindIndex('x', 'q'));
  expect(sealer.blindIndex('x', 'p')).not.toEqual(other.blindIndex('x', 'p'));
});

it('opens bytes that are no text as they were', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80, 0xc3]);
  expect(sealer.openBytes(sealer.seal(bytes, 'image'), 'image')).toEqual(bytes);
});
