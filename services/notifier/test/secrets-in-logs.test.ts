import { randomUUID } from 'node:crypto';
import { symbols } from 'pino';
import { createLogger } from '@fiado/chassis/logger';
import { ops } from '@fiado/chassis/testing/callers';
import { TwilioStandIn, type Behaviour } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage, type SendMessage } from '@fiado/contracts/jobs/send-message';
import { codeJob, PHONE, sendAll, startNotifier, TWILIO } from './support/notifier';

const CODE = '918273';
const BEHAVIOURS: Behaviour[] = [
  'accept',
  'accept-then-500',
  'accept-then-reset',
  'accept-then-nonsense',
  { refuse: 400, code: 21211 },
  { refuse: 429, code: 20429 },
];

test('no code, phone or token is logged for any answer of the provider', async () => {
  const lines: string[] = [];
  const log = Object.assign(createLogger('notifier', 'trace'), {
    [symbols.streamSym]: { write: (line: string) => lines.push(line) },
  });
  const twilio = await TwilioStandIn.start();
  const notifier = await startNotifier(
    { ...TWILIO, FIADO_MODE: 'production', TWILIO_API_BASE_URL: twilio.url },
    log,
  );

  // Through the queue, whose worker logs too.
  const send = async (job: SendMessage): Promise<string> => {
    const id = randomUUID();
    await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    await sendAll(notifier);
    return id;
  };
  const ids: string[] = [];
  for (const behaviour of BEHAVIOURS) {
    twilio.behaviours = [behaviour];
    ids.push(await send(codeJob({ code: CODE })));
  }
  await send(codeJob({ sealed: 'AAAA' }));
  await expect(
    send(Object.assign(codeJob({ code: CODE }), { template: 'lottery' })),
  ).rejects.toThrow('The job failed');
  const body = { phoneNumber: PHONE };
  await notifier.call(ops(), 'POST', '/v1/admin/messages/search', { body });
  await notifier.stop();
  await twilio.stop();

  const logged = lines.join('');
  for (const id of ids) expect(logged).toContain(id);
  for (const secret of [CODE, PHONE.slice(3), TWILIO.TWILIO_AUTH_TOKEN]) {
    expect(logged).not.toContain(secret);
  }
});
