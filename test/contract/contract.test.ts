import { AppError, isErrorCode } from '@fiado/contracts/errors';
import { sharedSystem } from '../e2e/support/shared-system';
import { SUCCESSES } from './support/successes';
import { ERRORS } from './support/transaction-errors';
import { buildWorld, type World } from './support/world';

/**
 * The endpoints of the interface specification in its order, as operations of the OpenAPI document.
 */
const SPEC_ENDPOINTS = [
  'createAccountVerification',
  'resendAccountCode',
  'changePhoneNumber',
  'recordOnboardingStep',
  'createKycLink',
  'createTransactionLink',
  'createTransaction',
  'createTransactions',
  'getTransactionByWholesalerId',
  'deliverTransaction',
  'confirmTransaction',
  'resendTransactionCode',
  'resendDeliveryWord',
  'createInvoice',
  'getCornerStores',
  'getCornerStore',
  'getDefaultInformation',
  'recordDeposit',
];

/**
 * The error table of the interface specification, row by row: code, status, and the endpoints by
 * their numbers there. VALIDATION is the row of the validation error.
 */
const SPEC_ERRORS: Array<[code: string, status: number, endpoints: number[]]> = [
  ['USER_NOT_FOUND', 404, [1, 3, 4]],
  ['USER_IS_VERIFIED', 422, [1, 2]],
  ['USER_IN_MANUAL_VALIDATION', 422, [1, 2]],
  ['VERIFICATION_NOT_FOUND', 404, [2, 4, 11, 12]],
  ['VERIFICATION_NOT_VALID', 422, [2, 11]],
  ['PHONE_NUMBER_ALREADY_EXISTS', 400, [3]],
  ['VALIDATION', 400, [3]],
  ['TRANSACTION_NOT_FOUND', 404, [9, 10, 11, 12, 13]],
  ['TRANSACTION_IS_VERIFIED', 422, [11, 12]],
  ['TRANSACTION_IS_NOT_IN_HOLD', 422, [10, 13]],
  ['TRANSACTION_AMOUNT_NOT_FOUND', 400, [10]],
  ['DELIVERY_WORD_NOT_FOUND', 400, [13]],
  ['TOO_MANY_ATTEMPTS', 429, [12]],
  ['CORNER_STORE_NOT_FOUND', 404, [7, 16]],
  ['USER_IS_IN_INTERNAL_VALIDATION', 412, [7, 16]],
  ['CREDIT_LIMIT_EXCEEDED', 422, [7]],
  ['USER_IS_IN_DEFAULT', 422, [7]],
  ['MINIMAL_TRANSACTION_REQUIRED', 422, [7]],
  ['USER_NOT_VERIFIED', 422, [7]],
  ['INVALID_DELIVERY_DATE', 422, [7]],
];

/**
 * Each endpoint with each of its errors in the specification, such as 'createTransaction
 * USER_NOT_VERIFIED'.
 */
const SPEC_PAIRS: string[] = SPEC_ERRORS.flatMap(([code, , endpoints]) =>
  endpoints.map((number) => `${SPEC_ENDPOINTS[number - 1]} ${code}`),
);

function specStatus(code: string): number {
  const row = SPEC_ERRORS.find(([name]) => name === code);
  if (row === undefined) throw new Error(`The specification has no error ${code}`);
  return row[1];
}

/** The text of an error, where it is more than the catalogue's. */
const MESSAGES: Record<string, (world: World) => string> = {
  PHONE_NUMBER_ALREADY_EXISTS: ({ approved }) =>
    `The phone number is already used by the user ${approved.userId}`,
};
/** Fields of an answer beyond those of the specification. */
const ADDED: Record<string, object> = {
  'confirmTransaction VERIFICATION_NOT_VALID': { reason: 'wrong', checksLeft: 4 },
  'createTransaction CREDIT_LIMIT_EXCEEDED': { maximumAmount: 200 },
  'createTransaction MINIMAL_TRANSACTION_REQUIRED': { minimumAmount: 100 },
};

const system = sharedSystem();
let world: World;
beforeAll(async () => {
  world = await buildWorld(system);
});

/** The body that the specification gives to a code, for that endpoint. */
function specBody(endpoint: string, code: string): object {
  if (code === 'VALIDATION') {
    const text = 'phoneNumber must be a valid phone number';
    return { statusCode: 400, message: [text], error: 'Bad Request' };
  }
  if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`);
  const said = MESSAGES[code]?.(world) ?? new AppError(code).message;
  return endpoint === 'resendAccountCode'
    ? { code, message: said }
    : { errorCode: code, errorMessage: said };
}

it.each(Object.entries(ERRORS))(
  '%s has the status and body of the specification',
  async (pair, provoke) => {
    const [endpoint = '', code = ''] = pair.split(' ');

    const answer = await provoke(world);

    expect([answer.status, answer.body]).toEqual([
      specStatus(code),
      { ...specBody(endpoint, code), ...ADDED[pair] },
    ]);
  },
);

it('every error of the specification was provoked, and no other', () => {
  const covered = Object.keys(ERRORS);

  process.stdout.write(`${covered.length} pairs of the specification: ${covered.join(', ')}\n`);
  expect(covered.sort()).toEqual([...SPEC_PAIRS].sort());
});

it.each(Object.entries(SUCCESSES))(
  '%s answers exactly the fields of the specification',
  async (_, { status, call, body }) => {
    const answer = await call(world);

    expect([answer.status, answer.body]).toEqual([status, body(world)]);
  },
);

it('every endpoint of the specification was called with success', () => {
  const called = Object.keys(SUCCESSES);

  expect(called).toEqual(expect.arrayContaining(SPEC_ENDPOINTS));
});
