import { AppError, isErrorCode } from '@fiado/shared/contracts/errors';
import { ACCOUNT_ERRORS } from './support/account-errors';
import { sharedSystem } from '../e2e/support/shared-system';
import { SPEC_ENDPOINTS, SPEC_PAIRS, specStatus } from './support/spec-errors';
import { SUCCESSES } from './support/successes';
import { FOLLOW_UP_ERRORS, ORDER_ERRORS } from './support/transaction-errors';
import { buildWorld, type World } from './support/world';

const ERRORS = [...ACCOUNT_ERRORS, ...ORDER_ERRORS, ...FOLLOW_UP_ERRORS];

const system = sharedSystem();
let world: World;
beforeAll(async () => {
  world = await buildWorld(system);
});

/** The body that the specification gives to a code, for that endpoint. */
function specBody(endpoint: string, code: string, message: string | undefined): object {
  if (code === 'VALIDATION') {
    const text = 'phoneNumber must be a valid phone number';
    return { statusCode: 400, message: [text], error: 'Bad Request' };
  }
  if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`);
  const said = message ?? new AppError(code).message;
  return endpoint === 'resendAccountCode'
    ? { code, message: said }
    : { errorCode: code, errorMessage: said };
}

it.each(ERRORS)('$pair has the status and body of the specification', async (row) => {
  const [endpoint = '', code = ''] = row.pair.split(' ');

  const answer = await row.provoke(world);

  expect([answer.status, answer.body]).toEqual([
    specStatus(code),
    { ...specBody(endpoint, code, row.message?.(world)), ...row.added },
  ]);
});

it('every error of the specification was provoked, and no other', () => {
  const covered = ERRORS.map(({ pair }) => pair);

  process.stdout.write(`${covered.length} pairs of the specification: ${covered.join(', ')}\n`);
  expect(covered.sort()).toEqual([...SPEC_PAIRS].sort());
});

it.each(SUCCESSES)('$endpoint answers exactly the fields of the specification', async (row) => {
  const answer = await row.call(world);

  expect([answer.status, answer.body]).toEqual([row.status, row.body(world)]);
});

it('every endpoint of the specification was called with success', () => {
  const called = SUCCESSES.map(({ endpoint }) => endpoint.replace(/ .*/, ''));

  expect(called).toEqual(expect.arrayContaining(SPEC_ENDPOINTS));
});
