import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { choiceFilter, daysFilter, type Filter, listFilters, textFilter } from '../frame/filters';
import { amountIn, inFours, named, neededAmountIn, pesosOf } from '../frame/formats';
import type { FiledListing } from '../frame/list-file';
import type { Column, Columns } from '../frame/lists';
import { storeLink, storeNames, type StoreNames } from '../frame/names';
import { chooseColumn, chooseForm } from '../frame/several';
import { mayDo, queryOf, type Visit } from '../frame/visit';
import { inLanguage, say, stateBadge, stateColumn, statesOf, wordFor } from '../frame/words';
import { owed } from '../orders/collection';
import { depositLink } from './assign';
import { SEVERAL } from './assign-several';

const STATES = [...statesOf('deposit'), 'todos'] as const;

const BY_ARRIVAL = ['-receivedAt', 'receivedAt'] as const;
const UNMATCHED_SORTS = [...BY_ARRIVAL, '-valor', 'valor'] as const;
type Sort = (typeof UNMATCHED_SORTS)[number];

/** Deposits that belong to no debt yet, or those of another state. */
export async function depositsOf(
  visit: Visit,
): Promise<FiledListing<AnswerOf<'listDeposits'>, Listed, Sort>> {
  const providers = await providerChoices(visit);
  const days = daysFilter(visit);
  const isUnmatched = ['', 'unmatched'].includes(queryOf(visit, 'status'));
  const { asked, chips } = listFilters(visit, '/depositos', {
    states: STATES,
    kind: 'deposit',
    all: say('Todos', 'All'),
    filters: [
      choiceFilter(visit, 'proveedor', say('Proveedor', 'Provider'), providers),
      days,
      // What somebody looks for who says that they paid.
      ...(isUnmatched ? paidFilters(visit) : []),
    ],
  });
  const paymentProvider = queryOf(visit, 'proveedor');
  const amount = isUnmatched ? queryOf(visit, 'monto') : '';
  const reference = isUnmatched ? queryOf(visit, 'referencia') : '';
  const assigns = isUnmatched && mayDo(visit.viewer, 'operator');
  return {
    title: say('Depósitos', 'Deposits'),
    sorts: isUnmatched ? UNMATCHED_SORTS : BY_ARRIVAL,
    counted: [say('depósito', 'deposit'), say('depósitos', 'deposits')],
    after: assigns && chooseForm(SEVERAL, say('Asignar los elegidos', 'Assign the chosen ones')),
    lead: say('Lo que reportan los proveedores de pago.', 'What payment providers report.'),
    list: (page, arrived) =>
      visit.viewer.ops.deposits.list({
        ...asked,
        ...(paymentProvider !== '' && { paymentProvider }),
        ...(amount !== '' && { amount: String(amountIn(amount)) }),
        ...(reference !== '' && { reference }),
        ...arrived,
        ...page,
      }),
    earlier: days.earlier,
    rowsOf: ({ deposits }) => deposits,
    before: chips,
    empty: say('Ningún depósito así.', 'No such deposit.'),
    columns: async ({ deposits }) => {
      const names = await storeNames(visit, deposits);
      return [...depositColumns(names), assigns && chooseDeposits()];
    },
    file: {
      name: 'depositos',
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      rowsOf: ({ deposits }) => fileRows(visit, deposits),
    },
  };
}

const FILE_STATE = stateColumn('deposit');

const FILE_COLUMNS: PeopleColumn[] = [
  ...fileColumns({ paymentProvider: 'Proveedor', store: 'Tienda' }),
  FILE_STATE,
  { field: 'note', heading: 'Nota' },
  { field: 'paidOn', heading: 'Pagado el', kind: 'day' },
  { field: 'receivedAt', heading: 'Recibido el', kind: 'time' },
  ...fileColumns({ claveDePago: 'Clave de pago', idFactura: 'Factura' }),
  { field: 'numeroReferencia', heading: 'Referencia' },
  { field: 'valor', heading: 'Depositado', kind: 'amount' },
  { field: 'depositId', heading: 'Id del depósito' },
];

async function fileRows(visit: Visit, deposits: readonly Listed[]): Promise<object[]> {
  const names = await storeNames(visit, deposits);
  return deposits.map((deposit) => ({
    ...deposit,
    paidOn: /^\d{4}-\d\d-\d\d/.exec(deposit.fechaPago)?.[0] ?? null,
    store: names.get(deposit.cornerStoreId ?? '')?.name ?? '',
    note: inLanguage('es', () => noteOf(deposit)),
  }));
}

function chooseDeposits(): Column<Listed> {
  return chooseColumn('deposito', ({ depositId, valor, pendingChange }) =>
    pendingChange == null ? { id: depositId, called: pesosOf(valor) } : undefined,
  );
}

function paidFilters(visit: Visit): Filter[] {
  const amount = { name: 'monto', label: say('Monto', 'Amount'), inputmode: 'decimal' } as const;
  const reference = { name: 'referencia', label: say('Referencia', 'Reference') };
  return [
    textFilter(visit, amount, (typed) => pesosOf(neededAmountIn(typed))),
    textFilter(visit, reference, inFours),
  ];
}

/** The payment providers, for a filter or a form. */
export async function providerChoices({
  viewer,
}: Visit): Promise<Array<readonly [string, string]>> {
  const all: Array<readonly [string, string]> = [];
  for await (const { name } of viewer.ops.paymentProviders.list({ limit: 100 })) {
    all.push([name, name]);
    if (all.length === 100) break;
  }
  return all;
}

function depositColumns(names: StoreNames): Columns<Listed> {
  return [
    [
      say('Depósito', 'Deposit'),
      (deposit) => html`${depositLink(deposit)} <small>${noteOf(deposit)}</small>`,
      'name',
    ],
    [say('Recibido', 'Received'), 'receivedAt', 'when'],
    [
      say('Tienda', 'Store'),
      ({ cornerStoreId: id }) =>
        id === null
          ? html`<span class="quiet">${say('Sin tienda', 'No store')}</span>`
          : storeLink(names, id, say('Una tienda', 'A store')),
    ],
    [say('Proveedor', 'Provider'), ({ paymentProvider }) => named(paymentProvider)],
    [say('Estado', 'State'), ({ status }) => stateBadge('deposit', status), 'state'],
    [say('Monto', 'Amount'), ({ valor }) => owed(valor), 'money', 'valor'],
  ];
}

type Listed = AnswerOf<'listDeposits'>['deposits'][number];

/** What a deposit waits for, or what speaks against it. */
function noteOf({
  pendingChange,
  reversalRequest: asked,
  conflicts,
  reason,
  ...deposit
}: Listed): string {
  if (pendingChange != null) return say('espera aprobación', 'waits for approval');
  if (asked?.status === 'open') return say('piden revertirlo', 'a reversal is asked for');
  if (conflicts.length > 0) {
    return say('llegó otra vez con otros datos', 'reported again with other facts');
  }
  if (reason !== null) return unmatchedName(reason);
  if (deposit.hasUnlikelyTime)
    return say('pagado hace más de 90 días', 'paid more than 90 days before');
  return deposit.possibleDuplicateOf === null
    ? ''
    : say('mismo día, monto y referencia que otro', 'same day, amount and reference as another');
}

/** Why a deposit is unmatched. */
export function unmatchedName(reason: string): string {
  return wordFor(reason, {
    unknown: say('referencia desconocida', 'unknown reference'),
    ambiguous: say('referencia de varias tiendas', 'reference of several stores'),
    'above-ceiling': say('mayor de lo usual', 'larger than usual'),
    'possible-duplicate': say('quizá ya se reportó', 'perhaps reported before'),
    unassigned: say('quitado a una tienda', 'taken away from a store'),
  });
}
