import type { Fields } from '../json-schema';

/** Users, corner stores and their onboarding. */
export const cornerStoreFields: Fields = {
  userId: ['Fiado’s id of the user', 'a7e1f0b2-1d50-4d39-8a5e-90a3f7c4e210'],
  cornerStoreId: ['Fiado’s id of the corner store', '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33'],
  externalId: ['The wholesaler’s own id of the customer', 'CLI-001'],
  externalCornerStoreIds: ['The wholesaler’s own ids of customers, 1 to 500'],
  status: ['State of the corner store; only an `approved` one can order'],
  creditLimit: ['Most that the prices of its unpaid orders may add up to', 5000],
  creditLimitAvailable: [
    'Credit limit less the unpaid prices of open and delivered orders; never below 0',
    4500,
  ],
  interestRate: ['Interest on an order', 0.05],
  firstName: ['First names', 'Rosa'],
  lastNames: ['Last names', 'Hernández López'],
  phoneNumber: ['A mobile phone number, in E.164 or as ten digits of Mexico', '+525512345678'],
  latitude: ['Degrees north, as text', '19.4326'],
  longitude: ['Degrees east, as text', '-99.1332'],
  contacts: ['People who know the user'],
  fullName: ['Full name', 'Luis Hernández'],
  step: ['Step of the onboarding'],
  document: ['The image, for the steps with an image'],
  fileExtension: ['Type of the image'],
  base64Content: [
    'The image in base64, up to 5 MB when decoded; it must be of the type that is given',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD',
  ],
  information: ['Data of the store; for `CORNER_STORE_NAME_UPDATE` only its name'],
  cornerStoreName: ['Name of the store', 'Abarrotes Rosita'],
  cornerStoreAddress: ['Address of the store', 'Av. Juárez 12, Centro, Puebla'],
  cornerStoreType: ['Kind of store', 'ABARROTES'],
  businessLifetime: ['How long the store has existed', 'MORE_THAN_FIVE_YEARS'],
  ownershipStatus: ['Whether the user owns the store or works there', 'DUEÑO'],
  localeOwner: ['Whether the premises are owned or rented', 'PROPIO'],
  completedSteps: ['Steps that were recorded'],
  missingSteps: ['Steps that were not recorded yet'],
  warnings: ['Remarks on the image, such as a low resolution; the step is recorded'],
  imageWarnings: [
    'What the image does not meet: `few-bytes` below 250 KB, `many-bytes` above 1 MB, `narrow` below 750 pixels, `blurred`. Empty for images of releases that kept none.',
  ],
  kycLink: [
    'Address of the page on which the user records the onboarding steps',
    'https://fiado.example/kyc/pX3v9sLr0aQ',
  ],
  accountLink: [
    'Address of the page on which the user sees its debts',
    'https://fiado.example/cuenta/pX3v9sLr0aQ',
  ],
  cornerStores: ['Corner stores'],
  'AccountsSumsPage.cornerStores': ['Facts about each corner store, ordered by id'],
  customers: ['Customers'],
  'CornerStoreDetails.customers': ['Wholesalers that sell to the corner store'],
  rejectionReason: ['Why ops rejected the corner store', 'La foto no es legible'],
  phoneHeldUntil: [
    'Until when orders of this wholesaler are held because the phone number changed',
    '2026-11-25T16:00:00.000Z',
  ],
  documents: ['Images of the onboarding, newest first'],
  documentId: ['Id of the image', '2f7b6f52-4f0c-4b5e-9f51-51b7a0011d9d'],
  sha256: [
    'SHA-256 of the image, in hexadecimal',
    '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  ],
  sizeBytes: ['Size of the image in bytes', 248_112],
  width: ['Width in pixels', 1280],
  height: ['Height in pixels', 960],
};

/** Changes that wait for a second person. */
export const changeRequestFields: Fields = {
  changeRequests: ['Change requests'],
  changeRequestId: ['Id of the change request', '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34'],
  'ChangeRequested.status': ['The change waits for a second person'],
  'ChangeRequest.kind': ['What shall be changed'],
  explanation: [
    'Why it waits, in a sentence',
    'A second person decides on a role that allows more.',
  ],
  'PendingChange.kind': ['What shall be changed', 'corner-store.terms'],
  pendingChange: ['The change that waits for a second person'],
  targetId: ['Id of the object that shall be changed', '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33'],
  before: ['The values at the request'],
  after: ['The wanted values'],
  'ChangeRequest.reason': ['Why the change is wanted', 'Pays on time for a year'],
  'ChangeRequest.status': [
    'State of the request: `approved` until the change is made, `failed` when its object was changed ' +
      'meanwhile, also before the decision',
  ],
  failure: [
    'Why the change was not made; `CHANGE_TARGET_CHANGED`: its object was changed meanwhile',
    'CHANGE_TARGET_CHANGED',
  ],
  requestedBy: [
    'Id of the person, or of the key, that asked',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  ],
  requestedAt: ['Time of the request', '2026-11-22T16:05:00.000Z'],
  requestedByName: ['Name of that person or key; null for the first admin’s key', 'Ana Torres'],
  decidedBy: ['Id of the second person', 'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45'],
  decidedByName: ['Name of that person or key; null where it is not known', 'Luis Vega'],
  decisionReason: ['Why it was approved or rejected', 'Its last two debts were late'],
  decidedAt: ['Time of the decision', '2026-11-22T17:00:00.000Z'],
  'ChangeRequest.expiresAt': [
    'Time until which it can be decided, and its key or link collected',
    '2026-11-25T16:05:00.000Z',
  ],
  'ApproveChangeRequestBody.reason': ['Why it is approved', 'Checked with the sales team'],
  'RejectChangeRequestBody.reason': ['Why it is rejected', 'Its last two debts were late'],
  'UpdateCornerStoreBody.reason': [
    'For the second person, where one is needed',
    'Pays on time for a year',
  ],
  confirmed: ['Whether unusual values are meant; `false` refuses them for a key too', true],
  'ApproveCornerStoreBody.reason': ['Why an incomplete store is approved', 'Visited on 3 October'],
  approvalReason: [
    'Why the store was approved although its onboarding is incomplete',
    'Visited on 3 October',
  ],
  newCreditLimit: ['The wanted credit limit', 150_000],
  newInterestRate: ['The wanted interest rate', 0.4],
};

/** The lender's people and their sessions. */
export const staffFields: Fields = {
  staff: ['The lender’s people'],
  staffId: ['Id of the person', '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d'],
  email: ['E-mail address, in lower case', 'ana@lender.example'],
  'StaffMember.name': ['Name of the person', 'Ana Torres'],
  'InvitedStaff.name': ['Name of the person', 'Ana Torres'],
  'InviteStaffBody.name': ['Name of the person', 'Ana Torres'],
  role: ['What the person may do; each role includes the ones before it'],
  passkeys: ['Passkeys with which the person signs in', 1],
  lastSignInAt: ['Time of the last sign-in', '2026-11-22T16:05:00.000Z'],
  disabledAt: ['Time at which the access was ended', '2026-11-22T17:00:00.000Z'],
  invitationLink: [
    'Link that enrols a passkey; shown once',
    'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  ],
  sessions: ['Sessions'],
  sessionId: ['Id of the session', '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d'],
  authTime: ['Time at which the person last proved who it is', '2026-11-22T16:05:00.000Z'],
  idleUntil: ['Time at which it ends if it is not used', '2026-11-22T16:35:00.000Z'],
  endsAt: ['Time at which it ends in any case', '2026-11-23T04:05:00.000Z'],
  address: ['Address of the browser', '203.0.113.7'],
  agent: ['Name of the browser', 'Mozilla/5.0'],
};
