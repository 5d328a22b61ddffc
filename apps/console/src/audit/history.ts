import { html, type Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { changeLines } from '../approvals/change-words';
import { link, plainList } from '../frame/formats';
import { part } from '../frame/parts';
import type { Visit } from '../frame/visit';
import { creditReasonName, revealReasonName, say, naming } from '../frame/words';
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
export function actorOf(
  entry: AuditEntry,
  visit: Visit,
  wholesalers?: ReadonlyMap<string, string>,
): Html {
  const query = new URLSearchParams({ persona: entry.actorId });
  return link(`/auditoria?${String(query)}`, nameOfActor(entry, visit, wholesalers));
}

/** @param wholesalers names by their ids */
export function nameOfActor(
  { actorId, actorKind, actorName }: AuditEntry,
  { viewer }: Visit,
  wholesalers?: ReadonlyMap<string, string>,
): string {
  if (actorId === viewer.staffId) return say(`${viewer.name} (tú)`, `${viewer.name} (you)`);
  if (actorName !== null) return actorName;
  if (actorId === 'ops') return say('La llave del servidor', 'The key of the server');
  const name = wholesalers?.get(actorId);
  if (name !== undefined) return name;
  return naming({
    ops: ['Una llave sin nombre', 'A key without a name'],
    wholesaler: ['Un mayorista', 'A wholesaler'],
    provider: ['Un proveedor de pagos', 'A payment provider'],
    service: ['Fiado', 'Fiado'],
    address: [`Alguien desde ${actorId}`, `Somebody from ${actorId}`],
  })(actorKind);
}

/** What an actor did to the record of the page; where two people did it, who asked and who approved. */
function doneBy(entry: AuditEntry): string {
  const { approvedByName: name } = entry;
  if (name == null || isByApprover(entry)) {
    // The name of the record would follow.
    return `${actionName(entry.action).replace(/ (a|de|por)$/, '')}${decidedBy(entry)}`;
  }
  return say(`lo pidió y ${name} lo aprobó`, `asked for it, and ${name} approved it`);
}

/** Who asked for what two people did, and who approved it, after a sentence that begins with who did it. */
export function decidedBy(entry: AuditEntry): string {
  const { requestedByName: asked, approvedByName: approved } = entry;
  if (approved == null) return '';
  return isByApprover(entry) && asked != null
    ? say(
        `; lo pidió ${asked} y lo aprobó ${approved}`,
        `; ${asked} asked for it, and ${approved} approved it`,
      )
    : say(`; lo aprobó ${approved}`, `; ${approved} approved it`);
}

/** Who approves an invitation collects its link; everything else is done in the name of who asked for it. */
function isByApprover({ actorId, details }: AuditEntry): boolean {
  return details['approvedBy'] === actorId;
}

/** Why something was changed; empty where nobody said, and for a viewer. */
export function reasonOf({ action, reason, details }: AuditEntry): string {
  if (reason != null) return reason;
  const { reason: given } = details as { reason?: unknown };
  if (typeof given !== 'string') return '';
  return action === 'corner-store.paused'
    ? pauseReasonName(given)
    : revealReasonName(creditReasonName(given));
}
