import { html, type Html, type HtmlValue, NOTHING } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { foldedForm, reasonField } from '../frame/form';
import { link, pesosOf, textOf, timeOf } from '../frame/formats';
import { factCard, tablePart } from '../frame/parts';
import { storeColumn, storeLink, storeNames, type StoreNames } from '../frame/names';
import { forRole, recordPage } from '../frame/record';
import { act, change, show, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { say, stateBadge, naming } from '../frame/words';
import { invoiceColumn } from '../orders/debts';
import { findStore, showAssignment } from './assign';
import { assignSeveral, findStoreOfSeveral, SEVERAL, showSeveral } from './assign-several';
import { candidates } from './candidates';
import { depositListRoutes, unmatchedName } from './deposit-list';

/** One deposit: what it paid, who decided on it, and the debts that it may be meant for. */
const deposit = recordPage('/depositos/:depositId', {
  load: async (id, visit) => {
    const deposit = await visit.viewer.ops.deposits.show(id);
    const rows = [deposit, ...deposit.candidates, ...deposit.decisions];
    return { ...deposit, names: await storeNames(visit, rows) };
  },
  path: () => ['/depositos', say('Depósitos', 'Deposits')],
  title: ({ valor }) => say(`Depósito de ${pesosOf(valor)}`, `Deposit of ${pesosOf(valor)}`),
  badge: ({ status }) => stateBadge('deposit', status),
  lead: storeAndProvider,
  above: [pendingNotice],
  parts: [
    candidates,
    allocations,
    decisions,
    forRole('operator', unassignForm),
    forRole('approver', reverseForm),
    reversalRequest,
  ],
  side: [facts],
});

export const depositRoutes: Route[] = [
  ...depositListRoutes,
  show(SEVERAL, showSeveral),
  act(SEVERAL, findStoreOfSeveral, showSeveral),
  act(`${SEVERAL}/asignar`, assignSeveral),
  deposit,
  show('/depositos/:depositId/asignar', showAssignment),
  act('/depositos/:depositId/tienda', findStore, deposit.page),
  change(deposit, 'asignar', 'asignado', 'assignDeposit'),
  change(deposit, 'retirar', 'guardado', 'unassignDeposit'),
  change(deposit, 'revertir', 'guardado', 'reverseDeposit'),
  change(deposit, 'no-revertir', 'guardado', 'refuseReversal'),
];

type Deposit = AnswerOf<'showDeposit'> & { names: StoreNames };

function storeAndProvider({ cornerStoreId, names, paymentProvider, paidAt }: Deposit): Html {
  const store =
    cornerStoreId === null
      ? say('Sin tienda', 'No store')
      : storeLink(names, cornerStoreId, say('Una tienda', 'A store'));
  return html`${store} · ${paymentProvider} · ${timeOf(paidAt)}`;
}

function facts(deposit: Deposit): Html {
  const { idFactura, numeroReferencia, reason, possibleDuplicateOf, surplus } = deposit;
  return factCard(say('Datos', 'Facts'), [
    idFactura !== '' && [say('Factura', 'Invoice'), idFactura, 'reference'],
    numeroReferencia !== '' && [say('Referencia', 'Reference'), numeroReferencia, 'reference'],
    [say('Clave de pago', 'Payment id'), textOf(deposit.claveDePago)],
    [say('Pagado', 'Paid at'), timeOf(deposit.paidAt)],
    [say('Recibido', 'Received'), timeOf(deposit.receivedAt)],
    reason !== null && [say('Por qué no se asignó', 'Why it is unmatched'), unmatchedName(reason)],
    possibleDuplicateOf !== null && [
      say('Quizá es el mismo pago que', 'Perhaps the same payment as'),
      link(`/depositos/${possibleDuplicateOf}`, say('este depósito', 'this deposit')),
    ],
    surplus !== 0 && [say('Quedó a favor', 'Surplus'), surplus, 'money'],
    [say('Id del depósito', 'Id of the deposit'), deposit.depositId, 'id'],
  ]);
}

const decisionName = naming({
  assigned: ['Asignado', 'Assigned'],
  unassigned: ['Quitado a su tienda', 'Unassigned'],
  reversed: ['Revertido', 'Reversed'],
});

function allocations({ status, allocations: paid }: Deposit): Html {
  if (status === 'unmatched') return NOTHING;
  return tablePart<Deposit['allocations'][number]>({
    title: say('Qué pagó', 'What it paid'),
    columns: [
      invoiceColumn(),
      [say('Pagado', 'Paid'), 'createdAt', 'when'],
      [say('Monto', 'Amount'), 'amount', 'money'],
      [say('Revertido', 'Reversed'), 'amountReversed', 'figure'],
    ],
    rows: paid,
    empty: say('Todavía nada.', 'Nothing yet.'),
  });
}

function decisions({ decisions: made, names }: Deposit, { viewer }: Visit): Html {
  return tablePart<Deposit['decisions'][number], StoreNames>({
    title: say('Decisiones', 'Decisions'),
    columns: [
      [say('Qué', 'What'), ({ decision }) => decisionName(decision), 'name'],
      [say('Cuándo', 'When'), 'decidedAt', 'when'],
      [
        say('Quién', 'Who'),
        ({ decidedBy, decidedByName }) =>
          decidedBy === viewer.staffId
            ? say('tú', 'you')
            : (decidedByName ?? say('otra persona', 'somebody else')),
      ],
      storeColumn(),
      [say('Motivo', 'Reason'), 'reason'],
    ],
    rows: made,
    names,
  });
}

/** As the API, which has the last word. */
const UNDO_MS = 10 * 60_000;

/** Who asks writes the reason, and a second person confirms; who has just assigned it takes it back alone. */
function unassignForm(deposit: Deposit, visit: Visit): Html {
  const { depositId, status, valor, decisions: made, pendingChange } = deposit;
  if (status !== 'applied' || pendingChange != null) return NOTHING;
  const last = made.at(-1);
  const undoes =
    last?.decision === 'assigned' &&
    last.decidedBy === visit.viewer.staffId &&
    Date.now() - Date.parse(last.decidedAt) < UNDO_MS;
  const action = `/depositos/${depositId}/retirar`;
  if (undoes) {
    return foldedForm(visit, {
      summary: say('Deshacer la asignación', 'Undo the assignment'),
      hint: say(
        'Durante diez minutos, y mientras no se mueva otro dinero de la tienda, la deshaces sin otra persona. La tienda recibe un SMS si ya se le avisó del pago.',
        'For ten minutes, and while no other money of the store moves, you undo it without another person. The store gets an SMS if it was notified of the payment.',
      ),
      action,
      kind: 'bad',
      fields: [
        { ...reasonField(), value: say('Me equivoqué de tienda', 'I took the wrong store') },
      ],
    });
  }
  return foldedForm(visit, {
    summary: say('Quitar el depósito a esta tienda', 'Take the deposit away from this store'),
    hint: say(
      'Para un depósito que se aplicó a la tienda equivocada: sus adeudos quedan abiertos otra vez, la tienda recibe un SMS, y el depósito espera que lo asignes a otra.',
      'For a deposit that was applied to the wrong store: its debts are open again, the store gets an SMS, and the deposit waits for you to assign it to another.',
    ),
    action,
    button: say(`Quitar ${pesosOf(valor)} a esta tienda`, `Take ${pesosOf(valor)} away`),
    kind: 'bad',
  });
}

function reverseForm({ depositId, status, valor, pendingChange }: Deposit, visit: Visit): Html {
  if (status === 'reversed' || pendingChange != null) return NOTHING;
  return foldedForm(visit, {
    summary: say('Revertir el depósito', 'Reverse the deposit'),
    hint: say(
      'Para un pago que se devolvió o no existió: los adeudos que pagó quedan abiertos otra vez.',
      'For a payment that was returned or never was: the debts that it paid are open again.',
    ),
    action: `/depositos/${depositId}/revertir`,
    button: say(`Revertir ${pesosOf(valor)}`, `Reverse ${pesosOf(valor)}`),
    kind: 'bad',
  });
}

const requestAnswer = naming({
  open: ['todavía ninguna', 'none yet'],
  refused: ['no se revierte', 'it is not reversed'],
  reversed: ['se revirtió', 'it was reversed'],
});

/** That the provider of a deposit asks for its reversal, and the form that refuses it. */
function reversalRequest(
  { depositId, reversalRequest: asked, pendingChange }: Deposit,
  visit: Visit,
): HtmlValue {
  const { viewer } = visit;
  if (asked == null) return undefined;
  const { status, reason, requestedAt, refusal } = asked;
  const refuses = status === 'open' && mayDo(viewer, 'approver') && pendingChange == null;
  return html`${factCard(say('El proveedor pide revertirlo', 'Its provider asks for a reversal'), [
    [say('Por qué', 'Why'), textOf(reason)],
    [say('Cuándo', 'When'), requestedAt, 'when'],
    [say('Respuesta', 'Answer'), requestAnswer(status)],
    [say('Motivo', 'Reason'), refusal],
  ])}
  ${refuses && refusalForm(visit, depositId)}`;
}

function refusalForm(visit: Visit, depositId: string): Html {
  return foldedForm(visit, {
    summary: say('No revertirlo', 'Do not reverse it'),
    hint: say(
      'El depósito queda como está, y el proveedor lee el motivo. Para revertirlo usa «Revertir el depósito», que confirma otra persona.',
      'The deposit stays as it is, and its provider reads the reason. To reverse it use “Reverse the deposit”, which another person confirms.',
    ),
    action: `/depositos/${depositId}/no-revertir`,
    button: say('No revertir', 'Do not reverse'),
    kind: 'second',
  });
}
