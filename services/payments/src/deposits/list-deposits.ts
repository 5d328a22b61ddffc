import { pendingChangeOf } from '@fiado/chassis/outbox/waiting-changes';
import { IsIn, IsOptional, Matches } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { IsText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { CountedPageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { plainReference } from '../debts/payment-reference.rules';
import {
  DEPOSIT_COLUMNS,
  DEPOSIT_STATUSES,
  depositFields,
  type DepositView,
  exampleDeposit,
  KEPT_REFERENCE_LENGTH,
  noticeFields,
  presentDeposit,
} from './deposit';
import { presentReversalRequest, type ReversalRequest, reversalRequest } from './own-deposit';
import { REVERSAL_REQUEST } from './reversal-requests.sql';

/** Filters of a list of deposits: a status, conflicting bodies of a provider, or a reversal that it asks for. */
const DEPOSIT_FILTERS = [...DEPOSIT_STATUSES, 'conflicting', 'reversal-requested'] as const;

/** An array, so that the few are looked up by their ids and not all deposits compared with them. */
const IS_FILTERED: Partial<Record<DepositFilter, string>> = {
  conflicting: 'id = ANY (ARRAY(SELECT deposit_id FROM deposit_conflicts))',
  'reversal-requested': `status <> 'reversed'
    AND id = ANY (ARRAY(SELECT deposit_id FROM reversal_requests WHERE refused_at IS NULL))`,
};

/** Longer than the name of a provider, in characters. */
const MAX_PROVIDER_NAME = 200;

/** Longer than an ISO 8601 timestamp, in characters. */
const MAX_MOMENT = 40;

/** Pesos in an address. */
const AMOUNT = /^\d{1,10}(\.\d{1,2})?$/;

/** The unmatched deposits that have a reference in either field; each has an index. */
const HAS_REFERENCE = `id = ANY (ARRAY(
  SELECT id FROM deposits WHERE status = 'unmatched' AND numero_referencia = ANY ($)
   UNION SELECT id FROM deposits WHERE status = 'unmatched' AND id_factura = ANY ($)))`;

const SORTS = ['-receivedAt', 'receivedAt', '-valor', 'valor'] as const;

class ListDepositsQuery extends CountedPageQuery {
  @IsOptional()
  @IsIn(DEPOSIT_FILTERS)
  status?: DepositFilter;

  @About('Only deposits of the provider with this name', 'Acme')
  @IsOptional()
  @IsText(MAX_PROVIDER_NAME)
  paymentProvider?: string;

  @About('Only unmatched deposits of this amount in pesos; with `status=unmatched`', '529.00')
  @IsOptional()
  @Matches(AMOUNT, { message: 'amount must be pesos, such as 529 or 529.50' })
  amount?: string;

  @About('Only unmatched deposits with this reference; with `status=unmatched`', '830274915602')
  @IsOptional()
  @IsText(KEPT_REFERENCE_LENGTH)
  reference?: string;

  /** First day or moment of their arrival. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  from?: string;

  /** Day or moment before which they arrived. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  to?: string;

  @About(
    'Field to sort by, with `-` the latest or largest first; `valor` with `status=unmatched`',
    '-valor',
  )
  @IsOptional()
  @IsIn(SORTS)
  sort?: (typeof SORTS)[number];
}

/** With the refused bodies that its provider sent under the same claveDePago. */
const listedDeposit = t.object('ListedDeposit', {
  ...depositFields,
  cornerStoreId: t.nullable(fields.cornerStoreId),
  conflicts: t.list(
    t.object('DepositConflict', {
      ...noticeFields,
      valor: t.field(
        t.nullable(t.pesos),
        'Amount that it named; null, and the texts empty, once the payer was erased',
        592,
      ),
    }),
    'Later deposits of the same `claveDePago` with another body; they were refused',
  ),
  pendingChange,
  reversalRequest,
});

export const listDepositsEndpoint = listEndpoint({
  id: 'listDeposits',
  as: 'deposits.list',
  columns: [
    'depositId',
    'status',
    'reason',
    'valor',
    'paymentProvider',
    'idFactura',
    'numeroReferencia',
    'claveDePago',
    'fechaPago',
    'receivedAt',
  ],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/deposits',
  scope: 'viewer',
  summary: 'List deposits, newest first',
  description:
    '`status=conflicting` lists the deposits whose provider sent another body under the same ' +
    '`claveDePago`: `conflicts` has those bodies, up to 20, which were refused with ' +
    '`DEPOSIT_CONFLICT`. `status=reversal-requested` lists those whose provider asked for a reversal that nobody ' +
    'has decided. `reason` is why a deposit is unmatched: its references are `unknown`, or ' +
    '`ambiguous` because they lead to several users, or it is `above-ceiling`: more than 10,000 pesos and more than three times what its user owes; `possible-duplicate` is one whose provider, references, ' +
    'amount and time are those of another deposit (`possibleDuplicateOf`). ' +
    '`from` is included, `to` is not; a date means the start of that day in the time zone of the lender. ' +
    'References are shown up to 1,000 characters. `totals` adds up `valor`.',
  query: ListDepositsQuery,
  page: 'DepositPage',
  items: { deposits: t.field(listedDeposit, 'Deposits') },
  totals: true,
  example: {
    ...exampleDeposit,
    cornerStoreId: null,
    conflicts: [{ receivedAt: '2026-10-02T15:35:12.345Z' }],
  },
  input: ({ query: { from, to, amount, ...query } }, { config: { TIME_ZONE } }: Context) => ({
    ...query,
    amountCents: amount === undefined ? undefined : centsOf(Number(amount)),
    from: readDate('from', from, TIME_ZONE),
    to: readDate('to', to, TIME_ZONE),
  }),
  find: ({ db }: Context, { status: filter, paymentProvider, from, to, ...more }) => {
    const { amountCents, reference, sort = '-receivedAt', ...asked } = more;
    const isByAmount = sort.endsWith('valor');
    if (isByAmount && filter !== 'unmatched') {
      throw new ValidationError(['sort by valor needs the status unmatched']);
    }
    if (filter !== 'unmatched' && (amountCents !== undefined || reference !== undefined)) {
      throw new ValidationError([
        'amount and reference look among the unmatched: status must be unmatched',
      ]);
    }
    const isFiltered = filter && IS_FILTERED[filter];
    const ofStatus = isFiltered === undefined ? { 'status = $': filter } : { [isFiltered]: true };
    // Nearly all deposits are applied, and no index has them apart.
    const isIndexed = filter !== 'applied';
    return pageOfRows<ListedDeposit>(db, asked, {
      select: SELECT_LISTED,
      from: 'deposits',
      where: {
        ...(isIndexed && ofStatus),
        'valor_cents = $': amountCents,
        [HAS_REFERENCE]:
          reference === undefined ? undefined : [reference, plainReference(reference)],
        'received_at >= $': from,
        'received_at < $': to,
      },
      unindexed: { ...(!isIndexed && ofStatus), 'provider_name = $': paymentProvider },
      totals: { cents: 'valor_cents' },
      by: isByAmount ? 'valor_cents' : 'received_at',
      oldestFirst: !sort.startsWith('-'),
    });
  },
  present: (deposit) => ({
    ...presentDeposit(deposit),
    cornerStoreId: deposit.cornerStoreId,
    pendingChange: presentPendingChange(deposit.pendingChange),
    reversalRequest: presentReversalRequest(deposit.reversalRequest, deposit.status),
    conflicts: deposit.conflicts.map((conflict) => ({
      idFactura: conflict.idFactura ?? '',
      numeroReferencia: conflict.numeroReferencia ?? '',
      valor: conflict.valorCents === null ? null : amountOf(conflict.valorCents),
      fechaPago: conflict.fechaPago ?? '',
      claveDePago: deposit.claveDePago,
      receivedAt: new Date(conflict.receivedAt).toISOString(),
    })),
  }),
});

const SELECT_LISTED = `
  SELECT ${DEPOSIT_COLUMNS},
         ${pendingChangeOf('deposits.id')} AS "pendingChange", ${REVERSAL_REQUEST},
         (SELECT corner_store_id FROM credit_balances b WHERE b.user_id = deposits.user_id),
         (SELECT coalesce(json_agg(json_build_object(
                   'idFactura', left(sent ->> 'idFactura', ${KEPT_REFERENCE_LENGTH}),
                   'numeroReferencia', left(sent ->> 'numeroReferencia', ${KEPT_REFERENCE_LENGTH}),
                   'valorCents', ((sent ->> 'valor')::numeric * 100)::bigint,
                   'fechaPago', sent ->> 'fechaPago',
                   'receivedAt', c.received_at) ORDER BY c.received_at, c.body_hash), '[]')
            -- An erasure leaves an empty text.
            FROM deposit_conflicts c, LATERAL (SELECT nullif(c.body, '')::json AS sent) body
           WHERE c.deposit_id = deposits.id) AS conflicts
    FROM deposits`;

type DepositFilter = (typeof DEPOSIT_FILTERS)[number];

/** A body that was refused because its claveDePago already had another; of an erased payer only its time is known. */
interface DepositConflict {
  idFactura: string | null;
  numeroReferencia: string | null;
  valorCents: number | null;
  fechaPago: string | null;
  /** ISO 8601. */
  receivedAt: string;
}

interface ListedDeposit extends DepositView {
  /** In the order of their arrival. */
  conflicts: DepositConflict[];
  /** Null while it belongs to nobody. */
  cornerStoreId: string | null;
  pendingChange: PendingChange | null;
  reversalRequest: ReversalRequest | null;
}
