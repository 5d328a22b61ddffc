import { randomUUID } from 'node:crypto';
import { send } from '@fiado/chassis/testing/call';
import { TWILIO_AUTH_TOKEN, TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import type { Client } from 'pg';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { waitFor } from './support/api';
import {
  buyAndPay,
  createProvider,
  createStore,
  createWholesaler,
  order,
  randomPhone,
  type Store,
} from './support/story';
import { startSystem, type System } from './support/system';

/** The address by which Twilio knows Fiado. */
const PUBLIC_URL = 'https://fiado.test';
const PATH = '/v1/callbacks/twilio/inbound';

let twilio: TwilioStandIn;
let system: System;
let owner: Client;

beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  system = await startSystem({ env: { PUBLIC_URL, ...twilio.variables } });
  owner = await system.connect();
});
afterAll(async () => {
  await system?.dispose();
  await twilio.stop();
});

it('every SMS of the story is posted by the SDK once', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  await buyAndPay(system, { wholesaler, provider, store });

  // Messages about debts follow in the daytime of the store alone.
  const posts = twilio.posts.filter(({ form }) => /es tu clave|palabra/.test(String(form.Body)));
  const bodies = posts.map(({ form }) => form.Body);
  expect(bodies).toEqual([
    expect.stringMatching(/^\d{6} es tu clave/),
    expect.stringMatching(/palabra de entrega/),
  ]);
  for (const { path, headers, form } of posts) {
    expect(path).toBe('/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json');
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(headers['user-agent']).toContain('twilio-node');
    expect(headers.authorization).toMatch(/^Basic /);
    expect(form).toMatchObject({ To: store.phone, From: '+15005550006' });
    expect(Number(form.ValidityPeriod)).toBeGreaterThan(0);
  }
});

describe('the owner of a store answers an SMS with ALTO, and later with ALTA', () => {
  it('the next reminder is not sent, the next code is, and ALTA brings the reminders back', async () => {
    const wholesaler = await createWholesaler(system);
    const store = await createStore(system, wholesaler);
    const codes = async (count: number): Promise<void> => {
      await order(system, wholesaler, store);
      await waitFor(() =>
        Promise.resolve(bodiesTo(store, 'es tu clave').length === count || undefined),
      );
    };
    const confirmations = (): string[] => bodiesTo(store, 'Listo: ');
    await codes(1);
    expect(await isReminderSent(store)).toBe(true);

    // Nobody but Twilio can say it.
    expect((await write('ALTO', store.phone, { token: 'another' })).status).toBe(403);
    expect(await heard()).toBe(0);
    expect(await isReminderSent(store)).toBe(true);

    for (const word of ['ALTO', 'Baja']) expect((await write(word, store.phone)).status).toBe(204);
    await untilHeard(2);
    expect(await isReminderSent(store)).toBe(false);
    await codes(2);
    await waitFor(() => Promise.resolve(confirmations().length > 0 || undefined));
    expect(confirmations()).toEqual([expect.stringContaining('ya no te mandamos recordatorios')]);

    const nobody = randomPhone();
    expect((await write('ALTO', nobody)).status).toBe(204);
    expect((await write('ALTA', store.phone)).status).toBe(204);
    await untilHeard(4);
    expect(await isReminderSent(store)).toBe(true);
    await codes(3);
    // One a day, whatever is written; and none to a number that no store has.
    expect(confirmations()).toHaveLength(1);
    expect(twilio.posts.filter(({ form }) => form.To === nobody)).toEqual([]);
  });

  /** Posts an SMS to the sender as Twilio does, through the gateway. */
  function write(Body: string, From: string, { token = TWILIO_AUTH_TOKEN } = {}) {
    const form = { MessageSid: `SM${'a'.repeat(32)}`, From, To: '+15005550006', Body };
    return send(`${system.baseUrl}${PATH}`, 'POST', new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': getExpectedTwilioSignature(token, `${PUBLIC_URL}${PATH}`, form),
    });
  }

  function bodiesTo({ phone }: Store, part: string): string[] {
    return twilio.posts
      .filter(({ form }) => form.To === phone && form.Body?.includes(part))
      .map(({ form }) => form.Body ?? '');
  }

  /**
   * Writes the job of a reminder, as payments does in the daytime of a store: it may be night, or a Sunday.
   * @returns whether accounts passed it on, and then Twilio got it
   */
  async function isReminderSent({ cornerStoreId, ...store }: Store): Promise<boolean> {
    const [id, subjectId, reference] = [randomUUID(), randomUUID(), randomUUID().slice(0, 8)];
    const values = { amountCents: 50_000, dueOn: '2026-12-07', reference };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await owner.query(
      `INSERT INTO payments.outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
       VALUES ($1, 'accounts', 'notify-corner-store', 1, $2, 1, $3)`,
      [id, cornerStoreId, { kind: 'payment-due', cornerStoreId, subjectId, values, expiresAt }],
    );
    await untilFound('SELECT FROM accounts.inbox WHERE message_id = $1', [id]);
    const { rowCount } = await owner.query('SELECT FROM accounts.outbox WHERE aggregate_id = $1', [
      subjectId,
    ]);
    if (rowCount === 0) return false;
    await waitFor(() =>
      Promise.resolve(bodiesTo({ cornerStoreId, ...store }, reference).length === 1 || undefined),
    );
    return true;
  }

  async function heard(): Promise<number> {
    const { rowCount } = await owner.query(
      `SELECT FROM notifier.outbox WHERE type = 'opposition.asked'`,
    );
    return rowCount ?? 0;
  }

  /** Waits until accounts has worked on so many words. */
  async function untilHeard(words: number): Promise<void> {
    await untilFound(
      `SELECT FROM notifier.outbox JOIN accounts.inbox ON message_id = notifier.outbox.id
        WHERE type = 'opposition.asked' HAVING count(*) = $1`,
      [words],
    );
  }

  async function untilFound(text: string, values: unknown[]): Promise<void> {
    await waitFor(async () => (await owner.query(text, values)).rowCount || undefined);
  }
});
