import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { csrfField, foldedForm } from '../frame/form';
import { pesosOf, textOf, timeOf } from '../frame/formats';
import { factList, listPage, statusFilter, table, type Fact } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';
import { depositStatusName, wordFor, type Say } from '../frame/words';

export const depositRoutes: Route[] = [
  show('/depositos', showDeposits),
  show('/depositos/:depositId', showDeposit),
  act('/depositos/:depositId/asignar', assignDeposit, showDeposit),
  act('/depositos/:depositId/retirar', unassignDeposit, showDeposit),
  act('/depositos/:depositId/revertir', reverseDeposit, showDeposit),
];

const STATUSES = ['unmatched', 'received', 'applied', 'reversed'] as const;

/** Deposits that belong to no debt yet, or those of another state. */
function showDeposits(visit: Visit): Promise<Page> {
  const { say } = visit;
  const { status, links } = statusFilter(visit, '/depositos', STATUSES, depositStatusName);
  return listPage(visit, {
    title: say('Depósitos', 'Deposits'),
    list: (cursor) => visit.viewer.ops.deposits.list({ status, cursor }),
    rowsOf: ({ deposits }) => deposits,
    before: links,
    empty: say('No hay depósitos así.', 'There are no such deposits.'),
    columns: [
      [
        say('Monto', 'Amount'),
        ({ depositId, valor }) => html`<a href="/depositos/${depositId}">${pesosOf(valor)}</a>`,
      ],
      [say('Pagado', 'Paid at'), ({ fechaPago }) => fechaPago],
      ['idFactura', ({ idFactura }) => textOf(idFactura)],
      ['numeroReferencia', ({ numeroReferencia }) => textOf(numeroReferencia)],
      [say('Proveedor', 'Provider'), ({ paymentProvider }) => paymentProvider],
      [
        say('Aprobación', 'Approval'),
        ({ pendingChange }) =>
          pendingChange == null ? '—' : say('espera a otra persona', 'waits for somebody'),
      ],
    ],
  });
}

type Deposit = AnswerOf<'showDeposit'>;

type Candidate = Deposit['candidates'][number];

/** One deposit: what it paid, who decided on it, and the debts that it may be meant for. */
async function showDeposit(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const deposit = await viewer.ops.deposits.show(idOf(visit, 'depositId'));
  const waits = deposit.pendingChange != null;
  const approves = mayDo(viewer, 'approver') && !waits;
  const unassigns = approves && deposit.status === 'applied';
  const reverses = approves && deposit.status !== 'reversed';
  return {
    title: say(`Depósito de ${pesosOf(deposit.valor)}`, `Deposit of ${pesosOf(deposit.valor)}`),
    content: html`${await pendingNotice(visit, deposit.pendingChange)} ${facts(deposit, say)}
    ${deposit.status === 'unmatched' ? candidates(visit, deposit) : allocations(deposit, say)}
    ${decisions(deposit, say)} ${unassigns ? unassignForm(visit, deposit) : NOTHING}
    ${reverses ? reverseForm(visit, deposit) : NOTHING}`,
  };
}

function facts(deposit: Deposit, say: Say): Html {
  const { cornerStoreId } = deposit;
  const store: Fact = [
    say('Tienda', 'Store'),
    html`<a href="/tiendas/${textOf(cornerStoreId)}">${textOf(cornerStoreId)}</a>`,
  ];
  return factList([
    [say('Estado', 'Status'), html`<strong>${depositStatusName(deposit.status, say)}</strong>`],
    [say('Pagado', 'Paid at'), timeOf(deposit.paidAt)],
    [say('Proveedor', 'Provider'), deposit.paymentProvider],
    ['idFactura', textOf(deposit.idFactura)],
    ['numeroReferencia', textOf(deposit.numeroReferencia)],
    [say('Saldo a favor', 'Surplus'), pesosOf(deposit.surplus)],
    ...(cornerStoreId === null ? [] : [store]),
  ]);
}

function candidates(visit: Visit, { depositId, candidates, pendingChange }: Deposit): Html {
  const { viewer, say } = visit;
  const name = say('Posibles adeudos', 'Possible debts');
  const assigns = mayDo(viewer, 'operator') && pendingChange == null;
  return html`<h2>${name}</h2>
    ${table<Candidate>(
      name,
      [
        [
          say('Cliente', 'Customer'),
          ({ cornerStoreId, externalId }) =>
            html`<a href="/tiendas/${cornerStoreId}">${textOf(externalId)}</a>`,
        ],
        ['idFactura', ({ idFactura }) => idFactura],
        [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue)],
        [
          say('Por qué', 'Why'),
          ({ reasons }) => reasons.map((one) => reasonName(one, say)).join(', '),
        ],
        assigns && [
          say('Asignar', 'Assign'),
          (candidate) => assignForm(visit, depositId, candidate),
        ],
      ],
      candidates,
      say('Ningún adeudo se le parece.', 'No debt resembles it.'),
    )}`;
}

function decisionName(decision: string, say: Say): string {
  return wordFor(decision, {
    assigned: say('asignado', 'assigned'),
    unassigned: say('quitado a su tienda', 'unassigned'),
    reversed: say('revertido', 'reversed'),
  });
}

function reasonName(reason: string, say: Say): string {
  return wordFor(reason, {
    reference: say('la referencia', 'its reference'),
    'similar-reference': say('una referencia parecida', 'a similar reference'),
    amount: say('el mismo monto', 'the same amount'),
  });
}

function assignForm(
  { viewer, say }: Visit,
  depositId: string,
  { cornerStoreId, externalId }: Candidate,
): Html {
  const label = say('Asignar a esta tienda', 'Assign to this store');
  return html`<form method="post" action="/depositos/${depositId}/asignar">
    ${csrfField(viewer)}<input type="hidden" name="cornerStoreId" value="${cornerStoreId}" />
    <button class="second" aria-label="${label}: ${textOf(externalId)}">${label}</button>
  </form>`;
}

function allocations({ allocations: paid }: Deposit, say: Say): Html {
  const name = say('Qué pagó', 'What it paid');
  return html`<h2>${name}</h2>
    ${table<Deposit['allocations'][number]>(
      name,
      [
        [
          say('Adeudo', 'Debt'),
          ({ transactionId, idFactura }) =>
            html`<a href="/pedidos/${transactionId}">${idFactura}</a>`,
        ],
        [say('Monto', 'Amount'), ({ amount }) => pesosOf(amount)],
        [say('Revertido', 'Reversed'), ({ amountReversed }) => pesosOf(amountReversed)],
      ],
      paid,
      say('Todavía nada.', 'Nothing yet.'),
    )}`;
}

function decisions({ decisions: made }: Deposit, say: Say): Html {
  if (made.length === 0) return NOTHING;
  const name = say('Decisiones', 'Decisions');
  return html`<h2>${name}</h2>
    ${table<Deposit['decisions'][number]>(
      name,
      [
        [say('Cuándo', 'When'), ({ decidedAt }) => timeOf(decidedAt)],
        [say('Qué', 'What'), ({ decision }) => decisionName(decision, say)],
        [say('Quién', 'Who'), ({ decidedBy }) => decidedBy],
        [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
      ],
      made,
      '',
    )}`;
}

/** Who asks writes the reason, and a second person confirms. */
function unassignForm(visit: Visit, { depositId }: Deposit): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Quitar el depósito a esta tienda', 'Take the deposit away from this store'),
    hint: say(
      'Para un depósito que se aplicó a la tienda equivocada: sus adeudos quedan abiertos otra vez, la tienda recibe un SMS, y el depósito espera que lo asignes a otra.',
      'For a deposit that was applied to the wrong store: its debts are open again, the store gets an SMS, and the deposit waits for you to assign it to another.',
    ),
    action: `/depositos/${depositId}/retirar`,
    button: say('Quitar a esta tienda', 'Take away'),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}

function reverseForm(visit: Visit, { depositId }: Deposit): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Revertir el depósito', 'Reverse the deposit'),
    hint: say(
      'Los adeudos que pagó quedan abiertos otra vez.',
      'The debts that it paid are open again.',
    ),
    action: `/depositos/${depositId}/revertir`,
    button: say('Revertir', 'Reverse'),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}

async function assignDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { cornerStoreId: fieldOf(visit, 'cornerStoreId') };
  await visit.viewer.ops.deposits.assign(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}

async function unassignDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.deposits.unassign(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}

async function reverseDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.deposits.reverse(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}
