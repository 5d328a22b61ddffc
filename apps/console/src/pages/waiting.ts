import { html, NOTHING, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { mayDo } from '../viewer';
import type { Say } from '../words';
import { kindName } from './change-words';
import { timeOf } from './formats';
import type { Page } from './page';

/** What a record of the API shows of a change that waits for a second person. */
export interface PendingChange {
  changeRequestId: string;
  kind: string;
  requestedBy: string;
  requestedAt: string;
}

/** The answer to a form whose change needs a second person. */
export function waitingPage(changeRequestId: string, say: Say): Page {
  return {
    status: 202,
    title: say('Espera aprobación', 'Waiting for approval'),
    content: html`<p class="notice" role="status">
        ${say(
          'El cambio espera la aprobación de otra persona. Todavía no vale.',
          'The change waits for another person’s approval. It does not count yet.',
        )}
      </p>
      <p>
        <a href="/aprobaciones/${changeRequestId}">${say('Ver la solicitud', 'See the request')}</a>
      </p>
      <p><a href="/">${say('Volver al inicio', 'Back to the start')}</a></p>`,
  };
}

/** On a record: that a change waits, which one, and who asked for it. */
export function pendingNotice(
  { viewer, say }: Visit,
  pending: PendingChange | null | undefined,
): Html {
  if (pending == null) return NOTHING;
  const { changeRequestId, kind, requestedBy, requestedAt } = pending;
  const who =
    requestedBy === viewer.staffId
      ? say('por ti', 'by you')
      : say('por otra persona', 'by somebody');
  const since = timeOf(requestedAt);
  return html`<div class="notice">
    <p>
      <strong
        >${say('Espera aprobación de otra persona', 'Waits for another person’s approval')}</strong
      >: ${kindName(kind, say)},
      ${say(`pedido ${who} el ${since}`, `asked for ${who} on ${since}`)}.
    </p>
    ${
      mayDo(viewer, 'operator')
        ? html`<p>
            <a href="/aprobaciones/${changeRequestId}"
              >${say('Ver la solicitud', 'See the request')}</a
            >
          </p>`
        : NOTHING
    }
  </div>`;
}
