import { askAccounts } from './ask-accounts';
import {
  copyOf,
  DAY_MS,
  endOfDay,
  found,
  INSTALLATION_ZONE,
  isOverdue,
  MINUTE_MS,
  phoneChangesOf,
  type Model,
  type ModelOrder,
  type Settings,
} from './model';
import { heldCents, isHeld, MAX_HELD_CENTS } from './phone-hold';

export interface OrderRequest {
  wholesaler: string;
  store: string;
  amountCents: number;
  /** The wholesaler's own number. */
  number: string | undefined;
  deliveryDate: number | undefined;
}

export interface BatchRequest extends OrderRequest {
  movementDate: number | undefined;
}

/** The oldest movement that a batch may carry. */
const MAX_MOVEMENT_AGE_MS = 7 * DAY_MS;
const CODE_LIFE_MS = 10 * MINUTE_MS;

/** Refusals for which accounts is called first, because it may know better. */
const ASK_FIRST = new Set([
  'CORNER_STORE_NOT_FOUND',
  'USER_NOT_VERIFIED',
  'USER_IS_IN_INTERNAL_VALIDATION',
  'MINIMAL_TRANSACTION_REQUIRED',
  'CREDIT_LIMIT_EXCEEDED',
]);

/**
 * A single order: accepted on what was copied, refused only on what accounts knows now.
 * @param id the id that the product gave it, if it accepted it
 * @returns 'accepted' or the first refusal
 */
export function placeOrder(model: Model, request: OrderRequest, id: string | undefined): string {
  const first = judge(model, request, id);
  if (!ASK_FIRST.has(first)) return first;
  if (!askAccounts(model, request.wholesaler, [request.store])) {
    return first === 'CORNER_STORE_NOT_FOUND' ? 'SERVICE_UNAVAILABLE' : first;
  }
  return judge(model, request, id);
}

/** An order by link: its store is found by the wholesaler's own name for it, and has no code yet. */
export function placeLink(model: Model, request: OrderRequest, id: string | undefined): string {
  const { wholesaler, store } = request;
  if (!isCustomer(model, wholesaler, store) && !askAccounts(model, wholesaler, [store])) {
    return 'SERVICE_UNAVAILABLE';
  }
  if (!isCustomer(model, wholesaler, store)) return 'CORNER_STORE_NOT_FOUND';
  const answer = placeOrder(model, request, id);
  const code = id === undefined ? undefined : model.orders.get(id)?.code;
  if (answer === 'accepted' && code !== undefined) {
    Object.assign(code, { sends: 0, expiresAt: model.now });
  }
  return answer;
}

function judge(model: Model, request: OrderRequest, id: string | undefined): string {
  const [refusal] = refusalsOf(model, request);
  if (refusal !== undefined) return refusal;
  if (isLive(model, request)) return 'DUPLICATED_TRANSACTION';
  const settings = settingsOf(model, request.wholesaler);
  hold(model, newOrder(model, { request, settings, id }));
  return 'accepted';
}

/**
 * A batch: each item takes credit that the next one no longer has, and collects all its refusals.
 * @param ids the product's id of each item, undefined for one that it refused
 * @returns for each item 'accepted' or its refusals; or the refusal of the whole batch
 */
export function placeBatch(
  model: Model,
  requests: BatchRequest[],
  ids: Array<string | undefined>,
): string[] | string {
  const wholesaler = requests[0]?.wholesaler ?? '';
  const first = judgeBatch(structuredClone(model), requests, []);
  const doubtful = requests.filter((_request, at) =>
    first[at]?.some((refusal) => refusal === 'INSUFFICIENT_CREDIT' || ASK_FIRST.has(refusal)),
  );
  if (doubtful.length > 0) {
    const stores = doubtful.map(({ store }) => store);
    const isUnknown = (store: string): boolean =>
      copyOf(found(model.wholesalers, wholesaler)) === undefined ||
      !isCustomer(model, wholesaler, store);
    if (!askAccounts(model, wholesaler, stores) && stores.some(isUnknown)) {
      return 'SERVICE_UNAVAILABLE';
    }
  }
  return judgeBatch(model, requests, ids).map((refusals) => refusals.join(' ') || 'accepted');
}

function judgeBatch(
  model: Model,
  requests: BatchRequest[],
  ids: Array<string | undefined>,
): string[][] {
  return requests.map((request, at) => {
    const refusals = refusalsOf(model, request, true).map((refusal) =>
      refusal === 'CREDIT_LIMIT_EXCEEDED' ? 'INSUFFICIENT_CREDIT' : refusal,
    );
    if (isLive(model, request)) refusals.push('DUPLICATED_TRANSACTION');
    const age = model.now - (request.movementDate ?? model.now);
    if (age < 0 || age > MAX_MOVEMENT_AGE_MS) refusals.push('INVALID_MOVEMENT_DATE');
    if (refusals.length > 0) return refusals;
    // Items of a batch have no code: they are on hold at once.
    const settings = { ...settingsOf(model, request.wholesaler), confirmationRequired: false };
    const order = newOrder(model, { request, settings, id: ids[at] ?? `item ${at}` });
    hold(model, { ...order, phoneChanges: undefined });
    return [];
  });
}

/** All that is against an order, with a number that is taken. */
export function reasonsAgainst(model: Model, request: OrderRequest): string[] {
  const refusals = refusalsOf(model, request);
  return isLive(model, request) ? [...refusals, 'DUPLICATED_TRANSACTION'] : refusals;
}

/** All that is against an order but for its number, in the order of the checks. */
function refusalsOf(model: Model, request: OrderRequest, inBatch = false): string[] {
  const store = found(model.stores, request.store);
  const terms = copyOf(store);
  const settings = copyOf(found(model.wholesalers, request.wholesaler));
  if (terms === undefined || settings === undefined) return ['CORNER_STORE_NOT_FOUND'];
  if (!terms.customerOf.includes(request.wholesaler)) return ['CORNER_STORE_NOT_FOUND'];
  const { amountCents, deliveryDate } = request;
  const held = heldCents(model, store, request) + amountCents;
  const checks: Array<[boolean, string]> = [
    [terms.status === 'pre-approved', 'USER_NOT_VERIFIED'],
    [
      isHeld(model, store, request.wholesaler) && (inBatch || held > MAX_HELD_CENTS),
      'USER_IS_IN_INTERNAL_VALIDATION',
    ],
    [isOverdue(store), 'USER_IS_IN_DEFAULT'],
    [deliveryDate !== undefined && deliveryDate <= model.now, 'INVALID_DELIVERY_DATE'],
    [amountCents < settings.minimumCents, 'MINIMAL_TRANSACTION_REQUIRED'],
    [store.usedCents + amountCents > terms.limitCents, 'CREDIT_LIMIT_EXCEEDED'],
  ];
  return checks.flatMap(([applies, refusal]) => (applies ? [refusal] : []));
}

function isCustomer(model: Model, wholesaler: string, store: string): boolean {
  return copyOf(found(model.stores, store))?.customerOf.includes(wholesaler) ?? false;
}

function settingsOf(model: Model, wholesaler: string): Settings {
  const settings = copyOf(found(model.wholesalers, wholesaler));
  if (settings === undefined) throw new Error('An order is placed on copied settings');
  return settings;
}

/** A wholesaler's number is taken by a live order; a cancelled or expired one gives it free. */
function isLive(model: Model, { wholesaler, number }: OrderRequest): boolean {
  if (number === undefined) return false;
  return [...model.orders.values()].some(
    (order) =>
      order.wholesaler === wholesaler &&
      order.number === number &&
      order.status !== 'cancelled' &&
      order.status !== 'expired',
  );
}

function hold(model: Model, order: ModelOrder): void {
  model.orders.set(order.id, order);
  found(model.stores, order.store).usedCents += order.amountCents;
}

function newOrder(
  model: Model,
  { request, settings, id }: { request: OrderRequest; settings: Settings; id: string | undefined },
): ModelOrder {
  const { deliveryDate } = request;
  const terms = copyOf(found(model.stores, request.store));
  const timeZone = terms?.timeZone ?? INSTALLATION_ZONE;
  const { count: phoneChanges } = phoneChangesOf(
    found(model.stores, request.store),
    request.wholesaler,
  );
  const expiresAt = model.now + CODE_LIFE_MS;
  const code = { text: undefined, checks: 0, sends: 1, expiresAt, phoneChanges };
  return {
    id: id ?? 'an order that the product refused',
    wholesaler: request.wholesaler,
    store: request.store,
    number: request.number,
    status: settings.confirmationRequired ? 'pending-verification' : 'on-hold',
    amountCents: request.amountCents,
    interestRate: terms?.interestRate ?? '0',
    commissionRate: settings.commissionRate,
    paymentTermDays: settings.paymentTermDays,
    overageRate: settings.overageRate,
    timeZone,
    createdAt: model.now,
    deliveryDate,
    dueAt: endOfDay(deliveryDate ?? model.now, timeZone, settings.paymentTermDays),
    deliveredAt: undefined,
    credits: new Map(),
    phoneChanges,
    code: settings.confirmationRequired ? code : undefined,
    payment: { version: 0, owedCents: 0, paid: false },
    inDefault: { version: 0, value: false },
  };
}
