import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST_CODE_POINT = 0x10ffff;

/** Any character of Unicode. The unit `binary` of fast-check is the same, after a second for a table of them all. */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST_CODE_POINT - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));
