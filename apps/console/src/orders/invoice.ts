import { html, type Html, NOTHING } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { foldedForm } from '../frame/form';
import { link, timeOf } from '../frame/formats';
import { factCard, tablePart } from '../frame/parts';
import { unlessDown } from '../frame/read';
import { mayDo, queryOf, type Visit } from '../frame/visit';
import { say, naming } from '../frame/words';

type Order = AnswerOf<'showTransaction'>;
type Invoice = NonNullable<Order['invoice']>;

/** The document of an order for the tax authority: what it is, how far it is, why it is no further, and its files. */
export function invoiceCard({ invoice, transactionId }: Order, visit: Visit): Html {
  const { viewer } = visit;
  if (!invoice) return NOTHING;
  const { uuid, selfInvoiceUrl, issuedAt } = invoice;
  const why = invoice.failureReason ?? invoice.lastError;
  const mayAct = mayDo(viewer, 'operator');
  const hasFiles = mayAct && invoice.kind === 'invoice' && uuid !== null && !invoice.isSimulated;
  const isCancellable =
    mayAct && invoice.status === 'issued' && !/requested|accepted/.test(invoice.cancellation);
  return factCard(
    say('Comprobante fiscal', 'Tax document'),
    [
      [say('Qué es', 'What it is'), kindOf(invoice)],
      [say('Estado', 'State'), stateOf(invoice)],
      [say('Motivo', 'Reason'), why],
      [say('Total', 'Total'), invoice.total, 'money'],
      [say('Folio fiscal', 'Fiscal folio'), uuid, 'id'],
      issuedAt !== null && [say('Emitido', 'Issued'), timeOf(issuedAt)],
      [say('Autofactura', 'Self-invoice'), selfInvoiceUrl, 'copied'],
      hasFiles && [say('Archivos', 'Files'), fileLinks(transactionId)],
    ],
    isCancellable && cancelForm(visit, transactionId),
  );
}

type TaxDocument = AnswerOf<'listTransactionTaxDocuments'>['documents'][number];

const documentName = naming({
  'credit-note': ['Nota de crédito', 'Credit note'],
  payment: ['Complemento de pago', 'Payment complement'],
  invoice: ['Factura que otra sustituyó', 'Invoice that was replaced'],
});

/** What is about the invoice of an order: credit notes, payment complements and invoices that it replaced, with their files. */
export async function taxDocumentsPart(
  { invoice, transactionId }: Order,
  { viewer }: Visit,
): Promise<Html> {
  if (!invoice) return NOTHING;
  const answer = await unlessDown(viewer.ops.transactions.listTaxDocuments(transactionId));
  const rows = answer?.documents ?? [];
  return tablePart<TaxDocument>({
    title: say('Documentos de la factura', 'Documents of the invoice'),
    columns: [
      [say('Qué es', 'What it is'), ({ kind }) => documentName(kind), 'name'],
      [say('Hecho', 'Made'), 'createdAt', 'when'],
      [say('Estado', 'State'), stateOf, 'state'],
      rows.some(({ lastError }) => lastError !== null) && [say('Motivo', 'Reason'), 'lastError'],
      [say('Folio fiscal', 'Fiscal folio'), 'uuid', 'id'],
      mayDo(viewer, 'operator') && [
        say('Archivos', 'Files'),
        ({ kind, uuid }) => uuid !== null && fileLinks(transactionId, `?kind=${kind}&uuid=${uuid}`),
      ],
      [say('Total', 'Total'), 'total', 'money'],
    ],
    rows,
  });
}

function fileLinks(transactionId: string, query = ''): Html {
  const path = `/pedidos/${transactionId}/factura`;
  return html`${link(`${path}.xml${query}`, 'XML')} ${link(`${path}.pdf${query}`, 'PDF')}`;
}

/** Which file of an order the API is asked for: that of its invoice, unless the address names another document. */
export function fileAsked(visit: Visit, format: string): string {
  const [kind, uuid] = [queryOf(visit, 'kind'), queryOf(visit, 'uuid')];
  return new URLSearchParams({ format, ...(uuid !== '' && { kind, uuid }) }).toString();
}

function cancelForm(visit: Visit, transactionId: string): Html {
  return foldedForm(visit, {
    summary: say('Cancelar el comprobante', 'Cancel the document'),
    hint: say(
      'Se cancela en el SAT. La tienda puede tener que aceptarlo. Si el pedido sigue en pie, el mayorista manda otro.',
      'It is cancelled at the SAT. The store may have to agree. If the order stands, the wholesaler sends another one.',
    ),
    action: `/pedidos/${transactionId}/factura`,
    kind: 'bad',
    operation: 'cancelTransactionInvoice',
    fields: [
      {
        name: 'motive',
        label: say('Motivo ante el SAT', 'Motive for the SAT'),
        options: [
          ['02', say('02: tiene errores', '02: it has mistakes')],
          [
            '01',
            say('01: tiene errores y otra la sustituye', '01: mistakes, and another replaces it'),
          ],
          ['03', say('03: no se vendió', '03: not sold')],
          ['04', say('04: está en una factura global', '04: it is in a global invoice')],
        ],
      },
      {
        name: 'substitutionUuid',
        label: say(
          'Folio fiscal que la sustituye (solo 01)',
          'Fiscal folio that replaces it (01 only)',
        ),
      },
    ],
  });
}

export function kindOf({ kind, isSimulated }: Pick<Invoice, 'kind' | 'isSimulated'>): string {
  if (isSimulated) return say('Simulado: no existe', 'Simulated: it does not exist');
  if (kind === null) return say('Todavía no se decide', 'Not decided yet');
  return kind === 'invoice'
    ? say('Factura a nombre de la tienda', 'Invoice in the name of the store')
    : say('Recibo sin nombre', 'Receipt in nobody’s name');
}

function stateOf({
  status,
  cancellation,
}: Pick<Invoice | TaxDocument, 'status' | 'cancellation'>): string {
  if (status === 'pending') return say('Por emitirse', 'To be issued');
  if (status === 'failed') return say('No se emitió', 'Not issued');
  const cancelled = cancellationOf({ cancellation });
  if (cancellation === 'accepted') return cancelled;
  return cancelled === '' ? say('Emitido', 'Issued') : `${say('Emitido', 'Issued')}; ${cancelled}`;
}

/** How far the cancellation of a document is; empty where there is none. */
export function cancellationOf({
  cancellation,
}: Pick<Invoice | TaxDocument, 'cancellation'>): string {
  const words: Record<string, string> = {
    requested: say('se pidió cancelarlo', 'its cancellation is asked for'),
    accepted: say('Cancelado', 'Cancelled'),
    rejected: say('no se pudo cancelar', 'it could not be cancelled'),
    expired: say(
      'la tienda no respondió a la cancelación',
      'the store did not answer the cancellation',
    ),
  };
  return words[cancellation] ?? '';
}
