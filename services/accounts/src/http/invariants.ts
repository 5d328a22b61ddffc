import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
} from '@fiado/shared/chassis/http/invariants-endpoints';
import type { AccountsSums } from '@fiado/shared/contracts/invariants';
import * as t from '@fiado/shared/openapi/json-schema';
import { listCornerStoreSums } from '../db/corner-stores.repository';
import { INVARIANTS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint('accounts', () => INVARIANTS);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<AccountsSums>(
  'accounts',
  {
    creditLimitCents: { schema: t.cents, example: 1_000_000 },
    interestRate: { schema: t.text, example: '0.050000' },
    status: { schema: t.text, example: 'approved' },
    overdue: { schema: t.flag, example: false },
    customersDigest: { schema: t.text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: t.text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  listCornerStoreSums,
);
