import type { RequestHandler } from 'express';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import { viewerOf, type ConsoleContext } from '../http/serve';
import { fieldOf, idOf, queryOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { documentGrid } from './document-grid';
import { pesosOf, timeOf } from './formats';
import { buttonForm, form } from './form';
import { firstPage } from './list-page';
import type { Page, Redirect } from './page';
import { stepName } from './status-words';
import { nameOf, type Store } from './store-fields';
import { informationRows } from './store-information';

/** An id of the API: what else stands in a link is nobody's. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A place in the queue: a store on a page of the list. */
interface Place {
  cursor?: string;
  tienda?: string;
}

/** The queue of stores to validate, one at a time with its documents side by side. */
export async function showQueue(visit: Visit): Promise<Page> {
  const { req, viewer, say } = visit;
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
    content: html`<p>
        ${String(at + 1)} / ${String(cornerStores.length)}${nextCursor === null ? '' : '+'}
        ${step(previous, 'prev', say('Anterior (k)', 'Previous (k)'))}
        ${step(next, 'next', say('Siguiente (j)', 'Next (j)'))}
      </p>
      ${facts(visit, store)} ${decision(visit, store)}
      <h2>${say('Documentos', 'Documents')}</h2>
      ${documentGrid(visit, store.cornerStoreId, documents)}`,
  };
}

function step(place: Place | undefined, rel: 'prev' | 'next', label: string): Html {
  if (place === undefined) return NOTHING;
  const href = `/validacion?${String(new URLSearchParams({ ...place }))}`;
  return html`<a rel="${rel}" href="${href}">${label}</a>`;
}

function facts({ say }: Visit, store: Store): Html {
  const missing = store.missingSteps.map((name) => stepName(name, say));
  return html`<h2><a href="/tiendas/${store.cornerStoreId}">${nameOf(store)}</a></h2>
    <dl>
      <dt>${say('Teléfono', 'Phone')}</dt>
      <dd>${store.phoneNumber}</dd>
      <dt>${say('Línea', 'Limit')}</dt>
      <dd>${pesosOf(store.creditLimit)}</dd>
      <dt>${say('Alta', 'Created')}</dt>
      <dd>${timeOf(store.createdAt)}</dd>
      <dt>${say('Falta', 'Missing')}</dt>
      <dd>${store.missingSteps.length === 0 ? say('nada', 'nothing') : missing.join(', ')}</dd>
      ${informationRows(store.information, say)}
    </dl>`;
}

/** An incomplete store is approved with a reason only. */
function decision(visit: Visit, store: Store): Html {
  const { viewer, say } = visit;
  if (!mayDo(viewer, 'approver')) return NOTHING;
  const path = `/validacion/${store.cornerStoreId}`;
  // A refused form shows this store again, on its page of the queue.
  const cursor = queryOf(visit, 'cursor');
  const at = cursor === '' ? '' : `?${String(new URLSearchParams({ cursor }))}`;
  const approval = { action: `${path}/aprobar${at}`, label: say('Aprobar', 'Approve') };
  const reason = { name: 'reason', label: say('Motivo', 'Reason') };
  const hint = say(
    'A esta tienda le faltan datos: escribe por qué la apruebas.',
    'This store is incomplete: write why you approve it.',
  );
  const isRejected = visit.req.path === `${path}/rechazar`;
  return html`${
      store.missingSteps.length === 0
        ? buttonForm(viewer, { ...approval, kind: 'main' })
        : form(visit, {
            action: approval.action,
            button: approval.label,
            fields: [{ ...reason, hint }],
          })
    }
    <details ${isRejected ? html`open` : NOTHING}>
      <summary>${say('Rechazar', 'Reject')}</summary>
      ${form(visit, { action: `${path}/rechazar${at}`, button: say('Rechazar', 'Reject'), kind: 'bad', fields: [reason] })}
    </details>`;
}

export async function approve(visit: Visit): Promise<Redirect> {
  const reason = fieldOf(visit, 'reason');
  const body = reason === '' ? {} : { reason };
  await visit.viewer.ops.cornerStores.approve(idOf(visit, 'cornerStoreId'), body);
  return { redirect: '/validacion' };
}

export async function reject(visit: Visit): Promise<Redirect> {
  const body = { reason: fieldOf(visit, 'reason') };
  await visit.viewer.ops.cornerStores.reject(idOf(visit, 'cornerStoreId'), body);
  return { redirect: '/validacion' };
}

/** An image of an onboarding. accounts audits that this person saw it. */
export function sendDocument(context: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const cornerStoreId = String(req.params['cornerStoreId']);
    const documentId = String(req.params['documentId']);
    const viewer = await viewerOf(context, req);
    const areIds = ID.test(cornerStoreId) && ID.test(documentId);
    if (viewer === undefined || !areIds) return void res.status(404).end();
    try {
      res.type('jpeg').send(await viewer.documentImage(cornerStoreId, documentId));
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      res.status(error.status).end();
    }
  };
}
