import { html, type Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { changeLines } from '../approvals/change-words';
import { link, plainList } from '../frame/formats';
import { part } from '../frame/parts';
import type { Visit } from '../frame/visit';
import { creditReasonName, revealReasonNames, say, wordFor } from '../frame/words';
import { pauseReasonName } from '../stores/pause';
import { actionName } from './actions';

export type AuditEntry = ItemOf<'listAuditEntries', 'entries'>;

/** Newest changes on a record; the audit page has all. */
const SHOWN = 10;

/** On a record: who changed it, who approved that, why, and from what to what. */
export function historyPart(visit: Visit, objectId: string): Promise<Html> {
  return part(visit, {
    of: 'listAuditEntries',
    asked: { objectId, changesOnly: 'true', limit: SHOWN },
    title: say('Quién lo cambió, y por qué', 'Who changed it, and why'),
    empty: say('Nadie lo ha cambiado.', 'Nobody has changed it.'),
    more: link(
      `/auditoria?status=changes&objeto=${objectId}`,
      say('En la auditoría', 'In the audit log'),
    ),
    columns: [
      [
        say('Qué', 'What'),
        (entry) => html`<span class="said">${actorOf(entry, visit)} ${doneBy(entry)}</span>`,
        'name',
      ],
      [say('Cuándo', 'When'), 'occurredAt', 'when'],
      [
        say('Cambio', 'Change'),
        ({ action, details: { before, after } }) => plainList(changeLines(before, after, action)),
      ],
      [say('Motivo', 'Reason'), (entry) => reasonOf(entry)],
    ],
  });
}

/** A name leads to all that this person did. */
export function actorOf({ actorId, actorKind, actorName }: AuditEntry, { viewer }: Visit): Html {
  const name =
    actorId === viewer.staffId
      ? say(`${viewer.name} (tú)`, `${viewer.name} (you)`)
      : typeof actorName === 'string'
        ? actorName
        : actorKind === 'wholesaler'
          ? say('Un mayorista', 'A wholesaler')
          : actorKind === 'service'
            ? 'Fiado'
            : say('Una llave', 'A key');
  const query = new URLSearchParams({ persona: actorId });
  return link(`/auditoria?${String(query)}`, name);
}

/** What an actor did to the record of the page; where two people did it, who asked and who approved. */
function doneBy({ action, approvedByName }: AuditEntry): string {
  if (approvedByName != null) {
    return say(
      `lo pidió y ${approvedByName} lo aprobó`,
      `asked for it, and ${approvedByName} approved it`,
    );
  }
  // The name of the record would follow.
  return actionName(action).replace(/ (a|de)$/, '');
}

/** Who approved what two people did, in the words of a sentence that begins with who asked. */
export function approvedBy({ approvedByName }: AuditEntry): string {
  if (approvedByName == null) return '';
  return say(`; lo aprobó ${approvedByName}`, `; ${approvedByName} approved it`);
}

/** Why something was changed; empty where nobody said, and for a viewer. */
export function reasonOf({ action, reason, details }: AuditEntry): string {
  if (reason != null) return reason;
  const { reason: given } = details as { reason?: unknown };
  if (typeof given !== 'string') return '';
  return action === 'corner-store.paused'
    ? pauseReasonName(given)
    : wordFor(creditReasonName(given), revealReasonNames());
}
