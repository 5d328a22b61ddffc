import type { PendingChange } from '@fiado/contracts/change-requests';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { ApiRefusal, type Ops } from '../api';
import type { Visit } from '../http/visit';
import { mayDo } from '../viewer';
import type { Say } from '../words';
import type { ChangeRequest } from './change-request';
import { changeFieldName, changeValue, kindName, kindReason } from './change-words';
import { timeOf } from './formats';
import type { Page } from './page';

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

/** On a record: that a change waits, which one, and who asked for it. A viewer may not see more. */
export async function pendingNotice(
  { viewer, say }: Visit,
  pending: PendingChange | null | undefined,
): Promise<Html> {
  if (pending == null) return NOTHING;
  const { changeRequestId, kind, requestedBy, requestedAt } = pending;
  const request = mayDo(viewer, 'operator')
    ? await requestOf(viewer.ops, changeRequestId)
    : undefined;
  const name = request?.requestedByName ?? say('otra persona', 'somebody');
  const asked =
    requestedBy === viewer.staffId
      ? say('Lo pediste tú', 'You asked for it')
      : say(`Lo pidió ${name}`, `${name} asked for it`);
  return html`<div class="notice">
    <p>
      <strong
        >${say('Espera aprobación de otra persona', 'Waits for another person’s approval')}</strong
      >: ${kindName(kind, say)}. ${asked}, ${timeOf(requestedAt)}
    </p>
    <p>${kindReason(kind, say)}</p>
    ${request === undefined ? NOTHING : wanted(request, say)}
  </div>`;
}

/** Undefined when it cannot be read now: the notice stays without it. */
async function requestOf(ops: Ops, id: string): Promise<ChangeRequest | undefined> {
  return ops.changeRequests.get(id).catch((error: unknown) => {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  });
}

function wanted({ changeRequestId, before, after }: ChangeRequest, say: Say): Html {
  const values = Object.entries(after).map(([field, value]) => {
    const old = field in before ? `${changeValue(field, before[field], say)} → ` : '';
    return html`<li>${changeFieldName(field, say)}: ${old}${changeValue(field, value, say)}</li>`;
  });
  return html`<ul class="plain">
      ${values}
    </ul>
    <p>
      <a href="/aprobaciones/${changeRequestId}">${say('Ver la solicitud', 'See the request')}</a>
    </p>`;
}
