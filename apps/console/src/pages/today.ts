import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { Visit } from '../http/visit';
import type { Say } from '../words';
import { barChart } from './charts/bar-chart';
import { lineChart } from './charts/line-chart';
import { stackedChart } from './charts/stacked-chart';
import { dayOf, hourOf, percentOf, pesosOf } from './formats';

/** What waits for ops, and the figures of today. */
export type Overview = AnswerOf<'getOverview'>;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The figures of today as charts and numbers. A service that does not answer leaves its part out. */
export function todayPart(
  { say }: Visit,
  { day, asOf, orders, payments, messages }: Overview,
): Html {
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
  const rows: Array<[string, string]> = [
    ...(orders === null
      ? []
      : [
          [say('Pedidos', 'Orders'), `${orders.orders} · ${pesosOf(orders.totalAmount)}`] as [
            string,
            string,
          ],
        ]),
    ...(payments === null ? [] : paymentNumbers(say, payments)),
    ...(messages === null
      ? []
      : [
          [
            'SMS',
            say(
              `${messages.sent} enviados, ${messages.failed} fallidos, ${messages.pending} por enviar`,
              `${messages.sent} sent, ${messages.failed} failed, ${messages.pending} to be sent`,
            ),
          ] as [string, string],
        ]),
  ];
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function paymentNumbers(
  say: Say,
  payments: NonNullable<Overview['payments']>,
): Array<[string, string]> {
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
