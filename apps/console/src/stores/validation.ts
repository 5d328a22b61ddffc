import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { BUSINESS_LIFETIMES, LOCALE_OWNERS, OWNERSHIP_STATUSES } from '@fiado/contracts/onboarding';
import { buttonForm, form, reasonField, rejectForm } from '../frame/form';
import { link, phoneOf, textOf, timeOf } from '../frame/formats';
import { card, factList, type Fact } from '../frame/parts';
import { firstPage } from '../frame/read';
import { storeNameOf } from '../frame/names';
import { change, show, type Route } from '../frame/serve';
import { mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import { say, sentenceCase, stepName } from '../frame/words';
import { documentGrid } from './documents';
import { ownerOf, type Store } from './stores';

const queue = show('/validacion', showQueue);

export const validationRoutes: Route[] = [
  queue,
  change(queue, ':cornerStoreId/aprobar', 'aprobada', 'approveCornerStore'),
  change(queue, ':cornerStoreId/rechazar', 'rechazada', 'rejectCornerStore'),
];

/** A place in the queue: a store on a page of the list. */
interface Place {
  cursor?: string;
  tienda?: string;
}

/** The queue of stores to validate, one at a time with its documents side by side. */
async function showQueue(visit: Visit): Promise<Page> {
  const { req, viewer } = visit;
  const { tienda, cursor } = req.query as Place;
  const page = typeof cursor === 'string' ? { cursor } : {};
  const { cornerStores, nextCursor } = await firstPage(
    viewer.ops.cornerStores.list({ status: 'in-manual-validation', ...page }),
  );
  const title = say('Validación', 'Validation');
  const wanted = req.params['cornerStoreId'] ?? tienda;
  const asked = cornerStores.findIndex(({ cornerStoreId }) => cornerStoreId === wanted);
  const at = Math.max(0, asked);
  const store = cornerStores[at];
  if (store === undefined) {
    return {
      title,
      content: html`<p>${say('No hay tiendas por validar.', 'No store waits.')}</p>`,
    };
  }
  const { documents } = await viewer.ops.cornerStores.listDocuments(store.cornerStoreId);
  const placeOf = (index: number): Place | undefined =>
    cornerStores[index] && { ...page, tienda: cornerStores[index].cornerStoreId };
  const previous = placeOf(at - 1) ?? (page.cursor === undefined ? undefined : {});
  const next = placeOf(at + 1) ?? (nextCursor === null ? undefined : { cursor: nextCursor });
  return {
    title,
    lead: html`${String(at + 1)} / ${String(cornerStores.length)}${nextCursor === null ? '' : '+'}`,
    actions: html`${step(previous, 'prev', say('Anterior (k)', 'Previous (k)'))}
    ${step(next, 'next', say('Siguiente (j)', 'Next (j)'))}`,
    content: html`<div class="pair">${facts(store)} ${decision(visit, store)}</div>
      ${card(say('Documentos', 'Documents'), documentGrid(visit, store.cornerStoreId, documents))}`,
  };
}

function step(place: Place | undefined, rel: 'prev' | 'next', label: string): HtmlValue {
  if (place === undefined) return undefined;
  const href = `/validacion?${String(new URLSearchParams({ ...place }))}`;
  return html`<a class="button second" rel="${rel}" href="${href}">${label}</a>`;
}

function facts(store: Store): Html {
  const missing = store.missingSteps.map((name) => stepName(name));
  return card(
    storeNameOf(store),
    factList([
      [say('Dueño', 'Owner'), ownerOf(store)],
      [say('Teléfono', 'Phone'), phoneOf(store.phoneNumber)],
      [say('Línea', 'Limit'), store.creditLimit, 'money'],
      [say('Alta', 'Created'), timeOf(store.createdAt)],
      [
        say('Falta', 'Missing'),
        store.missingSteps.length === 0 ? say('nada', 'nothing') : missing.join(', '),
      ],
      ...informationFacts(store.information),
    ]),
    link(`/tiendas/${store.cornerStoreId}`, say('Ver tienda', 'See the store')),
  );
}

/** An incomplete store is approved with a reason only. */
function decision(visit: Visit, store: Store): HtmlValue {
  const { viewer } = visit;
  if (!mayDo(viewer, 'approver')) return undefined;
  const path = `/validacion/${store.cornerStoreId}`;
  // A refused form shows this store again, on its page of the queue.
  const cursor = queryOf(visit, 'cursor');
  const at = cursor === '' ? '' : `?${String(new URLSearchParams({ cursor }))}`;
  const approval = { action: `${path}/aprobar${at}`, label: say('Aprobar', 'Approve') };
  const hint = say(
    'A esta tienda le faltan datos: escribe por qué la apruebas.',
    'This store is incomplete: write why you approve it.',
  );
  return html`<section class="card" aria-label="${say('Decidir', 'Decide')}">
    ${
      store.missingSteps.length === 0
        ? buttonForm(viewer, approval.action, approval.label, 'main')
        : form(visit, {
            action: approval.action,
            button: approval.label,
            fields: [{ ...reasonField(), hint }],
          })
    }
    ${rejectForm(visit, `${path}/rechazar${at}`)}
  </section>`;
}

/** What the owner said about the store; a field of a later release keeps its name. */
function informationFacts(information: Record<string, unknown> | null): Fact[] {
  const names: Record<string, string> = {
    cornerStoreAddress: say('Dirección', 'Address'),
    cornerStoreType: say('Giro', 'Trade'),
    businessLifetime: say('Abierta desde hace', 'Open for'),
    ownershipStatus: say('Quien la atiende', 'Run by'),
    localeOwner: say('Local', 'Premises'),
  };
  const values: Record<string, string> = valueNames();
  return Object.entries(information ?? {}).map(([name, value]) => {
    const text = textOf(value);
    // The trades are written in capitals.
    const word = name === 'cornerStoreType' ? sentenceCase(text.toLowerCase()) : text;
    return [names[name] ?? name, values[text] ?? word.replaceAll('_', ' ')];
  });
}

type Value =
  | (typeof BUSINESS_LIFETIMES)[number]
  | (typeof OWNERSHIP_STATUSES)[number]
  | (typeof LOCALE_OWNERS)[number];

function valueNames(): Record<Value, string> {
  return {
    LESS_THAN_SIX_MONTHS: say('menos de seis meses', 'less than six months'),
    LESS_THAN_ONE_YEAR: say('de seis meses a un año', 'six months to a year'),
    'ONE-TO-TWO_YEARS': say('de uno a dos años', 'one to two years'),
    'TWO-TO-THREE_YEARS': say('de dos a tres años', 'two to three years'),
    'THREE-TO-FIVE_YEARS': say('de tres a cinco años', 'three to five years'),
    MORE_THAN_FIVE_YEARS: say('más de cinco años', 'more than five years'),
    DUEÑO: say('su dueño', 'its owner'),
    EMPLEADO: say('un empleado', 'an employee'),
    PROPIO: say('propio', 'owned'),
    ALQUILADO: say('rentado', 'rented'),
  };
}
