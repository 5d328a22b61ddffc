import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { dayOf, hourOf, percentOf, pesosOf, timeOf } from '../frame/formats';
import { factList, type Fact } from '../frame/lists';
import { missingNotice } from '../frame/refusal';
import { show, type Route } from '../frame/serve';
import { mayDo, type Page, type Visit } from '../frame/visit';
import type { Say } from '../frame/words';
import { barChart, lineChart, stackedChart } from './charts';

export const homeRoutes: Route[] = [show('/', showHome)];

type Overview = AnswerOf<'getOverview'>;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * What waits: how much, null while the service that knows it does not answer; where it is done, and
 * who may open that page.
 */
type Card = [number: number | null, label: string, link: string, role?: OpsScope];

/** What waits for somebody, each with a link to where it is done, and the figures of today. */
async function showHome(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const overview = await viewer.ops.overview.get();
  return {
    title: say('Pendientes', 'What waits'),
    content: html`${missingNotice(overview.unavailable, say)}
      <ul class="cards">
        ${cardsOf(visit, overview).map((one) => card(visit, one))}
      </ul>
      ${todayPart(visit, overview)}
      <p class="quiet">${say('Datos de', 'As of')} ${timeOf(overview.asOf)}</p>`,
  };
}

function cardsOf({ say }: Visit, { waiting }: Overview): Card[] {
  const { pendingChanges, storesInValidation, phonesHeld, unmatchedDeposits, deadJobs } = waiting;
  const { failingWebhooks, disabledEndpoints } = waiting;
  return [
    [pendingChanges, say('cambios por aprobar', 'changes to approve'), '/aprobaciones', 'operator'],
    [
      storesInValidation,
      say('tiendas por validar', 'stores to validate'),
      '/validacion',
      'operator',
    ],
    [phonesHeld, say('teléfonos por confirmar', 'phones to confirm'), '/tiendas?telefono=retenido'],
    [unmatchedDeposits, say('depósitos sin asignar', 'unmatched deposits'), '/depositos'],
    [deadJobs, say('trabajos fallidos', 'failed jobs'), '/trabajos'],
    [failingWebhooks, say('webhooks que fallan', 'failing webhooks'), '/webhooks'],
    [disabledEndpoints, say('direcciones desactivadas', 'disabled endpoints'), '/webhooks'],
  ];
}

function card({ viewer, say }: Visit, [number, label, link, role = 'viewer']: Card): Html {
  const text = number === null ? say('sin respuesta', 'no answer') : String(number);
  return html`<li>
    <strong>${text}</strong>
    ${mayDo(viewer, role) ? html`<a href="${link}">${label}</a>` : html`${label}`}
  </li>`;
}

/** The figures of today as charts and numbers. A service that does not answer leaves its part out. */
function todayPart({ say }: Visit, { day, asOf, orders, payments, messages }: Overview): Html {
  return html`<h2>${say('Hoy', 'Today')}, ${dayOf(day)}</h2>
    ${numbers(say, { orders, payments, messages })}
    <div class="sides">
      ${orders === null ? NOTHING : orderCharts(say, orders, hourOf(asOf))}
      ${payments === null ? NOTHING : ageingChart(say, payments)}
    </div>`;
}

function numbers(
  say: Say,
  { orders, payments, messages }: Pick<Overview, 'orders' | 'payments' | 'messages'>,
): Html {
  const rows: Fact[] = [];
  if (orders !== null) {
    rows.push([say('Pedidos', 'Orders'), `${orders.orders} · ${pesosOf(orders.totalAmount)}`]);
  }
  if (payments !== null) rows.push(...paymentNumbers(say, payments));
  if (messages !== null) {
    const { sent, failed, pending } = messages;
    const es = `${sent} enviados, ${failed} fallidos, ${pending} por enviar`;
    rows.push(['SMS', say(es, `${sent} sent, ${failed} failed, ${pending} to be sent`)]);
  }
  return factList(rows);
}

function paymentNumbers(say: Say, payments: NonNullable<Overview['payments']>): Fact[] {
  return [
    [
      say('Entregas', 'Deliveries'),
      `${payments.deliveries} · ${pesosOf(payments.deliveredAmount)}`,
    ],
    [say('Depósitos', 'Deposits'), `${payments.deposits} · ${pesosOf(payments.depositedAmount)}`],
    [say('Por cobrar', 'Outstanding'), pesosOf(payments.outstandingAmount)],
    [say('Con más de 30 días de atraso', 'More than 30 days overdue'), percentOf(payments.par30)],
  ];
}

/** Orders of each hour, and the amount of the day up to now. */
function orderCharts(say: Say, { hours }: NonNullable<Overview['orders']>, now: number): Html {
  const at = HOURS.map((hour) => hours.find(({ startsAt }) => hourOf(startsAt) === hour));
  let sum = 0;
  const sums = at.slice(0, now + 1).map((found) => (sum += found?.totalAmount ?? 0));
  const hourName = say('Hora', 'Hour');
  return html`${barChart(say, {
    title: say('Pedidos por hora', 'Orders by hour'),
    headings: [hourName, say('Pedidos', 'Orders')],
    points: at.map((found, hour) => {
      const value = found?.orders ?? 0;
      return { label: `${hour} h`, value, text: String(value) };
    }),
  })}
  ${lineChart(say, {
    title: say('Monto del día', 'Amount of the day'),
    headings: [hourName, say('Acumulado', 'So far')],
    points: sums.map((value, hour) => ({ label: `${hour} h`, value, text: pesosOf(value) })),
  })}`;
}

function ageingChart(say: Say, { ageing }: NonNullable<Overview['payments']>): Html {
  const names: Record<string, string> = {
    '0': say('al corriente', 'not due'),
    '61+': say('61 días o más', '61 days or more'),
  };
  return stackedChart(say, {
    title: say('Adeudos por días de atraso', 'Debts by days overdue'),
    headings: [say('Atraso', 'Overdue'), say('Debe', 'Due')],
    points: ageing.map(({ days, receivables, amountDue }) => ({
      label: names[days] ?? say(`${days} días`, `${days} days`),
      value: amountDue,
      text: `${pesosOf(amountDue)} (${receivables})`,
    })),
  });
}
