import {
  cornerStoreSumsEndpoint,
  debtsEndpoint,
  invariantsEndpoint,
} from '@fiado/chassis/invariants/endpoints';
import type { PaymentsSums } from '@fiado/contracts/invariants';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { sumByCornerStore } from '../db/corner-store-sums.repository';
import { findDebtsOfStore } from '../db/debts-of-store.repository';
import { SCANS } from '../db/invariants';

export const checkInvariantsEndpoint = invariantsEndpoint<Context>('payments', () => SCANS);

export const listDebtsEndpoint = debtsEndpoint('payments', findDebtsOfStore);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, PaymentsSums>(
  'payments',
  {
    userId: { schema: t.uuid, example: '0198d2c0-2222-7a71-9f0a-3d4f6f7a1c11' },
    owedPrincipalCents: { schema: t.cents, example: 50_000 },
    overdueCount: { schema: t.count, example: 0 },
    overdueVersion: { schema: t.count, example: 2 },
    debts: { schema: t.count, example: 1 },
    debtsDigest: { schema: t.text, example: 'd41d8cd98f00b204e9800998ecf8427e' },
  },
  (db, page) => sumByCornerStore(db, page),
);
