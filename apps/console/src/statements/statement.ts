import { html, type Html, NOTHING } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { dateField, foldedForm, reasonField } from '../frame/form';
import { buttonLink, dayAt, dayOf, link, named, pesosOf, timeOf } from '../frame/formats';
import { type Columns, factCard, PAGE_SIZE, pageLinks } from '../frame/parts';
import { firstPage } from '../frame/read';
import { forRole, recordPage } from '../frame/record';
import { queryOf, type Visit } from '../frame/visit';
import { say, stateBadge } from '../frame/words';
import { amountsPart, draftLink, lastStatement, linesPart } from './draft';

type Statement = AnswerOf<'showStatement'>;

/** The days of a period, whose end belongs to the next one. */
export function daysOf({
  periodFrom,
  periodTo,
}: Pick<Statement, 'periodFrom' | 'periodTo'>): string {
  const last = new Date(Date.parse(periodTo) - 1).toISOString();
  const [from, to] = [dayOf(dayAt(periodFrom)), dayOf(dayAt(last))];
  return from === to ? from : `${from} – ${to}`;
}

export const statementHref = ({ statementId }: { statementId: string }): string =>
  `/liquidaciones/${statementId}`;

/** Whose statement it is, and its number. */
export function wholesalerAndNumber(): Columns<Pick<Statement, 'wholesaler' | 'number'>> {
  return [
    [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => named(wholesaler), 'name'],
    ['', ({ number }) => `${say('Núm.', 'No.')} ${number}`, 'note'],
  ];
}

/** A button that downloads the lines of a statement. */
export function csvLink({
  statementId,
  wholesaler,
  number,
}: Pick<Statement, 'statementId' | 'wholesaler' | 'number'>): Html {
  const label = say('Descargar CSV', 'Download CSV');
  const name = `${label}: ${wholesaler} ${number}`;
  return buttonLink(`/liquidaciones/${statementId}/renglones.csv`, label, name);
}

/** How many payment complements of a statement are missing; nothing where all are there. */
export function missingComplements(pending: number): string {
  const count = pending.toLocaleString('es-MX');
  if (pending === 0) return '';
  return say(`Faltan complementos de pago: ${count}`, `Payment complements missing: ${count}`);
}

/** One statement: its amounts, a page of its lines, and its payment. */
export const statement = recordPage('/liquidaciones/:statementId', {
  load: (id, { viewer }) => viewer.ops.statements.show(id),
  path: () => ['/liquidaciones', say('Liquidaciones', 'Statements')],
  title: ({ number }) => say(`Liquidación ${number}`, `Statement ${number}`),
  badge: ({ status }) => stateBadge('statement', status),
  lead: (statement) =>
    html`${link(`/mayoristas/${statement.wholesalerId}`, statement.wholesaler)} ·
      ${daysOf(statement)} <small>${missingComplements(statement.pendingComplements)}</small>`,
  actions: (statement) => [csvLink(statement), draftLink(statement.wholesalerId)],
  parts: [
    amountsBesideLast,
    pageOfLines,
    forRole('approver', payForm),
    forRole('approver', returnForm),
  ],
  side: [facts],
});

async function amountsBesideLast(statement: Statement, visit: Visit): Promise<Html> {
  const { wholesalerId, periodFrom: to } = statement;
  return amountsPart(statement, await lastStatement(visit, { wholesalerId, to }));
}

async function pageOfLines({ statementId }: Statement, visit: Visit): Promise<Html> {
  const cursor = queryOf(visit, 'cursor') || undefined;
  const asked = { limit: PAGE_SIZE, cursor };
  const pages = visit.viewer.ops.statements.listLines(statementId, asked);
  const { lines, nextCursor } = await firstPage(pages);
  return html`${await linesPart(visit, lines)}
  ${pageLinks(`/liquidaciones/${statementId}`, { cursor, nextCursor })}`;
}

function facts(statement: Statement): Html {
  const { bankReference, paidOn, closedAt, lines, sha256, statementId, commissionInvoice } =
    statement;
  const path = `/liquidaciones/${statementId}/comision`;
  return factCard(say('Datos', 'Facts'), [
    [say('Referencia del banco', 'Bank reference'), bankReference, 'id'],
    [say('Pagada el', 'Paid on'), paidOn && dayOf(paidOn)],
    // A service of the release before says nothing of it.
    typeof commissionInvoice === 'string' && [
      say('Factura de la comisión', 'Commission invoice'),
      commissionInvoice === 'issued'
        ? html`${link(`${path}.xml`, 'XML')} ${link(`${path}.pdf`, 'PDF')}`
        : say('Por emitirse', 'To be issued'),
    ],
    [say('Cerrada', 'Closed'), timeOf(closedAt)],
    [say('Renglones', 'Lines'), lines.toLocaleString('es-MX')],
    ['SHA-256', sha256, 'id'],
    [say('Id de la liquidación', 'Id of the statement'), statementId, 'id'],
  ]);
}

/** A second person confirms that the transfer was made. */
function payForm({ statementId, status, amountDue }: Statement, visit: Visit): Html {
  if (status !== 'closed') return NOTHING;
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
      dateField('paidOn', say('Día de la transferencia', 'Day of the transfer')),
      reasonField(),
    ],
  });
}

function returnForm({ statementId, paidAt, amountDue }: Statement, visit: Visit): Html {
  if (paidAt === null) return NOTHING;
  return foldedForm(visit, {
    summary: say('El banco devolvió el pago', 'The bank returned the payment'),
    hint: say(
      'La liquidación queda por pagar otra vez, con otra referencia. Otra persona lo aprueba.',
      'The statement is to be paid again, with another reference. Another person approves it.',
    ),
    action: `/liquidaciones/${statementId}/devuelta`,
    button: say(`Regresaron ${pesosOf(amountDue)}`, `${pesosOf(amountDue)} came back`),
    kind: 'bad',
  });
}
