import { amountColumns, fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html } from '@fiado/chassis/html';
import { type Choices, dayAfter, dayIn, type Filter } from '../frame/filters';
import { dateField } from '../frame/form';
import { dayAt, dayOf, link, named, pesosOf, phoneOf, sumOf } from '../frame/formats';
import { type FiledListing, listWithFile } from '../frame/list-file';
import {
  storeNames,
  type StoreNames,
  wholesalerChoices,
  wholesalerFilter,
  wholesalerNames,
} from '../frame/names';
import type { Route } from '../frame/serve';
import { queryOf, type Visit } from '../frame/visit';
import { say, stateColumn } from '../frame/words';
import { type Debt, lateness, shownStatus } from './debts';

export const collectionRoutes: Route[] = listWithFile('/cobranza', collectionOf);

/** The stores of debts, and the names of their wholesalers. */
type Names = [stores: StoreNames, wholesalers: ReadonlyMap<string, string>];

/** Debts that are past their last day, or those of another state: who owes, how to reach it, and how much. */
async function collectionOf(visit: Visit): Promise<FiledListing<'listReceivables', Names>> {
  const [choices, { payments }] = await Promise.all([
    wholesalerChoices(visit),
    visit.viewer.ops.overview.get(),
  ]);
  // The API filters debts that are paid by no day.
  const isOpen = !['paid', 'todos'].includes(queryOf(visit, 'status'));
  return {
    of: 'listReceivables',
    title: say('Cobranza', 'Collection'),
    lead: payments !== null && sumsOf(payments),
    states: {
      kind: 'debt',
      all: say('Todos', 'All'),
      shown: ['overdue', 'pending', 'paid', 'todos'],
    },
    filters: [wholesalerFilter(visit, choices), isOpen && dueFilter(visit)],
    sorts: isOpen ? ['paymentDate', '-paymentDate'] : ['-createdAt', 'createdAt'],
    counted: [say('adeudo', 'debt'), say('adeudos', 'debts')],
    empty: say('Ningún adeudo así.', 'No such debt.'),
    names: (debts) => namesOf(visit, debts, choices),
    href: ({ cornerStoreId }) => `/tiendas/${cornerStoreId}`,
    columns: [
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId: id, externalId }, [stores]) => named(stores.get(id)?.name ?? externalId),
        'name',
      ],
      [
        say('Teléfono', 'Phone'),
        ({ cornerStoreId: id }, [stores]) => stores.get(id)?.phoneNumber,
        'phone',
      ],
      [
        say('Mayorista', 'Wholesaler'),
        ({ wholesalerId: id }, [, wholesalers]) => named(wholesalers.get(id) ?? id),
      ],
      [
        '',
        ({ transactionId }) =>
          link(`/pedidos/${transactionId}`, say('Ver pedido', 'See the order')),
        'note',
      ],
      [say('Vence', 'Last day'), lateness, 'when', 'paymentDate'],
      [say('Estado', 'Status'), shownStatus, 'debt'],
      !isOpen && [say('Entregado', 'Delivered'), deliveredOn, 'figure', 'createdAt'],
      [say('Total', 'Total'), totalOf, 'figure'],
      [say('Debe', 'Due'), 'amountDue', 'owed'],
    ],
    file: { columns: FILE_COLUMNS, sumsBy: FILE_STATE, more: fileFields },
  };
}

function fileFields(debt: Debt, [stores, wholesalers]: Names): object {
  const store = stores.get(debt.cornerStoreId);
  return {
    status: shownStatus(debt),
    wholesaler: wholesalers.get(debt.wholesalerId) ?? debt.wholesalerId,
    store: store?.name ?? '',
    phone: phoneOf(store?.phoneNumber ?? ''),
    lastDay: dayAt(debt.paymentDate, debt.paymentTimeZone),
    total: sumOf([debt.totalAmount, debt.interests, debt.IVAAmount]),
  };
}

function namesOf(visit: Visit, debts: Debt[], choices: Choices): Promise<Names> {
  const ids = debts.map(({ wholesalerId }) => wholesalerId);
  return Promise.all([storeNames(visit, debts), wholesalerNames(visit, choices, ids)]);
}

function deliveredOn({ createdAt }: Debt): Html {
  return html`<span class="whole">${dayOf(dayAt(createdAt))}</span>`;
}

/** What a debt was before anything was paid. */
function totalOf({ amountDue, amountPaid }: Debt): number {
  return sumOf([amountDue, amountPaid]);
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

function dueFilter(visit: Visit): Filter {
  const since = dayIn(visit, 'vence-desde');
  const due = dayIn(visit, 'vence');
  const texts = [
    since && say(`Vence desde el ${dayOf(since)}`, `Last day from ${dayOf(since)}`),
    due && say(`Vence hasta el ${dayOf(due)}`, `Last day until ${dayOf(due)}`),
  ];
  return {
    label: say('Vence', 'Last day'),
    fields: [
      dateField('vence-desde', say('Vence desde el', 'Last day from'), since),
      dateField('vence', say('Vence a más tardar', 'Last day until'), due),
    ],
    text: texts.filter((text) => text !== '').join(', '),
    // The last moment of the day is before the next one.
    asked: { ...(since && { dueFrom: since }), ...(due && { dueBefore: dayAfter(due) }) },
  };
}

function sumsOf(payments: {
  outstandingAmount: number;
  ageing: Array<{ days: string; amountDue: number }>;
}): string {
  const late = sumOf(
    payments.ageing.filter(({ days }) => days !== '0'),
    ({ amountDue }) => amountDue,
  );
  const all = pesosOf(payments.outstandingAmount);
  return say(
    `Por cobrar en total ${all}; con atraso ${pesosOf(late)}.`,
    `Outstanding in all ${all}; overdue ${pesosOf(late)}.`,
  );
}
