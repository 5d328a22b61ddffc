import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { chipsOf, dayIn, daysAfter, filterOf } from '../frame/filters';
import { dateField } from '../frame/form';
import { buttonLink, dayOf, groupedBy, named, percentOf, pesosOf, sumOf } from '../frame/formats';
import { type Column, tablePart, unlessRefused } from '../frame/parts';
import { wholesalerChoices, wholesalerFilter, wholesalerNames, wholesalerOf } from '../frame/names';
import { act, show, type Route } from '../frame/serve';
import { queryOf, type Page, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { barChart, daysOverdue, type Figure, figuresCard, shareChart } from '../home/charts';
import { collectedColumns, showMonth, unlessAbsent } from './month';
import { RECONCILE_PATH, reconcile, showReconcile } from './reconcile';

export const reportRoutes: Route[] = [
  show('/reportes', showReports),
  show('/reportes/mes', showMonth),
  show(RECONCILE_PATH, showReconcile),
  act(RECONCILE_PATH, reconcile, showReconcile),
];

/** Days before the shown one: of the chart of collections, and of the list by provider. */
const CHART_DAYS = 29;
const PROVIDER_DAYS = 6;

type Portfolio = AnswerOf<'showPortfolio'>;

/** The portfolio at the end of a day, what was collected before it, and how deliveries were paid. */
async function showReports(visit: Visit): Promise<Page> {
  const wholesalers = await wholesalerChoices(visit);
  const asked = dayIn(visit, 'dia');
  const day = {
    label: say('Día', 'Day'),
    fields: [dateField('dia', say('Al cierre del día', 'End of the day'), asked)],
    text: asked === '' ? '' : dayOf(asked),
  };
  const filters = [day, await filterOf(visit, wholesalerFilter(visit, wholesalers))];
  const chips = chipsOf(visit, '/reportes', filters);
  const title = say('Reportes', 'Reports');
  const portfolio = await unlessAbsent(
    visit.viewer.ops.reports.portfolio({
      ...wholesalerOf(visit),
      ...(asked !== '' && { asOf: asked }),
    }),
  );
  if (portfolio === undefined) {
    return {
      title,
      actions: monthLink(),
      content: html`${chips}
        <p class="empty">${noDay(asked)}</p>`,
    };
  }
  const { asOf } = portfolio;
  const ids = portfolio.wholesalers.map(({ wholesalerId }) => wholesalerId);
  const names = await wholesalerNames(visit, wholesalers, ids);
  const [week, collected, vintages, providers] = await Promise.all(
    [weekPart, collectedChart, vintagesPart, providersPart].map((part) =>
      unlessRefused(part(visit, asOf)),
    ),
  );
  return {
    title,
    actions: monthLink(),
    lead: say(
      `Cartera al cierre del ${dayOf(asOf)}. Un día cerrado ya no cambia.`,
      `Portfolio at the end of ${dayOf(asOf)}. A closed day does not change.`,
    ),
    content: html`${chips} ${riskFigures(visit, portfolio)} ${week}
      <div class="pair">${ageingChart(portfolio, queryOf(visit, 'mayorista'))} ${collected}</div>
      ${vintages} ${providers} ${wholesalersPart(portfolio, names)}`,
  };
}

function monthLink(): Html {
  return buttonLink('/reportes/mes', say('Cierre del mes', 'Close of the month'));
}

function noDay(asked: string): string {
  return asked === ''
    ? say(
        'Todavía no hay ningún día cerrado. El primero está listo a las 12:10 a.m.',
        'No day is closed yet. The first one is ready at 12:10 a.m.',
      )
    : say('Ese día no está en los reportes.', 'That day is not in the reports.');
}

/** What is owed, and how much of it is late. */
function riskFigures(visit: Visit, { asOf, outstanding, par, writtenOff }: Portfolio): Html {
  const mayorista = queryOf(visit, 'mayorista');
  const ofWholesaler = mayorista === '' ? '' : `&mayorista=${mayorista}`;
  const overdue = (name: string, share: Portfolio['par']['par1'], days: number): Figure => [
    name,
    percent(share.ratio),
    `${pesosOf(share.amount)}, ${
      days === 0
        ? say('con atraso', 'overdue')
        : say(`más de ${days} días de atraso`, `more than ${days} days overdue`)
    }`,
    `/cobranza?status=overdue&vence=${daysAfter(asOf, -days - 1)}${ofWholesaler}`,
  ];
  const rows: Figure[] = [
    [
      say('Por cobrar', 'Outstanding'),
      pesosOf(outstanding),
      say('sin interés ni IVA', 'without interest and IVA'),
    ],
    overdue('PAR1', par.par1, 0),
    overdue('PAR7', par.par7, 7),
    overdue('PAR30', par.par30, 30),
    overdue('PAR60', par.par60, 60),
    overdue('PAR90', par.par90, 90),
    [
      say('Castigado', 'Written off'),
      pesosOf(writtenOff),
      say('en total, hasta ese día', 'in all, up to that day'),
    ],
  ];
  return figuresCard(say('Cartera en riesgo', 'Portfolio at risk'), rows);
}

const WEEK_DAYS = 7;

/** The seven days up to the shown one beside the seven before: what was delivered and collected. */
async function weekPart(visit: Visit, asOf: string): Promise<Html> {
  const { viewer } = visit;
  const days = { from: daysAfter(asOf, 1 - 2 * WEEK_DAYS), to: asOf };
  const { flows } = await viewer.ops.reports.flows({ ...days, ...wholesalerOf(visit) });
  const begins = daysAfter(asOf, 1 - WEEK_DAYS);
  type Row = [name: string, amountOf: (flow: (typeof flows)[number]) => number];
  const rows: Row[] = [
    [say('Entregado', 'Delivered'), ({ delivered }) => delivered.principal],
    [say('Cobrado', 'Collected'), ({ collected }) => allOf(collected)],
    [say('Castigado', 'Written off'), ({ writtenOff }) => writtenOff.principal],
  ];
  const sumIn = ([, amountOf]: Row, isNow: boolean): number =>
    sumOf(
      flows.filter(({ day }) => day >= begins === isNow),
      amountOf,
    );
  return tablePart<Row>({
    title: say('La semana y la anterior', 'The week and the one before'),
    note: say(
      `Siete días hasta el ${dayOf(asOf)}. Cobrado, con interés e IVA; lo demás, sin ellos.`,
      `Seven days up to ${dayOf(asOf)}. Collected with interest and IVA, the others without.`,
    ),
    columns: [
      [say('Qué', 'What'), ([name]) => name, 'name'],
      [say('La semana', 'The week'), (row) => sumIn(row, true), 'money'],
      [say('La anterior', 'The one before'), (row) => sumIn(row, false), 'figure'],
      [
        say('Diferencia', 'Difference'),
        (row) => sumOf([sumIn(row, true), -sumIn(row, false)]),
        'figure',
      ],
    ],
    rows,
  });
}

/** @param mayorista the wholesaler that is shown; empty for all */
function ageingChart({ buckets }: Portfolio, mayorista: string): Html {
  return shareChart({
    title: say('Cartera por atraso', 'Debts by days overdue'),
    headings: [say('Atraso', 'Overdue'), say('Debe', 'Due')],
    points: buckets.map(({ bucket, principal }) => ({
      label: daysOverdue(bucket),
      value: principal,
      text: pesosOf(principal),
      href: `/cobranza?${String(
        new URLSearchParams({
          status: bucket === '0' ? 'pending' : 'overdue',
          ...(mayorista !== '' && { mayorista }),
        }),
      )}`,
    })),
  });
}

function allOf({ principal, interests, IVAAmount }: Collected): number {
  return principal + interests + IVAAmount;
}

type Collected = AnswerOf<'listPortfolioFlows'>['flows'][number]['collected'];

/** What was collected on each day, with interest and IVA. A day with more reversals has no bar. */
async function collectedChart(visit: Visit, asOf: string): Promise<Html> {
  const { viewer } = visit;
  const days = { from: daysAfter(asOf, -CHART_DAYS), to: asOf };
  const { flows } = await viewer.ops.reports.flows({ ...days, ...wholesalerOf(visit) });
  return barChart({
    title: say('Cobrado por día', 'Collected on each day'),
    headings: [say('Día', 'Day'), say('Cobrado', 'Collected')],
    points: flows.map(({ day, collected }) => {
      const sum = sumOf([allOf(collected)]);
      return { label: dayOf(day), value: Math.max(0, sum), text: pesosOf(sum) };
    }),
  });
}

/** The last days of each payment provider, by the states that their deposits have now. */
async function providersPart(visit: Visit, asOf: string): Promise<Html> {
  const { viewer } = visit;
  // A deposit belongs to no wholesaler.
  if (queryOf(visit, 'mayorista') !== '') return NOTHING;
  const { collections } = await viewer.ops.reports.collections({
    from: daysAfter(asOf, -PROVIDER_DAYS),
    to: asOf,
  });
  return tablePart<(typeof collections)[number]>({
    title: say('Depósitos por proveedor', 'Deposits by provider'),
    note: say(
      'Por el día en que llegaron. Lo revertido y lo que no tiene tienda no está cobrado.',
      'By the day of their arrival. What was reversed or has no store is not collected.',
    ),
    columns: [
      [say('Proveedor', 'Provider'), ({ paymentProvider }) => named(paymentProvider), 'name'],
      [say('Día', 'Day'), ({ day }) => dayOf(day), 'when'],
      ...collectedColumns(({ day }: (typeof collections)[number]) => ({ from: day, to: day })),
    ],
    rows: collections,
    empty: say('Ningún depósito en esos días.', 'No deposit on these days.'),
  });
}

function wholesalersPart({ wholesalers }: Portfolio, names: ReadonlyMap<string, string>): Html {
  return tablePart<Portfolio['wholesalers'][number]>({
    title: say('Por mayorista', 'By wholesaler'),
    href: ({ wholesalerId }) => `/reportes?mayorista=${wholesalerId}`,
    columns: [
      [
        say('Mayorista', 'Wholesaler'),
        ({ wholesalerId: id }) => named(names.get(id) ?? id),
        'name',
      ],
      [say('Adeudos', 'Debts'), ({ debts }) => String(debts), 'figure'],
      ['PAR1', ({ par }) => percent(par.par1.ratio), 'figure'],
      ['PAR30', ({ par }) => percent(par.par30.ratio), 'figure'],
      [say('Castigado', 'Written off'), 'writtenOff', 'figure'],
      [say('Por cobrar', 'Outstanding'), 'outstanding', 'money'],
    ],
    rows: wholesalers,
    empty: say('Nadie debe nada.', 'Nobody owes anything.'),
  });
}

/** Twelve weeks before the shown day's. */
const VINTAGE_DAYS = 12 * 7 + 6;

/** Columns of the table; the other ages are in the API and the command line. */
const SHOWN_AGES = [0, 7, 30, 60, 90];

type Vintage = AnswerOf<'listVintages'>['vintages'][number];

/** Weeks of delivery, and what of them stayed unpaid some days after it was due. */
async function vintagesPart(visit: Visit, asOf: string): Promise<Html> {
  const days = { from: daysAfter(asOf, -VINTAGE_DAYS), to: asOf };
  const report = await unlessAbsent(
    visit.viewer.ops.reports.vintages({ ...days, ...wholesalerOf(visit) }),
  );
  const weeks = groupedBy(report?.vintages ?? [], ({ week }) => week);
  return tablePart<[week: string, ages: Vintage[]]>({
    title: say('Entregas de cada semana', 'Deliveries of each week'),
    note: say(
      'Qué parte seguía sin pagar tantos días después de vencer. Sin número: aún no llegan todos los adeudos a ese día.',
      'The share that was unpaid so many days after it was due. Without a number some debts are not that old yet.',
    ),
    columns: [
      [say('Semana del', 'Week of'), ([week]) => dayOf(week), 'name'],
      [say('Entregado', 'Delivered'), ([, ages]) => pesosOf(ages[0]?.delivered), 'money'],
      ...SHOWN_AGES.map((age): Column<[string, Vintage[]]> => [
        age === 0 ? say('Al vencer', 'When due') : say(`A ${age} días`, `After ${age} days`),
        ([, ages]) => unpaidAt(ages, age),
        'figure',
      ]),
    ],
    rows: weeks.toReversed(),
    empty: say('Ninguna entrega en esas semanas.', 'No delivery in these weeks.'),
  });
}

/** Until all debts of the week are that old nothing, which a narrow screen leaves out. */
function unpaidAt(ages: Vintage[], age: number): string | Html {
  const vintage = ages.find(({ daysAfterDue }) => daysAfterDue === age);
  if (vintage?.ratio == null || !vintage.final) return html`<span class="none quiet">—</span>`;
  return percent(vintage.ratio);
}

/** A share with at most one decimal. */
function percent(ratio: number | null): string {
  return percentOf(ratio === null ? null : Math.round(ratio * 1000) / 1000);
}
