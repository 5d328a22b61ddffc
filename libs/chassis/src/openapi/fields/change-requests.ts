import type { Fields } from './field';

/** Changes that wait for a second person. */
export const changeRequestFields: Fields = {
  changeRequests: { description: 'Change requests' },
  changeRequestId: {
    description: 'Id of the change request',
    example: '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34',
  },
  'ChangeRequested.status': { description: 'The change waits for a second person' },
  'ChangeRequest.kind': { description: 'What shall be changed' },
  explanation: {
    description: 'Why it waits, in a sentence',
    example: 'A second person decides on a role that allows more.',
  },
  'PendingChange.kind': { description: 'What shall be changed', example: 'corner-store.terms' },
  pendingChange: { description: 'The change that waits for a second person' },
  targetId: {
    description: 'Id of the object that shall be changed',
    example: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  },
  before: { description: 'The values at the request' },
  after: { description: 'The wanted values' },
  'ChangeRequest.reason': {
    description: 'Why the change is wanted',
    example: 'Pays on time for a year',
  },
  'ChangeRequest.status': {
    description:
      'State of the request: `approved` until the change is made, `failed` when its object was changed ' +
      'meanwhile, also before the decision',
  },
  failure: {
    description:
      'Why the change was not made; `CHANGE_TARGET_CHANGED`: its object was changed meanwhile',
    example: 'CHANGE_TARGET_CHANGED',
  },
  requestedBy: {
    description: 'Id of the person, or of the key, that asked',
    example: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  },
  requestedAt: { description: 'Time of the request', example: '2026-11-22T16:05:00.000Z' },
  requestedByName: {
    description: 'Name of that person or key; null for the first admin’s key',
    example: 'Ana Torres',
  },
  decidedBy: {
    description: 'Id of the second person',
    example: 'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45',
  },
  decidedByName: { description: 'Name of that person', example: 'Luis Vega' },
  decisionReason: {
    description: 'Why it was approved or rejected',
    example: 'Its last two debts were late',
  },
  decidedAt: { description: 'Time of the decision', example: '2026-11-22T17:00:00.000Z' },
  'ChangeRequest.expiresAt': {
    description: 'Time until which it can be decided, and its key or link collected',
    example: '2026-11-25T16:05:00.000Z',
  },
  'ApproveChangeRequestBody.reason': {
    description: 'Why it is approved',
    example: 'Checked with the sales team',
  },
  'RejectChangeRequestBody.reason': {
    description: 'Why it is rejected',
    example: 'Its last two debts were late',
  },
  'UpdateCornerStoreBody.reason': {
    description: 'For the second person, where one is needed',
    example: 'Pays on time for a year',
  },
  confirmed: {
    description: 'Whether unusual values are meant; `false` refuses them for a key too',
    example: true,
  },
  'ApproveCornerStoreBody.reason': {
    description: 'Why an incomplete store is approved',
    example: 'Visited on 3 October',
  },
  approvalReason: {
    description: 'Why the store was approved although its onboarding is incomplete',
    example: 'Visited on 3 October',
  },
  newCreditLimit: { description: 'The wanted credit limit', example: 150_000 },
  newInterestRate: { description: 'The wanted interest rate', example: 0.4 },
};
