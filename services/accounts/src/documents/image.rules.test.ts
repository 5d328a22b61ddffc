import * as fc from 'fast-check';
import { decodeBase64, imageProblem, imageWarnings, readImageHeader } from './image.rules';

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000320000002580802000000', 'hex');
const FRAME = 'ffc0001108025803200301';
const APP0 = 'ffe000104a46494600010101004800480000';

function jpeg(hex: string): Buffer {
  return Buffer.from(`ffd8${hex}`, 'hex');
}

it('reads the dimensions of a PNG and of a JPEG', () => {
  const size = { width: 800, height: 600 };
  expect(readImageHeader(PNG)).toMatchObject({ format: 'png', ...size });
  expect(readImageHeader(jpeg(APP0 + FRAME))).toMatchObject({ format: 'jpeg', ...size });
  // Padded markers, a table before the frame, a progressive frame.
  const table = 'ffc40004abcd';
  const padded = `ffff${APP0.slice(2)}${table}${FRAME.replace('c0', 'c2')}`;
  expect(readImageHeader(jpeg(padded))).toMatchObject({ format: 'jpeg', ...size });
});

it('counts the memory that decoding may need', () => {
  const pixels = 800 * 600;
  const png = (depth: number, colour: number, interlace: number): number | undefined => {
    const bytes = Buffer.from(PNG);
    bytes.set([depth, colour, 0, 0, interlace], 24);
    return readImageHeader(bytes)?.decodedBytes;
  };
  expect([png(8, 2, 0), png(8, 3, 0), png(1, 0, 0)]).toEqual([pixels * 4, pixels * 4, pixels * 2]);
  expect([png(16, 6, 0), png(16, 6, 1)]).toEqual([pixels * 8, pixels * 16]);
  expect(png(8, 5, 0)).toBeUndefined();

  const frame = 'ffc00011080258032003011100021101031101';
  const scan = (components: string): string => `ffda000c${components}0100021103110000`;
  const decoded = (hex: string): number | undefined => readImageHeader(jpeg(hex))?.decodedBytes;
  expect(decoded(frame + scan('03'))).toBe(pixels * 3);
  // Progressive, and one scan for each component: the coefficients are kept until the last scan.
  expect(decoded(frame.replace('ffc0', 'ffc2') + scan('03'))).toBe(pixels * 9);
  expect(decoded(frame + scan('01'))).toBe(pixels * 9);
});

it.each(['', 'ffd8', 'ffe00001', 'ffda0008', APP0, 'ffe0ffff', 'ffc000', '00'])(
  'finds no image in the JPEG %s',
  (hex) => {
    expect(readImageHeader(jpeg(hex))).toBeUndefined();
  },
);

it('terminates on any bytes', () => {
  const start = fc.constantFrom('', 'ffd8', 'ffd8ff', 'ffd8ffff', PNG.toString('hex').slice(0, 32));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 200 }), (hex, rest) => {
      const header = readImageHeader(Buffer.concat([Buffer.from(hex, 'hex'), rest]));
      expect(header === undefined || Number.isInteger(header.width * header.height)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('decodes valid encodings only', () => {
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
  const header = { format: 'jpeg', width: 5000, height: 5000, decodedBytes: 75e6 } as const;
  expect(imageProblem(header, 'jpg')).toBeUndefined();
  expect(imageProblem({ ...header, height: 5001 }, 'jpeg')).toMatch('at most 25 megapixels');
  expect(imageProblem({ ...header, height: 0 }, 'jpeg')).toMatch('at most 25 megapixels');
  const limit = 128 * 1024 * 1024;
  expect(imageProblem({ ...header, decodedBytes: limit }, 'jpg')).toBeUndefined();
  expect(imageProblem({ ...header, decodedBytes: limit + 1 }, 'jpg')).toMatch('at most 128 MB');
  expect(imageProblem(header, 'png')).toMatch('must agree');
  expect(imageProblem(undefined, 'png')).toMatch('PNG or JPEG');
});

it('warns below 250 KB, above 1 MB and below 750 pixels', () => {
  const header = { format: 'png', width: 750, height: 1, decodedBytes: 3000 } as const;
  expect(imageWarnings(header, 250_000)).toEqual([]);
  expect(imageWarnings(header, 1_000_000)).toEqual([]);
  expect(imageWarnings({ ...header, width: 749 }, 249_999)).toHaveLength(2);
  expect(imageWarnings(header, 1_000_001)).toEqual(['many-bytes']);
});
