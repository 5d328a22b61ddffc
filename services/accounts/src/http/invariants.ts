import { cornerStoreSumsEndpoint, invariantsEndpoint } from '@fiado/chassis/invariants/endpoints';
import type { AccountsSums } from '@fiado/contracts/invariants';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { listCornerStoreSums } from '../db/corner-stores.repository';
import { scansOf } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint<Context>('accounts', scansOf);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, AccountsSums>(
  'accounts',
  {
    userId: { schema: t.uuid, example: '0198d2c0-2222-7a71-9f0a-3d4f6f7a1c11' },
    version: { schema: t.count, example: 3 },
    phoneDigest: { schema: t.text, example: 'd41d8cd98f00b204e9800998ecf8427e' },
    creditLimitCents: { schema: t.cents, example: 1_000_000 },
    interestRate: { schema: t.text, example: '0.050000' },
    status: { schema: t.text, example: 'approved' },
    overdue: { schema: t.flag, example: false },
    overdueVersion: { schema: t.count, example: 2 },
    customersDigest: { schema: t.text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: t.text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  (db, page) => listCornerStoreSums(db, page),
);
