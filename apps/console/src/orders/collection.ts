import { amountColumns, fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { dayAfter, dayIn, type Filter, listFilters } from '../frame/filters';
import { dateField, foldedForm, reasonField } from '../frame/form';
import {
  dayAt,
  dayOf,
  inFours,
  lastDayOf,
  link,
  named,
  pesosOf,
  phoneOf,
  timeOf,
} from '../frame/formats';
import { filedList, type FiledListing } from '../frame/list-file';
import type { Column, Columns } from '../frame/lists';
import {
  storeLink,
  storeNames,
  type StoreNames,
  wholesalerChoices,
  type WholesalerChoices,
  wholesalerFilter,
  wholesalerNames,
} from '../frame/names';
import type { Route } from '../frame/serve';
import { mayDo, queryOf, type Visit } from '../frame/visit';
import { say, stateBadge, stateColumn } from '../frame/words';

export const collectionRoutes: Route[] = filedList('/cobranza', collectionOf);

const STATES = ['overdue', 'pending', 'paid', 'todos'] as const;

export type Debt = ItemOf<'listReceivables', 'receivables'>;

type Debts = AnswerOf<'listReceivables'>;

const BY_LAST_DAY = ['paymentDate', '-paymentDate'] as const;
const BY_DELIVERY = ['-createdAt', 'createdAt'] as const;
type Sort = (typeof BY_LAST_DAY | typeof BY_DELIVERY)[number];

/** Debts that are past their last day, or those of another state: who owes, how to reach it, and how much. */
async function collectionOf(visit: Visit): Promise<FiledListing<Debts, Debt, Sort>> {
  const { viewer } = visit;
  const wholesalers = await wholesalerChoices(visit);
  const due = dayIn(visit, 'vence');
  const since = dayIn(visit, 'vence-desde');
  const state = queryOf(visit, 'status');
  // The API filters debts that are paid by no day.
  const isOpen = state !== 'paid' && state !== 'todos';
  const { asked, chips } = listFilters(visit, '/cobranza', {
    states: STATES,
    kind: 'debt',
    all: say('Todos', 'All'),
    filters: [wholesalerFilter(visit, wholesalers), ...(isOpen ? [dueFilter(since, due)] : [])],
  });
  const { payments } = await viewer.ops.overview.get();
  return {
    title: say('Cobranza', 'Collection'),
    sorts: isOpen ? BY_LAST_DAY : BY_DELIVERY,
    counted: [say('adeudo', 'debt'), say('adeudos', 'debts')],
    ...(payments === null ? {} : { lead: sumsOf(payments) }),
    list: (page) =>
      viewer.ops.receivables.list({
        ...asked,
        // The last moment of the day is before the next one.
        ...(isOpen && due !== '' && { dueBefore: dayAfter(due) }),
        ...(isOpen && since !== '' && { dueFrom: since }),
        ...page,
      }),
    rowsOf: ({ receivables }) => receivables,
    before: chips,
    empty: say('Ningún adeudo así.', 'No such debt.'),
    columns: ({ receivables }) => columnsOf(visit, receivables, { wholesalers, isOpen }),
    file: {
      name: 'cobranza',
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      rowsOf: ({ receivables }) => fileRows(visit, receivables, wholesalers),
    },
  };
}

const FILE_STATE = stateColumn('debt');

const FILE_COLUMNS: PeopleColumn[] = [
  ...fileColumns({ wholesaler: 'Mayorista', externalId: 'Cliente', store: 'Tienda' }),
  { field: 'phone', heading: 'Teléfono' },
  FILE_STATE,
  { field: 'createdAt', heading: 'Entregado el', kind: 'time' },
  { field: 'lastDay', heading: 'Vence', kind: 'day' },
  { field: 'daysOverdue', heading: 'Días de atraso' },
  ...amountColumns('totalAmount', 'total'),
  ...fileColumns({ amountPaid: 'Pagado', amountDue: 'Por cobrar' }, 'amount'),
  ...fileColumns({ idFactura: 'Factura', numeroReferencia: 'Referencia' }),
  ...fileColumns({ receivableId: 'Id del adeudo', transactionId: 'Id del pedido' }),
];

async function fileRows(
  visit: Visit,
  receivables: readonly Debt[],
  wholesalers: WholesalerChoices,
): Promise<object[]> {
  const [stores, called] = await namesOf(visit, receivables, wholesalers);
  return receivables.map((debt) => ({
    ...debt,
    status: shownStatus(debt),
    wholesaler: called.get(debt.wholesalerId) ?? debt.wholesalerId,
    store: stores.get(debt.cornerStoreId)?.name ?? '',
    phone: phoneOf(stores.get(debt.cornerStoreId)?.phoneNumber ?? ''),
    lastDay: dayAt(debt.paymentDate, debt.paymentTimeZone),
    total: Math.round((debt.totalAmount + debt.interests + debt.IVAAmount) * 100) / 100,
  }));
}

function namesOf(
  visit: Visit,
  receivables: readonly Debt[],
  wholesalers: WholesalerChoices,
): Promise<[StoreNames, ReadonlyMap<string, string>]> {
  const ids = receivables.map(({ wholesalerId }) => wholesalerId);
  return Promise.all([storeNames(visit, receivables), wholesalerNames(visit, wholesalers, ids)]);
}

async function columnsOf(
  visit: Visit,
  receivables: readonly Debt[],
  { wholesalers, isOpen }: { wholesalers: WholesalerChoices; isOpen: boolean },
): Promise<Columns<Debt>> {
  const [names, wholesalerName] = await namesOf(visit, receivables, wholesalers);
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
        html`${named(wholesalerName.get(wholesalerId) ?? wholesalerId)}
          <small>${link(`/pedidos/${transactionId}`, say('Ver pedido', 'See the order'))}</small>`,
    ],
    [say('Vence', 'Last day'), (debt) => lateness(debt), 'when', 'paymentDate'],
    stateOfDebt(),
    !isOpen && [
      say('Entregado', 'Delivered'),
      ({ createdAt }) => html`<span class="whole">${dayOf(dayAt(createdAt))}</span>`,
      'figure',
      'createdAt',
    ],
    [say('Total', 'Total'), (debt) => pesosOf(totalOf(debt)), 'figure'],
    [say('Debe', 'Due'), ({ amountDue }) => owed(amountDue), 'money'],
  ];
}

function dueFilter(since: string, due: string): Filter {
  const texts = [
    since === '' ? '' : say(`Vence desde el ${dayOf(since)}`, `Last day from ${dayOf(since)}`),
    due === '' ? '' : say(`Vence hasta el ${dayOf(due)}`, `Last day until ${dayOf(due)}`),
  ];
  return {
    label: say('Vence', 'Last day'),
    fields: [
      dateField('vence-desde', say('Vence desde el', 'Last day from'), since),
      dateField('vence', say('Vence a más tardar', 'Last day until'), due),
    ],
    text: texts.filter((text) => text !== '').join(', '),
  };
}

function sumsOf(payments: {
  outstandingAmount: number;
  ageing: Array<{ days: string; amountDue: number }>;
}): string {
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
function lateness(debt: Debt): Html {
  const days = debt.daysOverdue;
  return html`<span class="whole">${lastDayOf(debt)}</span>
    <small>
      ${days > 0 && say(`${days} ${days === 1 ? 'día' : 'días'} de atraso`, `${days} ${days === 1 ? 'day' : 'days'} overdue`)}
    </small>`;
}

function stateOfDebt(): Column<Debt> {
  return [say('Estado', 'Status'), (debt) => stateBadge('debt', shownStatus(debt)), 'state'];
}

/** The state of a debt. One that is written off stays owed, so a payment still makes it paid. */
function shownStatus({ status, writtenOffAt }: Debt): string {
  return status !== 'paid' && writtenOffAt !== null ? 'written-off' : status;
}

/** What is owed is bold. */
export function owed(amount: number): Html {
  return html`<strong>${pesosOf(amount)}</strong>`;
}

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
    stateOfDebt(),
    [say('Vence', 'Last day'), (debt) => lateness(debt), 'when'],
    [say('Pagado', 'Paid'), 'amountPaid', 'figure'],
    [say('Debe', 'Due'), ({ amountDue }) => owed(amountDue), 'money'],
  ];
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
  if (pendingChange !== null) return pendingNotice(visit, pendingChange);
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
    fields: [reasonField()],
  });
}
