import { html } from '@fiado/chassis/html';
import { centsOf } from '@fiado/contracts/money';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { form } from '../frame/form';
import { link, pesosOf } from '../frame/formats';
import { type Columns, tablePart } from '../frame/lists';
import { chosenIn, noneChosen, withEach } from '../frame/several';
import { fieldOf, isPart, queryOf, type Page, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { confirmAssignment, depositLink, storeField, storesCalled } from './assign';

/** Deposits that were chosen in a list, which one store gets. */
export const SEVERAL = '/depositos/varios';

type Deposit = AnswerOf<'showDeposit'>;

const backTo = (): [string, string] => ['/depositos', say('Depósitos', 'Deposits')];

/** The chosen deposits with their sum, and the store that is asked for, or what it will pay with them. */
export async function showSeveral(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const ids = chosenIn(visit, 'deposito');
  if (ids.length === 0) return noneChosen(backTo());
  const deposits = await Promise.all(ids.map((id) => viewer.ops.deposits.show(id)));
  const cents = deposits.reduce((sum, { valor }) => sum + centsOf(valor), 0);
  const sum = pesosOf(cents / 100);
  const what = say(`${deposits.length} depósitos, ${sum}`, `${deposits.length} deposits, ${sum}`);
  const cornerStoreId = queryOf(visit, 'tienda');
  const hidden = { deposito: ids.join(',') };
  const chosen = tablePart({ title: what, columns: columnsOf(), rows: deposits });
  if (isPart(cornerStoreId)) {
    return confirmAssignment(visit, {
      path: backTo(),
      action: `${SEVERAL}/asignar`,
      hidden: { ...hidden, cornerStoreId },
      what,
      valor: cents / 100,
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
  });
  const store = link(`/tiendas/${cornerStoreId}`, say('Ver la tienda', 'See the store'));
  return { ...outcomes, path: backTo(), lead: store };
}

function columnsOf(): Columns<Deposit> {
  return [
    [say('Depósito', 'Deposit'), depositLink, 'name'],
    [say('Pagado', 'Paid at'), 'paidAt', 'when'],
    [say('Monto', 'Amount'), 'valor', 'money'],
  ];
}
