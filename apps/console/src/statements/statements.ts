import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import {
  choiceFilter,
  dayAfter,
  dayIn,
  daysFilter,
  listFilters,
  wholesalerChoices,
} from '../frame/filters';
import { foldedForm } from '../frame/form';
import { copyable, dayAt, dayOf, pesosOf, textOf, timeOf, when } from '../frame/formats';
import {
  card,
  factList,
  firstPage,
  listPage,
  PAGE_SIZE,
  partOf,
  sumList,
  table,
} from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { stateBadge, stateName } from '../frame/states';
import {
  fieldOf,
  idOf,
  mayDo,
  queryOf,
  type Page,
  type Redirect,
  type Visit,
} from '../frame/visit';
import { wordFor, type Say } from '../frame/words';
import { wholesalerOf } from '../stores/stores';
import { sendLines } from './send-lines';

export const statementRoutes: Route[] = [
  show('/liquidaciones', showStatements),
  act('/liquidaciones', closeStatements, showStatements),
  show('/liquidaciones/:statementId', showStatement),
  { method: 'get', path: '/liquidaciones/:statementId/renglones.csv', handlerOf: sendLines },
  act('/liquidaciones/:statementId/pagada', markPaid, showStatement),
  act('/liquidaciones/:statementId/devuelta', markReturned, showStatement),
];

const STATES = ['todos', 'closed', 'paid'] as const;

type Statement = AnswerOf<'showStatement'>;

/** Statements of all wholesalers, the newest first: each with its spreadsheet. */
async function showStatements(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const wholesalers = await wholesalerChoices(visit);
  const { status, chips } = listFilters(visit, '/liquidaciones', {
    states: STATES,
    nameOf: (one) => (one === 'todos' ? say('Todas', 'All') : stateName('statement', one, say)),
    filters: [
      choiceFilter(visit, 'mayorista', say('Mayorista', 'Wholesaler'), wholesalers),
      daysFilter(visit),
    ],
  });
  const from = dayIn(visit, 'desde');
  const to = dayIn(visit, 'hasta');
  return listPage(visit, {
    title: say('Liquidaciones', 'Statements'),
    lead: say(
      'Lo que se debe a cada mayorista por lo que entregó.',
      'What is owed to each wholesaler for what it delivered.',
    ),
    list: (cursor) =>
      viewer.ops.statements.list({
        ...(status !== 'todos' && { status }),
        ...wholesalerOf(visit),
        ...(from !== '' && { from }),
        ...(to !== '' && { to: dayAfter(to) }),
        limit: PAGE_SIZE,
        cursor,
      }),
    rowsOf: ({ statements }) => statements,
    before: html`${chips} ${mayDo(viewer, 'operator') ? closeForm(visit, wholesalers) : NOTHING}`,
    empty: say('Ninguna liquidación así.', 'No such statement.'),
    columns: [
      [
        say('Mayorista', 'Wholesaler'),
        ({ statementId, wholesaler, number }) =>
          html`<a href="/liquidaciones/${statementId}">${wholesaler}</a>
            <small>${say('Núm.', 'No.')} ${String(number)}</small>`,
        'name',
      ],
      [say('Días', 'Days'), (statement) => daysOf(statement)],
      [say('Cerrada', 'Closed'), ({ closedAt }) => when(closedAt), 'when'],
      [say('Estado', 'State'), ({ status: one }) => stateBadge('statement', one, say), 'state'],
      [say('Entregado', 'Delivered'), ({ grossAmount }) => pesosOf(grossAmount), 'figure'],
      [
        say('A pagar', 'Due'),
        ({ amountDue }) => html`<strong>${pesosOf(amountDue)}</strong>`,
        'money',
      ],
      [say('Hoja', 'Spreadsheet'), (statement) => csvLink(statement, say)],
    ],
  });
}

/** The days of a period, whose end belongs to the next one. */
function daysOf({ periodFrom, periodTo }: Pick<Statement, 'periodFrom' | 'periodTo'>): string {
  const last = new Date(Date.parse(periodTo) - 1).toISOString();
  return `${dayOf(dayAt(periodFrom))} – ${dayOf(dayAt(last))}`;
}

function csvLink(
  { statementId, wholesaler, number }: Pick<Statement, 'statementId' | 'wholesaler' | 'number'>,
  say: Say,
): Html {
  const label = say('Descargar CSV', 'Download CSV');
  return html`<a
    class="button second"
    href="/liquidaciones/${statementId}/renglones.csv"
    aria-label="${label}: ${wholesaler} ${String(number)}"
    download
    >${label}</a
  >`;
}

function closeForm(visit: Visit, wholesalers: Array<readonly [string, string]>): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Cerrar ahora', 'Close now'),
    hint: say(
      'Se cierran solas cada día o cada lunes, según el mayorista. Aquí cierras antes: entra lo entregado hasta el día, incluido.',
      'They close each day or each Monday by themselves. Here you close earlier: with what was delivered up to the day, included.',
    ),
    action: '/liquidaciones',
    button: say('Cerrar liquidaciones', 'Close statements'),
    fields: [
      {
        name: 'until',
        label: say('Hasta el día', 'Up to the day'),
        type: 'date',
        hint: say('Ayer o antes.', 'Yesterday or earlier.'),
      },
      {
        name: 'wholesalerId',
        label: say('Mayorista', 'Wholesaler'),
        required: false,
        value: queryOf(visit, 'mayorista'),
        options: [['', say('Todos', 'All')] as const, ...wholesalers],
      },
    ],
  });
}

async function closeStatements(visit: Visit): Promise<Redirect> {
  const day = fieldOf(visit, 'until');
  const wholesalerId = fieldOf(visit, 'wholesalerId');
  await visit.viewer.ops.statements.close({
    until: Number.isNaN(Date.parse(day)) ? day : dayAfter(day),
    ...(wholesalerId === '' ? {} : { wholesalerId }),
  });
  return { redirect: '/liquidaciones', done: 'cerradas' };
}

type Line = ItemOf<'listOpsStatementLines', 'lines'>;

/** One statement: its amounts, its first lines, and its payment. */
async function showStatement(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const statementId = idOf(visit, 'statementId');
  const statement = await viewer.ops.statements.show(statementId);
  const { lines } = await firstPage(
    viewer.ops.statements.listLines(statementId, { limit: PAGE_SIZE }),
  );
  const mayPay = mayDo(viewer, 'approver');
  return {
    path: ['/liquidaciones', say('Liquidaciones', 'Statements')],
    title: say(`Liquidación ${statement.number}`, `Statement ${statement.number}`),
    badge: stateBadge('statement', statement.status, say),
    lead: html`<a href="/mayoristas/${statement.wholesalerId}">${statement.wholesaler}</a> ·
      ${daysOf(statement)}`,
    actions: csvLink(statement, say),
    content: html`<div class="record">
      <div>
        ${linesPart(statement, lines, say)}
        ${mayPay && statement.status === 'closed' ? payForm(visit, statement) : NOTHING}
        ${mayPay && statement.paidAt !== null ? returnForm(visit, statement) : NOTHING}
      </div>
      <div>${amounts(statement, say)} ${facts(statement, say)}</div>
    </div>`,
  };
}

function linesPart({ lines: count }: Statement, lines: Line[], say: Say): Html {
  const name = say('Renglones', 'Lines');
  const rest =
    count > lines.length
      ? html`<p class="quiet">
          ${say(
            `Los primeros ${lines.length} de ${count}. Todos están en el CSV.`,
            `The first ${lines.length} of ${count}. All are in the CSV.`,
          )}
        </p>`
      : NOTHING;
  return partOf(
    name,
    html`${table<Line>(
      name,
      [
        [
          say('Qué', 'What'),
          ({ kind, transactionId, wholesalerTransactionId }) =>
            transactionId === null
              ? kindName(kind, say)
              : html`<a href="/pedidos/${transactionId}">${kindName(kind, say)}</a>
                  <small>${wholesalerTransactionId ?? ''}</small>`,
          'name',
        ],
        [say('Cuándo', 'When'), ({ occurredAt }) => when(occurredAt), 'when'],
        [say('Monto', 'Amount'), ({ grossAmount }) => pesosOf(grossAmount), 'figure'],
        [say('Comisión', 'Commission'), ({ commission }) => pesosOf(commission), 'figure'],
        [say('Neto', 'Net'), ({ netAmount }) => pesosOf(netAmount), 'money'],
        [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
      ],
      lines,
      '',
    )}
    ${rest}`,
  );
}

function kindName(kind: string, say: Say): string {
  return wordFor(kind, {
    delivery: say('Entrega', 'Delivery'),
    'credit-note': say('Nota de crédito', 'Credit note'),
    clawback: say('Descuento', 'Clawback'),
    adjustment: say('Ajuste', 'Adjustment'),
  });
}

function amounts(statement: Statement, say: Say): Html {
  const { openingBalance, grossAmount, commission, commissionIVA, netAmount, amountDue } =
    statement;
  return card(
    say('Montos', 'Amounts'),
    sumList([
      [say('Saldo anterior', 'Opening balance'), pesosOf(openingBalance)],
      [say('Entregado', 'Delivered'), pesosOf(grossAmount)],
      [say('Comisión', 'Commission'), pesosOf(-commission)],
      [say('IVA de la comisión', 'IVA on the commission'), pesosOf(-commissionIVA)],
      [say('Neto', 'Net'), pesosOf(netAmount)],
      [say('A pagar', 'Due'), pesosOf(amountDue), 'all'],
    ]),
  );
}

function facts(statement: Statement, say: Say): Html {
  const { bankReference, paidOn, closedAt, lines, sha256, statementId } = statement;
  return card(
    say('Datos', 'Facts'),
    factList([
      bankReference !== null && [
        say('Referencia del banco', 'Bank reference'),
        copyable(bankReference),
      ],
      paidOn !== null && [say('Pagada el', 'Paid on'), dayOf(paidOn)],
      [say('Cerrada', 'Closed'), timeOf(closedAt)],
      [say('Renglones', 'Lines'), lines.toLocaleString('es-MX')],
      ['SHA-256', copyable(sha256)],
      [say('Id de la liquidación', 'Id of the statement'), copyable(statementId)],
    ]),
  );
}

/** A second person confirms that the transfer was made. */
function payForm(visit: Visit, { statementId, amountDue }: Statement): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Marcar como pagada', 'Mark as paid'),
    hint: say(
      'Cuando la transferencia ya salió. Otra persona lo aprueba.',
      'Once the transfer is made. Another person approves it.',
    ),
    action: `/liquidaciones/${statementId}/pagada`,
    button: say(`Se pagaron ${pesosOf(amountDue)}`, `${pesosOf(amountDue)} was paid`),
    fields: [
      { name: 'bankReference', label: say('Referencia del banco', 'Bank reference') },
      {
        name: 'paidOn',
        label: say('Día de la transferencia', 'Day of the transfer'),
        type: 'date',
      },
    ],
  });
}

function returnForm(visit: Visit, { statementId, amountDue }: Statement): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('El banco devolvió el pago', 'The bank returned the payment'),
    hint: say(
      'La liquidación queda por pagar otra vez, con otra referencia. Otra persona lo aprueba.',
      'The statement is to be paid again, with another reference. Another person approves it.',
    ),
    action: `/liquidaciones/${statementId}/devuelta`,
    button: say(`Regresaron ${pesosOf(amountDue)}`, `${pesosOf(amountDue)} came back`),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}

async function markPaid(visit: Visit): Promise<Redirect> {
  const statementId = idOf(visit, 'statementId');
  const body = { bankReference: fieldOf(visit, 'bankReference'), paidOn: fieldOf(visit, 'paidOn') };
  await visit.viewer.ops.statements.markPaid(statementId, body);
  return { redirect: `/liquidaciones/${statementId}`, done: 'guardado' };
}

async function markReturned(visit: Visit): Promise<Redirect> {
  const statementId = idOf(visit, 'statementId');
  await visit.viewer.ops.statements.markReturned(statementId, { reason: fieldOf(visit, 'reason') });
  return { redirect: `/liquidaciones/${statementId}`, done: 'guardado' };
}
