import { createHmac } from 'node:crypto';

/** As many as FF1 has (NIST SP 800-38G), which is built in the same way. */
const ROUNDS = 10;

/**
 * Another number below `size` for each number below it, and none twice: a Feistel network whose
 * round function is HMAC-SHA256, repeated until the result is below `size`. Without the key nobody
 * can tell which numbers are in use.
 * @param size at most 2^52
 * @param tweak other numbers for each
 */
export function permuted(
  number: number,
  { size, key, tweak }: { size: number; key: Buffer; tweak: string },
): number {
  if (!Number.isInteger(number) || number < 0 || number >= size) {
    throw new RangeError(`Only numbers below ${size} are permuted`);
  }
  const half = 2 ** Math.ceil(Math.log2(size) / 2);
  let result = number;
  do {
    let [left, right] = [Math.floor(result / half), result % half];
    for (let round = 0; round < ROUNDS; round += 1) {
      const mask = createHmac('sha256', key).update(`${tweak} ${round} ${right}`).digest();
      [left, right] = [right, (left + mask.readUInt32BE()) % half];
    }
    result = left * half + right;
  } while (result >= size);
  return result;
}
