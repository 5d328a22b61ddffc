import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { PaymentsSums } from '@fiado/shared/contracts/invariants';
import * as t from '@fiado/shared/openapi/json-schema';
import { sumByCornerStore } from '../db/corner-store-sums.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('payments', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<PaymentsSums>(
  'payments',
  {
    principalCents: { schema: t.cents, example: 50_000 },
    principalPaidCents: { schema: t.cents, example: 0 },
    interestCents: { schema: t.cents, example: 2_500 },
    ivaCents: { schema: t.cents, example: 400 },
    paidCount: { schema: t.count, example: 0 },
    overdueCount: { schema: t.count, example: 0 },
  },
  sumByCornerStore,
);
