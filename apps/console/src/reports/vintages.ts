import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { dayOf, percentOf, pesosOf } from '../frame/formats';
import { partOf, table } from '../frame/lists';
import type { Visit } from '../frame/visit';
import { wholesalerOf } from '../stores/stores';

/** Twelve weeks before the shown day's. */
const DAYS = 12 * 7 + 6;

/** Columns of the table; the other ages are in the API and the command line. */
const SHOWN_AGES = [0, 7, 30, 60, 90];

type Vintage = AnswerOf<'listVintages'>['vintages'][number];

/** Weeks of delivery, and what of them stayed unpaid some days after it was due. */
export async function vintagesPart(visit: Visit, asOf: string): Promise<Html> {
  const { say } = visit;
  const weeks = new Map<string, Vintage[]>();
  for (const vintage of await findVintages(visit, asOf)) {
    weeks.set(vintage.week, [...(weeks.get(vintage.week) ?? []), vintage]);
  }
  return partOf(
    say('Entregas de cada semana', 'Deliveries of each week'),
    html`<p class="quiet">
        ${say(
          'Qué parte seguía sin pagar tantos días después de vencer. Con * aún no llegan todos los adeudos a ese día.',
          'The share that was unpaid so many days after it was due. With * some debts are not that old yet.',
        )}
      </p>
      ${table<[week: string, ages: Vintage[]]>(
        say('Entregas de cada semana', 'Deliveries of each week'),
        [
          [say('Semana del', 'Week of'), ([week]) => dayOf(week), 'name'],
          [say('Entregado', 'Delivered'), ([, ages]) => pesosOf(ages[0]?.delivered), 'money'],
          ...SHOWN_AGES.map(
            (age): [string, (row: [string, Vintage[]]) => string | Html, 'figure'] => [
              age === 0 ? say('Al vencer', 'When due') : say(`A ${age} días`, `After ${age} days`),
              ([, ages]) => unpaidAt(ages, age),
              'figure',
            ],
          ),
        ],
        [...weeks].toReversed(),
        say('Ninguna entrega en esas semanas.', 'No delivery in these weeks.'),
      )}`,
  );
}

async function findVintages(visit: Visit, asOf: string): Promise<readonly Vintage[]> {
  const days = { from: daysBefore(asOf, DAYS), to: asOf };
  try {
    const report = await visit.viewer.ops.reports.vintages({ ...days, ...wholesalerOf(visit) });
    return report.vintages;
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 'REPORT_NOT_FOUND') return [];
    throw error;
  }
}

/** Of a week that is not that old nothing, which a narrow screen leaves out. */
function unpaidAt(ages: Vintage[], age: number): string | Html {
  const vintage = ages.find(({ daysAfterDue }) => daysAfterDue === age);
  if (vintage === undefined || vintage.ratio === null) return html`<span class="none">—</span>`;
  return `${percent(vintage.ratio)}${vintage.final ? '' : '*'}`;
}

/** A share with at most one decimal. */
export function percent(ratio: number | null): string {
  return percentOf(ratio === null ? null : Math.round(ratio * 1000) / 1000);
}

/** The day that lies so many days before one. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
