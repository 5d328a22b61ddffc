import type { Fields } from '../json-schema';

/** Users, corner stores and their onboarding. */
export const cornerStoreFields: Fields = {
  userId: {
    description: 'Fiado’s id of the user',
    example: 'a7e1f0b2-1d50-4d39-8a5e-90a3f7c4e210',
  },
  cornerStoreId: {
    description: 'Fiado’s id of the corner store',
    example: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  },
  externalId: { description: 'The wholesaler’s own id of the customer', example: 'CLI-001' },
  externalCornerStoreIds: { description: 'The wholesaler’s own ids of customers, 1 to 500' },
  status: { description: 'State of the corner store; only an `approved` one can order' },
  creditLimit: {
    description: 'Most that the prices of its unpaid orders may add up to',
    example: 5000,
  },
  creditLimitAvailable: {
    description: 'Credit limit less the unpaid prices of open and delivered orders; never below 0',
    example: 4500,
  },
  interestRate: { description: 'Interest on an order', example: 0.05 },
  firstName: { description: 'First names', example: 'Rosa' },
  lastNames: { description: 'Last names', example: 'Hernández López' },
  phoneNumber: {
    description: 'A mobile phone number, in E.164 or as ten digits of Mexico',
    example: '+525512345678',
  },
  latitude: { description: 'Degrees north, as text', example: '19.4326' },
  longitude: { description: 'Degrees east, as text', example: '-99.1332' },
  contacts: { description: 'People who know the user' },
  fullName: { description: 'Full name', example: 'Luis Hernández' },
  step: { description: 'Step of the onboarding' },
  document: { description: 'The image, for the steps with an image' },
  fileExtension: { description: 'Type of the image' },
  base64Content: {
    description:
      'The image in base64, up to 5 MB when decoded; it must be of the type that is given',
    example: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD',
  },
  information: { description: 'Data of the store; for `CORNER_STORE_NAME_UPDATE` only its name' },
  cornerStoreName: { description: 'Name of the store', example: 'Abarrotes Rosita' },
  cornerStoreAddress: {
    description: 'Address of the store',
    example: 'Av. Juárez 12, Centro, Puebla',
  },
  cornerStoreType: { description: 'Kind of store', example: 'ABARROTES' },
  businessLifetime: {
    description: 'How long the store has existed',
    example: 'MORE_THAN_FIVE_YEARS',
  },
  ownershipStatus: {
    description: 'Whether the user owns the store or works there',
    example: 'DUEÑO',
  },
  localeOwner: { description: 'Whether the premises are owned or rented', example: 'PROPIO' },
  completedSteps: { description: 'Steps that were recorded' },
  missingSteps: { description: 'Steps that were not recorded yet' },
  warnings: { description: 'Remarks on the image, such as a low resolution; the step is recorded' },
  kycLink: {
    description: 'Address of the page on which the user records the onboarding steps',
    example: 'https://fiado.example/kyc/pX3v9sLr0aQ',
  },
  accountLink: {
    description: 'Address of the account page, which asks for a code by SMS',
    example: 'https://fiado.example/cuenta/pX3v9sLr0aQ',
  },
  cornerStores: { description: 'Corner stores' },
  'AccountsSumsPage.cornerStores': { description: 'Facts about each corner store, ordered by id' },
  customers: { description: 'Customers' },
  'CornerStoreDetails.customers': { description: 'Wholesalers that sell to the corner store' },
  rejectionReason: {
    description: 'Why ops rejected the corner store',
    example: 'La foto no es legible',
  },
  phoneHeldUntil: {
    description: 'Until when orders of this wholesaler are held because the phone number changed',
    example: '2026-11-25T16:00:00.000Z',
  },
  documents: { description: 'Images of the onboarding, newest first' },
  documentId: { description: 'Id of the image', example: '2f7b6f52-4f0c-4b5e-9f51-51b7a0011d9d' },
  sha256: {
    description: 'SHA-256 of the image, in hexadecimal',
    example: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  },
  sizeBytes: { description: 'Size of the image in bytes', example: 248_112 },
  width: { description: 'Width in pixels', example: 1280 },
  height: { description: 'Height in pixels', example: 960 },
};

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

/** The lender's people and their sessions. */
export const staffFields: Fields = {
  staff: { description: 'The lender’s people' },
  staffId: {
    description: 'Id of the person',
    example: '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  },
  email: { description: 'E-mail address, in lower case', example: 'ana@lender.example' },
  'StaffMember.name': { description: 'Name of the person', example: 'Ana Torres' },
  'InvitedStaff.name': { description: 'Name of the person', example: 'Ana Torres' },
  'InviteStaffBody.name': { description: 'Name of the person', example: 'Ana Torres' },
  role: { description: 'What the person may do; each role includes the ones before it' },
  passkeys: { description: 'Passkeys with which the person signs in', example: 1 },
  lastSignInAt: { description: 'Time of the last sign-in', example: '2026-11-22T16:05:00.000Z' },
  disabledAt: {
    description: 'Time at which the access was ended',
    example: '2026-11-22T17:00:00.000Z',
  },
  invitationLink: {
    description: 'Link that enrols a passkey; shown once',
    example: 'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  },
  sessions: { description: 'Sessions' },
  sessionId: {
    description: 'Id of the session',
    example: '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  },
  authTime: {
    description: 'Time at which the person last proved who it is',
    example: '2026-11-22T16:05:00.000Z',
  },
  idleUntil: {
    description: 'Time at which it ends if it is not used',
    example: '2026-11-22T16:35:00.000Z',
  },
  endsAt: {
    description: 'Time at which it ends in any case',
    example: '2026-11-23T04:05:00.000Z',
  },
  address: { description: 'Address of the browser', example: '203.0.113.7' },
  agent: { description: 'Name of the browser', example: 'Mozilla/5.0' },
};
