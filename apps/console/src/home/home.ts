import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { daysAfter } from '../frame/filters';
import {
  agoOf,
  clockOf,
  dayAt,
  hourOf,
  percentOf,
  pesosOf,
  textOf,
  timeOf,
} from '../frame/formats';
import { type Figure, figuresCard, firstPage, unlessDown } from '../frame/lists';
import { missingNotice } from '../frame/refusal';
import { show, type Route } from '../frame/serve';
import type { Page, Visit } from '../frame/visit';
import { FAILED } from '../invoices/invoices';
import { roleName, type Say } from '../frame/words';
import { barChart, shareChart } from './charts';
import { type Waiting, waitingPart } from './waiting';

export const homeRoutes: Route[] = [show('/', showHome)];

type Overview = AnswerOf<'getOverview'>;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** What waits for somebody, each with a link to where it is done, and the figures of today. */
async function showHome(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const [overview, { notices }, disputes, statements, defaults, requests, invoices] =
    await Promise.all([
      viewer.ops.overview.get(),
      viewer.ops.sessions.notices(),
      disputesToDecide(visit),
      statementsToPay(visit),
      defaultsOfToday(visit),
      requestsToAnswer(visit),
      failedInvoices(visit),
    ]);
  const day = new Intl.DateTimeFormat(say('es-MX', 'en'), { dateStyle: 'full', timeZone: 'UTC' });
  const written = day.format(new Date(overview.day));
  const today = say(written.replace(', ', ' '), written);
  const clock = clockOf(overview.asOf);
  return {
    title: say('Hoy', 'Today'),
    lead: `${today.charAt(0).toUpperCase()}${today.slice(1)} · ${say(`datos de las ${clock}`, `as of ${clock}`)}`,
    content: html`${noticesPart(notices, say)} ${missingNotice(overview.unavailable, say)}
      ${waitingPart(visit, [disputes, statements, defaults, requests, invoices, ...waitingOf(visit, overview)])}
      ${figures(say, overview)}
      <div class="pair">
        ${overview.orders === null ? NOTHING : orderChart(say, overview.orders, hourOf(overview.asOf))}
        ${overview.payments === null ? NOTHING : ageingChart(say, overview.payments)}
      </div>`,
  };
}

type Notice = AnswerOf<'listOwnNotices'>['notices'][number];

/** What happened to the person's own access: only the person can tell that it was somebody else. */
function noticesPart(notices: Notice[], say: Say): Html {
  if (notices.length === 0) return NOTHING;
  return html`<section class="card">
    <h2>${say('Tu acceso en los últimos 7 días', 'Your access in the last 7 days')}</h2>
    <ul>
      ${notices.map(({ kind, detail, at }) => html`<li>${noticeText(kind, detail, say)} (${timeOf(at)})</li>`)}
    </ul>
    <p class="quiet">
      ${say('¿No fuiste tú? Avisa a un administrador y termina tus', 'Was it not you? Tell an admin, and end your')}
      <a href="/mis-sesiones">${say('sesiones', 'sessions')}</a>.
    </p>
  </section>`;
}

function noticeText(kind: string, detail: string | null, say: Say): string {
  if (kind === 'new-passkey') return say('Nueva llave de acceso', 'New passkey');
  if (kind === 'role-changed') {
    const role = roleName(detail ?? '', say);
    return say(`Tu rol es ahora ${role}`, `Your role is now ${role}`);
  }
  const address = textOf(detail);
  return say(
    `Entrada desde otra dirección: ${address}`,
    `Sign-in from another address: ${address}`,
  );
}

/** Rows of a list that are counted. */
const COUNTED = 100;

/** Of a list only its totals. */
const TOTALS = { limit: 1, totals: 'true' as const };

type Totals = AnswerOf<'listReceivables'>['totals'];

/** The count and the sum of a list; a service that does not answer, or is of the release before, has none. */
function totalsIn(
  found: { totals?: Totals } | undefined,
): Pick<Waiting, 'count' | 'hasMore' | 'detail'> {
  const totals = found?.totals ?? null;
  if (totals === null) return { count: null };
  const { count, amount, hasMore } = totals;
  return { count, hasMore, ...(amount !== null && { detail: pesosOf(amount) }) };
}

/** Statements to be paid, with their sum. */
async function statementsToPay({ viewer, say }: Visit): Promise<Waiting> {
  const asked = { status: 'closed' as const, ...TOTALS };
  const found = await unlessDown(firstPage(viewer.ops.statements.list(asked)));
  return {
    ...totalsIn(found),
    one: say('Liquidación por pagar', 'Statement to pay'),
    many: say('Liquidaciones por pagar', 'Statements to pay'),
    none: say('liquidaciones', 'statements'),
    verb: say('Pagar', 'Pay'),
    link: '/liquidaciones?status=closed',
  };
}

/** Debts whose last day was yesterday, which nobody has been asked about yet. */
async function defaultsOfToday({ viewer, say }: Visit): Promise<Waiting> {
  const today = dayAt(new Date().toISOString());
  const yesterday = daysAfter(today, -1);
  const asked = { status: 'overdue' as const, dueFrom: yesterday, dueBefore: today, ...TOTALS };
  const found = await unlessDown(firstPage(viewer.ops.receivables.list(asked)));
  return {
    ...totalsIn(found),
    one: say('Atraso de hoy', 'Default of today'),
    many: say('Atrasos de hoy', 'Defaults of today'),
    none: say('atrasos de hoy', 'defaults of today'),
    verb: say('Cobrar', 'Collect'),
    link: `/cobranza?status=overdue&vence-desde=${yesterday}&vence=${yesterday}`,
  };
}

/** Disputes that nobody has decided, with the longest open one. */
async function disputesToDecide({ viewer, say }: Visit): Promise<Waiting> {
  const asked = { status: 'open' as const, limit: COUNTED };
  const found = await unlessDown(firstPage(viewer.ops.disputes.list(asked)));
  const oldest = found?.disputes[0]?.openedAt;
  return {
    count: found?.disputes.length ?? null,
    hasMore: found?.nextCursor != null,
    one: say('Pedido que la tienda no reconoce', 'Order that its store does not know'),
    many: say('Pedidos que su tienda no reconoce', 'Orders that their stores do not know'),
    none: say('disputas', 'disputes'),
    ...(oldest !== undefined && {
      detail: say(
        `El más antiguo, ${agoOf(oldest, 'es-MX')}`,
        `The oldest, ${agoOf(oldest, 'en')}`,
      ),
    }),
    verb: say('Decidir', 'Decide'),
    link: '/disputas',
  };
}

/** Requests of people about their data that nobody has answered, with the first day that one is due. */
async function requestsToAnswer({ viewer, say }: Visit): Promise<Waiting> {
  const asked = { status: 'open' as const, limit: COUNTED };
  const found = await unlessDown(firstPage(viewer.ops.privacyRequests.list(asked)));
  const [due] = found?.privacyRequests.map(({ answerDueAt }) => answerDueAt).toSorted() ?? [];
  return {
    count: found?.privacyRequests.length ?? null,
    hasMore: found?.nextCursor != null,
    one: say('Solicitud de privacidad por responder', 'Privacy request to answer'),
    many: say('Solicitudes de privacidad por responder', 'Privacy requests to answer'),
    none: say('privacidad', 'privacy'),
    ...(due !== undefined && {
      detail: say(`La primera, a más tardar ${timeOf(due)}`, `The first one until ${timeOf(due)}`),
    }),
    verb: say('Responder', 'Answer'),
    link: '/privacidad?status=open',
  };
}

/** Invoices that were not issued, of orders that stand: the list that the link opens has exactly them. */
async function failedInvoices({ viewer, say }: Visit): Promise<Waiting> {
  const found = await unlessDown(
    firstPage(viewer.ops.invoices.list({ ...FAILED, limit: COUNTED })),
  );
  return {
    count: found?.invoices.length ?? null,
    hasMore: found?.nextCursor != null,
    one: say('Factura que no se emitió', 'Invoice that was not issued'),
    many: say('Facturas que no se emitieron', 'Invoices that were not issued'),
    none: say('facturas', 'invoices'),
    verb: say('Revisar', 'Review'),
    link: '/facturas?status=failed',
    isBad: true,
  };
}

/** In fixed order: money, approvals, stores, system. */
function waitingOf({ say }: Visit, { waiting }: Overview): Waiting[] {
  return [...peopleWait(waiting, say), ...systemWaits(waiting, say)];
}

function peopleWait(waiting: Overview['waiting'], say: Say): Waiting[] {
  const { oldestUnmatchedSeconds: oldest } = waiting;
  const ago =
    oldest === null
      ? undefined
      : agoOf(new Date(Date.now() - oldest * 1000).toISOString(), say('es-MX', 'en'));
  return [
    {
      count: waiting.unmatchedDeposits,
      one: say('Depósito sin asignar', 'Unmatched deposit'),
      many: say('Depósitos sin asignar', 'Unmatched deposits'),
      none: say('depósitos', 'deposits'),
      ...(ago === undefined ? {} : { detail: say(`El más antiguo, ${ago}`, `The oldest, ${ago}`) }),
      verb: say('Asignar', 'Assign'),
      link: '/depositos',
    },
    {
      count: waiting.pendingChanges,
      one: say('Cambio por aprobar', 'Change to approve'),
      many: say('Cambios por aprobar', 'Changes to approve'),
      none: say('aprobaciones', 'approvals'),
      verb: say('Revisar', 'Review'),
      link: '/aprobaciones',
      role: 'operator',
    },
    {
      count: waiting.storesInValidation,
      one: say('Tienda por validar', 'Store to validate'),
      many: say('Tiendas por validar', 'Stores to validate'),
      none: say('tiendas por validar', 'stores to validate'),
      verb: say('Validar', 'Validate'),
      link: '/validacion',
      role: 'operator',
    },
    {
      count: waiting.phonesHeld,
      one: say('Teléfono por confirmar', 'Phone to confirm'),
      many: say('Teléfonos por confirmar', 'Phones to confirm'),
      none: say('teléfonos', 'phones'),
      verb: say('Confirmar', 'Confirm'),
      link: '/tiendas?status=phone-held',
    },
  ];
}

function systemWaits(waiting: Overview['waiting'], say: Say): Waiting[] {
  return [
    {
      count: waiting.failingWebhooks,
      one: say('Webhook con fallas', 'Failing webhook'),
      many: say('Webhooks con fallas', 'Failing webhooks'),
      none: 'webhooks',
      verb: say('Ver fallas', 'See failures'),
      link: '/webhooks',
      isBad: true,
    },
    {
      count: waiting.disabledEndpoints,
      one: say('Dirección desactivada', 'Disabled endpoint'),
      many: say('Direcciones desactivadas', 'Disabled endpoints'),
      none: say('direcciones', 'endpoints'),
      verb: say('Ver', 'See'),
      link: '/webhooks',
      isBad: true,
    },
    {
      count: waiting.deadJobs,
      one: say('Trabajo fallido', 'Failed job'),
      many: say('Trabajos fallidos', 'Failed jobs'),
      none: say('trabajos', 'jobs'),
      verb: say('Repetir', 'Retry'),
      link: '/trabajos',
      isBad: true,
    },
  ];
}

/** The figures of today. A service that does not answer leaves its part out. */
function figures(say: Say, { day, orders, payments, messages }: Overview): Html {
  const rows: Figure[] = [];
  const today = `desde=${day}&hasta=${day}`;
  if (orders !== null) {
    const { totalAmount, orders: count } = orders;
    const note = say(`${count} pedidos`, `${count} orders`);
    rows.push([say('Pedidos', 'Orders'), pesosOf(totalAmount), note, `/pedidos?${today}`]);
  }
  if (payments !== null) {
    const { deliveries, deposits, par30 } = payments;
    rows.push(
      [
        say('Entregas', 'Deliveries'),
        pesosOf(payments.deliveredAmount),
        say(`${deliveries} entregas`, `${deliveries} deliveries`),
      ],
      [
        say('Depósitos', 'Deposits'),
        pesosOf(payments.depositedAmount),
        say(`${deposits} depósitos`, `${deposits} deposits`),
        `/depositos?status=todos&${today}`,
      ],
      [
        say('Por cobrar, con interés e IVA', 'Outstanding, with interest and IVA'),
        pesosOf(payments.outstandingAmount),
        lateShare(par30, say),
      ],
    );
  }
  const title = say('Cifras de hoy', 'Figures of today');
  return figuresCard(title, rows, messages === null ? NOTHING : smsLine(say, messages));
}

/** @param par30 null before the first day has ended */
function lateShare(par30: number | null, say: Say): string {
  if (par30 === null) return '';
  const late = percentOf(Math.round(par30 * 1000) / 1000);
  return say(
    `PAR30 del último cierre: ${late} del capital`,
    `PAR30 of the last closed day: ${late} of principal`,
  );
}

function smsLine(say: Say, { sent, failed, pending }: NonNullable<Overview['messages']>): Html {
  const es = `SMS de hoy: ${sent} enviados, ${failed} fallidos, ${pending} por enviar.`;
  const en = `SMS of today: ${sent} sent, ${failed} failed, ${pending} to be sent.`;
  return html`<p class="rest">
    ${say(es, en)}
    ${
      failed === 0
        ? html`<a href="/mensajes">${say('Ver mensajes', 'See messages')}</a>`
        : html`<a href="/mensajes?status=failed">${say('Ver fallidos', 'See failed ones')}</a>`
    }
  </p>`;
}

/** Orders of each hour, up to now. */
function orderChart(say: Say, { hours }: NonNullable<Overview['orders']>, now: number): Html {
  return barChart(say, {
    title: say('Pedidos por hora', 'Orders by hour'),
    headings: [say('Hora', 'Hour'), say('Pedidos', 'Orders')],
    now,
    points: HOURS.map((hour) => {
      const value = hours.find(({ startsAt }) => hourOf(startsAt) === hour)?.orders ?? 0;
      const half = hour < 12 ? 'a.m.' : 'p.m.';
      return { label: `${hour % 12 === 0 ? 12 : hour % 12} ${half}`, value, text: String(value) };
    }),
  });
}

function ageingChart(say: Say, { ageing }: NonNullable<Overview['payments']>): Html {
  const names: Record<string, string> = {
    '0': say('Al corriente', 'Not due'),
    '1-7': say('1 a 7 días', '1 to 7 days'),
    '8-30': say('8 a 30 días', '8 to 30 days'),
    '31-60': say('31 a 60 días', '31 to 60 days'),
    '61+': say('61 días o más', '61 days or more'),
  };
  return shareChart(say, {
    title: say(
      'Adeudos de hoy por atraso, con interés e IVA',
      'Debts of today by days overdue, with interest and IVA',
    ),
    headings: [say('Atraso', 'Overdue'), say('Debe', 'Due')],
    points: ageing.map(({ days, amountDue }) => ({
      label: names[days] ?? days,
      value: amountDue,
      text: pesosOf(amountDue),
      href: `/cobranza?status=${days === '0' ? 'pending' : 'overdue'}`,
    })),
  });
}
