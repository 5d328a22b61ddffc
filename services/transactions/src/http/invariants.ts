import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { TransactionsSums } from '@fiado/shared/contracts/invariants';
import * as t from '@fiado/shared/openapi/json-schema';
import { findCornerStoreSums } from '../db/corner-store-sums.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('transactions', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<TransactionsSums>(
  'transactions',
  {
    limitCents: { schema: t.cents, example: 1_000_000 },
    interestRate: { schema: t.text, example: '0.050000' },
    status: { schema: t.text, example: 'approved' },
    overdue: { schema: t.flag, example: false },
    usedCents: { schema: t.cents, example: 50_000 },
    heldCents: { schema: t.cents, example: 50_000 },
    deliveredCents: { schema: t.cents, example: 0 },
    deliveredInterestCents: { schema: t.cents, example: 0 },
    deliveredIvaCents: { schema: t.cents, example: 0 },
    paidCount: { schema: t.count, example: 0 },
    repaidCents: { schema: t.cents, example: 0 },
    customersDigest: { schema: t.text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: t.text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  findCornerStoreSums,
);
