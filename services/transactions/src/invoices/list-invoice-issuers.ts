import { query } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { transactionFields } from '../orders/order-view';
import { SIMULATED } from './invoice-provider';

/** `shared`: the key of the settings, under one tax id for all; the next release ends it. */
const ISSUERS = ['own', 'shared', 'simulated', 'none'] as const;

export const listInvoiceIssuersEndpoint = listEndpoint({
  id: 'listInvoiceIssuers',
  as: 'invoices.issuers',
  columns: ['wholesalerId', 'wholesaler', 'issuer'],
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/invoice-issuers',
  scope: 'viewer',
  summary: 'List who issues the invoices of each wholesaler, newest wholesalers first',
  query: PageQuery,
  page: 'InvoiceIssuerPage',
  items: {
    invoiceIssuers: t.field(
      t.object('WholesalerIssuer', {
        wholesalerId: fields.wholesalerId,
        wholesaler: transactionFields.wholesaler,
        issuer: t.field(
          t.oneOf(ISSUERS),
          '`own`: the wholesaler’s own account at the provider. `shared`: `FACTURAPI_KEY`, under one tax id for all, ' +
            'until the next release. `simulated`: no document exists. `none`: `createInvoice` is refused',
        ),
      }),
      'Wholesalers, newest first',
    ),
  },
  input: ({ query: asked }) => asked,
  find: async ({ db }: Context, { cursor, limit }) =>
    pageOf(
      await query<{ id: string; name: string; hasOwn: boolean }>(
        db,
        `SELECT w.wholesaler_id AS id, w.name, i.wholesaler_id IS NOT NULL AS "hasOwn"
           FROM wholesalers w LEFT JOIN invoice_issuers i USING (wholesaler_id)
          WHERE $1::uuid IS NULL OR w.wholesaler_id < $1
          ORDER BY w.wholesaler_id DESC LIMIT $2`,
        [cursor ?? null, limit + 1],
      ),
      limit,
    ),
  present: ({ id, name, hasOwn }, { invoiceProvider }) => ({
    wholesalerId: id,
    wholesaler: name,
    issuer: hasOwn ? ('own' as const) : issuerOf(invoiceProvider?.name),
  }),
});

function issuerOf(provider: string | undefined): (typeof ISSUERS)[number] {
  if (provider === undefined) return 'none';
  return provider === SIMULATED ? 'simulated' : 'shared';
}
