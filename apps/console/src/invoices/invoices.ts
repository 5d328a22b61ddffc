import { type Choices, daysFilter, stateIn, type States } from '../frame/filters';
import { textOf } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { wholesalerFilter } from '../frame/names';
import type { Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';
import { cancellationOf, kindOf } from '../orders/invoice';

export const invoiceRoutes: Route[] = [list('/facturas', invoicesOf)];

/** What the list and the home page ask for: a failed one whose order ended is nobody's to correct. */
export const FAILED = { status: 'failed', invoiceable: 'true' } as const;

/** Invoices and receipts of all wholesalers, newest first. */
function invoicesOf(visit: Visit): Listing<'listOpsInvoices'> {
  const states: States = {
    kind: 'invoice',
    all: say('Todas', 'All'),
    shown: ['todas', 'failed', 'pending', 'issued'],
    asks: { failed: FAILED },
  };
  const kinds: Choices = [
    ['invoice', say('Factura', 'Invoice')],
    ['receipt', say('Recibo', 'Receipt')],
  ];
  const cancellations: Choices = [
    ['rejected', say('No se pudo cancelar', 'Could not be cancelled')],
  ];
  return {
    of: 'listOpsInvoices',
    title: say('Facturas', 'Invoices'),
    lead:
      stateIn(visit, states) === 'failed'
        ? say(
            'No se emitieron y su pedido sigue en pie: el mayorista corrige los datos y las pide otra vez.',
            'Not issued, of orders that stand: the wholesaler corrects the data and asks for them again.',
          )
        : say(
            'Las facturas y los recibos que los mayoristas dan por sus pedidos.',
            'The invoices and receipts that wholesalers give for their orders.',
          ),
    states,
    filters: [
      ['kind', say('Tipo', 'Kind'), 'kind', kinds],
      ['cancellation', say('Cancelación', 'Cancellation'), 'cancellation', cancellations],
      wholesalerFilter(visit),
      daysFilter(visit),
    ],
    empty: say('Ninguna factura así.', 'No such invoice.'),
    href: ({ transactionId }) => `/pedidos/${transactionId}`,
    columns: [
      [
        say('Pedido', 'Order'),
        ({ wholesalerTransactionId: theirs }) => theirs ?? say('Un pedido', 'An order'),
        'name',
      ],
      [say('Hecha', 'Made'), 'createdAt', 'when'],
      [say('Mayorista', 'Wholesaler'), 'wholesaler'],
      [say('Qué es', 'What it is'), kindOf],
      [say('Estado', 'State'), 'status', 'invoice'],
      ['', cancellationOf, 'note'],
      [
        say('Motivo', 'Reason'),
        ({ failureReason, lastError }) => textOf(failureReason ?? lastError),
      ],
      [say('Total', 'Total'), 'total', 'money'],
    ],
  };
}
