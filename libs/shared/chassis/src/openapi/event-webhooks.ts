import { EXAMPLE_DATA } from '@fiado/contracts/event-examples';
import { EVENT_TYPES, EVENTS, type EventType } from '@fiado/contracts/events';
import type { Route } from '../http/endpoint';
import * as fields from './fields';
import * as t from './json-schema';
import type { Tag } from './operation';

/** The operation that shows the object of an event, and which of its lists does where it has several. */
const SHOWN_BY: Record<string, string> = {
  verification: 'confirmAccountVerification',
  onboarding: 'getCornerStore',
  'corner-store': 'getCornerStore',
  transaction: 'getTransaction',
  'credit-note': 'listCreditNotes',
  'credit-note-request': 'listCreditNotes.requests',
  dispute: 'respondToDispute',
  default: 'getDefaultInformation',
  payment: 'getPayment',
  message: 'searchMessages',
  invoice: 'getInvoice',
  'tax-document': 'listTaxDocuments.documents',
  statement: 'getStatement',
  deposit: 'listDeposits',
  'own-deposit': 'listOwnDeposits.deposits',
  endpoint: 'getWebhookEndpoint',
};

/** Fields of events that the operation does not show. */
const OWN_FIELDS: Record<string, t.JsonSchema> = {
  version: t.field(
    { ...t.count, description: 'Rises with each event of the object' },
    'Version of the object: a receiver ignores an event with a lower one',
    3,
  ),
  transactionId: fields.transactionId,
  verificationId: fields.verificationId,
  userId: fields.userId,
  cornerStoreId: fields.cornerStoreId,
  externalId: fields.externalId,
  creditLimit: fields.creditLimit,
  interestRate: fields.interestRate,
  reason: t.textOrNull('Why the endpoint was disabled', 'failing'),
};

/**
 * The `webhooks` of the document: one for each type of event. The fields of its data are those of its
 * example; each is described as in the operation that shows the object.
 * @throws Error for a field that nothing describes
 */
export function eventWebhooks(routes: Route[]): Record<string, object> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, routes)]));
}

/** Events whose data differ from the others of their group. */
const UNNAMED: EventType[] = ['endpoint.test', 'corner-store.blocked', 'corner-store.erased'];

/** The object of the event: 'corner-store' of 'corner-store.status-changed'. */
function groupOf(type: EventType): string {
  if (type === 'deposit.reversal-refused') return 'own-deposit';
  if (type === 'transaction.credited') return 'credit-note';
  if (type === 'transaction.credit-note-refused') return 'credit-note-request';
  if (type.startsWith('transaction.dispute')) return 'dispute';
  if (type === 'invoice.credit-note-issued') return 'tax-document';
  if (type === 'invoice.payment-complement-issued') return 'tax-document';
  return type.slice(0, type.indexOf('.'));
}

/** 'CornerStoreEvent' of 'corner-store': the name of the schema of its data. */
function schemaName(group: string): string {
  return `${group.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function webhookOf(type: EventType, routes: Route[]): object {
  const example = {
    id: 'evt_0199e2c4-5f1a-7c3d-8e7f-6a5b4c3d2e1f',
    type,
    timestamp: '2027-01-20T16:04:05.678Z',
    data: EXAMPLE_DATA[type],
  };
  const schema: t.JsonSchema = objectOf({
    id: t.field(
      t.text,
      'Id of the event. `evt_` and a UUID: the same at each delivery',
      'evt_01934d3e-8a1f-7cc0-9d2b-6f2f3f0c7a31',
    ),
    type: t.field(t.constant(type), 'Type of the event'),
    timestamp: t.time('Time of the event', '2026-11-22T16:05:00.000Z'),
    data: t.field(dataSchema(type, routes), 'The object that the event is about'),
  });
  return {
    post: {
      operationId: `on-${type}`,
      tags: ['Webhooks' satisfies Tag],
      summary: `Event ${type}`,
      description: EVENTS[type].when,
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: { '2XX': { description: 'Received; any other answer is tried again' } },
    },
  };
}

function dataSchema(type: EventType, routes: Route[]): t.JsonSchema {
  const [shownBy, list = ''] = SHOWN_BY[groupOf(type)]?.split('.') ?? [];
  const answer = routes.find(({ operation }) => operation?.id === shownBy)?.operation?.answer;
  const known = answer === undefined ? {} : fieldsOf(answer.properties?.[list]?.items ?? answer);
  const fields = Object.keys(EXAMPLE_DATA[type]).map((name) => {
    const schema = known[name] ?? OWN_FIELDS[name];
    if (schema === undefined) throw new Error(`Nothing describes ${name} of ${type}`);
    return [name, schema] as const;
  });
  const data = objectOf(Object.fromEntries(fields));
  return UNNAMED.includes(type) ? data : { ...data, title: schemaName(groupOf(type)) };
}

/** Fields of an answer and of the items of its lists. A name means the answer's field, else the first list's. */
function fieldsOf({ properties = {} }: t.JsonSchema): Record<string, t.JsonSchema> {
  const lists = Object.values(properties).filter(({ type }) => type === 'array');
  const ofItems = lists.toReversed().map(({ items }) => items?.properties);
  return Object.assign({}, ...ofItems, properties);
}

function objectOf(properties: Record<string, t.JsonSchema>): t.JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
