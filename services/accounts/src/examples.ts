import { EXAMPLE_IDS as SHARED_IDS } from '@fiado/contracts/event-examples';

export const EXAMPLE_IDS = {
  ...SHARED_IDS,
  wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
};

export const EXAMPLE_PHONE = '+525512340101';

export const exampleKey = {
  apiKeyId: 'a1b2c3d4-e5f6-4789-9abc-def012345678',
  apiKey: 'fiado_live_…',
};
