import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { AccountsSums } from '@fiado/shared/contracts/invariants';
import { cents, flag, text } from '@fiado/shared/openapi/json-schema';
import { listCornerStoreSums } from '../db/corner-stores.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('accounts', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<AccountsSums>(
  'accounts',
  {
    creditLimitCents: { schema: cents, example: 1_000_000 },
    interestRate: { schema: text, example: '0.050000' },
    status: { schema: text, example: 'approved' },
    overdue: { schema: flag, example: false },
    customersDigest: { schema: text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  listCornerStoreSums,
);
