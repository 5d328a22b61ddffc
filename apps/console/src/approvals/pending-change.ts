import { html, type HtmlValue } from '@fiado/chassis/html';
import type { PendingChange } from '@fiado/contracts/change-requests';
import type { Schema } from '@fiado/ops-client/operations';
import { agoOf, buttonLink, plainList } from '../frame/formats';
import { unlessDown } from '../frame/lists';
import { mayDo, type Visit } from '../frame/visit';
import { sentenceCase } from '../frame/words';
import { changeLines, kindName, kindReason } from './change-words';

/** A change that waits for a second person, or waited. */
export type ChangeRequest = Schema<'ChangeRequest'>;

/** On a record: that a change waits, which one, and who asked for it. A viewer may not see more. */
export async function pendingNotice(
  { viewer, say }: Visit,
  pending: PendingChange | null | undefined,
): Promise<HtmlValue> {
  if (pending == null) return undefined;
  const { changeRequestId, kind, requestedBy, requestedAt } = pending;
  // Without an answer the notice stays, and says less.
  const request = mayDo(viewer, 'operator')
    ? await unlessDown(viewer.ops.changeRequests.get(changeRequestId))
    : undefined;
  const name = request?.requestedByName ?? say('otra persona', 'somebody');
  const asked =
    requestedBy === viewer.staffId
      ? say('Lo pediste tú', 'You asked for it')
      : say(`Lo pidió ${name}`, `${name} asked for it`);
  const values = request === undefined ? [] : changeLines(request.before, request.after, say);
  // Of others, such as a deposit, the values are ids.
  const change = kind === 'corner-store.terms' ? values : [];
  return html`<div class="notice waiting">
    <div>
      <p>
        <strong
          >${change.length === 0 ? sentenceCase(kindName(kind, say)) : change.join(', ')}.</strong
        >
        ${say('Espera aprobación de otra persona', 'Waits for another person’s approval')}. ${asked}
        ${agoOf(requestedAt, say('es-MX', 'en'))}.
        ${say('Todavía no vale.', 'It does not count yet.')}
      </p>
      <details>
        <summary>${say('Por qué espera', 'Why it waits')}</summary>
        <p>${kindReason(kind, say)}</p>
        ${change.length === 0 && plainList(values)}
      </details>
    </div>
    ${request !== undefined && buttonLink(`/aprobaciones/${changeRequestId}`, say('Ver la solicitud', 'See the request'))}
  </div>`;
}
