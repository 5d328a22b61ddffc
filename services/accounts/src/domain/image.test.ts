import * as fc from 'fast-check';
import { decodeBase64, imageProblem, imageWarnings, readImageHeader } from './image';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000003200000025808020000', 'hex');
const FRAME = 'ffc0001108025803200301';
const APP0 = 'ffe000104a46494600010101004800480000';

function jpeg(hex: string): Buffer {
  return Buffer.from(`ffd8${hex}`, 'hex');
}

it('reads the dimensions of a PNG and of a JPEG', () => {
  const size = { width: 800, height: 600 };
  expect(readImageHeader(PNG)).toEqual({ format: 'png', ...size });
  expect(readImageHeader(jpeg(APP0 + FRAME))).toEqual({ format: 'jpeg', ...size });
  // Padded markers, a table before the frame, a progressive frame.
  const table = 'ffc40004abcd';
  expect(readImageHeader(jpeg(`ffff${APP0.slice(2)}${table}${FRAME.replace('c0', 'c2')}`))).toEqual(
    {
      format: 'jpeg',
      ...size,
    },
  );
});

it.each(['', 'ffd8', 'ffe00001', 'ffda0008', APP0, 'ffe0ffff', 'ffc000', '00'])(
  'knows no image in the JPEG %s',
  (hex) => {
    expect(readImageHeader(jpeg(hex))).toBeUndefined();
  },
);

it('ends on any bytes, however they begin', () => {
  const start = fc.constantFrom('', 'ffd8', 'ffd8ff', 'ffd8ffff', PNG.toString('hex').slice(0, 32));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 200 }), (hex, rest) => {
      const header = readImageHeader(Buffer.concat([Buffer.from(hex, 'hex'), rest]));
      expect(header === undefined || Number.isInteger(header.width * header.height)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('decodes what was encoded, and nothing that is only similar', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(decodeBase64(text)).toEqual(Buffer.from(bytes));
      expect(decodeBase64(`${text}=`)).toBeUndefined();
      expect(decodeBase64(`${text}\n`)).toBeUndefined();
      expect(decodeBase64(text.slice(0, -1))).toBeUndefined();
    }),
  );
  for (const text of ['', '-_-_', 'QUJDRB==', ' QUJD']) expect(decodeBase64(text)).toBeUndefined();
});

it('takes 25 megapixels and refuses one more row', () => {
  const header = { format: 'jpeg', width: 5000, height: 5000 } as const;
  expect(imageProblem(header, 'jpg')).toBeUndefined();
  expect(imageProblem({ ...header, height: 5001 }, 'jpeg')).toMatch('at most 25 megapixels');
  expect(imageProblem({ ...header, height: 0 }, 'jpeg')).toMatch('at most 25 megapixels');
  expect(imageProblem(header, 'png')).toMatch('must agree');
  expect(imageProblem(undefined, 'png')).toMatch('PNG or JPEG');
});

it('warns below 250 KB, above 1 MB and below 750 pixels', () => {
  const header = { format: 'png', width: 750, height: 1 } as const;
  expect(imageWarnings(header, 250_000)).toEqual([]);
  expect(imageWarnings(header, 1_000_000)).toEqual([]);
  expect(imageWarnings({ ...header, width: 749 }, 249_999)).toHaveLength(2);
  expect(imageWarnings(header, 1_000_001)).toEqual(['The image is larger than 1 MB']);
});
