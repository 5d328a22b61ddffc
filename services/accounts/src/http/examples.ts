/** All examples use the same ids, so that they belong together. */
export const EXAMPLE_IDS = {
  wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  userId: '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
  cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  verificationId: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
};

export const EXAMPLE_PHONE = '+525512340101';

export const exampleKey = {
  apiKeyId: 'a1b2c3d4-e5f6-4789-9abc-def012345678',
  apiKey: 'fiado_live_…',
};
