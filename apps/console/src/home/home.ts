import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { daysAfter } from '../frame/filters';
import {
  agoOf,
  clockOf,
  dayAt,
  hourOf,
  link,
  numbered,
  percentOf,
  pesosOf,
  textOf,
  timeOf,
} from '../frame/formats';
import { firstPage, unlessDown } from '../frame/read';
import { missingNotice } from '../frame/refusal';
import { show, type Route } from '../frame/serve';
import type { Page, Visit } from '../frame/visit';
import { FAILED } from '../invoices/invoices';
import { roleName, say } from '../frame/words';
import { barChart, daysOverdue, figuresCard, shareChart } from './charts';
import { type Waiting, waitingPart } from './waiting';

export const homeRoutes: Route[] = [show('/', showHome)];

type Overview = AnswerOf<'getOverview'>;

/** What waits for somebody, each with a link to where it is done, and the figures of today. */
async function showHome(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const [overview, { notices }, disputes, statements, defaults, requests, invoices, kept] =
    await Promise.all([
      viewer.ops.overview.get(),
      viewer.ops.sessions.notices(),
      disputesToDecide(visit),
      statementsToPay(visit),
      defaultsOfToday(visit),
      requestsToAnswer(visit),
      failedInvoices(visit),
      keptInvoices(visit),
    ]);
  const day = new Intl.DateTimeFormat(say('es-MX', 'en'), { dateStyle: 'full', timeZone: 'UTC' });
  const written = day.format(new Date(overview.day));
  const today = say(written.replace(', ', ' '), written);
  const clock = clockOf(overview.asOf);
  return {
    title: say('Hoy', 'Today'),
    lead: `${today.charAt(0).toUpperCase()}${today.slice(1)} · ${say(`datos de las ${clock}`, `as of ${clock}`)}`,
    content: html`${noticesPart(notices)} ${missingNotice(overview.unavailable)}
      ${waitingPart(visit, [disputes, statements, defaults, requests, invoices, kept, ...waitingOf(overview)])}
      ${figures(overview)}
      <div class="pair">
        ${overview.orders !== null && orderChart(overview.orders, hourOf(overview.asOf))}
        ${overview.payments !== null && ageingChart(overview.payments)}
      </div>`,
  };
}

type Notice = AnswerOf<'listOwnNotices'>['notices'][number];

/** What happened to the person's own access: only the person can tell that it was somebody else. */
function noticesPart(notices: Notice[]): HtmlValue {
  if (notices.length === 0) return undefined;
  return html`<section class="card">
    <h2>${say('Tu acceso en los últimos 7 días', 'Your access in the last 7 days')}</h2>
    <ul>
      ${notices.map(({ kind, detail, at }) => html`<li>${noticeText(kind, detail)} (${timeOf(at)})</li>`)}
    </ul>
    <p class="quiet">
      ${say('¿No fuiste tú? Avisa a un administrador y termina tus', 'Was it not you? Tell an admin, and end your')}
      ${link('/mis-sesiones', say('sesiones', 'sessions'))}.
    </p>
  </section>`;
}

function noticeText(kind: string, detail: string | null): string {
  if (kind === 'new-passkey') return say('Nueva llave de acceso', 'New passkey');
  if (kind === 'role-changed') {
    const role = roleName(detail ?? '');
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
  return { count, hasMore, detail: amount === null ? undefined : pesosOf(amount) };
}

/** Statements to be paid, with their sum. */
async function statementsToPay({ viewer }: Visit): Promise<Waiting> {
  const asked = { status: 'closed' as const, ...TOTALS };
  const found = await unlessDown(firstPage(viewer.ops.statements.list(asked)));
  return {
    ...totalsIn(found),
    one: say('Liquidación por pagar', 'Statement to pay'),
    many: say('Liquidaciones por pagar', 'Statements to pay'),
    verb: say('Pagar', 'Pay'),
    link: '/liquidaciones?status=closed',
  };
}

/** Debts whose last day was yesterday, which nobody has been asked about yet. */
async function defaultsOfToday({ viewer }: Visit): Promise<Waiting> {
  const today = dayAt(new Date().toISOString());
  const yesterday = daysAfter(today, -1);
  const asked = { status: 'overdue' as const, dueFrom: yesterday, dueBefore: today, ...TOTALS };
  const found = await unlessDown(firstPage(viewer.ops.receivables.list(asked)));
  return {
    ...totalsIn(found),
    one: say('Atraso de hoy', 'Default of today'),
    many: say('Atrasos de hoy', 'Defaults of today'),
    verb: say('Cobrar', 'Collect'),
    link: `/cobranza?status=overdue&vence-desde=${yesterday}&vence=${yesterday}`,
  };
}

/** Disputes that nobody has decided, with the longest open one. */
async function disputesToDecide({ viewer }: Visit): Promise<Waiting> {
  const asked = { status: 'open' as const, limit: COUNTED };
  const found = await unlessDown(firstPage(viewer.ops.disputes.list(asked)));
  const oldest = found?.disputes[0]?.openedAt;
  return {
    count: found?.disputes.length ?? null,
    hasMore: found?.nextCursor != null,
    one: say('Pedido que la tienda no reconoce', 'Order that its store does not know'),
    many: say('Pedidos que su tienda no reconoce', 'Orders that their stores do not know'),
    detail: oldestOf(oldest),
    verb: say('Decidir', 'Decide'),
    link: '/disputas',
  };
}

function oldestOf(at: string | undefined): string | undefined {
  return at && say(`El más antiguo, ${agoOf(at, 'es-MX')}`, `The oldest, ${agoOf(at, 'en')}`);
}

/** Requests of people about their data that nobody has answered, with the first day that one is due. */
async function requestsToAnswer({ viewer }: Visit): Promise<Waiting> {
  const asked = { status: 'open' as const, limit: COUNTED };
  const found = await unlessDown(firstPage(viewer.ops.privacyRequests.list(asked)));
  const [due] = found?.privacyRequests.map(({ answerDueAt }) => answerDueAt).toSorted() ?? [];
  return {
    count: found?.privacyRequests.length ?? null,
    hasMore: found?.nextCursor != null,
    one: say('Solicitud de privacidad por responder', 'Privacy request to answer'),
    many: say('Solicitudes de privacidad por responder', 'Privacy requests to answer'),
    detail:
      due && say(`La primera, a más tardar ${timeOf(due)}`, `The first one until ${timeOf(due)}`),
    verb: say('Responder', 'Answer'),
    link: '/privacidad?status=open',
  };
}

/** Invoices that were not issued, of orders that stand: the list that the link opens has exactly them. */
async function failedInvoices({ viewer }: Visit): Promise<Waiting> {
  return {
    ...counted(
      await unlessDown(firstPage(viewer.ops.invoices.list({ ...FAILED, limit: COUNTED }))),
    ),
    one: say('Factura que no se emitió', 'Invoice that was not issued'),
    many: say('Facturas que no se emitieron', 'Invoices that were not issued'),
    verb: say('Revisar', 'Review'),
    link: '/facturas?status=failed',
    isBad: true,
  };
}

/** How long a document that is not cancelled is shown, in days: a month is closed by then. */
const KEPT_DAYS = 31;

/** Documents of the last days that bill too much and are not cancelled: nobody but their issuer can correct them. */
async function keptInvoices({ viewer }: Visit): Promise<Waiting> {
  const from = daysAfter(dayAt(new Date().toISOString()), -KEPT_DAYS);
  const asked = { cancellation: 'rejected' as const, from, limit: COUNTED };
  return {
    ...counted(await unlessDown(firstPage(viewer.ops.invoices.list(asked)))),
    one: say('Comprobante que no se pudo cancelar', 'Document that could not be cancelled'),
    many: say('Comprobantes que no se pudieron cancelar', 'Documents that could not be cancelled'),
    verb: say('Avisar al mayorista', 'Tell the wholesaler'),
    link: `/facturas?cancellation=rejected&desde=${from}`,
  };
}

function counted(
  found: AnswerOf<'listOpsInvoices'> | undefined,
): Pick<Waiting, 'count' | 'hasMore'> {
  return { count: found?.invoices.length ?? null, hasMore: found?.nextCursor != null };
}

/** In fixed order: money, approvals, stores, system. */
function waitingOf({ waiting }: Overview): Waiting[] {
  return [...peopleWait(waiting), ...systemWaits(waiting)];
}

function peopleWait(waiting: Overview['waiting']): Waiting[] {
  const { oldestUnmatchedSeconds: seconds } = waiting;
  const oldest = seconds === null ? undefined : new Date(Date.now() - seconds * 1000).toISOString();
  return [
    {
      count: waiting.unmatchedDeposits,
      one: say('Depósito sin asignar', 'Unmatched deposit'),
      many: say('Depósitos sin asignar', 'Unmatched deposits'),
      detail: oldestOf(oldest),
      verb: say('Asignar', 'Assign'),
      link: '/depositos',
    },
    {
      count: waiting.pendingChanges,
      one: say('Cambio por aprobar', 'Change to approve'),
      many: say('Cambios por aprobar', 'Changes to approve'),
      verb: say('Revisar', 'Review'),
      link: '/aprobaciones',
      role: 'operator',
    },
    {
      count: waiting.storesInValidation,
      one: say('Tienda por validar', 'Store to validate'),
      many: say('Tiendas por validar', 'Stores to validate'),
      verb: say('Validar', 'Validate'),
      link: '/validacion',
      role: 'operator',
    },
    {
      count: waiting.phonesHeld,
      one: say('Teléfono por confirmar', 'Phone to confirm'),
      many: say('Teléfonos por confirmar', 'Phones to confirm'),
      verb: say('Confirmar', 'Confirm'),
      link: '/tiendas?status=phone-held',
    },
  ];
}

function systemWaits(waiting: Overview['waiting']): Waiting[] {
  return [
    {
      count: waiting.failingWebhooks,
      one: say('Webhook con fallas', 'Failing webhook'),
      many: say('Webhooks con fallas', 'Failing webhooks'),
      verb: say('Ver fallas', 'See failures'),
      link: '/webhooks',
      isBad: true,
    },
    {
      count: waiting.disabledEndpoints,
      one: say('Dirección desactivada', 'Disabled endpoint'),
      many: say('Direcciones desactivadas', 'Disabled endpoints'),
      verb: say('Ver', 'See'),
      link: '/webhooks',
      isBad: true,
    },
    {
      count: waiting.deadJobs,
      one: say('Trabajo fallido', 'Failed job'),
      many: say('Trabajos fallidos', 'Failed jobs'),
      verb: say('Repetir', 'Retry'),
      link: '/trabajos',
      isBad: true,
    },
  ];
}

/** The figures of today. A service that does not answer leaves its part out. */
function figures({ day, orders, payments, messages }: Overview): Html {
  const today = `desde=${day}&hasta=${day}`;
  const title = say('Cifras de hoy', 'Figures of today');
  return figuresCard(
    title,
    [
      orders !== null && [
        say('Pedidos, sin interés ni IVA', 'Orders, without interest and IVA'),
        pesosOf(orders.totalAmount),
        numbered(orders.orders, say('pedido', 'order'), say('pedidos', 'orders')),
        `/pedidos?${today}`,
      ],
      payments !== null && [
        say('Entregas, sin interés ni IVA', 'Deliveries, without interest and IVA'),
        pesosOf(payments.deliveredAmount),
        numbered(payments.deliveries, say('entrega', 'delivery'), say('entregas', 'deliveries')),
        // Those of today are its first ones.
        '/cobranza?status=todos',
      ],
      payments !== null && [
        say('Depósitos', 'Deposits'),
        pesosOf(payments.depositedAmount),
        numbered(payments.deposits, say('depósito', 'deposit'), say('depósitos', 'deposits')),
        `/depositos?status=todos&${today}`,
      ],
      payments !== null && [
        say('Por cobrar, con interés e IVA', 'Outstanding, with interest and IVA'),
        pesosOf(payments.outstandingAmount),
        lateShare(payments.par30),
        '/cobranza',
      ],
    ],
    messages !== null && smsLine(messages),
  );
}

/** @param par30 null before the first day has ended */
function lateShare(par30: number | null): string {
  if (par30 === null) return '';
  const late = percentOf(Math.round(par30 * 1000) / 1000);
  return say(
    `PAR30 del último cierre: ${late} del capital`,
    `PAR30 of the last closed day: ${late} of principal`,
  );
}

function smsLine({ sent, failed, pending }: NonNullable<Overview['messages']>): Html {
  const es = `SMS de hoy: ${sent} enviados, ${failed} fallidos, ${pending} por enviar.`;
  const en = `SMS of today: ${sent} sent, ${failed} failed, ${pending} to be sent.`;
  return html`<p class="rest">
    ${say(es, en)}
    ${
      failed === 0
        ? link('/mensajes', say('Ver mensajes', 'See messages'))
        : link('/mensajes?status=failed', say('Ver fallidos', 'See failed ones'))
    }
  </p>`;
}

/** Orders of each hour, up to now. */
function orderChart({ hours }: NonNullable<Overview['orders']>, now: number): Html {
  return barChart({
    title: say('Pedidos por hora', 'Orders by hour'),
    headings: [say('Hora', 'Hour'), say('Pedidos', 'Orders')],
    now,
    points: Array.from({ length: 24 }, (_, hour) => {
      const value = hours.find(({ startsAt }) => hourOf(startsAt) === hour)?.orders ?? 0;
      const half = hour < 12 ? 'a.m.' : 'p.m.';
      return { label: `${hour % 12 === 0 ? 12 : hour % 12} ${half}`, value, text: String(value) };
    }),
  });
}

function ageingChart({ ageing }: NonNullable<Overview['payments']>): Html {
  return shareChart({
    title: say(
      'Adeudos de hoy por atraso, con interés e IVA',
      'Debts of today by days overdue, with interest and IVA',
    ),
    headings: [say('Atraso', 'Overdue'), say('Debe', 'Due')],
    points: ageing.map(({ days, amountDue }) => ({
      label: daysOverdue(days),
      value: amountDue,
      text: pesosOf(amountDue),
      href: `/cobranza?status=${days === '0' ? 'pending' : 'overdue'}`,
    })),
  });
}
