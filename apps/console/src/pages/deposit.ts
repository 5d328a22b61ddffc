import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { fieldOf, idOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import type { Say } from '../words';
import { csrfField, form } from './form';
import { pesosOf, textOf, timeOf } from './formats';
import { table } from './list-page';
import type { Page, Redirect } from './page';
import { depositStatusName } from './status-words';
import { pendingNotice } from './waiting';

type Deposit = AnswerOf<'showDeposit'>;
type Candidate = Deposit['candidates'][number];

/** One deposit: what it paid, who decided on it, and the debts that it may be meant for. */
export async function showDeposit(visit: Visit): Promise<Page> {
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
  const store = html`<dt>${say('Tienda', 'Store')}</dt>
    <dd><a href="/tiendas/${textOf(cornerStoreId)}">${textOf(cornerStoreId)}</a></dd>`;
  return html`<dl>
    <dt>${say('Estado', 'Status')}</dt>
    <dd><strong>${depositStatusName(deposit.status, say)}</strong></dd>
    <dt>${say('Pagado', 'Paid at')}</dt>
    <dd>${timeOf(deposit.paidAt)}</dd>
    <dt>${say('Proveedor', 'Provider')}</dt>
    <dd>${deposit.paymentProvider}</dd>
    <dt>idFactura</dt>
    <dd>${textOf(deposit.idFactura)}</dd>
    <dt>numeroReferencia</dt>
    <dd>${textOf(deposit.numeroReferencia)}</dd>
    <dt>${say('Saldo a favor', 'Surplus')}</dt>
    <dd>${pesosOf(deposit.surplus)}</dd>
    ${cornerStoreId === null ? NOTHING : store}
  </dl>`;
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
        ...(assigns
          ? [
              [
                say('Asignar', 'Assign'),
                (candidate: Candidate) => assignForm(visit, depositId, candidate),
              ] as [string, (candidate: Candidate) => Html],
            ]
          : []),
      ],
      candidates,
      say('Ningún adeudo se le parece.', 'No debt resembles it.'),
    )}`;
}

function decisionName(decision: string, say: Say): string {
  const names: Record<string, string> = {
    assigned: say('asignado', 'assigned'),
    unassigned: say('quitado a su tienda', 'unassigned'),
    reversed: say('revertido', 'reversed'),
  };
  return names[decision] ?? decision;
}

function reasonName(reason: string, say: Say): string {
  const names: Record<string, string> = {
    reference: say('la referencia', 'its reference'),
    'similar-reference': say('una referencia parecida', 'a similar reference'),
    amount: say('el mismo monto', 'the same amount'),
  };
  return names[reason] ?? reason;
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
  return html`<details ${visit.refusal === undefined ? NOTHING : html`open`}>
    <summary>
      ${say('Quitar el depósito a esta tienda', 'Take the deposit away from this store')}
    </summary>
    <p>
      ${say(
        'Para un depósito que se aplicó a la tienda equivocada: sus adeudos quedan abiertos otra vez, la tienda recibe un SMS, y el depósito espera que lo asignes a otra.',
        'For a deposit that was applied to the wrong store: its debts are open again, the store gets an SMS, and the deposit waits for you to assign it to another.',
      )}
    </p>
    ${form(visit, {
      action: `/depositos/${depositId}/retirar`,
      button: say('Quitar a esta tienda', 'Take away'),
      kind: 'bad',
      fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
    })}
  </details>`;
}

function reverseForm(visit: Visit, { depositId }: Deposit): Html {
  const { say } = visit;
  return html`<details ${visit.refusal === undefined ? NOTHING : html`open`}>
    <summary>${say('Revertir el depósito', 'Reverse the deposit')}</summary>
    <p>
      ${say('Los adeudos que pagó quedan abiertos otra vez.', 'The debts that it paid are open again.')}
    </p>
    ${form(visit, {
      action: `/depositos/${depositId}/revertir`,
      button: say('Revertir', 'Reverse'),
      kind: 'bad',
      fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
    })}
  </details>`;
}

export async function assignDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { cornerStoreId: fieldOf(visit, 'cornerStoreId') };
  await visit.viewer.ops.deposits.assign(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}

export async function unassignDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.deposits.unassign(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}

export async function reverseDeposit(visit: Visit): Promise<Redirect> {
  const depositId = idOf(visit, 'depositId');
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.deposits.reverse(depositId, body);
  return { redirect: `/depositos/${depositId}` };
}
