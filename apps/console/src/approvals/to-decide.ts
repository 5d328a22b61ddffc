import { html, type Html } from '@fiado/chassis/html';
import { inFours, link, pesosOf, textOf, timeOf } from '../frame/formats';
import { factCard, tablePart, unlessRefused } from '../frame/parts';
import { firstPage } from '../frame/read';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';
import { debtColumns, invoiceColumn } from '../orders/debts';
import { amountsPart, lastStatement, linesPart } from '../statements/draft';
import { daysOf } from '../statements/statement';
import {
  approvalHref,
  type ChangeRequest,
  requestLine,
  storeOf,
  type Subjects,
  subjectsOf,
} from './subjects';

/** Debts and lines that are shown; their pages have all. */
const SHOWN = 10;
/** Newest debts of a store that are counted. */
const COUNTED = 100;

/** What a second person needs to decide: how a store pays, the lines of a statement, the debt, the deposit. */
export async function toDecide(request: ChangeRequest, visit: Visit): Promise<Html[]> {
  const { kind, targetId } = request;
  const store = storeOf(request);
  const parts: Array<Promise<Html>> = [];
  if (kind.startsWith('statement.') && targetId !== null) parts.push(statement(visit, targetId));
  if (kind === 'receivable.write-off' && targetId !== null) parts.push(debt(visit, targetId));
  if (kind.startsWith('deposit.') && targetId !== null) parts.push(deposit(visit, targetId));
  if (kind.startsWith('staff.') && targetId !== null) parts.push(requestsOf(visit, targetId));
  if (store !== undefined) parts.push(howItPays(visit, store));
  return Promise.all(parts.map((part) => unlessRefused(part)));
}

/** What a store uses of its line, what it owes, and how many of its debts it paid in time. */
async function howItPays({ viewer }: Visit, cornerStoreId: string): Promise<Html> {
  const [{ credit, debts, cornerStore }, { receivables }] = await Promise.all([
    viewer.ops.cornerStores.get(cornerStoreId),
    firstPage(viewer.ops.receivables.list({ cornerStoreId, limit: COUNTED })),
  ]);
  const paid = receivables.filter(({ paidAt }) => paidAt !== null);
  const inTime = paid.filter(({ paidAt, paymentDate }) => String(paidAt) <= paymentDate);
  return factCard(say('Cómo paga la tienda', 'How the store pays'), [
    [
      say('Pagados a tiempo', 'Paid in time'),
      say(`${inTime.length} de ${paid.length}`, `${inTime.length} of ${paid.length}`),
    ],
    credit !== null && [
      say('Usa de su línea', 'Uses of its line'),
      say(
        `${pesosOf(credit.used)} de ${pesosOf(credit.creditLimit)}`,
        `${pesosOf(credit.used)} of ${pesosOf(credit.creditLimit)}`,
      ),
    ],
    debts !== null && [
      say('Debe', 'Due'),
      `${pesosOf(debts.amountDue)} (${String(debts.openDebts)})`,
    ],
    debts !== null && [
      say('Con atraso', 'Overdue'),
      `${pesosOf(debts.overdueAmount)} (${String(debts.overdueDebts)})`,
    ],
    debts !== null &&
      debts.creditBalance !== 0 && [
        say('Saldo a favor', 'Credit balance'),
        pesosOf(debts.creditBalance),
      ],
    [say('Cliente desde', 'Since'), timeOf(cornerStore.createdAt)],
  ]);
}

/** What a person of the lender has asked for that still waits: it ends with the access. */
async function requestsOf(visit: Visit, staffId: string): Promise<Html> {
  const asked = { status: 'pending' as const, limit: COUNTED };
  const { changeRequests } = await firstPage(visit.viewer.ops.changeRequests.list(asked));
  const own = changeRequests.filter(({ requestedBy }) => requestedBy === staffId);
  const subjects = await subjectsOf(visit, own);
  return tablePart<ChangeRequest, Subjects>({
    title: say('Lo que esta persona pidió y espera', 'What this person asked for, and waits'),
    href: approvalHref,
    columns: [
      [say('Cambio', 'Change'), requestLine, 'name'],
      [say('Por qué', 'Why'), 'reason'],
      [say('Pedido', 'Asked'), 'requestedAt', 'when'],
    ],
    rows: own,
    names: subjects,
    empty: say('Nada suyo espera aprobación.', 'Nothing of theirs waits for approval.'),
  });
}

async function statement(visit: Visit, statementId: string): Promise<Html> {
  const { viewer } = visit;
  const [shown, { lines }] = await Promise.all([
    viewer.ops.statements.show(statementId),
    firstPage(viewer.ops.statements.listLines(statementId, { limit: SHOWN })),
  ]);
  const { wholesalerId, wholesaler, number, periodFrom: to } = shown;
  const last = await lastStatement(visit, { wholesalerId, to });
  const days = daysOf(shown);
  return html`${amountsPart(shown, last)}
  ${await linesPart(visit, lines, {
    title: say(
      `Liquidación ${number} de ${wholesaler}, ${days}`,
      `Statement ${number} of ${wholesaler}, ${days}`,
    ),
    more: link(`/liquidaciones/${statementId}`, say('Ver los renglones', 'See the lines')),
  })}`;
}

async function debt({ viewer }: Visit, receivableId: string): Promise<Html> {
  return tablePart({
    title: say('El adeudo', 'The debt'),
    columns: [invoiceColumn(), ...debtColumns()],
    rows: [await viewer.ops.receivables.show(receivableId)],
  });
}

async function deposit({ viewer }: Visit, depositId: string): Promise<Html> {
  const shown = await viewer.ops.deposits.show(depositId);
  return factCard(say('El depósito', 'The deposit'), [
    [say('Monto', 'Amount'), link(`/depositos/${depositId}`, pesosOf(shown.valor))],
    [say('Estado', 'State'), shown.status, 'deposit'],
    [say('Proveedor', 'Provider'), shown.paymentProvider],
    [say('Factura', 'Invoice'), inFours(textOf(shown.idFactura))],
    [say('Referencia', 'Reference'), inFours(textOf(shown.numeroReferencia))],
    [say('Pagado', 'Paid at'), timeOf(shown.paidAt)],
  ]);
}
