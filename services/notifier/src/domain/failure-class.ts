/**
 * Cause of a failed message. phone: this number cannot receive SMS. content: the text was refused.
 * account: our account at the provider; every message fails until somebody acts. other: the
 * network.
 */
export const FAILURE_CLASSES = ['phone', 'content', 'account', 'other'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Twilio's error codes, as its dictionary describes them (twilio.com/docs/api/errors). */
const CLASS_OF_CODE = new Map<string, FailureClass>([
  ...classed(
    'phone',
    [21211, 21214, 21217, 21265, 21407, 21610, 21612, 21614, 30003, 30004, 30005, 30006, 30011],
  ),
  ...classed('content', [21602, 21617, 21619, 30007, 30019, 30038]),
  ...classed(
    'account',
    [
      20003, 20005, 20006, 21212, 21408, 21603, 21606, 21608, 21611, 21618, 21703, 21704, 30001,
      30002, 30010, 30018, 30022, 30023, 30024, 30027, 30032, 30034, 63038,
    ],
  ),
]);

/** Answers to bad credentials, whatever code they carry. */
const ACCOUNT_REASONS = new Set(['HTTP_401', 'HTTP_403']);

/** The class of a message's `status_reason`. */
export function failureClassOf(reason: string): FailureClass {
  if (ACCOUNT_REASONS.has(reason)) return 'account';
  return CLASS_OF_CODE.get(reason) ?? 'other';
}

function classed(name: FailureClass, codes: number[]): Array<[string, FailureClass]> {
  return codes.map((code) => [String(code), name]);
}
