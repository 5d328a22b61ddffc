import { randomUUID } from 'node:crypto';
import { html, type Html, NOTHING } from '@fiado/chassis/html';
import { CREDIT_NOTE_REASONS } from '@fiado/contracts/credit-notes';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { choice, foldedForm } from '../frame/form';
import { pesosOf, sumOf } from '../frame/formats';
import { tablePart } from '../frame/parts';
import { mayDo, type Visit } from '../frame/visit';
import { creditReasonName, say, sentenceCase } from '../frame/words';

type Order = AnswerOf<'showTransaction'>;

/** The credit notes of a delivered order, and the form for another one while some of it is left. */
export function creditNotesPart(order: Order, visit: Visit): Html {
  const { viewer } = visit;
  const { creditNotes, deliveredAt, totalAmount, transactionId } = order;
  if (deliveredAt === null) return NOTHING;
  const left = sumOf([totalAmount, ...creditNotes.map(({ amount }) => -amount)]);
  return html`${tablePart({
    title: say('Notas de crédito', 'Credit notes'),
    columns: [
      [say('Motivo', 'Reason'), ({ reason }) => sentenceCase(creditReasonName(reason)), 'name'],
      ['', ({ reference }) => reference ?? '', 'note'],
      [say('Dada', 'Given'), 'createdAt', 'when'],
      [say('Mercancía', 'Goods'), 'amount', 'money'],
      [say('Con interés e IVA', 'With interest and VAT'), 'totalAmount', 'money'],
    ],
    rows: creditNotes,
    empty: say('Ninguna: se debe lo entregado.', 'None: what was delivered is owed.'),
  })}
  ${left > 0 && mayDo(viewer, 'operator') && creditForm(visit, transactionId, left)}`;
}

function creditForm(visit: Visit, transactionId: string, left: number): Html {
  return foldedForm(visit, {
    summary: say('Dar una nota de crédito', 'Give a credit note'),
    hint: say(
      'La tienda debe menos y el monto se descuenta al mayorista en su próxima liquidación. Más de $10,000 del pedido, o más de lo que falta pagarle al mayorista, lo aprueba otra persona.',
      'The store owes less, and the next statement of the wholesaler takes the amount. Above $10,000 of the order, or above what the wholesaler is still to be paid, another person approves it.',
    ),
    action: `/pedidos/${transactionId}/notas`,
    button: say('Dar la nota', 'Give the note'),
    // The same form sent twice gives one note.
    hidden: { key: randomUUID() },
    operation: 'giveCreditNote',
    fields: [
      {
        name: 'amount',
        label: say('Precio de la mercancía en pesos', 'Price of the goods in pesos'),
        hint: say(
          `Sin interés ni IVA: se suman solos. Quedan ${pesosOf(left)}, menos lo que ya se le quitó al mayorista por este pedido.`,
          `Without interest and VAT, which are added. ${pesosOf(left)} is left, less what was taken back from the wholesaler for this order.`,
        ),
      },
      choice(say('Motivo', 'Reason'), CREDIT_NOTE_REASONS, (one) =>
        sentenceCase(creditReasonName(one)),
      ),
      { name: 'reference', label: say('Referencia (opcional)', 'Reference (optional)') },
    ],
  });
}
