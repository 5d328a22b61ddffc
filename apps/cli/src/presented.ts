import type { AnswerOf, ItemOf, OperationId } from '@fiado/ops-client/operations';
import { amountText, type Output, recordOf, tableOf } from './output';

/** The values that a command was given, by the names of the API’s fields. */
export type Given = Record<string, unknown>;

/** Functions by the names of operations; each gets the answer of its operation. */
type ByOperation<Result, Rest extends unknown[] = []> = {
  [Id in OperationId]?: (answer: AnswerOf<Id>, ...rest: Rest) => Result;
};

type Table<Result, Rest extends unknown[] = []> = Record<
  string,
  ((answer: never, ...rest: Rest) => Result) | undefined
>;

const CANDIDATE_COLUMNS = [
  'cornerStoreId',
  'reasons',
  'amountDue',
  'paymentDate',
  'status',
  'idFactura',
  'numeroReferencia',
  'externalId',
] as const;

/** Texts of answers that are neither a list nor a record of fields. */
export const TEXTS: Table<string> = {
  detectDefaults: ({ opened }) => `opened ${opened}`,
  getCornerStoreOverview: storeText,
  getOverview: overviewText,
  listPortfolioFlows: flowsText,
  rotateDataKey: ({ dataKeyNumber }) =>
    `Key ${dataKeyNumber} is made; fiado keys status shows its progress`,
  showDataKeys: dataKeysText,
  showDeposit: ({ candidates, ...deposit }) =>
    deposit.status === 'unmatched'
      ? `${recordOf(deposit)}\n${tableOf(candidates, CANDIDATE_COLUMNS)}`
      : recordOf(deposit),
  showPortfolio: portfolioText,
} satisfies ByOperation<string>;

/** The output of operations without an answer: the result with --json, and the text for a person. */
export const DONE: Record<string, ((given: Given) => [result: object, text?: string]) | undefined> =
  {
    retireDataKey: ({ dataKeyNumber }) => [
      { dataKeyNumber, retired: true },
      `Key ${String(dataKeyNumber)} is deleted`,
    ],
    revokeApiKey: ({ apiKeyId }) => [{ apiKeyId, revoked: true }, `${String(apiKeyId)} is revoked`],
    revokeOpsKey: ({ opsKeyId }) => [{ opsKeyId, revoked: true }, `${String(opsKeyId)} is revoked`],
    unlinkExport: ({ exportId }) => [{ exportId, links: 'revoked' }],
  };

/** The lines of a table for an item, if they are not the item itself. */
export const LINES: Record<string, ((item: never, given: Given) => object[]) | undefined> = {
  listDeposits: depositLines,
};

/** Notes beside the answer, such as the next step. */
export const NOTES: Table<string | undefined, [given: Given, out: Output]> = {
  getOverview: ({ unavailable }) =>
    unavailable.length === 0
      ? undefined
      : unavailable
          .map((service) => `${service} did not answer: its part is missing; try again`)
          .join('\n'),
  listStaffRoots: ({ warning }) => (warning === null ? undefined : `\n${rootsWarning(warning)}`),
  showDeposit: ({ status }, _given, out) =>
    status === 'unmatched' && !out.json
      ? 'candidates: fiado deposits assign <depositId> --corner-store <cornerStoreId>'
      : undefined,
  startExport: ({ exportId }, { exportKind }) =>
    `\nThe file: fiado exports download ${String(exportKind)} ${exportId}`,
} satisfies ByOperation<string | undefined, [given: Given, out: Output]>;

/** The meaning of `warning` of listStaffRoots, and what to do. */
export function rootsWarning(warning: string): string {
  return warning === 'too-few-roots'
    ? 'WARNING: fewer than two people are known to be two, so one human may count as two ' +
        '(docs/operations/ops-keys.md, People). See: fiado staff roots'
    : 'WARNING: people or keys have no root: nobody can approve what they ask for, nor can they approve. ' +
        'Invite these people again, and replace these keys. See: fiado staff roots';
}

/** With --status conflicting also a line for each body that its provider sent under the same claveDePago. */
function depositLines(deposit: ItemOf<'listDeposits', 'deposits'>, { status }: Given): object[] {
  if (status !== 'conflicting') return [deposit];
  const { depositId, paymentProvider, conflicts } = deposit;
  const shared = { depositId, paymentProvider, status };
  return [
    deposit,
    ...conflicts.map(({ valor, ...one }) => ({
      ...one,
      ...shared,
      ...(valor !== null && { valor }),
    })),
  ];
}

function flowsText({ flows }: AnswerOf<'listPortfolioFlows'>): string {
  const lines = flows.map(({ delivered, credited, collected, writtenOff, ...flow }) => ({
    ...flow,
    delivered: delivered.principal,
    credited: credited.principal,
    collected: collected.principal,
    collectedInterests: collected.interests,
    writtenOff: writtenOff.principal,
  }));
  return tableOf(lines, [
    'day',
    'delivered',
    'credited',
    'collected',
    'collectedInterests',
    'writtenOff',
    'recovered',
    'cash',
  ]);
}

function storeText({
  cornerStore,
  wholesalers,
  credit,
  debts,
}: AnswerOf<'getCornerStoreOverview'>): string {
  const nameOf = new Map(wholesalers.map(({ wholesalerId, name }) => [wholesalerId, name]));
  return recordOf({
    ...cornerStore,
    ...credit,
    ...debts,
    customers: cornerStore.customers
      .map(({ wholesalerId, externalId }) => `${externalId} (${nameOf.get(wholesalerId)})`)
      .join(', '),
  });
}

function dataKeysText({ dataKeys, sealingServices, missing }: AnswerOf<'showDataKeys'>): string {
  return [
    ...dataKeys.map(
      ({ dataKeyNumber, createdAt, sealingFrom }) =>
        `key ${dataKeyNumber}, made ${createdAt}, ${sealingFrom === null ? 'not in use yet' : `in use since ${sealingFrom}`}`,
    ),
    ...sealingServices.map((service) =>
      (['service', 'heldNumber', 'sealingNumber', 'oldRows'] as const)
        .map((column) => `${column} ${service[column]}`)
        .join('  '),
    ),
    ...missing.map((service) => `${service} does not answer`),
  ].join('\n');
}

function portfolioText(portfolio: AnswerOf<'showPortfolio'>): string {
  const { asOf, outstanding, buckets, par, writtenOff } = portfolio;
  return [
    `end of ${asOf}`,
    tableOf(buckets, ['bucket', 'debts', 'principal', 'interests', 'IVAAmount']),
    '',
    `outstanding principal  ${amountText(outstanding)}`,
    ...Object.entries(par).map(
      ([name, { amount, ratio }]) =>
        `${name.toUpperCase().padEnd(21)}  ${amountText(amount)}` +
        (ratio === null ? '' : `  ${(ratio * 100).toFixed(2)} %`),
    ),
    `written off            ${amountText(writtenOff)}`,
  ].join('\n');
}

function overviewText(overview: AnswerOf<'getOverview'>): string {
  const { day, waiting, orders, payments, messages } = overview;
  return [
    'waiting for ops',
    ...Object.entries(waiting).map(([name, value]) => line(name, value)),
    '',
    day,
    line('orders', orders && `${orders.orders}, ${amountText(orders.totalAmount)}`),
    line(
      'deliveries',
      payments && `${payments.deliveries}, ${amountText(payments.deliveredAmount)}`,
    ),
    line('deposits', payments && `${payments.deposits}, ${amountText(payments.depositedAmount)}`),
    line(
      'SMS',
      messages && `${messages.sent} sent, ${messages.failed} failed, ${messages.pending} pending`,
    ),
    '',
    'debts by days overdue',
    ...(payments?.ageing ?? []).map(({ days, receivables, amountDue }) =>
      line(days, `${receivables}, ${amountText(amountDue)}`),
    ),
    line('outstanding', payments && amountText(payments.outstandingAmount)),
    line(
      'PAR30',
      payments?.par30 == null
        ? null
        : `${(payments.par30 * 100).toFixed(2)} % at the end of ${payments.par30AsOf}`,
    ),
  ].join('\n');
}

/** Characters of the longest name. */
const WIDTH = 'oldestUnmatchedSeconds'.length;

function line(name: string, value: string | number | null): string {
  return `  ${name.padEnd(WIDTH)}  ${value ?? '-'}`;
}
