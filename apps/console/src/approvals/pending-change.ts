import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { PendingChange } from '@fiado/contracts/change-requests';
import type { Schema } from '@fiado/ops-client/operations';
import { ApiRefusal, type Ops } from '../api';
import { agoOf } from '../frame/formats';
import { mayDo, type Visit } from '../frame/visit';
import { sentenceCase, type Say } from '../frame/words';
import { changeFieldName, changeValue, kindName, kindReason } from './change-words';

/** A change that waits for a second person, or waited. */
export type ChangeRequest = Schema<'ChangeRequest'>;

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
  const values = request === undefined ? [] : valuesOf(request, say);
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
        ${
          change.length > 0 || values.length === 0
            ? NOTHING
            : html`<ul class="plain">
                ${values.map((value) => html`<li>${value}</li>`)}
              </ul>`
        }
      </details>
    </div>
    ${
      request === undefined
        ? NOTHING
        : html`<a class="button second" href="/aprobaciones/${changeRequestId}"
            >${say('Ver la solicitud', 'See the request')}</a
          >`
    }
  </div>`;
}

/** Undefined when it cannot be read now: the notice stays without it. */
async function requestOf(ops: Ops, id: string): Promise<ChangeRequest | undefined> {
  return ops.changeRequests.get(id).catch((error: unknown) => {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  });
}

/** Old and new values, such as Línea: $10,000.00 → $20,000.00. */
function valuesOf({ before, after }: ChangeRequest, say: Say): string[] {
  return Object.entries(after).map(([field, value]) => {
    const old = field in before ? `${changeValue(field, before[field], say)} → ` : '';
    return `${changeFieldName(field, say)}: ${old}${changeValue(field, value, say)}`;
  });
}
