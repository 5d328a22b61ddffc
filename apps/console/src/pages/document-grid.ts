import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, type Html } from '@fiado/chassis/html';
import type { Visit } from '../http/visit';
import { stepName } from './status-words';

/** The images of an onboarding side by side, each with the name of who looks at it across. */
export function documentGrid(
  { viewer, say }: Visit,
  cornerStoreId: string,
  documents: AnswerOf<'listDocuments'>['documents'],
): Html {
  if (documents.length === 0) {
    return html`<p>${say('No tiene documentos.', 'It has no documents.')}</p>`;
  }
  // The API has the newest first; an onboarding begins with the front of the document.
  const figures = documents.toReversed().map(({ documentId, step }) => {
    const name = stepName(step, say);
    return html`<figure>
      <img src="/documentos/${cornerStoreId}/${documentId}" alt="${name}" loading="lazy" />
      <span class="mark" aria-hidden="true">${viewer.name}</span>
      <figcaption>${name}</figcaption>
    </figure>`;
  });
  return html`<div class="documents">${figures}</div>`;
}
