import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { PaymentsSums } from '@fiado/shared/contracts/invariants';
import { cents, count } from '@fiado/shared/openapi/json-schema';
import { sumByCornerStore } from '../db/corner-store-sums.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('payments', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<PaymentsSums>(
  'payments',
  {
    principalCents: { schema: cents, example: 50_000 },
    principalPaidCents: { schema: cents, example: 0 },
    interestCents: { schema: cents, example: 2_500 },
    ivaCents: { schema: cents, example: 400 },
    paidCount: { schema: count, example: 0 },
    overdueCount: { schema: count, example: 0 },
  },
  sumByCornerStore,
);
