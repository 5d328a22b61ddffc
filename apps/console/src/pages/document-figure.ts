import { html, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { stepName } from './status-words';

export interface OnboardingDocument {
  documentId: string;
  step: string;
}

/** An image of an onboarding, with the name of who looks at it across. */
export function documentFigure(
  { viewer, say }: Visit,
  cornerStoreId: string,
  { documentId, step }: OnboardingDocument,
): Html {
  const name = stepName(step, say);
  return html`<figure>
    <img src="/documentos/${cornerStoreId}/${documentId}" alt="${name}" loading="lazy" />
    <span class="mark" aria-hidden="true">${viewer.name}</span>
    <figcaption>${name}</figcaption>
  </figure>`;
}
