import type { RunningSystem } from '../system';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import type { NeedleKind, Needles, Place } from './needles';

/** Fields of requests and answers that hold what must be nowhere else. */
const KIND_OF_FIELD: Record<string, NeedleKind> = {
  phoneNumber: 'phone',
  firstName: 'text',
  lastNames: 'text',
  fullName: 'text',
  cornerStoreName: 'text',
  cornerStoreAddress: 'text',
  latitude: 'text',
  longitude: 'text',
  apiKey: 'secret',
  secret: 'secret',
  accessToken: 'secret',
  kycLink: 'secret',
  base64Content: 'image',
};
/** A short coordinate could be any number: only precise ones are needles. */
const COORDINATE = /^-?\d{1,3}\.\d{6,}$/;
/** As much of an image as no other text has. */
const IMAGE_CHARACTERS = 40;
const IMAGE_START = 200;

export interface Watched {
  system: RunningSystem;
  /** The body of every answer that was an error. */
  errors: Place[];
}

/** The same system, of whose requests and answers every secret becomes a needle. */
export function watched(system: RunningSystem, needles: Needles): Watched {
  const errors: Place[] = [];
  const call: RunningSystem['call'] = async (key, method, path, options) => {
    harvest(options?.body, needles);
    const answer = await system.call(key, method, path, options);
    if (answer.status >= 400) errors.push({ place: `${method} ${path}`, text: answer.text });
    else harvest(answer.body, needles);
    return answer;
  };
  return { system: { ...system, call }, errors };
}

/** The codes and words that went out, and the phones that got them. */
export function harvestSms({ posts }: TwilioStandIn, needles: Needles): void {
  for (const { form } of posts) {
    const { Body: body = '', To: to = '' } = form;
    needles.add('phone', to);
    const [code] = /^\d{6}/.exec(body) ?? [];
    if (code !== undefined) needles.add('code', code);
    const [, word] = /palabra de entrega es (\p{L}+)/u.exec(body) ?? [];
    if (word !== undefined) needles.add('word', word);
  }
}

function harvest(value: unknown, needles: Needles): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [field, child] of Object.entries(value)) {
    const kind = KIND_OF_FIELD[field];
    if (kind === undefined || typeof child === 'object') harvest(child, needles);
    else addValue(field, kind, String(child), needles);
  }
}

function addValue(field: string, kind: NeedleKind, value: string, needles: Needles): void {
  if (kind === 'image') {
    needles.add(kind, value.slice(IMAGE_START, IMAGE_START + IMAGE_CHARACTERS));
  } else if (field === 'kycLink') {
    needles.add(kind, new URL(value).pathname.split('/').at(-1) ?? '');
  } else if (kind === 'phone') {
    if (value.replaceAll(/\D/g, '').length >= 10) needles.add(kind, value);
  } else if (!field.endsWith('itude') || COORDINATE.test(value)) {
    needles.add(kind, value);
  }
}
