import { isUUID } from 'class-validator';
import { html, type Html } from '@fiado/chassis/html';
import { type Choices, daysFilter } from '../frame/filters';
import { textOf } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { storeNames, wholesalerChoices } from '../frame/names';
import { firstPage } from '../frame/read';
import type { Route } from '../frame/serve';
import { queryOf, type Visit } from '../frame/visit';
import { say, wordFor } from '../frame/words';
import { eventDetails, folded, isLook } from '../stores/events';
import { actionNames, isAction } from './actions';
import { type AuditEntry, nameOfActor } from './history';
import { type Names, sentence, storeOf } from './sentence';

export const auditRoutes: Route[] = [list('/auditoria', auditOf)];

/** The audit log, newest first. */
async function auditOf(visit: Visit): Promise<Listing<'listAuditEntries', Names>> {
  const object = await objectChosen(visit);
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
      ['objeto', say('Objeto', 'Object'), 'objectId', () => object],
    ],
    empty: say('Nada así.', 'Nothing like that.'),
    rows: (entries) => folded(entries, areEqual),
    names: (entries) => namesOf(visit, entries),
    columns: [
      [say('Qué', 'What'), (entry, names) => sentence(visit, entry, names), 'name'],
      [say('Cuándo', 'When'), 'occurredAt', 'when'],
      [say('Detalles', 'Details'), detailsOf],
    ],
  };
}

async function personChoices(visit: Visit): Promise<Choices> {
  const { staffId } = visit.viewer;
  const chosen = queryOf(visit, 'persona');
  const you = [staffId, say('Tú', 'You')] as const;
  if (chosen === '' || chosen === staffId) return [you];
  // Another one is chosen by a click on a name.
  const [newest] = await newestOf(visit, { actor: chosen });
  const [, wholesalers] = await namesOf(visit, []);
  const name = newest === undefined ? chosen : nameOfActor(newest, visit, wholesalers);
  return [you, [chosen, name]];
}

/** What the chip says of the object that the list is asked for. */
async function objectChosen(visit: Visit): Promise<string> {
  const objectId = queryOf(visit, 'objeto');
  const [newest] = isUUID(objectId) ? await newestOf(visit, { objectId }) : [];
  if (newest === undefined) return '';
  const [stores, wholesalers] = await namesOf(visit, [newest]);
  const store = stores.get(storeOf(newest) ?? '')?.name;
  return store ?? newest.objectName ?? wholesalers.get(objectId) ?? '';
}

async function newestOf(
  { viewer }: Visit,
  of: { actor: string } | { objectId: string },
): Promise<AuditEntry[]> {
  const { entries } = await firstPage(viewer.ops.auditEntries.list({ ...of, limit: 1 }));
  return entries;
}

async function namesOf(visit: Visit, entries: AuditEntry[]): Promise<Names> {
  const about = entries.map((entry) => ({ cornerStoreId: storeOf(entry) }));
  const [stores, wholesalers] = await Promise.all([
    storeNames(visit, about),
    wholesalerChoices(visit),
  ]);
  return [stores, new Map(wholesalers)];
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
function detailsOf({ action: type, details }: AuditEntry): string | Html {
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
