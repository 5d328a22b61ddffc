import { setTimeout as pause } from 'node:timers/promises';
import { FiadoError } from '@fiado/client';
import type { Scenario } from '../scenario';
import { postDeposit, postOnce, type Deposit, type Posted } from './post-deposit';
import { depositFor, newDebt, paidCents, pesos, type World } from './world';

const BURST = 300;
/** Requests that run at the same time. */
const PARALLEL = 50;
/** Times `RateLimit-Limit` that are sent to meet it: a system that answers more slowly than it allows never refuses. */
const MAX_LIMITS = 4;
/** Answers that ask for a repetition. */
const PASSING = new Set([429, 503]);
/** Rounds without an accepted notice after which the rest counts as lost. */
const MAX_IDLE_ROUNDS = 10;

export const PRIVACY_AND_LOAD: Array<Scenario<World>> = [
  {
    id: 'D13',
    title: { en: 'References tell nothing', es: 'Las referencias no revelan nada' },
    rule: {
      en: 'The answer is the same for a reference that exists and one that does not.',
      es: 'La respuesta es la misma para una referencia que existe y una que no.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const known: string[] = [];
      const unknown: string[] = [];
      for (let number = 0; number < world.references; number += 1) {
        const guess = { idFactura: randomDigits(13), numeroReferencia: randomDigits(12) };
        const [hit, miss] = await Promise.all([
          postDeposit(world.provider, depositFor(debt, 1)),
          postDeposit(world.provider, depositFor(debt, 1, guess)),
        ]);
        known.push(withoutId(hit));
        unknown.push(withoutId(miss));
      }
      record('answers to references that exist', kinds(unknown), kinds(known));
    },
  },
  {
    id: 'D14',
    title: { en: 'More notices than the limit', es: 'Más avisos que el límite' },
    rule: {
      en: 'Too many requests get 429 with Retry-After; repeated then, no deposit is lost or doubled.',
      es: 'Demasiadas solicitudes reciben 429 con Retry-After; repetidas entonces, ningún depósito se pierde o duplica.',
    },
    alone: true,
    run: async (world, record) => {
      const debt = await newDebt(world);
      const answers = await meetLimit(world);
      let waiting = Array.from({ length: BURST }, () => depositFor(debt, 1));
      for (let idle = 0; waiting.length > 0 && idle < MAX_IDLE_ROUNDS;) {
        const posted = await postAll(world, waiting);
        answers.push(...posted.map(([, answer]) => answer));
        const refused = posted.filter(([, { status }]) => PASSING.has(status));
        idle = refused.length < waiting.length ? 0 : idle + 1;
        waiting = refused.map(([deposit]) => deposit);
        await pause(Math.max(0, ...refused.map(([, answer]) => secondsOf(answer))) * 1_000);
      }
      const passing = answers.filter(({ status }) => PASSING.has(status));
      const statuses = answers.filter((one) => !passing.includes(one)).map(({ status }) => status);
      const others = new Set(statuses.filter((status) => status !== 200));
      record('answers that are neither 200, 429 nor 503', '', [...others].join(', '));
      const withoutTime = passing.filter(({ retryAfter }) => retryAfter === null);
      record('refusals without Retry-After', 0, withoutTime.length);
      record('accepted', BURST, statuses.filter((status) => status === 200).length);
      record('paid', pesos(BURST), pesos(await paidCents(world, debt, BURST)));
    },
  },
  {
    id: 'D19',
    title: { en: 'A reference is looked up', es: 'Se consulta una referencia' },
    rule: {
      en: 'Before it takes cash, a provider sees what is owed. An unknown and a paid reference are 404 alike.',
      es: 'Antes de cobrar, el proveedor ve cuánto se debe. Una referencia desconocida y una pagada son 404 por igual.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const { amountDue } = await world.fiado.payments.lookUpReference(debt.idFactura);
      record('amountDue', pesos(debt.dueCents), amountDue.toFixed(2));
      await postDeposit(world.provider, depositFor(debt, debt.dueCents));
      record('paid', pesos(debt.dueCents), pesos(await paidCents(world, debt, debt.dueCents)));
      const unknown = await refusalOf(world, randomDigits(13));
      record('an unknown reference', '404 REFERENCE_NOT_FOUND', unknown.slice(0, 23));
      record('a paid reference', unknown, await refusalOf(world, debt.idFactura));
    },
  },
  {
    id: 'D16',
    title: { en: 'A reversal is seen', es: 'Una reversión se ve' },
    rule: {
      en: 'A deposit that operations reverse is owed again.',
      es: 'Un depósito que operaciones revierte se vuelve a deber.',
    },
    skip: ({ opsKey }) => (opsKey === undefined ? 'needs --ops-key' : undefined),
    run: async (world, record) => {
      const debt = await newDebt(world);
      const deposit = depositFor(debt, 1_000);
      await postDeposit(world.provider, deposit);
      record('paid', '10.00', pesos(await paidCents(world, debt, 1_000)));
      record('status of the reversal', 200, await reverse(world, deposit));
      record('paid after it', '0.00', pesos(await paidCents(world, debt, 0)));
    },
  },
];

/**
 * Sends empty notices until one is refused with 429, so that the notices after them meet it too.
 * @returns that refusal; nothing where the system has no limit, or answers more slowly than it allows
 */
async function meetLimit({ provider }: World): Promise<Posted[]> {
  const { rateLimit = 0 } = await postOnce(provider, '{}');
  const refused: Posted[] = [];
  let left = MAX_LIMITS * Number(rateLimit);
  await inParallel(async () => {
    if (refused.length > 0 || left <= 0) return false;
    left -= 1;
    const answer = await postOnce(provider, '{}');
    if (answer.status === 429) refused.push(answer);
    return true;
  });
  return refused;
}

async function postAll(
  { provider }: World,
  deposits: Deposit[],
): Promise<Array<[Deposit, Posted]>> {
  const waiting = [...deposits];
  const posted: Array<[Deposit, Posted]> = [];
  await inParallel(async () => {
    const deposit = waiting.shift();
    if (deposit === undefined) return false;
    posted.push([deposit, await postOnce(provider, deposit)]);
    return true;
  });
  return posted;
}

/** Repeats a step, many at a time, until it has nothing to do. */
async function inParallel(step: () => Promise<boolean>): Promise<void> {
  const run = async (): Promise<void> => {
    while (await step());
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
}

function secondsOf({ retryAfter }: Posted): number {
  return Number(retryAfter ?? 1);
}

/** @returns all that a refused look-up tells */
async function refusalOf({ fiado }: World, reference: string): Promise<string> {
  try {
    const { amountDue } = await fiado.payments.lookUpReference(reference);
    return `200 ${amountDue}`;
  } catch (error) {
    if (!(error instanceof FiadoError)) throw error;
    const { status, code, errorMessage, details } = error;
    return `${status} ${code} ${errorMessage} ${JSON.stringify(details)}`;
  }
}

/** Takes the deposit back, as operations do. @returns the status of that */
async function reverse({ provider, opsKey = '' }: World, deposit: Deposit): Promise<number> {
  const url = `${provider.baseUrl}/v1/admin/deposits`;
  const headers = { authorization: `Bearer ${opsKey}`, 'content-type': 'application/json' };
  const listed = await fetch(`${url}?limit=100`, { headers });
  const { deposits = [] } = (await listed.json()) as {
    deposits?: Array<{ depositId: string; claveDePago: string }>;
  };
  const found = deposits.find(({ claveDePago }) => claveDePago === deposit.claveDePago);
  if (found === undefined) throw new Error(`the deposit is not in ${url}: ${listed.status}`);
  const body = JSON.stringify({ reason: 'fiado-check D16' });
  const reversed = await fetch(`${url}/${found.depositId}/reverse`, {
    method: 'POST',
    headers,
    body,
  });
  return reversed.status;
}

/** The answer without the id of its deposit, which each has of its own. */
function withoutId({ status, text }: Posted): string {
  return `${status} ${text.replace(/"depositId":"[0-9a-f-]{36}"/, '"depositId"')}`;
}

function kinds(answers: string[]): string {
  return [...new Set(answers)].sort().join(' | ');
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 10)).join('');
}
