import { Matches } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { validInstance } from '@fiado/chassis/validation';
import { About } from '@fiado/contracts/about';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';

/** Defaults of one page. */
const PAGE_SIZE = 20;
/** Every page from here on is past the end. Limits the number to what Postgres' OFFSET accepts. */
const LAST_PAGE = 1_000_000_000;

class DefaultInformationQuery {
  @About(
    'Number of the page, from 1. `pageNumber` and `page_number` are the same, in any capitals',
    '1',
  )
  @Matches(/^[1-9]\d*$/, { message: 'page must be a positive integer' })
  page = '1';
}

/** What wholesalers and ops read of a default. */
export const defaultFields = {
  paymentDefaultAmount: t.field(t.pesos, 'What was owed when the default was opened', 529),
  paymentDefaultCreatedDate: t.time(
    'Time at which the default was opened',
    '2026-10-06T06:00:00.000Z',
  ),
  paymentDefaultPaidDate: t.timeOrNull(
    'Time at which it was paid; null while it is open',
    '2026-12-10T17:00:00.000Z',
  ),
};

const paymentDefault = t.object('PaymentDefault', {
  userId: fields.userId,
  ...defaultFields,
  externalId: fields.externalId,
});

export const getDefaultInformationEndpoint = endpoint({
  id: 'getDefaultInformation',
  as: 'cornerStores.listDefaults',
  tag: 'Corner stores',
  route: 'GET /v1/corner-store/default-information',
  scope: 'payments:read',
  names: {},
  summary: 'List overdue debts, open and paid',
  description:
    'Newest first, 20 on a page. A page past the end is empty. A default whose debt was paid in time, as its provider told ' +
    'later, is not listed any more (`default.withdrawn`).',
  query: DefaultInformationQuery,
  answer: t.object('PaymentDefaultPage', {
    paymentDefaults: t.list(paymentDefault, 'Defaults, newest first, 20 on a page'),
    totalPages: t.field(t.count, 'Number of pages; 0 if there is none', 1),
    totalElements: t.field(t.count, 'Number of items on all pages', 1),
    last: t.field(t.flag, 'Whether this is the last page'),
    first: t.field(t.flag, 'Whether this is the first page'),
  }),
  example: { paymentDefaults: [{ paymentDefaultPaidDate: null }] },
  input: ({ parameters, caller }) => ({
    page: Math.min(pageNumberOf(parameters), LAST_PAGE),
    wholesalerId: caller.id,
  }),
  handle: async ({ db }: Context, { page, wholesalerId }) => {
    // One statement: the page and the total are of one snapshot.
    const rows = await query<DefaultView & { id: string | null; total: number }>(
      db,
      `SELECT all_of_it.total, page.*
         FROM (SELECT count(*) AS total FROM payment_defaults d
                WHERE wholesaler_id = $1 AND ${STANDS}) all_of_it
         -- A page past the end still returns the total.
         LEFT JOIN LATERAL (
           SELECT id, user_id, amount_cents, opened_at AS "openedAt", paid_at, external_id
             FROM payment_defaults d WHERE wholesaler_id = $1 AND ${STANDS}
            ORDER BY opened_at DESC, id DESC LIMIT $2 OFFSET $3) page ON true
        ORDER BY page."openedAt" DESC, page.id DESC`,
      [wholesalerId, PAGE_SIZE, (page - 1) * PAGE_SIZE],
    );
    return { page, defaults: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  },
  present: ({ page, defaults, total }) => {
    const totalPages = Math.ceil(total / PAGE_SIZE);
    return {
      paymentDefaults: defaults.map(presentDefault),
      totalPages,
      totalElements: total,
      last: page >= totalPages,
      first: page === 1,
    };
  },
});

/**
 * The page, from 1. The specification describes the parameter without its name, so it is taken by each
 * name that clients guess. Another parameter is refused: one that is ignored shows page 1 for ever.
 * @throws ValidationError for another parameter, for two pages, and for what is no page
 */
function pageNumberOf(parameters: Readonly<Record<string, unknown>>): number {
  const sent = Object.entries(parameters);
  const others = sent.filter(([name]) => !PAGE_NAME.test(name));
  const pages = new Set(sent.flatMap(([name, value]) => (PAGE_NAME.test(name) ? [value] : [])));
  const page = pages.size > 1 ? [...pages] : [...pages][0];
  const query = { ...Object.fromEntries(others), ...(page !== undefined && { page }) };
  return Number(validInstance(DefaultInformationQuery, query, 'refuse').page);
}

const PAGE_NAME = /^page(_?number)?$/i;

/** SQL: whether default `d` was not withdrawn. */
const STANDS = `NOT EXISTS (SELECT FROM default_withdrawals w WHERE w.default_id = d.id)`;

/** A default as its wholesaler reads it. Amount in cents, as of its opening. */
export interface DefaultView {
  userId: string;
  amountCents: number;
  openedAt: Date;
  paidAt: Date | null;
  externalId: string;
}

export function presentDefault(view: DefaultView): t.AnswerOf<typeof paymentDefault> {
  return {
    userId: view.userId,
    paymentDefaultAmount: amountOf(view.amountCents),
    paymentDefaultCreatedDate: view.openedAt.toISOString(),
    paymentDefaultPaidDate: view.paidAt?.toISOString() ?? null,
    externalId: view.externalId,
  };
}
