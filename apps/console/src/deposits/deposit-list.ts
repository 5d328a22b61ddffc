import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { type Choices, daysFilter } from '../frame/filters';
import { inFours, named } from '../frame/formats';
import { type FiledListing, listWithFile } from '../frame/list-file';
import { storeLink, storeNames, type StoreNames } from '../frame/names';
import { firstPage } from '../frame/read';
import { mayDo, queryOf, type Visit } from '../frame/visit';
import { inLanguage, say, stateColumn, statesOf, naming } from '../frame/words';
import { depositHref, depositName } from './assign';
import { severalDeposits } from './assign-several';

export const depositListRoutes = listWithFile('/depositos', depositsOf);

/** Deposits that belong to no debt yet, or those of another state. */
function depositsOf(visit: Visit): FiledListing<'listDeposits', StoreNames> {
  const isUnmatched = ['', 'unmatched'].includes(queryOf(visit, 'status'));
  return {
    of: 'listDeposits',
    title: say('Depósitos', 'Deposits'),
    lead: say('Lo que reportan los proveedores de pago.', 'What payment providers report.'),
    states: { kind: 'deposit', all: say('Todos', 'All'), shown: [...statesOf('deposit'), 'todos'] },
    filters: [
      ['proveedor', say('Proveedor', 'Provider'), 'paymentProvider', providerChoices(visit)],
      daysFilter(visit),
      // What somebody looks for who says that they paid.
      isUnmatched && ['monto', say('Monto', 'Amount'), 'amount', 'amount'],
      isUnmatched && ['referencia', say('Referencia', 'Reference'), 'reference', inFours],
    ],
    sorts: ['-receivedAt', 'receivedAt', ...(isUnmatched ? ['-valor', 'valor'] : [])],
    counted: [say('depósito', 'deposit'), say('depósitos', 'deposits')],
    compares: true,
    empty: say('Ningún depósito así.', 'No such deposit.'),
    names: (deposits) => storeNames(visit, deposits),
    href: depositHref,
    several: isUnmatched && mayDo(visit.viewer, 'operator') && severalDeposits(),
    columns: [
      [say('Depósito', 'Deposit'), depositName, 'name'],
      ['', noteOf, 'note'],
      [say('Recibido', 'Received'), 'receivedAt', 'when'],
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId: id }, stores) =>
          id === null
            ? html`<span class="quiet">${say('Sin tienda', 'No store')}</span>`
            : storeLink(stores, id, say('Una tienda', 'A store')),
      ],
      [say('Proveedor', 'Provider'), ({ paymentProvider }) => named(paymentProvider)],
      [say('Estado', 'State'), 'status', 'deposit'],
      [say('Monto', 'Amount'), 'valor', 'owed'],
    ],
    file: {
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      more: (deposit, stores) => ({
        paidOn: /^\d{4}-\d\d-\d\d/.exec(deposit.fechaPago)?.[0] ?? null,
        store: stores.get(deposit.cornerStoreId ?? '')?.name ?? '',
        note: inLanguage('es', () => noteOf(deposit)),
      }),
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

/** The payment providers, for a filter or a form. */
export async function providerChoices({ viewer }: Visit): Promise<Choices> {
  const list = viewer.ops.paymentProviders.list({ limit: 100 });
  const { paymentProviders } = await firstPage(list);
  return paymentProviders.map(({ name }) => [name, name]);
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
export const unmatchedName = naming({
  unknown: ['referencia desconocida', 'unknown reference'],
  ambiguous: ['referencia de varias tiendas', 'reference of several stores'],
  'above-ceiling': ['mayor de lo usual', 'larger than usual'],
  'possible-duplicate': ['quizá ya se reportó', 'perhaps reported before'],
  unassigned: ['quitado a una tienda', 'taken away from a store'],
});
