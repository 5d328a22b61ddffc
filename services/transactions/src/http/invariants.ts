import {
  cornerStoreSumsEndpoint,
  debtsEndpoint,
  invariantsEndpoint,
} from '@fiado/chassis/invariants/endpoints';
import type { TransactionsSums } from '@fiado/contracts/invariants';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findDebtsOfStore } from '../db/debts-of-store.repository';
import { scansOf } from '../db/invariants';
import { listCornerStoreSums } from '../use-cases/list-corner-store-sums';

export const checkInvariantsEndpoint = invariantsEndpoint<Context>('transactions', scansOf);

export const listDebtsEndpoint = debtsEndpoint('transactions', findDebtsOfStore);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, TransactionsSums>(
  'transactions',
  {
    userId: { schema: t.uuid, example: '0198d2c0-2222-7a71-9f0a-3d4f6f7a1c11' },
    version: { schema: t.count, example: 3 },
    phoneDigest: { schema: t.text, example: 'd41d8cd98f00b204e9800998ecf8427e' },
    limitCents: { schema: t.cents, example: 1_000_000 },
    interestRate: { schema: t.text, example: '0.05' },
    status: { schema: t.text, example: 'approved' },
    overdue: { schema: t.flag, example: false },
    overdueVersion: { schema: t.count, example: 2 },
    usedCents: { schema: t.cents, example: 50_000 },
    heldCents: { schema: t.cents, example: 50_000 },
    debts: { schema: t.count, example: 0 },
    debtsDigest: { schema: t.text, example: 'd41d8cd98f00b204e9800998ecf8427e' },
    customersDigest: { schema: t.text, example: '9e107d9d372bb6826bd81d3542a419d6' },
    settingsDigest: { schema: t.text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
  },
  listCornerStoreSums,
);
