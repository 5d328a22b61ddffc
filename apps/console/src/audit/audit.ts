import { html, type Html } from '@fiado/chassis/html';
import { type Choices, daysFilter } from '../frame/filters';
import { link, textOf } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { storeLink, storeNames, type StoreNames, wholesalerChoices } from '../frame/names';
import type { Route } from '../frame/serve';
import { queryOf, type Visit } from '../frame/visit';
import { say, wordFor } from '../frame/words';
import { eventDetails, folded, isLook } from '../stores/events';
import { actionName, actionNames, isAction } from './actions';
import { actorOf, approvedBy, reasonOf, type AuditEntry } from './history';

export const auditRoutes: Route[] = [list('/auditoria', auditOf)];

/** An entry, and how many equal looks of the same person it stands for. */
type Entry = AuditEntry & { times?: number };

/** The stores of entries, and all wholesalers. */
type Names = [stores: StoreNames, wholesalers: ReadonlyMap<string, string>];

/** The audit log, newest first. */
function auditOf(visit: Visit): Listing<'listAuditEntries', Names> {
  return {
    of: 'listAuditEntries',
    title: say('Auditoría', 'Audit'),
    lead: say(
      'Quién hizo y quién vio qué. No se puede cambiar.',
      'Who did and saw what. It cannot be changed.',
    ),
    states: {
      kind: 'audit',
      all: say('Todo', 'All'),
      shown: ['', 'changes'],
      asks: { changes: { changesOnly: 'true' } },
    },
    filters: [
      daysFilter(visit),
      ['accion', say('Acción', 'Action'), 'action', actionNames()],
      ['persona', say('Persona', 'Person'), 'actor', personChoices(visit)],
      ['objeto', say('Objeto', 'Object'), 'objectId', (id) => id.slice(0, 8)],
    ],
    empty: say('Nada así.', 'Nothing like that.'),
    rows: (entries) => folded(entries, areEqual),
    names: async (entries) => {
      const about = entries.map((entry) => ({ cornerStoreId: storeOf(entry) }));
      const [stores, wholesalers] = await Promise.all([
        storeNames(visit, about),
        wholesalerChoices(visit),
      ]);
      return [stores, new Map(wholesalers)];
    },
    columns: [
      [say('Qué', 'What'), (entry, names) => sentence(visit, entry, names), 'name'],
      [say('Cuándo', 'When'), 'occurredAt', 'when'],
      [say('Detalles', 'Details'), detailsOf],
    ],
  };
}

function personChoices(visit: Visit): Choices {
  const { staffId } = visit.viewer;
  const chosen = queryOf(visit, 'persona');
  const you = [staffId, say('Tú', 'You')] as const;
  // Another one is chosen by a click on a name.
  return chosen === '' || chosen === staffId
    ? [you]
    : [you, [chosen, say('Una persona', 'One person')]];
}

/** Looks of one person at one thing. */
function areEqual(one: AuditEntry, other: AuditEntry): boolean {
  return (
    isLook(one.action) &&
    one.action === other.action &&
    one.actorId === other.actorId &&
    one.objectId === other.objectId
  );
}

/** Such as Ana Torres vio a Abarrotes Lupita. */
function sentence(visit: Visit, entry: Entry, [names, wholesalers]: Names): Html {
  const { action, objectId } = entry;
  const store = storeOf(entry);
  const reason = reasonOf(entry);
  return html`<span class="said"
      >${actorOf(entry, visit)} ${actionName(action)}
      ${
        objectId === null
          ? ''
          : store !== null
            ? storeLink(names, store, say('una tienda', 'a store'))
            : wholesalers.has(objectId)
              ? link(`/mayoristas/${objectId}`, wholesalers.get(objectId) ?? '')
              : action.startsWith('change.')
                ? html`(${link(`/aprobaciones/${objectId}`, say('ver', 'see'))})`
                : /^(delivery-word|order-code|dispute|credit-note)\./.test(action)
                  ? html`(${link(`/pedidos/${objectId}`, say('ver pedido', 'see the order'))})`
                  : ''
      }${approvedBy(entry)}${(entry.times ?? 1) === 1 ? '' : ` (${entry.times})`}</span
    >${reason !== '' && html`<small>${say('Motivo', 'Reason')}: ${reason}</small>`}`;
}

/** The store that an entry is about. Of a look at a document, the object is that. */
function storeOf({ action, objectId, details }: AuditEntry): string | null {
  if (action === 'document.viewed') {
    const { cornerStoreId } = details as { cornerStoreId?: unknown };
    return typeof cornerStoreId === 'string' ? cornerStoreId : null;
  }
  return /^(corner-store|documents|onboarding|phone)\./.test(action) ? objectId : null;
}

/** What a look showed. */
function shownName(name: string): string {
  return wordFor(name, {
    cornerStoreIds: say('tiendas', 'stores'),
    documentIds: say('documentos', 'documents'),
    documentId: say('documento', 'document'),
    messages: say('mensajes', 'messages'),
    hits: say('resultados', 'hits'),
  });
}

/** Of a list its length: nobody reads ids. */
function shownText(value: unknown): string {
  return Array.isArray(value) ? String(value.length) : textOf(value);
}

/** Old and new values in words; of a look, what it showed. */
function detailsOf({ action: type, details }: Entry): string | Html {
  // The sentence names the store.
  const said = ['cornerStoreId', 'approvedBy', 'changeRequestId', 'reason'];
  const lines = Object.entries(details).filter(([name]) => !said.includes(name));
  if (lines.length === 0) return '';
  const content = isLook(type)
    ? html`<ul class="plain">
        ${lines.map(([name, value]) => html`<li>${shownName(name)}: ${shownText(value)}</li>`)}
      </ul>`
    : // The sentence has named it, unless it is of a later release.
      eventDetails({ type, subjectId: null, details: Object.fromEntries(lines) }, isAction(type));
  return html`<details>
    <summary>${say('Ver', 'See')}</summary>
    ${content}
  </details>`;
}
