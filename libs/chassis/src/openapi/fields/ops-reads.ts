import type { Fields } from './field';

/** A corner store's overview and timeline, and the search. */
export const opsReadFields: Fields = {
  cornerStore: { description: 'The corner store' },
  'CornerStoreOverview.wholesalers': { description: 'Its wholesalers' },
  credit: { description: 'Use of its credit line; null while it is not known' },
  debts: { description: 'What it owes to all wholesalers; null while it is not known' },
  missing: { description: 'Services that did not answer, so that their part is not here' },
  lenderTimeZone: { description: 'Time zone of the lender', example: 'America/Mexico_City' },
  used: { description: 'Credit in use', example: 529 },
  available: { description: 'Credit that is left', example: 9471 },
  openDebts: { description: 'Number of debts that are not paid', example: 1 },
  'CornerStoreDebts.amountDue': { description: 'What is left to pay of them', example: 529 },
  overdueDebts: { description: 'Number of them that are overdue', example: 0 },
  overdueAmount: { description: 'What is left to pay of those', example: 0 },
  oldestDueAt: {
    description: 'Last day of the oldest open debt',
    example: '2026-12-07T05:59:59.999Z',
  },
  creditBalance: { description: 'Money that was paid beyond all debts', example: 0 },
  entryId: {
    description: 'Id of the entry',
    example: 'order.created:0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'TimelineEntry.service': { description: 'Service that knows of it' },
  'TimelineEntry.type': {
    description:
      'What happened, such as `order.created`, `request.refused`, `message.requested`, ' +
      '`payment.applied`, or an action of the audit log',
    example: 'order.created',
  },
  'TimelineEntry.subjectId': {
    description: 'Id of the order, user or verification that it is about',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'TimelineEntry.details': {
    description: 'Ids, amounts in pesos, times and states; a phone number is masked',
  },
  hits: { description: 'What the value names' },
  kind: { description: 'What it is' },
  matchedBy: { description: 'Its field that has the value' },
  'SearchHit.id': {
    description: 'Its id',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  label: { description: 'How people call it', example: 'tienda-001' },
  'MessageSearch.limit': { description: 'Most messages on a page', example: 50 },
  'MessageSearch.cursor': {
    description: '`nextCursor` of the page before',
    example: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
  },
  'SearchQuestion.q': {
    description: 'The whole id, number, reference or phone number',
    example: 'tienda-001',
  },
  'ResendMessagesBody.status': { description: 'Only unknown messages can be sent again' },
  'ResendMessagesBody.since': {
    description: 'Only messages that were made since then: a date or a timestamp',
    example: '2026-11-22T16:00:00Z',
  },
  dryRun: { description: 'Only count', example: true },
  'ResendMessagesBody.cursor': {
    description: '`nextCursor` of the call before',
    example: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
  },
  'ResentMessages.unknown': {
    description: 'Unknown messages that are not expired and not followed by a newer one',
    example: 248,
  },
  resent: {
    description: 'Those whose purpose is alive: sent again, or that would be in a dry run',
    example: 231,
  },
};
