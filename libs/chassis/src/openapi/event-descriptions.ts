import type { EventType } from '@fiado/contracts/events';

/** When each event happens. */
export const EVENT_DESCRIPTIONS: Record<EventType, string> = {
  'verification.approved': 'A user proved its phone with the code.',
  'onboarding.completed': 'A user finished its onboarding; the lender decides next.',
  'corner-store.status-changed':
    'The status of a customer changed: by the lender, by an overdue debt, or by its payment.',
  'corner-store.limit-changed':
    'The lender changed the credit limit or interest rate of a customer.',
  'transaction.created': 'An order was created, and its credit is held.',
  'transaction.confirmed':
    'The corner store confirmed an order, or an order of a batch was accepted.',
  'transaction.delivered': 'An order was delivered, and its debt is booked.',
  'transaction.cancelled': 'An order was cancelled, and its credit is free.',
  'transaction.expired':
    'An order was not confirmed or not delivered in time, and its credit is free.',
  'transaction.paid': 'The debt of an order was paid in full.',
  'transaction.payment-reversed':
    'A payment of a paid order was taken back: it undoes `transaction.paid`, and the order is owed again. ' +
    'When it is paid again, another `transaction.paid` follows.',
  'default.opened': 'A debt was not paid by its `paymentDate`; the corner store cannot order.',
  'default.closed': 'A debt in default was paid.',
  'payment.applied': 'A deposit paid a debt, or a part of it.',
  'payment.reversed': 'Operations took a payment back, and what it paid is owed again.',
  'message.failed':
    'An SMS will not arrive. With the status `unknown` it may have arrived, because the SMS provider did not answer.',
  'invoice.issued': 'An invoice was stamped by the tax authority.',
  'invoice.failed': 'An invoice was refused, or could not be stamped for three days.',
  'deposit.applied': 'A deposit was matched with the customer who paid.',
  'deposit.unmatched':
    'No debt or customer was found for a deposit, or operations took it away from the wrong one; ' +
    'operations assigns it.',
  'deposit.reversed': 'Operations took a deposit back.',
  'endpoint.disabled':
    'A webhook endpoint was disabled, because it failed for 72 hours or asked for it.',
  'endpoint.test': 'A test that `testWebhookEndpoint` sends.',
};
