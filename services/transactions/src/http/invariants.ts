import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { TransactionsSums } from '@fiado/shared/contracts/invariants';
import { cents, count, flag, text } from '@fiado/shared/openapi/json-schema';
import { findCornerStoreSums } from '../db/corner-store-sums.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('transactions', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<TransactionsSums>(
  'transactions',
  {
    limitCents: { schema: cents, example: 1_000_000 },
    interestRate: { schema: text, example: '0.050000' },
    status: { schema: text, example: 'approved' },
    overdue: { schema: flag, example: false },
    usedCents: { schema: cents, example: 50_000 },
    heldCents: { schema: cents, example: 50_000 },
    deliveredCents: { schema: cents, example: 0 },
    deliveredInterestCents: { schema: cents, example: 0 },
    deliveredIvaCents: { schema: cents, example: 0 },
    paidCount: { schema: count, example: 0 },
    repaidCents: { schema: cents, example: 0 },
    customersDigest: { schema: text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  findCornerStoreSums,
);
