import { cornerStoreSumsOperation, invariantsOperation } from '@fiado/shared/openapi/invariants';
import { flag, text, type JsonSchema } from '@fiado/shared/openapi/json-schema';

const cents: JsonSchema = { type: 'integer' };

export const checkInvariants = invariantsOperation('transactions');

export const listCornerStoreSums = cornerStoreSumsOperation('transactions', {
  limitCents: { schema: cents, example: 1_000_000 },
  interestRate: { schema: text, example: '0.050000' },
  status: { schema: text, example: 'approved' },
  overdue: { schema: flag, example: false },
  usedCents: { schema: cents, example: 50_000 },
  heldCents: { schema: cents, example: 50_000 },
  deliveredCents: { schema: cents, example: 0 },
  repaidCents: { schema: cents, example: 0 },
});
