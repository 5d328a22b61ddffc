import { findCauses, type Entry } from './find-causes';

const timeOf = (iso: string) => iso.slice(11, 16);

function entry(
  type: string,
  details: Record<string, unknown>,
  subjectId: string | null = 'order',
): Entry {
  return {
    entryId: `${type}:1`,
    occurredAt: '2026-11-23T16:05:00.000Z',
    service: 'notifier',
    type,
    wholesalerId: null,
    subjectId,
    details,
  };
}

const sms = (details: Record<string, unknown>) =>
  entry('message.requested', {
    template: 'order-code',
    phoneNumber: '********0101',
    expiresAt: '2026-11-23T16:15:00.000Z',
    ...details,
  });

it.each([
  [{ status: 'delivered', sentAt: '2026-11-23T16:05:01.000Z' }, 'sms-delivered', 'sent at 16:05'],
  [{ status: 'sent', sentAt: '2026-11-23T16:05:01.000Z' }, 'sms-sent', 'not reported'],
  [{ status: 'failed', reason: '30003' }, 'sms-failed', 'failed (30003)'],
  [{ status: 'unknown' }, 'sms-unknown', 'may have been sent'],
  [{ status: 'expired' }, 'sms-expired', 'not sent before it expired at 16:15'],
  [{ status: 'pending', reason: 'wholesaler-cap' }, 'sms-waits-behind-cap', 'used up its SMS'],
  [{ status: 'pending' }, 'sms-waits', 'waits to be sent'],
])('an SMS with %j is %s', (details, cause, text) => {
  expect(findCauses([sms(details)], timeOf)).toMatchObject([
    { cause, text: expect.stringContaining(text) },
  ]);
});

it('an order with an SMS is one cause, that of the SMS', () => {
  const created = entry('order.created', { codeStatus: 'pending', byLink: false });
  expect(findCauses([sms({ status: 'sent' }), created], timeOf)).toHaveLength(1);
  expect(findCauses([created], timeOf)).toMatchObject([{ cause: 'no-sms' }]);
});

it.each([
  [{ codeStatus: 'pending', byLink: true }, 'code-on-page'],
  [{}, 'needs-no-code'],
  [{ codeStatus: 'approved', byLink: false }, 'needs-no-code'],
])('an order without an SMS and with %j: %s', (details, cause) => {
  expect(findCauses([entry('order.created', details)], timeOf)).toMatchObject([{ cause }]);
});

it('other SMS and entries are left out, and the oldest cause comes first', () => {
  const refused = entry('request.refused', {
    operation: 'createTransaction',
    errorCode: 'BAD_REQUEST',
  });
  const causes = findCauses(
    [
      sms({ status: 'failed' }),
      sms({ template: 'delivered', status: 'sent' }),
      refused,
      entry('debt.opened', {}),
    ],
    timeOf,
  );
  expect(causes.map(({ cause }) => cause)).toEqual(['refused', 'sms-failed']);
});
