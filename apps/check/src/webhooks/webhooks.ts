import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Command } from 'commander';
import { addressOf, judge, withReports, type Finish, type ReportOptions } from '../command-options';
import type { Scenario } from '../scenario';
import { checkSecret, newSecret, postWebhook, signed, type Webhook } from './post-webhook';

const AT_ONCE = 20;
/** Twice what a receiver should tolerate. */
const OLD_SECONDS = 600;
const TYPE = 'transaction.paid';

/** Genuine webhooks, which a receiver must accept. */
const ACCEPTED: Array<Scenario<Receiver>> = [
  {
    id: 'W01',
    title: { en: 'A genuine webhook', es: 'Un webhook auténtico' },
    rule: { en: 'It is answered with 2xx within 15 s.', es: 'Se responde con 2xx en 15 s.' },
    run: async (receiver, record) => {
      record('answer', '2xx', await sendWebhook(receiver, newWebhook(TYPE)));
    },
  },
  {
    id: 'W04',
    title: { en: 'The same webhook twice', es: 'El mismo webhook dos veces' },
    rule: {
      en: 'Both are accepted; the second has no effect. webhook-id tells.',
      es: 'Ambos se aceptan; el segundo no tiene efecto. Lo dice webhook-id.',
    },
    // Another webhook in between would change the state.
    alone: true,
    run: async (receiver, record) => {
      const webhook = newWebhook(TYPE);
      record('first answer', '2xx', await sendWebhook(receiver, webhook));
      const before = await stateOf(receiver);
      record('second answer', '2xx', await sendWebhook(receiver, webhook));
      record('state after the second', before, await stateOf(receiver));
    },
  },
  {
    id: 'W05',
    title: { en: 'A type that is new', es: 'Un tipo nuevo' },
    rule: {
      en: 'Types that the receiver does not know are accepted: new ones come.',
      es: 'Los tipos que el receptor no conoce se aceptan: vendrán nuevos.',
    },
    run: async (receiver, record) => {
      const answer = await sendWebhook(receiver, newWebhook('fiado-check.unknown', { extra: [1] }));
      record('answer', '2xx', answer);
    },
  },
  {
    id: 'W06',
    title: {
      en: 'An older version after a newer',
      es: 'Una versión anterior después de una posterior',
    },
    rule: {
      en: 'Both are accepted; the older one changes nothing. data.version tells.',
      es: 'Ambas se aceptan; la anterior no cambia nada. Lo dice data.version.',
    },
    alone: true,
    run: async (receiver, record) => {
      const transactionId = randomUUID();
      const newer = newWebhook(TYPE, { transactionId, version: 5 });
      const older = newWebhook('transaction.delivered', {
        transactionId,
        transactionStatus: 'delivery',
        version: 4,
      });
      record('answer to the newer', '2xx', await sendWebhook(receiver, newer));
      const before = await stateOf(receiver);
      record('answer to the older', '2xx', await sendWebhook(receiver, older));
      record('state after the older', before, await stateOf(receiver));
    },
  },
  {
    id: 'W07',
    title: { en: '20 at once', es: '20 a la vez' },
    rule: { en: 'All are accepted.', es: 'Todos se aceptan.' },
    run: async (receiver, record) => {
      const webhooks = Array.from({ length: AT_ONCE }, () => newWebhook(TYPE));
      const answers = await Promise.all(webhooks.map((one) => sendWebhook(receiver, one)));
      record('answers', '2xx', [...new Set(answers)].sort().join(', '));
    },
  },
  {
    id: 'W08',
    title: { en: 'Several signatures', es: 'Varias firmas' },
    rule: {
      en: 'One that fits is enough: while a secret is replaced, and together with v1a.',
      es: 'Basta una que corresponda: mientras se cambia un secreto, y junto a v1a.',
    },
    run: async (receiver, record) => {
      const one = newWebhook(TYPE);
      const rotated = `${signed(one, newSecret())} ${signed(one, receiver.secret)}`;
      record('of an old and a new secret', '2xx', await sendWebhook(receiver, one, rotated));
      const two = newWebhook(TYPE);
      const both = `${signedWithAnotherKind(two)} ${signed(two, receiver.secret)}`;
      record('v1a and v1', '2xx', await sendWebhook(receiver, two, both));
    },
  },
];

/** Webhooks that a receiver must refuse. */
const REFUSED: Array<Scenario<Receiver>> = [
  {
    id: 'W02',
    title: { en: 'A wrong signature', es: 'Una firma incorrecta' },
    rule: { en: 'It is refused with 4xx.', es: 'Se rechaza con 4xx.' },
    run: async (receiver, record) => {
      const webhook = newWebhook(TYPE);
      const wrong = signed(webhook, newSecret());
      record('of another secret', '4xx', await sendWebhook(receiver, webhook, wrong));
      record('no base64', '4xx', await sendWebhook(receiver, webhook, 'v1,!'));
      record('no signature', '4xx', await sendWebhook(receiver, webhook, ''));
    },
  },
  {
    id: 'W03',
    title: { en: 'An old timestamp', es: 'Una hora antigua' },
    rule: {
      en: 'A timestamp that is more than five minutes off is refused, although it is signed: it was recorded and sent again.',
      es: 'Una hora a más de cinco minutos se rechaza, aunque esté firmada: se grabó y se volvió a enviar.',
    },
    run: async (receiver, record) => {
      const webhook = newWebhook(TYPE);
      const { timestamp } = webhook;
      for (const [what, offset] of [
        ['ten minutes ago', -OLD_SECONDS],
        ['in ten minutes', OLD_SECONDS],
      ] as const) {
        const moved = { ...webhook, timestamp: timestamp + offset };
        record(what, '4xx', await sendWebhook(receiver, moved));
      }
    },
  },
  {
    id: 'W09',
    title: { en: 'Another body', es: 'Otro cuerpo' },
    rule: {
      en: 'The signature is over the bytes that arrived: the same JSON in another layout is refused.',
      es: 'La firma es sobre los bytes que llegaron: el mismo JSON con otro formato se rechaza.',
    },
    run: async (receiver, record) => {
      const webhook = newWebhook(TYPE);
      const signature = signed(webhook, receiver.secret);
      const laidOut = { ...webhook, body: JSON.stringify(JSON.parse(webhook.body), null, 2) };
      record('printed again', '4xx', await sendWebhook(receiver, laidOut, signature));
      const changed = { ...webhook, body: webhook.body.replace('"version":1', '"version":2') };
      record('changed', '4xx', await sendWebhook(receiver, changed, signature));
    },
  },
  {
    id: 'W10',
    title: { en: 'A timestamp that is none', es: 'Una hora que no lo es' },
    rule: {
      en: 'It is refused with 4xx, although it is signed, and not with an error of the receiver.',
      es: 'Se rechaza con 4xx, aunque esté firmada, y no con un error del receptor.',
    },
    run: async (receiver, record) => {
      for (const [what, timestamp] of [
        ['missing', ''],
        ['letters', 'now'],
        ['5,000 digits', '1'.repeat(5_000)],
      ] as const) {
        record(what, '4xx', await sendWebhook(receiver, { ...newWebhook(TYPE), timestamp }));
      }
    },
  },
];

const WEBHOOK_SCENARIOS: Array<Scenario<Receiver>> = [...ACCEPTED, ...REFUSED].sort((one, other) =>
  one.id.localeCompare(other.id),
);

interface WebhooksOptions extends ReportOptions {
  secret: string;
  stateUrl?: string;
}

/** fiado-check webhooks */
export function addWebhooks(program: Command, finish: Finish): void {
  withReports(program.command('webhooks'))
    .description('plays Fiado: sends webhooks of all kinds to a receiver')
    .argument('<url>', 'address of the receiver')
    .requiredOption('--secret <secret>', 'its signing secret, whsec_…')
    .option('--state-url <url>', 'shows the state of the receiver, so that a second effect is seen')
    .action(async (url: string, options: WebhooksOptions) => {
      const { secret, stateUrl } = options;
      const target = addressOf('<url>', url);
      if (stateUrl !== undefined) addressOf('--state-url', stateUrl);
      checkSecret(secret);
      const tried = { scenarios: WEBHOOK_SCENARIOS, world: { url, secret, stateUrl } };
      await judge({ kit: 'webhooks', target }, tried, { options, finish });
    });
}

/** The receiver that is tried. */
interface Receiver {
  url: string;
  /** `whsec_…` */
  secret: string;
  /** Shows the state of the receiver, to see whether a webhook had an effect. */
  stateUrl: string | undefined;
}

/** An event of an order, as Fiado sends it. */
function newWebhook(type: string, data: object = {}): Webhook & { timestamp: number } {
  const id = `evt_${randomUUID()}`;
  const transaction = {
    transactionId: randomUUID(),
    transactionStatus: 'paid',
    version: 1,
    ...data,
  };
  const body = { id, type, timestamp: new Date().toISOString(), data: transaction };
  return { id, timestamp: Math.floor(Date.now() / 1_000), body: JSON.stringify(body) };
}

/** A `v1a` signature, of a key that the receiver may not know. */
function signedWithAnotherKind({ id, timestamp, body }: Webhook): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`;
}

/**
 * Sends a webhook.
 * @param signature the header; none is sent for ''
 * @returns the class of the answer, such as 2xx, or why there was none
 */
async function sendWebhook(
  { url, secret }: Receiver,
  webhook: Webhook,
  signature = signed(webhook, secret),
): Promise<string> {
  try {
    const response = await postWebhook(url, webhook, signature);
    await response.arrayBuffer();
    return `${Math.floor(response.status / 100)}xx`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** The text at the state URL; empty without one. */
async function stateOf({ stateUrl }: Receiver): Promise<string> {
  return stateUrl === undefined ? '' : (await fetch(stateUrl)).text();
}
