import { html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { form } from '../frame/form';
import { link, numbered, pesosOf, sumOf } from '../frame/formats';
import { type Columns, tablePart } from '../frame/parts';
import { chosenIn, noneChosen, type Several, withEach } from '../frame/several';
import { fieldOf, isPart, queryOf, type Page, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { confirmAssignment, depositHref, depositName, storeField, storesCalled } from './assign';

/** Deposits that were chosen in a list, which one store gets. */
export const SEVERAL = '/depositos/varios';

type Deposit = AnswerOf<'showDeposit'>;

/** A box for each deposit that does not wait for a second person. @param cornerStoreId where the store is known */
export function severalDeposits(
  cornerStoreId?: string,
): Several<Pick<Deposit, 'depositId' | 'valor'> & Partial<Pick<Deposit, 'pendingChange'>>> {
  return {
    action: SEVERAL,
    button: say('Asignar los elegidos', 'Assign the chosen ones'),
    name: 'deposito',
    of: ({ depositId, valor, pendingChange }) =>
      pendingChange == null ? { id: depositId, called: pesosOf(valor) } : undefined,
    ...(cornerStoreId !== undefined && { hidden: { tienda: cornerStoreId } }),
  };
}

const backTo = (): [string, string] => ['/depositos', say('Depósitos', 'Deposits')];

/** The chosen deposits with their sum, and the store that is asked for, or what it will pay with them. */
export async function showSeveral(visit: Visit): Promise<Page> {
  const ids = chosenIn(visit, 'deposito');
  if (ids.length === 0) return noneChosen(backTo());
  const deposits = await Promise.all(ids.map((id) => visit.viewer.ops.deposits.show(id)));
  const valor = sumOf(deposits, (deposit) => deposit.valor);
  const sum = pesosOf(valor);
  const what = `${numbered(deposits.length, say('depósito', 'deposit'), say('depósitos', 'deposits'))}, ${sum}`;
  const cornerStoreId = queryOf(visit, 'tienda');
  const hidden = { deposito: ids.join(',') };
  const chosen = tablePart({
    title: what,
    columns: columnsOf(),
    rows: deposits,
    href: depositHref,
  });
  if (isPart(cornerStoreId)) {
    return confirmAssignment(visit, {
      path: backTo(),
      action: `${SEVERAL}/asignar`,
      hidden: { ...hidden, cornerStoreId },
      what,
      valor,
      chosen,
    });
  }
  return {
    path: backTo(),
    title: say('Asignar varios depósitos', 'Assign several deposits'),
    lead: say(
      'Todos a una tienda. Todavía no cambia nada.',
      'All to one store. Nothing has changed yet.',
    ),
    content: html`${chosen}
    ${form(visit, {
      action: SEVERAL,
      hidden,
      fields: [storeField()],
      button: say('Buscar la tienda', 'Find the store'),
    })}`,
  };
}

/** Leads to the confirmation with the store that the text names, or asks which one. */
export async function findStoreOfSeveral(visit: Visit): Promise<Page | Redirect> {
  const ids = chosenIn(visit, 'deposito').join(',');
  return storesCalled(visit, {
    path: backTo(),
    hrefOf: (id) => `${SEVERAL}?deposito=${ids}&tienda=${id}`,
  });
}

/** Assigns them one after the other, and shows the outcome of each. */
export async function assignSeveral(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const { deposits } = viewer.ops;
  const cornerStoreId = fieldOf(visit, 'cornerStoreId');
  const title = say('Depósitos asignados', 'Assigned deposits');
  const outcomes = await withEach(title, {
    ids: chosenIn(visit, 'deposito'),
    call: (id) => deposits.assign(id, { cornerStoreId }),
    read: (id) => deposits.show(id),
    columns: columnsOf(),
    href: depositHref,
  });
  const store = link(`/tiendas/${cornerStoreId}`, say('Ver la tienda', 'See the store'));
  return { ...outcomes, path: backTo(), lead: store };
}

function columnsOf(): Columns<Deposit> {
  return [
    [say('Depósito', 'Deposit'), depositName, 'name'],
    [say('Pagado', 'Paid at'), 'paidAt', 'when'],
    [say('Monto', 'Amount'), 'valor', 'money'],
  ];
}
