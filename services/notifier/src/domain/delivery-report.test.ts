import { deliveryReportOf } from './delivery-report';
import { failureClassOf } from './failure-class';

describe('deliveryReportOf', () => {
  test.each([
    ['queued', undefined, { status: 'sent', reason: null }],
    ['sent', undefined, { status: 'sent', reason: null }],
    ['delivered', undefined, { status: 'delivered', reason: null }],
    ['undelivered', '30005', { status: 'failed', reason: '30005' }],
    ['failed', undefined, { status: 'failed', reason: 'FAILED' }],
    ['teleported', undefined, undefined],
    ['constructor', undefined, undefined],
  ])('%s with code %s', (status, code, report) => {
    expect(deliveryReportOf(status, code)).toEqual(report);
  });
});

test.each([
  ['30005', 'phone'],
  ['21610', 'phone'],
  ['30007', 'content'],
  ['20003', 'account'],
  ['HTTP_401', 'account'],
  ['30008', 'other'],
  ['phone-cap', 'other'],
])('a failure for %s is a matter of: %s', (reason, name) => {
  expect(failureClassOf(reason)).toBe(name);
});
