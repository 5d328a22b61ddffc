import type { Fields } from '../json-schema';

/** Fields of a statement that other objects have too, with another meaning. */
const OF_A_STATEMENT: Fields = {
  number: ['1, 2, 3… of each wholesaler, without gaps', 12],
  status: ['Whether the lender paid it; one with nothing due is paid at once'],
  lines: ['Number of its lines', 2],
  sha256: [
    'SHA-256 of the lines; docs/guides/accountant-wholesaler.md says of which text',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  paidAt: ['Time at which its payment was recorded; null without one', '2026-11-24T17:30:00.000Z'],
};

const inSchema = (schema: string): Fields =>
  Object.fromEntries(
    Object.entries(OF_A_STATEMENT).map(([name, field]) => [`${schema}.${name}`, field]),
  );

/** Statements of wholesalers, their lines and payments. */
export const statementFields: Fields = {
  ...inSchema('Statement'),
  ...inSchema('OpsStatement'),
  ...inSchema('StatementEvent'),
  statements: ['Statements, newest first'],
  'ClosedStatements.statements': ['Statements whose period has the moment before `until`'],
  'ClosedStatements.remaining': ['Wholesalers that are not closed until then', 0],
  statementId: ['Id of the statement', '0199e2c4-9d4e-7f50-8b62-738495061729'],
  periodFrom: ['Where its period begins: where the one before ended', '2026-11-16T06:00:00.000Z'],
  periodTo: [
    'Where its period ends; this moment belongs to the next one',
    '2026-11-23T06:00:00.000Z',
  ],
  'DraftStatement.status': ['Not closed yet'],
  'DraftStatement.lines': ['Number of its lines so far', 2],
  'StatementLinePage.lines': ['Lines, oldest first'],
  lineId: ['Id of the line', '0199e2c4-9d4e-7f50-8b62-738495061730'],
  'StatementLine.kind': ['Kind of the line'],
  'StatementLine.occurredAt': [
    'Time at which it was recorded; of a delivery its time',
    '2026-11-17T17:00:00.000Z',
  ],
  'StatementLine.reason': ['Why there is a correction; null for a delivery', 'return'],
  'StatementLine.commission': [
    'Commission of the lender, as the wholesaler agreed it; negative where it is given back',
    9.61,
  ],
  'StatementLine.netAmount': ['`grossAmount` less `commission`', 470.89],
  grossAmount: ['Price of the delivered goods less corrections', 1480.5],
  commission: ['Commission of the lender, without IVA', 29.61],
  commissionIVA: ['Value-added tax on the commission', 4.74],
  openingBalance: ['What the wholesaler owed after the statement before: zero or negative', 0],
  netAmount: ['`openingBalance` plus `grossAmount` less `commission` and `commissionIVA`', 1446.15],
  amountDue: ['What the lender pays: `netAmount`, or 0 where that is negative', 1446.15],
  closedAt: ['Time at which it was closed', '2026-11-23T06:00:12.345Z'],
  paidOn: ['Day of the transfer', '2026-11-24'],
  'SettlementAdjustment.lineId': ['Id of the line', '0199e2c4-9d4e-7f50-8b62-738495061731'],
  'SettlementAdjustment.kind': ['Kind of the line'],
  'AdjustSettlementBody.kind': ['Kind of the line'],
  'AdjustSettlementBody.amount': [
    'What a clawback takes back; what an adjustment adds, or takes with a negative amount',
    480.5,
  ],
  until: ['Day or moment before which lines are closed', '2026-11-23'],
};
