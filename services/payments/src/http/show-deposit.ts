import { endpoint } from '@fiado/chassis/http/endpoint';
import { pendingChange, presentPendingChange } from '@fiado/chassis/openapi/change-requested';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { DEPOSIT_DECISIONS } from '../db/deposit-details.repository';
import { CANDIDATE_REASONS } from '../domain/rank-candidates';
import { showDeposit } from '../use-cases/show-deposit';
import { allocationAnswer, presentAllocation } from './allocation-answer';
import { depositFields, exampleDeposit, presentDeposit } from './deposit-answer';
import { exampleReceivable, presentReceivable, receivableFields } from './ops-receivable-answer';

export const showDepositEndpoint = endpoint({
  id: 'showDeposit',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/deposits/:depositId',
  scope: 'viewer',
  summary: 'Show a deposit with what it paid',
  description:
    '`candidates` has up to ten debts that an unmatched deposit may be meant for, the likeliest ' +
    'first, each with the reasons: its references lead to the debt or its user (`reference`), or ' +
    'would with one digit corrected (`similar-reference`), or exactly this much is owed (`amount`).',
  errors: ['DEPOSIT_NOT_FOUND'],
  answer: t.object('DepositDetail', {
    ...depositFields,
    paidAt: t.timestamp,
    userId: t.nullable(t.uuid),
    cornerStoreId: t.nullable(t.uuid),
    allocations: t.listOf(allocationAnswer),
    surplus: t.pesos,
    pendingChange,
    decisions: t.listOf(
      t.object('DepositDecision', {
        decision: t.oneOf(DEPOSIT_DECISIONS),
        decidedBy: t.text,
        cornerStoreId: t.nullable(t.uuid),
        reason: t.nullable(t.text),
        decidedAt: t.timestamp,
      }),
    ),
    candidates: t.listOf(
      t.object('DepositCandidate', {
        ...receivableFields,
        reasons: t.listOf(t.oneOf(CANDIDATE_REASONS)),
      }),
    ),
  }),
  example: {
    ...exampleDeposit,
    paidAt: '2026-10-02T15:30:00.000Z',
    userId: null,
    cornerStoreId: null,
    allocations: [],
    surplus: 0,
    pendingChange: null,
    decisions: [],
    candidates: [{ ...exampleReceivable, reasons: ['similar-reference', 'amount'] }],
  },
  input: ({ id }) => ({ depositId: id('depositId', 'DEPOSIT_NOT_FOUND') }),
  handle: showDeposit,
  present: ({ deposit, allocations, decisions, candidates, now }, { config }: Context) => ({
    ...presentDeposit(deposit),
    paidAt: deposit.paidAt.toISOString(),
    userId: deposit.userId,
    cornerStoreId: deposit.cornerStoreId,
    allocations: allocations.map(presentAllocation),
    surplus: amountOf(deposit.surplusCents),
    pendingChange: presentPendingChange(deposit.pendingChange),
    decisions: decisions.map((one) => ({ ...one, decidedAt: one.decidedAt.toISOString() })),
    candidates: candidates.map((candidate) => ({
      ...presentReceivable(candidate, now, config.TIME_ZONE),
      reasons: candidate.reasons,
    })),
  }),
});
