import { html, type Html } from '@fiado/chassis/html';
import { MAX_SEARCH } from '@fiado/contracts/page';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { type Field, foldedForm, form } from '../frame/form';
import { inFours, lastDayOf, link, named, pesosOf, sumOf } from '../frame/formats';
import { sumCard, table, tablePart } from '../frame/parts';
import { firstPage } from '../frame/read';
import { storeNameOf, storeNames } from '../frame/names';
import { twoColumns } from '../frame/record';
import {
  fieldOf,
  idOf,
  isPart,
  type Page,
  queryOf,
  type Redirect,
  type Visit,
} from '../frame/visit';
import { say, stateBadge } from '../frame/words';
import { aboutStore, shownStatus, type Store } from '../stores/stores';

type Identified = Pick<AnswerOf<'showDeposit'>, 'depositId' | 'idFactura' | 'numeroReferencia'>;

export const depositHref = ({ depositId }: Identified): string => `/depositos/${depositId}`;

/** A deposit by its invoice or its reference. */
export const depositName = ({ idFactura, numeroReferencia }: Identified): string =>
  inFours(idFactura || numeroReferencia);

/** Names any store, by what a person has at hand; the next page asks for a confirmation. */
export function findStoreForm(visit: Visit, depositId: string): Html {
  return foldedForm(visit, {
    summary: say('Asignar a otra tienda', 'Assign to another store'),
    action: `/depositos/${depositId}/tienda`,
    button: say('Buscar la tienda', 'Find the store'),
    kind: 'second',
    fields: [storeField()],
  });
}

/** Names a store by what a person has at hand. */
export function storeField(): Field {
  return {
    name: 'q',
    label: say('Tienda', 'Store'),
    hint: say(
      'Su nombre o el de su dueño, teléfono, clave de cliente o referencia, o un pedido suyo.',
      'Its name or that of its owner, phone, customer id or reference, or an order of it.',
    ),
  };
}

/** The store that a text names, as a page that confirms the assignment. */
export function findStore(visit: Visit): Promise<Page | Redirect> {
  const depositId = idOf(visit, 'depositId');
  return storesCalled(visit, {
    path: [`/depositos/${depositId}`, say('Depósito', 'Deposit')],
    hrefOf: (id) => `/depositos/${depositId}/asignar?tienda=${id}`,
  });
}

/** Leads to the store that a text names, or asks which one of several. */
export async function storesCalled(
  visit: Visit,
  { path, hrefOf }: { path: NonNullable<Page['path']>; hrefOf: (cornerStoreId: string) => string },
): Promise<Page | Redirect> {
  const q = fieldOf(visit, 'q').slice(0, MAX_SEARCH);
  const { hits } = await visit.viewer.ops.search.find({ q });
  const found = new Map<string, number | null>();
  for (const { kind, id, cornerStoreId, amountDue } of hits) {
    const store = kind === 'corner-store' ? id : cornerStoreId;
    if (store !== null) found.set(store, amountDue ?? found.get(store) ?? null);
  }
  const stores = [...found].map(([cornerStoreId, amountDue]) => ({ cornerStoreId, amountDue }));
  const [first, other] = stores;
  if (first === undefined) throw new ApiRefusal(404, 'CORNER_STORE_NOT_FOUND', q);
  if (other === undefined) return { redirect: hrefOf(first.cornerStoreId) };
  const names = await storeNames(visit, stores);
  const rows = stores.map((row) => ({ ...row, store: names.get(row.cornerStoreId) }));
  const otherwise = say('Una tienda', 'A store');
  const title = say('¿Cuál tienda?', 'Which store?');
  return {
    path,
    title,
    lead: say(`Resultados de «${q}»`, `Results for “${q}”`),
    content: table<(typeof rows)[number]>(
      title,
      [
        [say('Tienda', 'Store'), ({ store }) => named(store?.name ?? otherwise), 'name'],
        ['', ({ store }) => store && notesOf(store), 'note'],
        [say('Estado', 'Status'), ({ store }) => store && badgeOf(store), 'state'],
        [say('Debe', 'Due'), 'amountDue', 'money'],
      ],
      rows,
      { href: ({ cornerStoreId }) => hrefOf(cornerStoreId) },
    ),
  };
}

function badgeOf(store: Store): Html {
  return stateBadge('store', shownStatus(store));
}

/** What tells a store from others of its name. */
function notesOf(store: Store): string {
  const name = storeNameOf(store);
  return aboutStore(store)
    .filter((note) => note !== name)
    .join(' · ');
}

/** Before a deposit is assigned: its amount, the store, and the debts that it will pay. */
export async function showAssignment(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const depositId = idOf(visit, 'depositId');
  const cornerStoreId = queryOf(visit, 'tienda');
  if (!isPart(cornerStoreId)) throw new ApiRefusal(404, 'CORNER_STORE_NOT_FOUND', cornerStoreId);
  const { valor } = await viewer.ops.deposits.show(depositId);
  return confirmAssignment(visit, {
    path: [`/depositos/${depositId}`, say('Depósito', 'Deposit')],
    action: `/depositos/${depositId}/asignar`,
    hidden: { cornerStoreId },
    what: pesosOf(valor),
    valor,
  });
}

interface Assignment {
  path: NonNullable<Page['path']>;
  action: string;
  hidden: { cornerStoreId: string };
  /** What is assigned: an amount, or several deposits with their sum. */
  what: string;
  valor: number;
  /** The deposits, where they are several. */
  chosen?: Html;
}

/** Asks whether a store gets an amount: the debts that it pays with it, and what is left. */
export async function confirmAssignment(
  visit: Visit,
  { path, action, hidden, what, valor, chosen }: Assignment,
): Promise<Page> {
  const { viewer } = visit;
  const { cornerStoreId } = hidden;
  const [{ cornerStore, debts }, { receivables }] = await Promise.all([
    viewer.ops.cornerStores.get(cornerStoreId),
    firstPage(viewer.ops.receivables.list({ cornerStoreId, limit: 100 })),
  ]);
  const name = storeNameOf(cornerStore);
  const amount = pesosOf(valor);
  const { paid, left } = plan(receivables, valor);
  return {
    path,
    title: say(`Asignar ${what} a ${name}`, `Assign ${what} to ${name}`),
    lead: say(
      'Revisa antes de asignar. Todavía no cambia nada.',
      'Check before you assign. Nothing has changed yet.',
    ),
    content: html`<p>
        ${link(`/tiendas/${cornerStoreId}`, named(name))} ${badgeOf(cornerStore)}
        <small class="quiet">${notesOf(cornerStore)}</small>
      </p>
      ${twoColumns(
        [chosen, debtsPart(paid)],
        [
          sumCard(
            say('Depósito', 'Deposit'),
            [
              [say('Monto', 'Amount'), amount, 'all'],
              debts !== null && [say('La tienda debe', 'The store owes'), debts.amountDue],
              [say('Paga adeudos', 'Pays debts'), sumOf([valor, -left])],
              [say('Queda a favor', 'Credit balance'), left],
            ],
            form(visit, {
              action,
              fields: [],
              hidden,
              button: say(`Asignar ${amount}`, `Assign ${amount}`),
            }),
          ),
          html`<p>${link(path[0], say('No, volver', 'No, back'))}</p>`,
        ],
      )}`,
  };
}

/** The debts that an assignment pays. */
function debtsPart(paid: Array<{ debt: Debt; pays: number }>): Html {
  return tablePart({
    title: say('Adeudos que paga', 'Debts that it pays'),
    columns: [
      [say('Factura', 'Invoice'), ({ debt }) => inFours(debt.idFactura), 'name'],
      [say('Vence', 'Last day'), ({ debt }) => lastDayOf(debt), 'when'],
      [say('Estado', 'Status'), ({ debt }) => debt.status, 'debt'],
      [say('Debe', 'Due'), ({ debt }) => debt.amountDue, 'figure'],
      [say('Se paga', 'Is paid'), 'pays', 'money'],
    ],
    rows: paid,
    empty: say(
      'La tienda no debe nada: todo queda como saldo a favor.',
      'The store owes nothing: all of it becomes credit balance.',
    ),
  });
}

type Debt = AnswerOf<'listReceivables'>['receivables'][number];

/** What an amount pays of each open debt, in the order of payments: what is due first, then by the id of the debt. */
function plan(
  debts: Debt[],
  valor: number,
): { paid: Array<{ debt: Debt; pays: number }>; left: number } {
  let left = valor;
  const paid = debts
    .filter(({ amountDue }) => amountDue > 0)
    .toSorted(
      (one, other) =>
        one.paymentDate.localeCompare(other.paymentDate) ||
        (one.receivableId < other.receivableId ? -1 : 1),
    )
    .map((debt) => {
      const pays = Math.min(debt.amountDue, left);
      left = sumOf([left, -pays]);
      return { debt, pays };
    });
  return { paid, left };
}
