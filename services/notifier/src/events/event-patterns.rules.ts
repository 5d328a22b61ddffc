import { EVENT_TYPES, type EventType } from '@fiado/contracts/events';

/** Names all events. */
export const ALL_EVENTS = '*';

/** What names events: all, those about one kind of object (`transaction.*`), or one type. */
export const EVENT_PATTERNS: readonly string[] = [
  ALL_EVENTS,
  ...new Set(EVENT_TYPES.map(groupOf)),
  ...EVENT_TYPES,
];

/** The patterns that name a type. */
export function patternsOf(type: EventType): string[] {
  return [ALL_EVENTS, groupOf(type), type];
}

/** The types that a pattern names. */
export function typesNamedBy(pattern: string): EventType[] {
  return EVENT_TYPES.filter((type) => patternsOf(type).includes(pattern));
}

function groupOf(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}
