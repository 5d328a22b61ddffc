import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { TWILIO_AUTH_TOKEN, type FormPost } from '@fiado/chassis/testing/twilio-stand-in';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';
import { DRAIN_MS, replaceBoth, type Pairs } from './nginx';

const SECONDARY_TOKEN = 'the-secondary-token-of-twilio';
const NEXT_TOKEN = 'the-next-token-of-twilio';
/** Orders between two steps. */
const STEP_MS = 3_000;
/** Callbacks after each step: enough for both notifiers. */
const CALLBACKS = 6;

/** Two notifiers, and a Twilio that takes calls with a valid token only. */
export const twilioToken: Drills = {
  open,
  faults: {
    'The token of Twilio exchanged': {
      faultMs: 0,
      runbook: 'sms-account',
      inflict: exchange,
    },
    'The token of Twilio revoked before it is exchanged': {
      faultMs: 10_000,
      runbook: 'sms-account',
      inflict: revoke,
    },
  },
};

interface TokenGround extends Ground, Pairs {
  /** A script that each process loads first, in place of a container's file of settings. */
  settings: string;
}

async function open(): Promise<TokenGround> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-chaos-settings-'));
  const settings = join(folder, 'settings.js');
  await writeFile(settings, '');
  const deployment = await startDeployment('redis', {
    two: ['notifier'],
    variables: { DRAIN_MS: String(DRAIN_MS), NODE_OPTIONS: `--require ${settings}` },
  });
  deployment.twilio.authTokens = [TWILIO_AUTH_TOKEN];
  const port = deployment.secondPorts.notifier;
  const second = await Instance.start(deployment, 'notifier', { port });
  const seconds = new Map([['notifier', second] as const]);
  const dispose = async () => {
    await seconds.get('notifier')?.stop();
    await rm(folder, { recursive: true });
  };
  return { deployment, second, seconds, settings, dispose };
}

/** The steps of docs/operations/rotate-keys.md, without the day between the last two. */
async function exchange(ground: Ground): Promise<() => Promise<{ measured: string[] }>> {
  const { twilio } = ground.deployment;
  const since = twilio.posts.length;
  twilio.authTokens = [TWILIO_AUTH_TOKEN, SECONDARY_TOKEN];
  await restartWith(ground, {
    TWILIO_AUTH_TOKEN: SECONDARY_TOKEN,
    TWILIO_AUTH_TOKEN_PREVIOUS: TWILIO_AUTH_TOKEN,
  });
  const statuses = await callBack(ground, TWILIO_AUTH_TOKEN);
  twilio.authTokens = [SECONDARY_TOKEN];
  await sleep(STEP_MS);
  statuses.push(...(await callBack(ground, SECONDARY_TOKEN)));
  await restartWith(ground, {
    TWILIO_AUTH_TOKEN: SECONDARY_TOKEN,
  });
  statuses.push(...(await callBack(ground, SECONDARY_TOKEN)));
  return () => {
    const refused = twilio.posts.slice(since).filter(({ accepted }) => !accepted);
    if (refused.length > 0) throw new Error(`Twilio refused ${refused.length} SMS`);
    const taken = statuses.filter((status) => status === 204);
    if (taken.length < statuses.length) throw new Error(`Callbacks: ${statuses.join()}`);
    return Promise.resolve({ measured: [`${taken.length} callbacks were taken`] });
  };
}

/** SMS wait until the notifiers have the token that is valid. */
function revoke(ground: Ground): Promise<() => Promise<{ measured: string[] }>> {
  const { twilio } = ground.deployment;
  const since = twilio.posts.length;
  twilio.authTokens = [NEXT_TOKEN];
  return Promise.resolve(async () => {
    await restartWith(ground, {
      TWILIO_AUTH_TOKEN: NEXT_TOKEN,
      TWILIO_AUTH_TOKEN_PREVIOUS: SECONDARY_TOKEN,
    });
    const refused = twilio.posts.slice(since).filter(({ accepted }) => !accepted);
    if (refused.length === 0) throw new Error('Twilio refused no SMS');
    return { measured: [`Twilio refused ${refused.length} calls`] };
  });
}

async function restartWith(ground: Ground, variables: Record<string, string>): Promise<void> {
  const { settings, ...pairs } = ground as TokenGround;
  await writeFile(settings, `Object.assign(process.env, ${JSON.stringify(variables)});`);
  await replaceBoth(pairs, 'notifier');
}

/** Reports the last SMS as delivered, as Twilio does with the token that is its primary one. @returns the answers' statuses */
async function callBack({ deployment }: Ground, token: string): Promise<number[]> {
  await sleep(STEP_MS);
  const isKnown = (post: FormPost) => post.sid !== undefined;
  return Promise.all(
    deployment.twilio.posts
      .filter(isKnown)
      .slice(-CALLBACKS)
      .map(async ({ form: { StatusCallback = '' }, sid = '' }) => {
        const form = { MessageSid: sid, MessageStatus: 'delivered' };
        const { pathname } = new URL(StatusCallback);
        const answer = await fetch(`${deployment.system.baseUrl}${pathname}`, {
          method: 'POST',
          body: new URLSearchParams(form),
          headers: {
            'x-twilio-signature': getExpectedTwilioSignature(token, StatusCallback, form),
          },
        });
        await answer.body?.cancel();
        return answer.status;
      }),
  );
}
