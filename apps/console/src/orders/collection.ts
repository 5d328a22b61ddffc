import { html, type Html, NOTHING } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { choiceFilter, dayAfter, dayIn, type Filter, listFilters } from '../frame/filters';
import { foldedForm } from '../frame/form';
import { dayOf, inFours, lastDayOf, pesosOf, phoneOf, timeOf } from '../frame/formats';
import { listPage, type Columns } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import { stateBadge } from '../frame/states';
import { storeLink, storeNames } from '../frame/store-names';
import { mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import type { Say } from '../frame/words';
import { wholesalerChoices, wholesalerNames, type WholesalerChoices } from '../frame/wholesalers';
import { wholesalerOf } from '../stores/stores';

export const collectionRoutes: Route[] = [show('/cobranza', showCollection)];

const STATES = ['overdue', 'pending', 'paid', 'todos'] as const;

export type Debt = ItemOf<'listReceivables', 'receivables'>;

/** Debts that are past their last day, or those of another state: who owes, how to reach it, and how much. */
async function showCollection(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const wholesalers = await wholesalerChoices(visit);
  const due = dayIn(visit, 'vence');
  const state = queryOf(visit, 'status');
  // The API filters debts that are paid by no day.
  const isOpen = state !== 'paid' && state !== 'todos';
  const { asked, chips } = listFilters(visit, '/cobranza', {
    states: STATES,
    kind: 'debt',
    all: say('Todos', 'All'),
    filters: [
      choiceFilter(visit, 'mayorista', say('Mayorista', 'Wholesaler'), wholesalers),
      ...(isOpen ? [dueFilter(visit, due)] : []),
    ],
  });
  const { payments } = await viewer.ops.overview.get();
  return listPage(visit, {
    title: say('Cobranza', 'Collection'),
    ...(payments === null ? {} : { lead: sumsOf(payments, say) }),
    list: (page) =>
      viewer.ops.receivables.list({
        ...asked,
        ...wholesalerOf(visit),
        // The last moment of the day is before the next one.
        ...(isOpen && due !== '' && { dueBefore: dayAfter(due) }),
        ...page,
      }),
    rowsOf: ({ receivables }) => receivables,
    before: chips,
    empty: say('Ningún adeudo así.', 'No such debt.'),
    columns: ({ receivables }) => columnsOf(visit, receivables, wholesalers),
  });
}

async function columnsOf(
  visit: Visit,
  receivables: Debt[],
  wholesalers: WholesalerChoices,
): Promise<Columns<Debt>> {
  const { say } = visit;
  const names = await storeNames(visit, receivables);
  const wholesalerName = await wholesalerNames(
    visit,
    wholesalers,
    receivables.map(({ wholesalerId }) => wholesalerId),
  );
  return [
    [
      say('Tienda', 'Store'),
      ({ cornerStoreId, externalId }) => storeLink(names, cornerStoreId, externalId),
      'name',
    ],
    [
      say('Teléfono', 'Phone'),
      ({ cornerStoreId }) =>
        html`<span class="whole">${phoneOf(names.get(cornerStoreId)?.phoneNumber ?? '—')}</span>`,
    ],
    [
      say('Mayorista', 'Wholesaler'),
      ({ wholesalerId, transactionId }) =>
        html`${wholesalerName.get(wholesalerId) ?? wholesalerId}
          <small
            ><a href="/pedidos/${transactionId}">${say('Ver pedido', 'See the order')}</a></small
          >`,
    ],
    [say('Vence', 'Last day'), (debt) => lateness(debt, say), 'when'],
    [say('Estado', 'Status'), (debt) => debtBadge(debt, say), 'state'],
    [say('Total', 'Total'), (debt) => pesosOf(totalOf(debt)), 'figure'],
    [say('Debe', 'Due'), ({ amountDue }) => owed(amountDue), 'money'],
  ];
}

function dueFilter({ say }: Visit, due: string): Filter {
  return {
    label: say('Vence', 'Last day'),
    fields: [
      {
        name: 'vence',
        label: say('Vence a más tardar', 'Last day until'),
        type: 'date',
        value: due,
      },
    ],
    text: due === '' ? '' : say(`Vence hasta el ${dayOf(due)}`, `Last day until ${dayOf(due)}`),
  };
}

function sumsOf(
  payments: { outstandingAmount: number; ageing: Array<{ days: string; amountDue: number }> },
  say: Say,
): string {
  const late = payments.ageing
    .filter(({ days }) => days !== '0')
    .reduce((sum, { amountDue }) => sum + amountDue, 0);
  const all = pesosOf(payments.outstandingAmount);
  return say(
    `Por cobrar en total ${all}; con atraso ${pesosOf(late)}.`,
    `Outstanding in all ${all}; overdue ${pesosOf(late)}.`,
  );
}

/** What a debt was before anything was paid. */
function totalOf({ amountDue, amountPaid }: Debt): number {
  return Math.round((amountDue + amountPaid) * 100) / 100;
}

/** The last day to pay, and how late it is. */
function lateness(debt: Debt, say: Say): Html {
  const days = debt.daysOverdue;
  return html`${lastDayOf(debt)}
    <small>
      ${
        days === 0
          ? ''
          : days === 1
            ? say('1 día de atraso', '1 day overdue')
            : say(`${days} días de atraso`, `${days} days overdue`)
      }
    </small>`;
}

/** The state of a debt. One that is written off stays owed, so a payment still makes it paid. */
function debtBadge({ status, writtenOffAt }: Debt, say: Say): Html {
  const isWrittenOff = status !== 'paid' && writtenOffAt !== null;
  return stateBadge('debt', isWrittenOff ? 'written-off' : status, say);
}

/** What is owed is bold. */
export function owed(amount: number): Html {
  return html`<strong>${pesosOf(amount)}</strong>`;
}

/** The invoice of a debt, as a link to its order. */
export function invoiceColumn(
  say: Say,
): Columns<{ transactionId: string; idFactura: string }>[number] {
  return [
    say('Factura', 'Invoice'),
    ({ transactionId, idFactura }) =>
      html`<a href="/pedidos/${transactionId}">${inFours(idFactura)}</a>`,
    'name',
  ];
}

/** State, amounts and last day of a debt. */
export function debtColumns(say: Say): Columns<Debt> {
  return [
    [say('Estado', 'Status'), (debt) => debtBadge(debt, say), 'state'],
    [say('Vence', 'Last day'), (debt) => lateness(debt, say), 'when'],
    [say('Pagado', 'Paid'), ({ amountPaid }) => pesosOf(amountPaid), 'figure'],
    [say('Debe', 'Due'), ({ amountDue }) => owed(amountDue), 'money'],
  ];
}

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
