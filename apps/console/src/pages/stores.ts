import { html, NOTHING, type Html } from '@fiado/shared/html';
import { fieldOf, partOf, type Visit } from '../http/visit';
import { pesosOf, textOf, timeOf } from './formats';
import { csrfField, textField } from './form';
import { listPage, table } from './list-page';
import type { Page, Redirect } from './page';
import { nameOf, statusName, type Store } from './store-fields';

const STATUSES = ['pre-approved', 'in-manual-validation', 'approved', 'in-payment-default'];

/** Corner stores, newest first, by status. */
export function showStores(visit: Visit): Promise<Page> {
  const { req, say } = visit;
  const status = STATUSES.find((known) => known === req.query['status']);
  const query = status === undefined ? '' : `?status=${status}`;
  return listPage<Store>(visit, {
    title: say('Tiendas', 'Stores'),
    path: `/corner-stores${query}`,
    rowsOf: (answer) => answer['cornerStores'] as Store[],
    before: statusLinks(visit, status),
    columns: [
      [say('Tienda', 'Store'), (store) => storeLink(store)],
      [say('Estado', 'Status'), (store) => statusName(store.status, say)],
      [say('Línea', 'Limit'), (store) => pesosOf(store.creditLimit)],
      [say('Tasa', 'Rate'), (store) => textOf(store.interestRate)],
      [say('Teléfono', 'Phone'), (store) => store.phoneNumber],
      [say('Alta', 'Created'), (store) => timeOf(store.createdAt)],
    ],
  });
}

function storeLink(store: Store): Html {
  return html`<a href="/tiendas/${store.cornerStoreId}">${nameOf(store)}</a>`;
}

function statusLinks({ say }: Visit, current: string | undefined): Html {
  const links = STATUSES.map((status) =>
    status === current
      ? html`<strong>${statusName(status, say)}</strong> `
      : html`<a href="/tiendas?status=${status}">${statusName(status, say)}</a> `,
  );
  return html`<p>${links}<a href="/tiendas">${say('todas', 'all')}</a></p>`;
}

/** A store from all sides: its debts and orders, and its terms. */
export async function showStore(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const cornerStoreId = partOf(visit, 'cornerStoreId');
  const ask = (path: string): Promise<Record<string, unknown>> => viewer.api.call('GET', path);
  const [orders, debts, customers] = await Promise.all([
    ask(`/transactions?cornerStoreId=${cornerStoreId}`),
    ask(`/receivables?cornerStoreId=${cornerStoreId}`),
    ask(`/customers?cornerStoreId=${cornerStoreId}`),
  ]);
  const none = say('No hay nada aquí.', 'Nothing here.');
  const rows = (answer: Record<string, unknown>, field: string) =>
    answer[field] as Array<Record<string, unknown>>;
  const orderName = say('Pedidos', 'Orders');
  const debtName = say('Adeudos', 'Debts');
  const customerName = say('Cliente de', 'Customer of');
  return {
    title: say('Tienda', 'Store'),
    content: html`<p class="quiet">${cornerStoreId}</p>
      <h2>${customerName}</h2>
      ${table(
        customerName,
        [
          [
            say('Mayorista', 'Wholesaler'),
            (row) => textOf(row['wholesaler'] ?? row['wholesalerId']),
          ],
          [say('Clave de cliente', 'Customer id'), (row) => textOf(row['externalId'])],
        ],
        rows(customers, 'customers'),
        none,
      )}
      <h2>${orderName}</h2>
      ${table(
        orderName,
        [
          [say('Pedido', 'Order'), (row) => textOf(row['incrementalID'])],
          [say('Estado', 'Status'), (row) => textOf(row['transactionStatus'])],
          [say('Total', 'Total'), (row) => pesosOf(row['totalAmountWithInterests'])],
          [say('Creado', 'Created'), (row) => timeOf(row['createdAt'])],
        ],
        rows(orders, 'transactions'),
        none,
      )}
      <h2>${debtName}</h2>
      ${table(
        debtName,
        [
          [say('Referencia', 'Reference'), (row) => textOf(row['idFactura'])],
          [say('Estado', 'Status'), (row) => textOf(row['status'])],
          [say('Debe', 'Due'), (row) => pesosOf(row['amountDue'])],
          [say('Pagado', 'Paid'), (row) => pesosOf(row['amountPaid'])],
          [say('Vence', 'Last day'), (row) => timeOf(row['paymentDate'])],
        ],
        rows(debts, 'receivables'),
        none,
      )}
      ${termsForm(visit, cornerStoreId)}`,
  };
}

function termsForm({ viewer, say }: Visit, cornerStoreId: string): Html {
  if (viewer.role !== 'approver' && viewer.role !== 'admin') return NOTHING;
  return html`<h2>${say('Cambiar condiciones', 'Change the terms')}</h2>
    <form method="post" action="/tiendas/${cornerStoreId}">
      ${csrfField(viewer)}
      ${textField('creditLimit', say('Línea en pesos', 'Limit in pesos'), { required: false })}
      ${textField('interestRate', say('Tasa (0.05 es 5 %)', 'Rate (0.05 is 5 %)'), { required: false })}
      <p><button class="main">${say('Guardar', 'Save')}</button></p>
    </form>`;
}

/** PUT of limit and rate: a field that is left empty stays as it is. */
export async function changeTerms(visit: Visit): Promise<Redirect> {
  const cornerStoreId = partOf(visit, 'cornerStoreId');
  const fields = ['creditLimit', 'interestRate'].flatMap((name) => {
    const text = fieldOf(visit, name);
    return text === '' ? [] : [[name, Number(text)] as const];
  });
  await visit.viewer.api.call('PUT', `/corner-stores/${cornerStoreId}`, Object.fromEntries(fields));
  return { redirect: `/tiendas/${cornerStoreId}` };
}
