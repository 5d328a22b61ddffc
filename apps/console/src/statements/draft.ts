import { randomUUID } from 'node:crypto';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { foldedForm } from '../frame/form';
import { dayAt, dayOf, neededAmountIn, pesosOf } from '../frame/formats';
import { card, sumList } from '../frame/lists';
import { fieldOf, idOf, mayDo, type Page, type Visit } from '../frame/visit';
import type { Say } from '../frame/words';

type Draft = AnswerOf<'showDraftStatement'>;

/** A button that opens what the next statement of a wholesaler has so far. */
export function draftLink(wholesalerId: string, say: Say): Html {
  return html`<a class="button second" href="/liquidaciones/mayorista/${wholesalerId}"
    >${say('Por liquidar', 'Next statement')}</a
  >`;
}

/** What the next statement of a wholesaler has so far, and the form that corrects it. */
export async function showDraft(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const [{ name }, draft] = await Promise.all([
    viewer.ops.wholesalers.get(wholesalerId),
    viewer.ops.statements.showDraft({ wholesalerId }),
  ]);
  const from = dayOf(dayAt(draft.periodFrom));
  const lines = draft.lines.toLocaleString('es-MX');
  return {
    path: ['/liquidaciones', say('Liquidaciones', 'Statements')],
    title: say('Por liquidar', 'Next statement'),
    lead: html`<a href="/mayoristas/${wholesalerId}">${name}</a> ·
      ${say(`desde el ${from}, renglones: ${lines}`, `since ${from}, lines: ${lines}`)}`,
    actions: html`<a class="button second" href="/liquidaciones?mayorista=${wholesalerId}"
      >${say('Ver liquidaciones', 'See statements')}</a
    >`,
    content: html`${amountsCard(draft, say)}
    ${mayDo(viewer, 'approver') ? adjustForm(visit, wholesalerId) : NOTHING}`,
  };
}

/** The amounts of a statement or a draft, which add up to what is due. */
export function amountsCard(
  {
    openingBalance,
    grossAmount,
    commission,
    commissionIVA,
    netAmount,
    amountDue,
  }: Omit<Draft, 'status' | 'periodFrom' | 'lines'>,
  say: Say,
): Html {
  return card(
    say('Montos', 'Amounts'),
    sumList([
      [say('Saldo anterior', 'Opening balance'), pesosOf(openingBalance)],
      [say('Entregas y correcciones', 'Deliveries and corrections'), pesosOf(grossAmount)],
      [say('Comisión', 'Commission'), pesosOf(-commission)],
      [say('IVA de la comisión', 'IVA on the commission'), pesosOf(-commissionIVA)],
      [say('Neto', 'Net'), pesosOf(netAmount)],
      [say('A pagar', 'Due'), pesosOf(amountDue), 'all'],
    ]),
  );
}

/** A correction without a sign: people choose for whom it is. */
const CORRECTIONS = ['clawback', 'more', 'less'] as const;

function adjustForm(visit: Visit, wholesalerId: string): Html {
  const { say } = visit;
  const names = {
    clawback: say('Quitar lo liquidado por un pedido', 'Take back what was settled for an order'),
    more: say('Ajuste a favor del mayorista', 'Adjustment that adds'),
    less: say('Ajuste en contra del mayorista', 'Adjustment that takes'),
  };
  return foldedForm(visit, {
    summary: say('Corregir lo que se le paga', 'Correct what is owed'),
    hint: say(
      'Es un renglón más de la siguiente liquidación; la tienda sigue debiendo lo mismo. Otra persona lo aprueba.',
      'It is one more line of the next statement; the store owes the same. Another person approves it.',
    ),
    action: `/liquidaciones/mayorista/${wholesalerId}`,
    button: say('Pedir la corrección', 'Ask for the correction'),
    kind: 'bad',
    // The same form sent twice is one correction.
    hidden: { key: randomUUID() },
    fields: [
      {
        name: 'kind',
        label: say('Corrección', 'Correction'),
        options: CORRECTIONS.map((one) => [one, names[one]] as const),
      },
      { name: 'amount', label: say('Monto en pesos', 'Amount in pesos'), inputmode: 'decimal' },
      {
        name: 'transactionId',
        label: say('Id del pedido', 'Id of the order'),
        required: false,
        hint: say(
          'Se necesita para quitar lo liquidado.',
          'It is needed to take back what was settled.',
        ),
      },
      { name: 'reason', label: say('Motivo', 'Reason') },
    ],
  });
}

/** A clawback takes back the commission too; an adjustment is the amount alone. */
export async function adjust(visit: Visit, wholesalerId: string): Promise<void> {
  const correction = fieldOf(visit, 'kind');
  const transactionId = fieldOf(visit, 'transactionId');
  const amount = neededAmountIn(fieldOf(visit, 'amount'));
  const body = {
    wholesalerId,
    kind: correction === 'clawback' ? 'clawback' : 'adjustment',
    amount: correction === 'less' ? -amount : amount,
    ...(transactionId === '' ? {} : { transactionId }),
    reason: fieldOf(visit, 'reason'),
  } as const;
  const key = fieldOf(visit, 'key');
  await visit.viewer.ops.statements.adjust(body, key === '' ? {} : { idempotencyKey: key });
}
