import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { copyable, pesosOf, textOf, timeOf } from '../frame/formats';
import { card, factList } from '../frame/lists';
import type { Say } from '../frame/words';

type Invoice = NonNullable<AnswerOf<'showTransaction'>['invoice']>;

/** The document of an order for the tax authority: what it is, how far it is, and why it is no further. */
export function invoiceCard(invoice: Invoice | null | undefined, say: Say): Html {
  if (!invoice) return NOTHING;
  const { uuid, selfInvoiceUrl, issuedAt } = invoice;
  const why = invoice.failureReason ?? invoice.lastError;
  return card(
    say('Comprobante fiscal', 'Tax document'),
    factList([
      [say('Qué es', 'What it is'), kindOf(invoice, say)],
      [say('Estado', 'State'), stateOf(invoice, say)],
      why !== null && [say('Motivo', 'Reason'), textOf(why)],
      [say('Total', 'Total'), pesosOf(invoice.total)],
      uuid !== null && [say('Folio fiscal', 'Fiscal folio'), copyable(uuid)],
      issuedAt !== null && [say('Emitido', 'Issued'), timeOf(issuedAt)],
      selfInvoiceUrl !== null && [
        say('Autofactura', 'Self-invoice'),
        html`<span data-copy="${selfInvoiceUrl}">${selfInvoiceUrl}</span>`,
      ],
    ]),
  );
}

function kindOf({ kind, isSimulated }: Invoice, say: Say): string {
  if (isSimulated) return say('Simulado: no existe', 'Simulated: it does not exist');
  if (kind === null) return say('Todavía no se decide', 'Not decided yet');
  return kind === 'invoice'
    ? say('Factura a nombre de la tienda', 'Invoice in the name of the store')
    : say('Recibo sin nombre', 'Receipt in nobody’s name');
}

function stateOf({ status, cancellation }: Invoice, say: Say): string {
  if (status === 'pending') return say('Por emitirse', 'To be issued');
  if (status === 'failed') return say('No se emitió', 'Not issued');
  const words: Record<string, string> = {
    requested: say('Emitido; se pidió cancelarlo', 'Issued; its cancellation is asked for'),
    accepted: say('Cancelado', 'Cancelled'),
    rejected: say('Emitido; no se pudo cancelar', 'Issued; it could not be cancelled'),
  };
  return words[cancellation] ?? say('Emitido', 'Issued');
}
