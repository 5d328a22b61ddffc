import { html, type Html } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import { bodyIn } from '../frame/body';
import { foldedForm, form, reasonField } from '../frame/form';
import { link, percentOf, pesosOf } from '../frame/formats';
import { table } from '../frame/parts';
import { fieldOf, idOf, type Page, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import type { Store } from './stores';

/** Who types 0.05 for 5 % means another rate. */
const LOW_RATE = 0.01;

/** The form that changes a store's limit and rate. */
export function termsForm(store: Store, visit: Visit): Html {
  const { cornerStoreId, creditLimit, interestRate } = store;
  const [limit, rate] = [pesosOf(creditLimit), percentOf(interestRate)];
  return foldedForm(visit, {
    id: 'condiciones',
    summary: say('Cambiar condiciones', 'Change the terms'),
    action: `/tiendas/${cornerStoreId}`,
    button: say('Guardar', 'Save'),
    operation: 'updateCornerStore',
    fields: [
      {
        name: 'creditLimit',
        label: say('Línea en pesos', 'Limit in pesos'),
        hint: say(
          `Hoy ${limit}. Por ejemplo 25,000. Vacía, queda igual.`,
          `Today ${limit}. Such as 25,000. Empty, it stays.`,
        ),
      },
      {
        name: 'interestRate',
        label: say('Tasa en %', 'Rate in %'),
        hint: say(
          `Hoy ${rate}. Por ejemplo 5 o 5.5. Vacía, queda igual.`,
          `Today ${rate}. Such as 5 or 5.5. Empty, it stays.`,
        ),
      },
      { ...reasonField(), hint: say('Para quien lo aprueba.', 'For who approves it.') },
    ],
  });
}

/** Changes limit and rate; an empty field stays. Unusual values are shown again to be confirmed. */
export async function changeTerms(visit: Visit): Promise<Page | Redirect> {
  const cornerStoreId = idOf(visit, 'cornerStoreId');
  const body = bodyIn(visit, 'updateCornerStore');
  const rate = body.interestRate;
  if (typeof rate === 'number' && rate > 0 && rate < LOW_RATE && body.confirmed !== true) {
    return confirmPage(visit, { newInterestRate: rate });
  }
  try {
    await visit.viewer.ops.cornerStores.update(cornerStoreId, body);
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code !== 'CONFIRMATION_REQUIRED') throw error;
    return confirmPage(visit, error.fields);
  }
  return { redirect: `/tiendas/${cornerStoreId}`, done: 'guardado' };
}

/** The new values next to the old ones, with a button that confirms them. */
function confirmPage(visit: Visit, fields: Readonly<Record<string, unknown>>): Page {
  const { req } = visit;
  const name = say('Valores fuera de lo usual', 'Unusual values');
  const rows = [
    {
      label: say('Línea', 'Limit'),
      before: fields['creditLimit'],
      after: fields['newCreditLimit'],
      text: pesosOf,
    },
    {
      label: say('Tasa', 'Rate'),
      before: fields['interestRate'],
      after: fields['newInterestRate'],
      text: percentOf,
    },
  ].filter(({ after }) => after !== undefined);
  const hidden = Object.fromEntries(
    ['creditLimit', 'interestRate', 'reason'].map((one) => [one, fieldOf(visit, one)]),
  );
  return {
    status: 422,
    title: say('¿Seguro?', 'Are you sure?'),
    problem: html`<p>
      ${say('Estos valores no son usuales. Todavía no cambió nada.', 'These values are unusual. Nothing has changed yet.')}
    </p>`,
    content: html`${table(
        name,
        [
          [say('Dato', 'Field'), 'label', 'name'],
          [say('Hoy', 'Today'), ({ before, text }) => text(before)],
          [say('Nuevo', 'New'), ({ after, text }) => html`<strong>${text(after)}</strong>`],
        ],
        rows,
      )}
      ${form(visit, {
        action: req.path,
        fields: [],
        hidden: { ...hidden, confirmed: 'true' },
        button: say('Sí, guardar estos valores', 'Yes, save these values'),
      })}
      <p>${link(req.path, say('No, volver a la tienda', 'No, back to the store'))}</p>`,
  };
}
