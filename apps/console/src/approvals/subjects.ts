import type { Html } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { link, textOf } from '../frame/formats';
import { unlessDown } from '../frame/read';
import { storeLink, storeNames, type StoreNames, wholesalerNames } from '../frame/names';
import { mayDo, type Visit } from '../frame/visit';
import { say, sentenceCase } from '../frame/words';
import { changeLines, changeValue, kindName } from './change-words';

/** A change that waits for a second person, or waited. */
export type ChangeRequest = Schema<'ChangeRequest'>;

/** The names of what requests are about, by ids. */
export interface Subjects {
  stores: StoreNames;
  wholesalers: ReadonlyMap<string, string>;
  providers: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** Ids in the values of a request: their names are shown in their place. */
const NEVER_SHOWN = ['userId', 'privacyRequestId', 'digest'];
const IDS = ['cornerStoreId', 'wholesalerId', 'transactionId', ...NEVER_SHOWN];

/** The names of what these requests are about. A service that does not answer leaves them out. */
export async function subjectsOf(visit: Visit, requests: ChangeRequest[]): Promise<Subjects> {
  const { ops } = visit.viewer;
  const of = (kinds: RegExp): string[] =>
    requests.flatMap(({ kind, targetId }) =>
      kinds.test(kind) && targetId !== null ? [targetId] : [],
    );
  const stores = requests.map((request) => ({ cornerStoreId: storeOf(request) ?? null }));
  const wholesalers = requests.flatMap((request) => wholesalerOf(request) ?? []);
  const [names, ofWholesalers, ofProviders, ofPeople] = await Promise.all([
    storeNames(visit, stores),
    unlessDown(wholesalerNames(visit, [], wholesalers)),
    of(PROVIDER).length === 0
      ? NO_NAMES
      : unlessDown(namesIn(ops.paymentProviders.list({ limit: 100 }), 'paymentProviderId')),
    of(/^staff\./).length === 0 || !mayDo(visit.viewer, 'admin')
      ? NO_NAMES
      : unlessDown(namesIn(ops.staff.list({ limit: 100 }), 'staffId')),
  ]);
  return {
    stores: names,
    wholesalers: ofWholesalers ?? NO_NAMES,
    providers: ofProviders ?? NO_NAMES,
    people: ofPeople ?? NO_NAMES,
  };
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();
/** Kinds of requests that are about a payment provider. */
export const PROVIDER = /^(payment-provider|provider-key|provider-secret)\./;

async function namesIn<Field extends string>(
  list: AsyncIterable<Record<Field, string> & { name: string }>,
  id: Field,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const row of list) names.set(row[id], row.name);
  return names;
}

/** The corner store that a request is about. */
export function storeOf({ kind, targetId, before, after }: ChangeRequest): string | undefined {
  if (kind.startsWith('corner-store.')) return targetId ?? undefined;
  return idIn(after, 'cornerStoreId') ?? idIn(before, 'cornerStoreId');
}

function wholesalerOf({ kind, targetId, before, after }: ChangeRequest): string | undefined {
  if (/^(wholesaler|wholesaler-key|customers)\./.test(kind)) return targetId ?? undefined;
  return idIn(after, 'wholesalerId') ?? idIn(before, 'wholesalerId');
}

function idIn(values: ChangeRequest['after'], name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** What a request is about: its name and its page; undefined where it is about nothing that exists. */
export function subjectOf(
  request: ChangeRequest,
  { stores, wholesalers, providers, people }: Subjects,
): { name: string; href: string } | undefined {
  const { kind, targetId, after } = request;
  const store = storeOf(request);
  if (store !== undefined) {
    const name = stores.get(store)?.name ?? say('una tienda', 'a store');
    return { name, href: `/tiendas/${store}` };
  }
  const wholesaler = wholesalerOf(request);
  if (wholesaler !== undefined) {
    const name = wholesalers.get(wholesaler) ?? say('un mayorista', 'a wholesaler');
    return { name, href: `/mayoristas/${wholesaler}` };
  }
  if (targetId !== null && PROVIDER.test(kind)) {
    const name = providers.get(targetId) ?? say('un proveedor', 'a provider');
    return { name, href: `/proveedores/${targetId}` };
  }
  const user = idIn(after, 'userId');
  if (user !== undefined) {
    const name = say('una persona', 'a person');
    return { name, href: `/privacidad?status=todas&userId=${user}` };
  }
  const given = after['name'] ?? after['email'];
  const name = (targetId === null ? undefined : people.get(targetId)) ?? given;
  if (typeof name !== 'string') return undefined;
  return { name, href: kind.startsWith('staff.') ? '/personal' : '/llaves' };
}

export const approvalHref = ({ changeRequestId }: ChangeRequest): string =>
  `/aprobaciones/${changeRequestId}`;

/** A request in one line, such as Abarrotes Lupita · Línea: $5,000.00 → $20,000.00. */
export function requestLine(request: ChangeRequest, subjects: Subjects): string {
  const subject = subjectOf(request, subjects);
  const { before, after } = request;
  const told = Object.entries(after).filter(([field]) => !IDS.includes(field));
  const values = changeLines(before, Object.fromEntries(told));
  const about = subject === undefined ? [] : [subject.name];
  // Of these the values say it all.
  const what = request.kind.endsWith('.terms') || request.kind.endsWith('.settings');
  const named = what ? [] : [kindName(request.kind)];
  const texts = [...about, ...named, values.join(', ')].filter((text) => text !== '');
  return sentenceCase(texts.join(' · '));
}

/** The fields of a request, and what stands in the place of an id: the name of what has it. */
export function fieldsOf({ before, after }: ChangeRequest): string[] {
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].filter((field) => !NEVER_SHOWN.includes(field));
}

/** A value as a person reads it; of an id a link with the name. */
export function shownValue(
  field: string,
  value: unknown,
  { stores, wholesalers }: Subjects,
): string | Html {
  if (typeof value === 'string') {
    if (field === 'cornerStoreId') return storeLink(stores, value, say('una tienda', 'a store'));
    if (field === 'wholesalerId') {
      return link(`/mayoristas/${value}`, wholesalers.get(value) ?? textOf(null));
    }
    if (field === 'transactionId') {
      return link(`/pedidos/${value}`, say('ver el pedido', 'see the order'));
    }
  }
  return changeValue(field, value);
}
