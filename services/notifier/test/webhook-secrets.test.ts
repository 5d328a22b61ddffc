import { Client } from 'pg';
import { symbols } from 'pino';
import { createLogger } from '@fiado/chassis/logger';
import { metricsText } from '@fiado/chassis/metrics';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { openSecret } from '../src/webhooks/secrets';
import { announce } from './support/events';
import { startNotifier } from './support/notifier';
import { startPublishingServices } from './support/publishing-services';
import { answerWith, Receiver, type Answering } from './support/receiver';
import { deliveriesTo, ENDPOINTS_PATH } from './support/webhooks';

/** The answers of the receivers. */
const ANSWERS: Answering[] = [
  answerWith(204),
  answerWith(500, {}, 'oops'),
  (res) => res.socket?.resetAndDestroy(),
  answerWith(410),
];

/** Every value of every row of a database, as text: what a dump would hold. */
async function rowsOf(ownerUrl: string): Promise<string> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`SELECT one::text AS row FROM ${name} one`);
    texts.push(...rows.map(({ row }) => row));
  }
  await owner.end();
  return texts.join('\n');
}

/** The forms in which a secret could stand somewhere. */
function formsOf(secret: string): string[] {
  const key = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(key, 'base64');
  return [
    key,
    bytes.toString('base64url'),
    bytes.toString('hex'),
    Buffer.from(key).toString('hex'),
    Buffer.from(key).toString('base64').slice(0, 24),
  ];
}

test('no secret of a webhook endpoint is in a log, a row, a metric or an answer of ops', async () => {
  const lines: string[] = [];
  const log = Object.assign(createLogger('notifier', 'trace'), {
    [symbols.streamSym]: { write: (line: string) => lines.push(line) },
  });
  const services = await startPublishingServices();
  const notifier = await startNotifier(services.environment, log);
  const caller = wholesaler();
  const receivers = await Promise.all(ANSWERS.map(() => Receiver.start()));
  const secrets: string[] = [];
  const ids: string[] = [];
  for (const [at, receiver] of receivers.entries()) {
    receiver.answer = ANSWERS[at] as Answering;
    const body = { url: receiver.url, signatures: ['v1', 'v1a'] };
    const headers = { 'idempotency-key': `secret-${at}` };
    const made = await notifier.call(caller, 'POST', ENDPOINTS_PATH, { body, headers });
    const path = `${ENDPOINTS_PATH}/${made.body.webhookEndpointId}/rotate-secret`;
    const rotated = await notifier.call(caller, 'POST', path, { body: {}, headers });
    secrets.push(made.body.secret, rotated.body.secret);
    ids.push(made.body.webhookEndpointId);
  }
  await announce(notifier, caller);
  // The 410 disables its endpoint, of which the others get an event as well.
  await until('each delivery was attempted', async () => {
    const rows = (await Promise.all(ids.map((id) => deliveriesTo(notifier, id)))).flat();
    const settled = ['pending', 'delivered', 'failed', 'held'];
    return rows.length >= ids.length && rows.every(({ status }) => settled.includes(status));
  });
  // The private keys, which nobody is ever shown.
  const sealed = await notifier.rows<{ id: string; sealed: Buffer }>(
    `SELECT id, sealed FROM webhook_secrets WHERE kind = 'v1a'`,
  );
  const privateKeys = sealed.map((row) => JSON.parse(openSecret(notifier.context, row)).d);
  const admin = await notifier.call(ops(), 'GET', '/v1/admin/webhook-endpoints');
  const places = {
    rows: await rowsOf(notifier.ownerUrl),
    metrics: await metricsText(),
    admin: admin.text,
  };
  await notifier.stop();
  await services.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));

  const searched = { ...places, log: lines.join('') };
  expect([secrets.length, privateKeys.length]).toEqual([8, 8]);
  for (const id of ids) {
    for (const place of ['rows', 'admin', 'log'] as const) expect(searched[place]).toContain(id);
  }
  for (const form of [...secrets, ...privateKeys].flatMap(formsOf)) {
    for (const [place, text] of Object.entries(searched)) {
      expect([place, form, text.includes(form)]).toEqual([place, form, false]);
    }
  }
});
