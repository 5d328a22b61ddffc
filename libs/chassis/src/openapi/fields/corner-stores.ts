import type { Fields } from './field';

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
