import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { RECONCILE_PATH } from './reconcile';
import { daysAfter } from '../frame/filters';
import {
  buttonLink,
  dayAt,
  dayOf,
  groupedBy,
  link,
  pesosOf,
  sumOf,
  timeOf,
} from '../frame/formats';
import { card, type Columns, sumCard, tablePart, unlessRefused } from '../frame/parts';
import { firstPage, unlessDown } from '../frame/read';
import { mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import { say } from '../frame/words';

/** A month of the lender, and the days that it has. */
interface Month {
  /** Such as 2026-11. */
  name: string;
  from: string;
  /** Its last day, or yesterday while it lasts. */
  to: string;
}

/** What moved in a month, from its first day to its last, and what is left to do before it is closed. */
export async function showMonth(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const asked = queryOf(visit, 'mes');
  const month = asked === '' ? await lastMonthWithFlows(visit) : monthOf(asked);
  const [before, after] = [monthOf(monthBefore(month.name)), monthAfter(month.name)];
  const days = `desde=${month.from}&hasta=${month.to}`;
  const [flows, providers, verified] = await Promise.all(
    [flowsCard(visit, month), providersPart(visit, month), lastVerify(visit)].map((part) =>
      unlessRefused(part),
    ),
  );
  const left = [
    link(
      `/depositos?status=unmatched&${days}`,
      say('Depósitos sin asignar del mes', 'Unmatched deposits of the month'),
    ),
    link(
      `/liquidaciones?status=closed&${days}`,
      say('Liquidaciones por pagar del mes', 'Statements of the month to be paid'),
    ),
    mayDo(viewer, 'operator') &&
      link(
        `/exportaciones?${days}`,
        say('Archivos del mes, para la contabilidad', 'Files of the month, for the books'),
      ),
    link(
      RECONCILE_PATH,
      say('Conciliar el archivo de un proveedor', 'Reconcile the file of a provider'),
    ),
    verified,
  ];
  return {
    path: ['/reportes', say('Reportes', 'Reports')],
    title: say(`Cierre de ${nameOf(month)}`, `Close of ${nameOf(month)}`),
    lead: say(
      `Del ${dayOf(month.from)} al ${dayOf(month.to)}. Un día cerrado ya no cambia.`,
      `From ${dayOf(month.from)} to ${dayOf(month.to)}. A closed day does not change.`,
    ).replaceAll(/(?<=\d) /g, '\u00A0'),
    actions: [
      buttonLink(`/reportes/mes?mes=${before.name}`, `← ${nameOf(before)}`),
      after <= thisMonth() &&
        buttonLink(`/reportes/mes?mes=${after}`, `${nameOf(monthOf(after))} →`),
    ],
    content: html`${flows} ${providers}
    ${card(
      say('Antes de cerrar', 'Before it is closed'),
      html`<ul>
        ${left.map((line) => line && html`<li>${line}</li>`)}
      </ul>`,
    )}`,
  };
}

/** The last month that is over; this one before anything moved in that. */
async function lastMonthWithFlows({ viewer }: Visit): Promise<Month> {
  const month = monthOf('');
  const { from, to } = month;
  const found = await unlessDown(viewer.ops.reports.flows({ from, to }));
  const hasMoved = found?.flows.some(({ delivered, collected, cash }) =>
    [delivered.principal, collected.principal, cash].some((amount) => amount !== 0),
  );
  return hasMoved === true ? month : monthOf(thisMonth());
}

/** Such as 2026-11. */
function thisMonth(): string {
  return dayAt(new Date().toISOString()).slice(0, 7);
}

/** What `fiado verify` found when it ran last, and who ran it. */
async function lastVerify({ viewer }: Visit): Promise<Html> {
  const asked = { action: 'verify.recorded', limit: 1 };
  const { entries } = await firstPage(viewer.ops.auditEntries.list(asked));
  const [last] = entries;
  const command = html`<code>fiado verify</code>`;
  if (last === undefined) {
    return html`${say('Nadie ha verificado todavía que todo cuadre', 'Nobody has verified yet that all agrees')}:
    ${command}`;
  }
  const { checks, failed } = last.details as { checks?: number; failed?: number };
  const badge =
    failed === 0
      ? html`<span class="badge good">${say('Sin diferencias', 'No difference')}</span>`
      : html`<span class="badge bad">${say('Con diferencias', 'Differences')}</span>`;
  const who = last.actorName ?? say('una llave', 'a key');
  return html`${command}, ${timeOf(last.occurredAt)} ${badge}
  ${say(`${failed} de ${checks} revisiones con diferencia; lo corrió ${who}.`, `${failed} of ${checks} checks differ; ${who} ran it.`)}`;
}

type Flow = AnswerOf<'listPortfolioFlows'>['flows'][number];

/** The portfolio of the day before, what moved, and the portfolio of the last day: they must agree. */
async function flowsCard({ viewer }: Visit, month: Month): Promise<Html> {
  const { from, to } = month;
  const [flows, opening, closing] = await Promise.all([
    unlessAbsent(viewer.ops.reports.flows({ from, to })),
    unlessAbsent(viewer.ops.reports.portfolio({ asOf: daysAfter(from, -1) })),
    unlessAbsent(viewer.ops.reports.portfolio({ asOf: to })),
  ]);
  if (flows === undefined || closing === undefined) {
    return html`<p class="empty">
      ${say('De este mes no hay días cerrados.', 'This month has no closed days.')}
    </p>`;
  }
  const sum = (amountIn: (flow: Flow) => number): number => sumOf(flows.flows, amountIn);
  const delivered = sum((flow) => flow.delivered.principal);
  const credited = sum((flow) => flow.credited.principal);
  const collected = sum((flow) => flow.collected.principal);
  const writtenOff = sum((flow) => flow.writtenOff.principal);
  // Before the first day that is kept, nothing was owed.
  const start = opening?.outstanding ?? 0;
  const expected = sumOf([start, delivered, -credited, -collected, -writtenOff]);
  return html`<div class="pair">
    ${sumCard(
      say('Cartera, sin interés ni IVA', 'Portfolio, without interest and IVA'),
      [
        [say('Al empezar', 'At the start'), opening === undefined ? start : portfolioLink(opening)],
        [say('Entregado', 'Delivered'), delivered],
        [say('Notas de crédito', 'Credited'), -credited],
        [say('Cobrado', 'Collected'), -collected],
        [say('Castigado', 'Written off'), -writtenOff],
        [say('Al terminar', 'At the end'), portfolioLink(closing), 'all'],
      ],
      html`<p>${agreement(expected, closing.outstanding, month)}</p>
        ${
          mayDo(viewer, 'operator') &&
          html`<p class="quiet">
            ${link(`/exportaciones?desde=${from}&hasta=${to}`, say('Exporta Movimientos', 'Export the ledger entries'))}
            ${say('para ver los renglones de estas cifras.', 'to see the lines of these figures.')}
          </p>`
        }`,
    )}
    ${collectedCard(flows.flows)}
  </div>`;
}

function collectedCard(flows: Flow[]): Html {
  const sum = (amountIn: (flow: Flow) => number): number => sumOf(flows, amountIn);
  return sumCard(say('Cobrado en el mes', 'Collected in the month'), [
    [say('Principal', 'Principal'), sum((flow) => flow.collected.principal)],
    [say('Interés', 'Interest'), sum((flow) => flow.collected.interests)],
    ['IVA', sum((flow) => flow.collected.IVAAmount)],
    [say('De adeudos castigados', 'Of debts that are written off'), sum((flow) => flow.recovered)],
    [
      say('De todo ello, por depósito', 'Of all of it, by deposit'),
      sum((flow) => flow.cash),
      'all',
    ],
  ]);
}

/** What was owed at the end of a day, which leads to its report. */
function portfolioLink({ asOf, outstanding }: AnswerOf<'showPortfolio'>): Html {
  return link(`/reportes?dia=${asOf}`, pesosOf(outstanding));
}

function agreement(expected: number, outstanding: number, { name, to }: Month): Html {
  if (expected !== outstanding) {
    return html`<span class="badge bad">${say('No cuadra', 'It does not agree')}</span> ${say(
        `La suma da ${pesosOf(expected)}: faltan días, o hay que avisar a sistemas.`,
        `The sum is ${pesosOf(expected)}: days are missing, or operations must know.`,
      )}`;
  }
  if (name !== thisMonth()) {
    return html`<span class="badge good">${say('Cuadra', 'It agrees')}</span>`;
  }
  return html`<span class="badge info">${say('Sin terminar', 'Not over')}</span>
    ${say(`Hasta el ${dayOf(to)} las sumas coinciden.`, `Up to ${dayOf(to)} the sums are equal.`)}`;
}

const SUMS = ['received', 'collected', 'waiting', 'unmatched', 'reversed'] as const;

/** What a payment provider sent on some days. */
type Collected = { paymentProvider: string; deposits: number } & Record<
  (typeof SUMS)[number],
  number
>;

/** The deposits of the month, by payment provider. */
async function providersPart({ viewer }: Visit, { from, to }: Month): Promise<Html> {
  const { collections } = await viewer.ops.reports.collections({ from, to });
  const providers = groupedBy(collections, ({ paymentProviderId }) => paymentProviderId);
  const rows = providers.map(([, days]): Collected => {
    const sums = SUMS.map((kind) => [kind, sumOf(days, (day) => day[kind])]);
    return {
      paymentProvider: days[0]?.paymentProvider ?? '',
      deposits: days.reduce((sum, { deposits }) => sum + deposits, 0),
      ...(Object.fromEntries(sums) as Record<(typeof SUMS)[number], number>),
    };
  });
  return tablePart<Collected>({
    title: say('Depósitos por proveedor', 'Deposits by provider'),
    columns: [
      [say('Proveedor', 'Provider'), 'paymentProvider', 'name'],
      ...collectedColumns(() => ({ from, to })),
    ],
    rows,
    empty: say('Ningún depósito en el mes.', 'No deposit in the month.'),
  });
}

/** The number of deposits and their amounts by status, with links to the deposits of `daysOf`. */
export function collectedColumns<Row extends Collected>(
  daysOf: (row: Row) => { from: string; to: string },
): Columns<Row> {
  const linked = (row: Row, status: string, figure: string): Html => {
    const { from, to } = daysOf(row);
    const query = { status, proveedor: row.paymentProvider, desde: from, hasta: to };
    return link(`/depositos?${String(new URLSearchParams(query))}`, figure);
  };
  return [
    [say('Depósitos', 'Deposits'), (row) => linked(row, 'todos', String(row.deposits)), 'figure'],
    [say('Recibido', 'Received'), ({ received }) => pesosOf(received), 'figure'],
    [
      say('Sin asignar', 'Unmatched'),
      (row) => linked(row, 'unmatched', pesosOf(row.unmatched)),
      'figure',
    ],
    [say('Revertido', 'Reversed'), ({ reversed }) => pesosOf(reversed), 'figure'],
    [say('Por procesar', 'Waiting'), ({ waiting }) => pesosOf(waiting), 'figure'],
    [say('Cobrado', 'Collected'), ({ collected }) => pesosOf(collected), 'money'],
  ];
}

/** Undefined for a day that is not in the reports. */
export async function unlessAbsent<Report>(report: Promise<Report>): Promise<Report | undefined> {
  return report.catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'REPORT_NOT_FOUND') return undefined;
    throw error;
  });
}

/**
 * A month of the address; without one the last that is over.
 * @param asked such as 2026-11
 */
export function monthOf(asked: string, now = new Date()): Month {
  const today = dayAt(now.toISOString());
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(asked) && asked <= today.slice(0, 7);
  const name = isMonth ? asked : monthBefore(today.slice(0, 7));
  const last = daysAfter(`${monthAfter(name)}-01`, -1);
  const yesterday = daysAfter(today, -1);
  const from = `${name}-01`;
  // On the first day of a month it has no day that is over.
  const to = last < today || yesterday < from ? last : yesterday;
  return { name, from, to };
}

function monthBefore(name: string): string {
  return daysAfter(`${name}-01`, -1).slice(0, 7);
}

function monthAfter(name: string): string {
  return daysAfter(`${name}-01`, 31).slice(0, 7);
}

function nameOf({ from }: Month): string {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(say('es-MX', 'en'), style).format(new Date(from));
}
