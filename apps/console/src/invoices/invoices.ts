import { html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { choiceFilter, daysFilter, listFilters } from '../frame/filters';
import { link, textOf } from '../frame/formats';
import { type Column, listPage } from '../frame/lists';
import { wholesalerChoices, wholesalerFilter } from '../frame/names';
import { show, type Route } from '../frame/serve';
import { queryOf, type Page, type Visit } from '../frame/visit';
import { say, stateBadge } from '../frame/words';
import { cancellationOf, kindOf } from '../orders/invoice';

export const invoiceRoutes: Route[] = [show('/facturas', showInvoices)];

const STATES = ['todas', 'failed', 'pending', 'issued'] as const;

/** What the list and the home page ask for: a failed one whose order ended is nobody's to correct. */
export const FAILED = { status: 'failed', invoiceable: 'true' } as const;

/** Invoices and receipts of all wholesalers, newest first. */
async function showInvoices(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const kinds = [
    ['invoice', say('Factura', 'Invoice')],
    ['receipt', say('Recibo', 'Receipt')],
  ] as const;
  const { asked, status, chips } = listFilters(visit, '/facturas', {
    states: STATES,
    kind: 'invoice',
    all: say('Todas', 'All'),
    filters: [
      choiceFilter(visit, 'kind', say('Tipo', 'Kind'), kinds),
      choiceFilter(visit, 'cancellation', say('Cancelación', 'Cancellation'), [
        ['rejected', say('No se pudo cancelar', 'Could not be cancelled')],
      ]),
      wholesalerFilter(visit, await wholesalerChoices(visit)),
      daysFilter(visit),
    ],
  });
  const kind = kinds.find(([one]) => one === queryOf(visit, 'kind'))?.[0];
  return listPage(visit, {
    title: say('Facturas', 'Invoices'),
    lead:
      status === 'failed'
        ? say(
            'No se emitieron y su pedido sigue en pie: el mayorista corrige los datos y las pide otra vez.',
            'Not issued, of orders that stand: the wholesaler corrects the data and asks for them again.',
          )
        : say(
            'Las facturas y los recibos que los mayoristas dan por sus pedidos.',
            'The invoices and receipts that wholesalers give for their orders.',
          ),
    list: (page) =>
      viewer.ops.invoices.list({
        ...asked,
        ...(status === 'failed' && FAILED),
        ...(kind !== undefined && { kind }),
        ...(queryOf(visit, 'cancellation') !== '' && { cancellation: 'rejected' as const }),
        ...page,
      }),
    rowsOf: ({ invoices }) => invoices,
    before: chips,
    empty: say('Ninguna factura así.', 'No such invoice.'),
    columns: columnsIn(),
  });
}

function columnsIn(): Array<Column<ItemOf<'listOpsInvoices', 'invoices'>>> {
  return [
    [
      say('Pedido', 'Order'),
      ({ transactionId, wholesalerTransactionId: theirs }) =>
        link(`/pedidos/${transactionId}`, theirs ?? say('Un pedido', 'An order')),
      'name',
    ],
    [say('Hecha', 'Made'), 'createdAt', 'when'],
    [say('Mayorista', 'Wholesaler'), 'wholesaler'],
    [say('Qué es', 'What it is'), (invoice) => kindOf(invoice)],
    [
      say('Estado', 'State'),
      (invoice) =>
        html`${stateBadge('invoice', invoice.status)} <small>${cancellationOf(invoice)}</small>`,
      'state',
    ],
    [
      say('Motivo', 'Reason'),
      ({ failureReason, lastError }) => textOf(failureReason ?? lastError ?? ''),
    ],
    [say('Total', 'Total'), 'total', 'money'],
  ];
}
