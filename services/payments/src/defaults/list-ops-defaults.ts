import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsDateText } from '@fiado/contracts/decorators';
import { amountOf } from '@fiado/contracts/money';
import { PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { daysOverdue, type Due } from '../debts/due.rules';
import { DUE, type OpsReceivable, OUTSTANDING, receivableFields } from '../debts/receivable';
import { defaultFields } from './get-default-information';

const DEFAULT_STATUSES = ['open', 'closed', 'withdrawn'] as const;
type DefaultStatus = (typeof DEFAULT_STATUSES)[number];

const STATUS_CONDITIONS: Record<DefaultStatus, string> = {
  open: 'd.paid_at IS NULL',
  closed: 'd.paid_at IS NOT NULL AND w.default_id IS NULL',
  withdrawn: 'w.default_id IS NOT NULL',
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
  defaultId: t.id('Id of the default', '0199e2c4-9d4e-7f50-8b62-738495061728'),
  receivableId: fields.receivableId,
  transactionId: fields.transactionId,
  wholesalerId: fields.wholesalerId,
  cornerStoreId: fields.cornerStoreId,
  userId: fields.userId,
  externalId: fields.externalId,
  status: t.field(
    t.oneOf(DEFAULT_STATUSES),
    '`open` until the debt is paid in full, then `closed`; `withdrawn` when it was paid in time, and its provider told later',
  ),
  paymentDefaultAmount: defaultFields.paymentDefaultAmount,
  amountDue: receivableFields.amountDue,
  daysOverdue: receivableFields.daysOverdue,
  paymentDate: fields.paymentDate,
  paymentTimeZone: fields.paymentTimeZone,
  paymentDefaultCreatedDate: defaultFields.paymentDefaultCreatedDate,
  paymentDefaultPaidDate: defaultFields.paymentDefaultPaidDate,
  withdrawnAt: t.timeOrNull('Time at which it was withdrawn', '2026-10-06T12:05:00.000Z'),
  withdrawnBy: t.idOrNull(
    'Id of the deposit whose `fechaPago` shows that the debt was paid in time',
    'c0ffee00-1234-4abc-8def-0123456789ab',
  ),
});

/** A default as ops sees it. */
interface OpsDefault
  extends
    Due,
    Pick<OpsReceivable, 'id' | 'transactionId' | 'wholesalerId' | 'cornerStoreId' | 'userId'>,
    Pick<OpsReceivable, 'externalId' | 'outstandingCents' | 'openedAt' | 'paidAt'> {
  receivableId: string;
  withdrawnAt: Date | null;
  /** The deposit. */
  withdrawnBy: string | null;
  /** The amount that was owed when it was opened, in cents. */
  amountCents: number;
}

export const listOpsDefaultsEndpoint = listEndpoint({
  id: 'listOpsDefaults',
  as: 'defaults.list',
  columns: [
    'defaultId',
    'status',
    'daysOverdue',
    'amountDue',
    'paymentDefaultAmount',
    'paymentDefaultCreatedDate',
    'paymentDefaultPaidDate',
    'externalId',
    'cornerStoreId',
    'transactionId',
  ],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/defaults',
  scope: 'viewer',
  summary: 'List the defaults of all wholesalers, newest first',
  query: ListDefaultsQuery,
  page: 'OpsDefaultPage',
  items: { paymentDefaults: t.field(defaultAnswer, 'Defaults, newest first') },
  example: {
    paymentDefaultPaidDate: null,
    withdrawnAt: null,
    withdrawnBy: null,
  },
  input: ({ query: { since, ...query } }, { config }: Context) => ({
    ...query,
    since: readDate('since', since, config.TIME_ZONE),
  }),
  find: async (
    { db, clock }: Context,
    { status, wholesalerId, cornerStoreId, since, ...asked },
  ) => {
    const found = await pageOfRows<OpsDefault>(db, asked, {
      select: `
        SELECT d.id, d.receivable_id, r.transaction_id, d.wholesaler_id, d.corner_store_id,
               d.user_id, d.external_id, d.amount_cents, d.opened_at, d.paid_at,
               w.withdrawn_at, w.deposit_id AS "withdrawnBy", ${DUE},
               ${OUTSTANDING} AS outstanding_cents
          FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
          LEFT JOIN default_withdrawals w ON w.default_id = d.id`,
      from: 'payment_defaults d',
      where: {
        ...(status && { [STATUS_CONDITIONS[status]]: true }),
        'd.wholesaler_id = $': wholesalerId,
        'd.corner_store_id = $': cornerStoreId,
        'd.opened_at >= $': since,
      },
      by: 'opened_at',
    });
    return { now: clock.now(), ...found };
  },
  present: (found, { config }, { now }) =>
    t.presentRow(defaultAnswer, found, {
      defaultId: found.id,
      status: statusOf(found),
      paymentDefaultAmount: amountOf(found.amountCents),
      amountDue: amountOf(found.outstandingCents),
      daysOverdue: daysOverdue(found, now, config.TIME_ZONE),
      paymentDate: found.dueAt.toISOString(),
      paymentTimeZone: found.timeZone ?? config.TIME_ZONE,
      paymentDefaultCreatedDate: found.openedAt.toISOString(),
      paymentDefaultPaidDate: found.paidAt?.toISOString() ?? null,
    }),
});

function statusOf({ paidAt, withdrawnAt }: OpsDefault): DefaultStatus {
  if (paidAt === null) return 'open';
  return withdrawnAt === null ? 'closed' : 'withdrawn';
}
