import { html, type HtmlValue } from '@fiado/chassis/html';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { agoOf, buttonLink, plainList } from '../frame/formats';
import { unlessDown } from '../frame/read';
import { mayDo, type Visit } from '../frame/visit';
import { say, sentenceCase } from '../frame/words';
import { changeFieldName, changeLines, kindName, kindReason } from './change-words';
import { type ChangeRequest, fieldsOf, shownValue, subjectsOf } from './subjects';

/** On a record: that a change waits, which one, and who asked for it. A viewer may not see more. */
export async function pendingNotice(
  { pendingChange: pending }: { pendingChange?: PendingChange | null },
  visit: Visit,
): Promise<HtmlValue> {
  if (pending == null) return undefined;
  const { viewer } = visit;
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
  const isTerms = kind === 'corner-store.terms';
  const change = isTerms && request ? changeLines(request.before, request.after) : [];
  return html`<div class="notice waiting">
    <div>
      <p>
        <strong>${change.length === 0 ? sentenceCase(kindName(kind)) : change.join(', ')}.</strong>
        ${say('Espera aprobación de otra persona', 'Waits for another person’s approval')}. ${asked}
        ${agoOf(requestedAt, say('es-MX', 'en'))}.
        ${say('Todavía no vale.', 'It does not count yet.')}
      </p>
      <details>
        <summary>${say('Por qué espera', 'Why it waits')}</summary>
        <p>${kindReason(kind)}</p>
        ${request !== undefined && !isTerms && (await valueList(visit, request))}
      </details>
    </div>
    ${request !== undefined && buttonLink(`/aprobaciones/${changeRequestId}`, say('Ver la solicitud', 'See the request'))}
  </div>`;
}

/** Old and new values; of an id the name of what has it. */
async function valueList(visit: Visit, request: ChangeRequest): Promise<HtmlValue> {
  const subjects = await subjectsOf(visit, [request]);
  const lines = fieldsOf(request).map((field) => {
    const [old, value] = [request.before, request.after]
      .filter((side) => field in side)
      .map((side) => shownValue(field, side[field], subjects));
    return html`${changeFieldName(field)}: ${old} ${value !== undefined && html`→ ${value}`}`;
  });
  return plainList(lines);
}
