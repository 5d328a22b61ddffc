import { pipeline } from 'node:stream/promises';
import { isUUID } from '@fiado/contracts/class-validator';
import type { RequestHandler } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import type { ImageWarning } from '@fiado/contracts/onboarding';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { card, unlessRefused } from '../frame/parts';
import { viewerOf, type ConsoleContext, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say, sentenceCase, stepName } from '../frame/words';
import type { Store } from './stores';

export const documentRoutes: Route[] = [
  { method: 'get', path: '/documentos/:cornerStoreId/:documentId', handlerOf: sendDocument },
];

/** The images of a store's onboarding, side by side. */
export async function documentsPart({ cornerStoreId }: Store, visit: Visit): Promise<Html> {
  const documents = visit.viewer.ops.cornerStores
    .listDocuments(cornerStoreId)
    .then((answer) => documentGrid(visit, cornerStoreId, answer.documents));
  return card(say('Documentos', 'Documents'), await unlessRefused(documents));
}

/** The images of an onboarding side by side, each with the name of who looks at it across. */
export function documentGrid(
  { viewer }: Visit,
  cornerStoreId: string,
  documents: AnswerOf<'listDocuments'>['documents'],
): Html {
  if (documents.length === 0) {
    return html`<p>${say('No tiene documentos.', 'It has no documents.')}</p>`;
  }
  // The API has the newest first; an onboarding begins with the front of the document.
  const figures = documents.toReversed().map(({ documentId, step, imageWarnings }) => {
    const name = sentenceCase(stepName(step));
    return html`<figure>
      <img src="/documentos/${cornerStoreId}/${documentId}" alt="${name}" loading="lazy" />
      <span class="mark" aria-hidden="true">${viewer.name}</span>
      <figcaption>${name} ${flawsOf(imageWarnings)}</figcaption>
    </figure>`;
  });
  return html`<div class="documents">${figures}</div>`;
}

/** Why an image may not be readable, in the words that its owner read. What it weighs says little. */
function flawsOf(warnings: readonly string[]): Html {
  const flaws: Partial<Record<ImageWarning, string>> = {
    narrow: say('Es muy pequeña', 'It is very small'),
    blurred: say('Se ve borrosa', 'It is blurred'),
  };
  const shown = Object.entries(flaws).filter(([warning]) => warnings.includes(warning));
  return html`${shown.map(([, words]) => html`<span class="badge warn">${words}</span>`)}`;
}

/** An image of an onboarding. accounts audits that this person saw it. */
function sendDocument(context: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const cornerStoreId = String(req.params['cornerStoreId']);
    const documentId = String(req.params['documentId']);
    const viewer = await viewerOf(context, req);
    const areIds = isUUID(cornerStoreId) && isUUID(documentId);
    if (viewer === undefined || !areIds) return void res.status(404).end();
    try {
      const path = `/v1/admin/corner-stores/${cornerStoreId}/documents/${documentId}`;
      const { bytes } = await viewer.file(path);
      await pipeline(bytes, res.type('jpeg'));
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      res.status(error.status).end();
    }
  };
}
