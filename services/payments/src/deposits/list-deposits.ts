import { IsIn, IsOptional } from 'class-validator';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { amountOf } from '@fiado/contracts/money';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  DEPOSIT_STATUSES,
  depositFields,
  type DepositView,
  exampleDeposit,
  exampleNotice,
  KEPT_REFERENCE_LENGTH,
  noticeFields,
  presentDeposit,
} from './deposit';
import { PENDING_CHANGE } from './deposit-changes';

/** Filters of a list of deposits: a status, or conflicting bodies of a provider. */
const DEPOSIT_FILTERS = [...DEPOSIT_STATUSES, 'conflicting'] as const;

class ListDepositsQuery extends PageQuery {
  @IsOptional()
  @IsIn(DEPOSIT_FILTERS)
  status?: DepositFilter;
}

/** With the refused bodies that its provider sent under the same claveDePago. */
const listedDeposit = t.object('ListedDeposit', {
  ...depositFields,
  conflicts: t.listOf(t.object('DepositConflict', noticeFields)),
  pendingChange,
});

export const listDepositsEndpoint = endpoint({
  id: 'listDeposits',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/deposits',
  scope: 'viewer',
  summary: 'List deposits, newest first',
  description:
    '`status=conflicting` lists the deposits whose provider sent another body under the same ' +
    '`claveDePago`: `conflicts` has those bodies, up to 20, which were refused with ' +
    '`DEPOSIT_CONFLICT`. `reason` is why a deposit is unmatched: its references are `unknown`, or ' +
    '`ambiguous` because they lead to several users, or it is `above-ceiling`: more than 10,000 pesos and more than three times what its user owes. ' +
    'References are shown up to 1,000 characters.',
  query: ListDepositsQuery,
  answer: t.page('DepositPage', { deposits: t.listOf(listedDeposit) }),
  example: {
    deposits: [
      {
        ...exampleDeposit,
        conflicts: [{ ...exampleNotice, valor: 592, receivedAt: '2026-10-02T15:35:12.345Z' }],
        pendingChange: null,
      },
    ],
    nextCursor: null,
  },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { status: filter, cursor, limit }) => {
    await requireCursor(db, cursor, 'deposits');
    const found = await query<ListedDeposit>(
      db,
      `SELECT id, provider_name, id_factura, numero_referencia, valor_cents, fecha_pago,
              clave_de_pago, status, unmatched_reason, received_at, ${PENDING_CHANGE},
              (SELECT coalesce(json_agg(json_build_object(
                        'idFactura', left(body::json ->> 'idFactura', $4),
                        'numeroReferencia', left(body::json ->> 'numeroReferencia', $4),
                        'valorCents', ((body::json ->> 'valor')::numeric * 100)::bigint,
                        'fechaPago', body::json ->> 'fechaPago',
                        'receivedAt', c.received_at) ORDER BY c.received_at, c.body_hash), '[]')
                 FROM deposit_conflicts c WHERE c.deposit_id = deposits.id) AS conflicts
         FROM deposits
        WHERE ($1::text IS NULL OR status = $1)
          AND (NOT $5::boolean OR id IN (SELECT deposit_id FROM deposit_conflicts))
          -- By the row and not by its time: a JSON time is cut to milliseconds.
          AND ($2::uuid IS NULL
               OR (received_at, id) < (SELECT received_at, id FROM deposits WHERE id = $2))
        ORDER BY received_at DESC, id DESC LIMIT $3`,
      [
        filter === 'conflicting' ? null : (filter ?? null),
        cursor ?? null,
        limit + 1,
        KEPT_REFERENCE_LENGTH,
        filter === 'conflicting',
      ],
    );
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({
    deposits: page.map((deposit) => ({
      ...presentDeposit(deposit),
      pendingChange: presentPendingChange(deposit.pendingChange),
      conflicts: deposit.conflicts.map((conflict) => ({
        idFactura: conflict.idFactura,
        numeroReferencia: conflict.numeroReferencia,
        valor: amountOf(conflict.valorCents),
        fechaPago: conflict.fechaPago,
        claveDePago: deposit.claveDePago,
        receivedAt: new Date(conflict.receivedAt).toISOString(),
      })),
    })),
    nextCursor,
  }),
});

type DepositFilter = (typeof DEPOSIT_FILTERS)[number];

/** A body that was refused because its claveDePago already had another. */
interface DepositConflict {
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
  fechaPago: string;
  /** ISO 8601. */
  receivedAt: string;
}

interface ListedDeposit extends DepositView {
  /** In the order of their arrival. */
  conflicts: DepositConflict[];
  pendingChange: PendingChange | null;
}
