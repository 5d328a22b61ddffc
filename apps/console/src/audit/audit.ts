import { isUUID } from '@fiado/contracts/class-validator';
import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { type Choices, daysFilter } from '../frame/filters';
import { plainList } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { storeNames, wholesalerChoices } from '../frame/names';
import { firstPage } from '../frame/read';
import type { Route } from '../frame/serve';
import { queryOf, type Visit } from '../frame/visit';
import { say, naming } from '../frame/words';
import { eventLines, folded, isLook } from '../stores/events';
import { factLines } from '../stores/facts';
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

/** Old and new values in words; of a look, how much it showed. */
function detailsOf({ action: type, details }: AuditEntry): HtmlValue {
  // The sentence has them, and of a change its kind.
  const { cornerStoreId: _store, reason: _reason, kind, ...more } = details;
  const facts = type.startsWith('change.') || kind === undefined ? more : { kind, ...more };
  const lines = isLook(type)
    ? shownLines(type, facts)
    : // The sentence has named it, unless it is of a later release.
      eventLines({ type, subjectId: null, details: facts }, isAction(type));
  return (
    lines.length > 0 &&
    html`<details>
      <summary>${say('Ver', 'See')}</summary>
      ${plainList(lines)}
    </details>`
  );
}

/** What a look showed: of a list its length, as nobody reads ids. */
function shownLines(type: string, details: AuditEntry['details']): Array<string | Html> {
  return Object.entries(details).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [`${shownName(name)}: ${value.length}`]
      : factLines(type, { [name]: value }),
  );
}

const shownName = naming({
  cornerStoreIds: ['tiendas', 'stores'],
  documentIds: ['documentos', 'documents'],
  messageIds: ['mensajes', 'messages'],
  hits: ['resultados', 'hits'],
});
