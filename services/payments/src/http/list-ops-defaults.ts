import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsDateText } from '@fiado/contracts/decorators';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import {
  DEFAULT_STATUSES,
  listOpsDefaults,
  type DefaultStatus,
  type OpsDefault,
} from '../db/ops-defaults.repository';
import { daysOverdue } from '../domain/due-day';
import { exampleReceivable } from './ops-receivable-answer';

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
