import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { pendingNotice } from '../approvals/pending-change';
import { foldedForm } from '../frame/form';
import { pesosOf, timeOf } from '../frame/formats';
import { fieldOf, idOf, mayDo, type Redirect, type Visit } from '../frame/visit';
import type { Debt } from './collection';

/** Below a debt: that it is written off or waits for that, or the form that asks for it. */
export async function writeOffPart(visit: Visit, debt: Debt): Promise<Html> {
  const { say, viewer } = visit;
  const { receivableId, transactionId, status, amountDue, writtenOffAt, pendingChange } = debt;
  if (writtenOffAt !== null) {
    const at = timeOf(writtenOffAt);
    return html`<p class="quiet">
      ${say(`Se castigó el ${at}: no cuenta en la cartera, y lo que pague es recuperación.`, `Written off on ${at}: it is not in the portfolio, and what is paid is recovered.`)}
    </p>`;
  }
  if (pendingChange !== null) return pendingNotice(visit, pendingChange);
  if (status !== 'overdue' || !mayDo(viewer, 'approver')) return NOTHING;
  return foldedForm(visit, {
    summary: say('Castigar el adeudo', 'Write the debt off'),
    hint: say(
      'Sale de la cartera con lo que debe hoy. La tienda lo sigue debiendo y no puede comprar a crédito. Otra persona lo aprueba, y no se deshace.',
      'It leaves the portfolio with what it owes today. The store still owes it, and cannot buy on credit. A second person approves it, and it cannot be undone.',
    ),
    action: `/pedidos/${transactionId}/adeudos/${receivableId}/castigo`,
    button: say(`Castigar ${pesosOf(amountDue)}`, `Write ${pesosOf(amountDue)} off`),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}

export async function writeOffDebt(visit: Visit): Promise<Redirect> {
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.receivables.writeOff(idOf(visit, 'receivableId'), body);
  return { redirect: `/pedidos/${idOf(visit, 'transactionId')}`, done: 'guardado' };
}
