import type { Html } from '@fiado/chassis/html';
import { type Choices, dayAfter } from '../frame/filters';
import { dateField, foldedForm } from '../frame/form';
import { dayAt } from '../frame/formats';
import { wholesalerField } from '../frame/names';
import { fieldOf, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';

/**
 * How far behind the console's clock "now" is, so that it is not the future by the database's: clocks that
 * differ by more fire an alert.
 */
const CLOCK_TOLERANCE_MS = 5_000;

export function closeForm(visit: Visit, wholesalers: Choices): Html {
  return foldedForm(visit, {
    summary: say('Cerrar ahora', 'Close now'),
    hint: say(
      'Se cierran solas cada día o cada lunes, según el mayorista. Aquí cierras antes, con lo entregado hasta este momento o hasta un día.',
      'They close each day or each Monday by themselves. Here you close earlier, with what was delivered up to now or up to a day.',
    ),
    action: '/liquidaciones',
    button: say('Cerrar liquidaciones', 'Close statements'),
    fields: [
      {
        ...dateField('until', say('Hasta el día', 'Up to the day')),
        required: false,
        hint: say(
          'Un día anterior entra completo. Hoy o vacío: hasta este momento.',
          'An earlier day is included as a whole. Today or nothing: up to now.',
        ),
      },
      wholesalerField(visit, wholesalers),
    ],
  });
}

/** No further call begins after this, so that the page is answered while somebody waits for it. */
const CLOSE_AGAIN_FOR_MS = 30_000;

/** One call closes some of many wholesalers, so it is repeated while it gets further and time allows. */
export async function closeStatements(visit: Visit): Promise<Redirect> {
  const wholesalerId = fieldOf(visit, 'wholesalerId');
  // Each call has the same moment: with a later one the wholesalers that are closed would be due again.
  const body = {
    until: untilOf(fieldOf(visit, 'until')),
    ...(wholesalerId === '' ? {} : { wholesalerId }),
  };
  const startedAt = performance.now();
  let left = Number.POSITIVE_INFINITY;
  for (;;) {
    const { remaining } = await visit.viewer.ops.statements.close(body);
    if (remaining === 0) return { redirect: '/liquidaciones', done: 'cerradas' };
    if (remaining >= left || performance.now() - startedAt > CLOSE_AGAIN_FOR_MS) {
      return { redirect: '/liquidaciones', done: 'faltan' };
    }
    left = remaining;
  }
}

/**
 * The moment up to which statements close, for the API.
 * @param day the last one that is closed; empty for what there is now
 */
export function untilOf(day: string, now = new Date()): string {
  if (day === '' || day === dayAt(now.toISOString())) {
    return new Date(now.getTime() - CLOCK_TOLERANCE_MS).toISOString();
  }
  return Number.isNaN(Date.parse(day)) ? day : dayAfter(day);
}
