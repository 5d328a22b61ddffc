import { html, NOTHING, type Html } from '@fiado/shared/html';
import { fieldOf, partOf, type Visit } from '../http/visit';
import { pesosOf, textOf } from './formats';
import { csrfField } from './form';
import { listPage, table } from './list-page';
import type { Page, Redirect } from './page';

interface Deposit {
  depositId: string;
  idFactura: string;
  numeroReferencia: string;
  valor: number;
  fechaPago: string;
  paymentProvider: string;
  status: string;
}

interface Candidate {
  cornerStoreId: string;
  externalId: string | null;
  idFactura: string;
  amountDue: number;
  reasons: unknown;
}

/** Deposits that belong to no debt yet. */
export function showDeposits(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Deposit>(visit, {
    title: say('Depósitos sin asignar', 'Unmatched deposits'),
    path: '/deposits?status=unmatched',
    rowsOf: (answer) => answer['deposits'] as Deposit[],
    columns: [
      [
        say('Monto', 'Amount'),
        ({ depositId, valor }) => html`<a href="/depositos/${depositId}">${pesosOf(valor)}</a>`,
      ],
      [say('Pagado', 'Paid at'), ({ fechaPago }) => fechaPago],
      ['idFactura', ({ idFactura }) => textOf(idFactura)],
      ['numeroReferencia', ({ numeroReferencia }) => textOf(numeroReferencia)],
      [say('Proveedor', 'Provider'), ({ paymentProvider }) => paymentProvider],
    ],
  });
}

/** One deposit, and the debts that it may be meant for. */
export async function showDeposit(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const depositId = partOf(visit, 'depositId');
  const deposit = await viewer.api.call<Deposit & { candidates: Candidate[] }>(
    'GET',
    `/deposits/${depositId}`,
  );
  const name = say('Posibles adeudos', 'Possible debts');
  const assigns = deposit.status === 'unmatched' && viewer.role !== 'viewer';
  return {
    title: say(`Depósito de ${pesosOf(deposit.valor)}`, `Deposit of ${pesosOf(deposit.valor)}`),
    content: html`<dl>
        <dt>${say('Estado', 'Status')}</dt>
        <dd>${deposit.status}</dd>
        <dt>idFactura</dt>
        <dd>${textOf(deposit.idFactura)}</dd>
        <dt>numeroReferencia</dt>
        <dd>${textOf(deposit.numeroReferencia)}</dd>
      </dl>
      <h2>${name}</h2>
      ${table(
        name,
        [
          [say('Cliente', 'Customer'), ({ externalId }) => textOf(externalId)],
          ['idFactura', ({ idFactura }) => idFactura],
          [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue)],
          [say('Por qué', 'Why'), ({ reasons }) => textOf(reasons)],
          [
            say('Asignar', 'Assign'),
            (candidate) => (assigns ? assignForm(visit, depositId, candidate) : NOTHING),
          ],
        ],
        deposit.candidates,
        say('Ninguno.', 'None.'),
      )}`,
  };
}

function assignForm({ viewer, say }: Visit, depositId: string, { cornerStoreId }: Candidate): Html {
  return html`<form method="post" action="/depositos/${depositId}/asignar">
    ${csrfField(viewer)}<input type="hidden" name="cornerStoreId" value="${cornerStoreId}" />
    <button class="second">${say('Asignar a esta tienda', 'Assign to this store')}</button>
  </form>`;
}

export async function assignDeposit(visit: Visit): Promise<Redirect> {
  const depositId = partOf(visit, 'depositId');
  const body = { cornerStoreId: fieldOf(visit, 'cornerStoreId') };
  await visit.viewer.api.call('POST', `/deposits/${depositId}/assign`, body);
  return { redirect: `/depositos/${depositId}` };
}
