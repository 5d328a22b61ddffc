import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { kindName } from '../approvals/change-words';
import { link, textOf } from '../frame/formats';
import { storeLink, type StoreNames } from '../frame/names';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';
import { actionName } from './actions';
import { actorOf, type AuditEntry, decidedBy, reasonOf } from './history';

/** The stores of entries, and all wholesalers. */
export type Names = [stores: StoreNames, wholesalers: ReadonlyMap<string, string>];

/** An entry, and how many equal looks of the same person it stands for. */
type Entry = AuditEntry & { times?: number };

/** Such as Ana Torres vio a Abarrotes Lupita. */
export function sentence(visit: Visit, entry: Entry, names: Names): Html {
  const { action, times = 1 } = entry;
  const reason = reasonOf(entry);
  const object = objectOf(entry, names);
  const said = [
    [actorOf(entry, visit, names[1]), ' ', actionName(action)],
    object !== undefined && [action.startsWith('change.') ? ': ' : ' ', object],
    decidedBy(entry),
    times > 1 && ` (${times})`,
  ];
  return html`<span class="said">${said}</span
    >${reason !== '' && html`<small>${say('Motivo', 'Reason')}: ${reason}</small>`}`;
}

/** To what it was done: a name, or a link to its page. */
function objectOf(entry: Entry, [stores, wholesalers]: Names): HtmlValue {
  const { action, actorId, objectId, objectName, details } = entry;
  const store = storeOf(entry);
  const named =
    store === null ? objectName : storeLink(stores, store, say('una tienda', 'a store'));
  if (action.startsWith('change.') && objectId !== null) {
    const see = link(`/aprobaciones/${objectId}`, say('ver', 'see'));
    return [kindName(textOf(details['kind'])), named != null && [', ', named], ' (', see, ')'];
  }
  if (store !== null) return named ?? undefined;
  if (objectId === null || objectId === actorId) return undefined;
  const wholesaler = wholesalers.get(objectId);
  if (wholesaler !== undefined) return link(`/mayoristas/${objectId}`, wholesaler);
  if (/^(delivery-word|order-code|dispute|credit-note)\./.test(action)) {
    return ['(', link(`/pedidos/${objectId}`, say('ver pedido', 'see the order')), ')'];
  }
  if (action.startsWith('deposit.')) {
    return ['(', link(`/depositos/${objectId}`, say('ver depósito', 'see the deposit')), ')'];
  }
  return objectName ?? undefined;
}

/** The store that an entry is about. Of a look at a document, a payout or a change, the object is that. */
export function storeOf({ action, objectId, details }: AuditEntry): string | null {
  const { kind, targetId, after, cornerStoreId } = details;
  if (action === 'document.viewed' || action.startsWith('payout.'))
    return textOrNull(cornerStoreId);
  if (action.startsWith('change.')) {
    const isOfStore = typeof kind === 'string' && kind.startsWith('corner-store.');
    return textOrNull(
      isOfStore ? targetId : (Object(after) as AuditEntry['details'])['cornerStoreId'],
    );
  }
  return /^(corner-store|documents|onboarding|phone)\./.test(action) ? objectId : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
