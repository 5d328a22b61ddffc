import { catalogue } from '@fiado/contracts/error-catalogue';
import type { ItemOf } from '@fiado/ops-client/operations';

export type Entry = ItemOf<'getTimeline', 'entries'>;

/** Why a code came or did not come. */
export interface Cause {
  occurredAt: string;
  cause:
    | 'refused'
    | 'sms-delivered'
    | 'sms-sent'
    | 'sms-failed'
    | 'sms-unknown'
    | 'sms-expired'
    | 'sms-waits-behind-cap'
    | 'sms-waits'
    | 'needs-no-code'
    | 'code-on-page'
    | 'no-sms';
  /** For a person. */
  text: string;
  wholesalerId: string | null;
  /** The order, user or verification. */
  subjectId: string | null;
}

/** SMS without which an order or a verification does not go on. */
const CODE_TEMPLATES = new Map([
  ['order-code', 'SMS with the code of the order'],
  ['verification-code', 'SMS with the code of the verification'],
  ['account-code', 'SMS with the code of the account page'],
  ['delivery-word', 'SMS with the delivery word'],
]);

/**
 * What the entries of a timeline tell about codes, oldest first: refused requests, orders without
 * an SMS, and the outcome of each SMS with a code.
 * @param timeOf prints a time of an entry
 */
export function findCauses(entries: Entry[], timeOf: (iso: string) => string): Cause[] {
  const withSms = new Set(
    entries.flatMap(({ type, subjectId }) => (type === 'message.requested' ? [subjectId] : [])),
  );
  return entries
    .flatMap((entry): Cause[] => {
      const { occurredAt, wholesalerId, subjectId } = entry;
      const found = causeOf(entry, { hasSms: withSms.has(subjectId), timeOf });
      return found === undefined ? [] : [{ occurredAt, ...found, wholesalerId, subjectId }];
    })
    .toReversed();
}

function causeOf(
  { type, details }: Entry,
  { hasSms, timeOf }: { hasSms: boolean; timeOf: (iso: string) => string },
): Pick<Cause, 'cause' | 'text'> | undefined {
  const fields = details as Record<string, unknown>;
  if (type === 'request.refused') return refusal(fields);
  if (type === 'message.requested') return outcomeOfSms(fields, timeOf);
  if (type === 'order.created' && !hasSms) return orderWithoutSms(fields);
  return undefined;
}

function refusal(details: Record<string, unknown>): Pick<Cause, 'cause' | 'text'> {
  const code = String(details['errorCode']);
  return {
    cause: 'refused',
    text: `${String(details['operation'])} was refused with ${code}: ${titleOf(code)}. Nothing was sent.`,
  };
}

/** Codes that are no error of a whole request. */
const OTHER_TITLES = new Map([
  ['BAD_REQUEST', 'The request was not valid'],
  ['INSUFFICIENT_CREDIT', catalogue.CREDIT_LIMIT_EXCEEDED.title],
  ['INVALID_MOVEMENT_DATE', 'The date of the order is too old, or in the future'],
  ['BATCH_NOT_ENABLED', 'Batches are switched off for the wholesaler'],
  ['BATCH_LIMIT_EXCEEDED', 'The daily number of batch items of the wholesaler is used up'],
]);

function titleOf(code: string): string {
  const other = OTHER_TITLES.get(code);
  if (other !== undefined) return other;
  return (catalogue as Record<string, { title: string }>)[code]?.title ?? 'Unknown error';
}

function orderWithoutSms({
  byLink,
  codeStatus,
}: Record<string, unknown>): Pick<Cause, 'cause' | 'text'> {
  if (codeStatus === undefined || codeStatus === 'approved') {
    return { cause: 'needs-no-code', text: 'An order was created that needs no code, or has it.' };
  }
  if (byLink === true) {
    return {
      cause: 'code-on-page',
      text: 'An order was created with a link. Its code is sent when the button of its page is pressed; it was not.',
    };
  }
  return {
    cause: 'no-sms',
    text: 'An order was created, but its SMS has not reached the notifier: see fiado jobs list.',
  };
}

function outcomeOfSms(
  details: Record<string, unknown>,
  timeOf: (iso: string) => string,
): Pick<Cause, 'cause' | 'text'> | undefined {
  const name = CODE_TEMPLATES.get(String(details['template']));
  if (name === undefined) return undefined;
  const sms = `The ${name} to ${String(details['phoneNumber'])}`;
  const sentAt = typeof details['sentAt'] === 'string' ? ` at ${timeOf(details['sentAt'])}` : '';
  const expiry = timeOf(String(details['expiresAt']));
  const reason = typeof details['reason'] === 'string' ? ` (${details['reason']})` : '';
  switch (details['status']) {
    case 'delivered':
      return { cause: 'sms-delivered', text: `${sms} was sent${sentAt} and delivered.` };
    case 'sent':
      return {
        cause: 'sms-sent',
        text: `${sms} was sent${sentAt}; the network has not reported its delivery.`,
      };
    case 'failed':
      return { cause: 'sms-failed', text: `${sms} failed${reason}. It is not sent again.` };
    case 'unknown':
      return {
        cause: 'sms-unknown',
        text: `${sms} may have been sent: the provider did not answer${reason}. It is not sent again.`,
      };
    case 'expired':
      return {
        cause: 'sms-expired',
        text: `${sms} was not sent before it expired at ${expiry}${reason}.`,
      };
    default:
      return details['reason'] === 'wholesaler-cap'
        ? {
            cause: 'sms-waits-behind-cap',
            text: `${sms} waits: its wholesaler has used up its SMS of this minute. It expires at ${expiry}.`,
          }
        : {
            cause: 'sms-waits',
            text: `${sms} waits to be sent${reason}. It expires at ${expiry}.`,
          };
  }
}
