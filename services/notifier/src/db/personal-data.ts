import {
  CHASSIS_PERSONAL_DATA,
  DATA_KEY_COLUMNS,
  HARMLESS,
  harmlessColumns,
  namesPerson,
  type PersonalData,
} from '@fiado/chassis/db/personal-data';

const isEventOfPerson = (event: string): string =>
  `(${event}.subject_id = ANY (person.ids) OR ${namesPerson(`${event}.body::jsonb`)})`;

/** SQL: whether a message `own` goes to a person, or is about one. */
export const MESSAGES_OF_PERSON =
  'own.phone_index = ANY (person.phone_indexes) OR own.subject_id = ANY (person.ids)';

/** SQL: whether a process is sending a message `own`, and will store the outcome. */
export const MESSAGE_IS_SENDING = `own.status = 'sending' AND own.claimed_until > now()`;

/** SQL: whether a `blocked` person has a message from after their block. */
export const TOLD_AFTER_BLOCK = `EXISTS (
  SELECT FROM messages m
   WHERE m.phone_index = blocked.phone_index AND m.created_at > blocked.since)`;

/** The personal data of owners of corner stores in the notifier. */
export const PERSONAL_DATA: PersonalData = {
  tables: [
    ...CHASSIS_PERSONAL_DATA.tables,
    {
      table: 'messages',
      what: 'SMS and WhatsApp messages: the last digits of the phone; phone and values, encrypted, until it is sent or expires, of WhatsApp until it is delivered or an SMS follows',
      find: MESSAGES_OF_PERSON,
      kept: '90 days',
      parts: [{ part: 'message_attempts', refersBy: 'message_id' }],
      inUse: MESSAGE_IS_SENDING,
      columns: {
        phone_index: 'transient',
        phone_masked: 'transient',
        provider_sid: 'transient',
        sealed: 'transient',
      },
    },
    {
      table: 'provider_copies',
      what: 'ids at the SMS provider of messages to a blocked person',
      kept: 'until the provider has deleted its copy',
      columns: { sid: { class: 'transient', block: 'kept', suppress: 'expires' } },
    },
    {
      table: 'numbers_without_whatsapp',
      isInternal: true,
      what: 'indexes of phones that WhatsApp does not know',
      find: 'own.phone_index = ANY (person.phone_indexes)',
      kept: '30 days',
      columns: { phone_index: 'transient' },
    },
    {
      table: 'phone_claims',
      what: 'indexes of phones that an SMS was sent to, for the limit of each phone',
      find: 'own.phone_index = ANY (person.phone_indexes)',
      kept: '90 days, as the last SMS to the phone',
      columns: { phone_index: 'transient' },
    },
    {
      table: 'events',
      what: 'events for wholesalers and payment providers: ids, amounts, statuses',
      find: isEventOfPerson('own'),
      kept: '30 days',
      // Its endpoint counts an event that is being sent. An event about an erasure names no person.
      inUse: `own.type IN ('corner-store.blocked', 'corner-store.erased') OR EXISTS (
        SELECT FROM webhook_deliveries WHERE event_id = own.id AND status = 'sending')`,
      columns: { body: 'transient' },
    },
    {
      table: 'webhook_attempts',
      isInternal: true,
      what: 'the beginning of what a wholesaler or a payment provider answered to an event',
      find: `own.delivery_id IN (SELECT delivery.id FROM webhook_deliveries delivery
               JOIN events event ON event.id = delivery.event_id WHERE ${isEventOfPerson('event')})`,
      kept: '30 days, as the event',
      // What was answered to an event about an erasure stays with the event.
      inUse: `EXISTS (
        SELECT FROM webhook_deliveries delivery JOIN events event ON event.id = delivery.event_id
         WHERE delivery.id = own.delivery_id
           AND (delivery.status = 'sending'
                OR event.type IN ('corner-store.blocked', 'corner-store.erased')))`,
      columns: { response_head: 'transient' },
    },
  ],
  harmless: [
    ...CHASSIS_PERSONAL_DATA.harmless,
    ...DATA_KEY_COLUMNS,
    harmlessColumns(HARMLESS.fixed, {
      event_owners: ['kind'],
      events: ['type'],
      message_attempts: ['outcome', 'provider_code'],
      messages: ['channel', 'provider', 'status', 'status_reason', 'template'],
      webhook_deliveries: ['status'],
    }),
    harmlessColumns(HARMLESS.party, {
      webhook_attempts: ['error'],
      webhook_endpoints: ['description', 'disabled_reason', 'events', 'state', 'url'],
    }),
    harmlessColumns(HARMLESS.secret, { webhook_secrets: ['kind', 'public_key', 'sealed'] }),
    harmlessColumns(HARMLESS.technical, { messages: ['request_id', 'traceparent'] }),
  ],
};
