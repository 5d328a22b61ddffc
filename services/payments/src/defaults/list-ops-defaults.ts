import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsDateText } from '@fiado/contracts/decorators';
import { amountOf } from '@fiado/contracts/money';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { daysOverdue, type Due } from '../debts/due.rules';
import { DUE, exampleReceivable } from '../debts/receivable';

const DEFAULT_STATUSES = ['open', 'closed'] as const;

const STATUS_CONDITIONS: Record<DefaultStatus, string> = {
  open: 'd.paid_at IS NULL',
  closed: 'd.paid_at IS NOT NULL',
};

class ListDefaultsQuery extends PageQuery {
  @IsOptional()
  @IsIn(DEFAULT_STATUSES)
  status?: DefaultStatus;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  /** First day or moment on which it was opened. */
  @IsOptional()
  @IsDateText()
  since?: string;
}

const defaultAnswer = t.object('OpsDefault', {
  defaultId: t.uuid,
  receivableId: t.uuid,
  transactionId: t.uuid,
  wholesalerId: t.uuid,
  cornerStoreId: t.uuid,
  userId: t.uuid,
  externalId: t.text,
  status: t.oneOf(DEFAULT_STATUSES),
  paymentDefaultAmount: t.pesos,
  amountDue: t.pesos,
  daysOverdue: t.count,
  paymentDate: t.timestamp,
  paymentTimeZone: t.text,
  paymentDefaultCreatedDate: t.timestamp,
  paymentDefaultPaidDate: t.nullable(t.timestamp),
});

const { receivableId, transactionId, wholesalerId, cornerStoreId, userId, externalId } =
  exampleReceivable;

export const listOpsDefaultsEndpoint = endpoint({
  id: 'listOpsDefaults',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/defaults',
  scope: 'viewer',
  summary: 'List the defaults of all wholesalers, newest first',
  query: ListDefaultsQuery,
  answer: t.page('OpsDefaultPage', { paymentDefaults: t.listOf(defaultAnswer) }),
  example: {
    paymentDefaults: [
      {
        defaultId: '0199e2c4-9d4e-7f50-8b62-738495061728',
        receivableId,
        transactionId,
        wholesalerId,
        cornerStoreId,
        userId,
        externalId,
        status: 'open',
        paymentDefaultAmount: 529,
        amountDue: 529,
        daysOverdue: 3,
        paymentDate: '2026-10-06T05:59:59.999Z',
        paymentTimeZone: 'America/Mexico_City',
        paymentDefaultCreatedDate: '2026-10-06T06:00:00.000Z',
        paymentDefaultPaidDate: null,
      },
    ],
    nextCursor: null,
  },
  input: ({ query: { since, cursor, limit, ...filter } }, { config }: Context) => ({
    cursor,
    limit,
    filter: { ...filter, since: readDate('since', since, config.TIME_ZONE) },
  }),
  handle: async ({ db, clock }: Context, { filter, cursor, limit }) => {
    await requireCursor(db, cursor, 'payment_defaults');
    const found = await listOpsDefaults(db, { filter, cursor, limit: limit + 1 });
    return { now: clock.now(), ...pageOf(found, limit, ({ id }) => id) };
  },
  present: ({ now, page, nextCursor }, { config }: Context) => ({
    paymentDefaults: page.map((one) => presentOpsDefault(one, now, config.TIME_ZONE)),
    nextCursor,
  }),
});

function presentOpsDefault(
  found: OpsDefault,
  now: Date,
  installationZone: string,
): t.AnswerOf<typeof defaultAnswer> {
  return {
    defaultId: found.id,
    receivableId: found.receivableId,
    transactionId: found.transactionId,
    wholesalerId: found.wholesalerId,
    cornerStoreId: found.cornerStoreId,
    userId: found.userId,
    externalId: found.externalId,
    status: found.paidAt === null ? 'open' : 'closed',
    paymentDefaultAmount: amountOf(found.amountCents),
    amountDue: amountOf(found.outstandingCents),
    daysOverdue: daysOverdue(found, now, installationZone),
    paymentDate: found.dueAt.toISOString(),
    paymentTimeZone: found.timeZone ?? installationZone,
    paymentDefaultCreatedDate: found.openedAt.toISOString(),
    paymentDefaultPaidDate: found.paidAt?.toISOString() ?? null,
  };
}

type DefaultStatus = (typeof DEFAULT_STATUSES)[number];

/** A default as ops sees it. */
interface OpsDefault extends Due {
  id: string;
  receivableId: string;
  transactionId: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  /** What was owed when it was opened, in cents. */
  amountCents: number;
  /** What is owed now, in cents. */
  outstandingCents: number;
  openedAt: Date;
  paidAt: Date | null;
}

interface OpsDefaultFilter {
  status?: DefaultStatus | undefined;
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  /** Opened at or after. */
  since?: Date | undefined;
}

/** Defaults of all wholesalers, newest first. */
function listOpsDefaults(
  db: Db,
  {
    filter: { status, wholesalerId, cornerStoreId, since },
    cursor,
    limit,
  }: { filter: OpsDefaultFilter; cursor: string | undefined; limit: number },
): Promise<OpsDefault[]> {
  return query<OpsDefault>(
    db,
    `SELECT d.id, d.receivable_id, r.transaction_id, d.wholesaler_id, d.corner_store_id, d.user_id,
            d.external_id, d.amount_cents, d.opened_at, d.paid_at, ${DUE},
            r.principal_cents + r.interest_cents + r.iva_cents
              - r.paid_principal_cents - r.paid_interest_cents - r.paid_iva_cents
              AS outstanding_cents
       FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
      WHERE ${status === undefined ? 'true' : STATUS_CONDITIONS[status]}
        AND ($1::uuid IS NULL OR d.wholesaler_id = $1)
        AND ($2::uuid IS NULL OR d.corner_store_id = $2)
        AND ($3::timestamptz IS NULL OR d.opened_at >= $3)
        AND ($4::uuid IS NULL OR (d.opened_at, d.id) <
              (SELECT opened_at, id FROM payment_defaults WHERE id = $4))
      ORDER BY d.opened_at DESC, d.id DESC LIMIT $5`,
    [wholesalerId ?? null, cornerStoreId ?? null, since ?? null, cursor ?? null, limit],
  );
}
