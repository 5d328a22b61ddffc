import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { foldedForm } from '../frame/form';
import { inFours, lastDayOf, link, pesosOf, timeOf } from '../frame/formats';
import type { Column, Columns } from '../frame/parts';
import { mayDo, type Visit } from '../frame/visit';
import { say } from '../frame/words';

export type Debt = ItemOf<'listReceivables', 'receivables'>;

/** The invoice of a debt, as a link to its order. */
export function invoiceColumn(): Column<{ transactionId: string; idFactura: string }> {
  return [
    say('Factura', 'Invoice'),
    ({ transactionId, idFactura }) => link(`/pedidos/${transactionId}`, inFours(idFactura)),
    'name',
  ];
}

/** State, amounts and last day of a debt. */
export function debtColumns(): Columns<Debt> {
  return [
    [say('Estado', 'Status'), shownStatus, 'debt'],
    [say('Vence', 'Last day'), lateness, 'when'],
    [say('Pagado', 'Paid'), 'amountPaid', 'figure'],
    [say('Debe', 'Due'), 'amountDue', 'owed'],
  ];
}

/** The state of a debt. One that is written off stays owed, so a payment still makes it paid. */
export function shownStatus({ status, writtenOffAt }: Debt): string {
  return status !== 'paid' && writtenOffAt !== null ? 'written-off' : status;
}

/** The last day to pay, and how late it is. */
export function lateness(debt: Debt): Html {
  const days = debt.daysOverdue;
  return html`<span class="whole">${lastDayOf(debt)}</span>
    <small>
      ${days > 0 && say(`${days} ${days === 1 ? 'día' : 'días'} de atraso`, `${days} ${days === 1 ? 'day' : 'days'} overdue`)}
    </small>`;
}

/** Below a debt: that it is written off or waits for that, or the form that asks for it. */
export async function writeOffPart(visit: Visit, debt: Debt): Promise<HtmlValue> {
  const { viewer } = visit;
  const { receivableId, transactionId, status, amountDue, writtenOffAt, pendingChange } = debt;
  if (writtenOffAt !== null) {
    const at = timeOf(writtenOffAt);
    return html`<p class="quiet">
      ${say(`Se castigó el ${at}: no cuenta en la cartera, y lo que pague es recuperación.`, `Written off on ${at}: it is not in the portfolio, and what is paid is recovered.`)}
    </p>`;
  }
  if (pendingChange !== null) return pendingNotice(debt, visit);
  if (status !== 'overdue' || !mayDo(viewer, 'approver')) return undefined;
  return foldedForm(visit, {
    summary: say('Castigar el adeudo', 'Write the debt off'),
    hint: say(
      'Sale de la cartera con lo que debe hoy. La tienda lo sigue debiendo y no puede comprar a crédito. Otra persona lo aprueba, y no se deshace.',
      'It leaves the portfolio with what it owes today. The store still owes it, and cannot buy on credit. A second person approves it, and it cannot be undone.',
    ),
    action: `/pedidos/${transactionId}/adeudos/${receivableId}/castigo`,
    button: say(`Castigar ${pesosOf(amountDue)}`, `Write ${pesosOf(amountDue)} off`),
    kind: 'bad',
  });
}
