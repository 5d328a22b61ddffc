import { setTimeout as pause } from 'node:timers/promises';
import { FiadoError } from '@fiado/client';
import type { Scenario } from '../scenario';
import { postDeposit, postOnce, type Deposit } from './post-deposit';
import { depositFor, newDebt, paidCents, pesos, type World } from './world';

const BURST = 300;
const BURST_MS = 1_000;
/** Requests at the same time, and for how long, to use a window of the rate limit up. */
const FILL_LANES = 50;
const FILL_MS = 20_000;
/** Answers that ask for a repetition. */
const PASSING = new Set([429, 503]);
const MAX_ROUNDS = 30;

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
        known.push(`${hit.status} ${hit.text}`);
        unknown.push(`${miss.status} ${miss.text}`);
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
      const isLimited = await useUpWindow(world);
      let waiting = Array.from({ length: BURST }, () => depositFor(debt, 1));
      const statuses = new Map<number, number>();
      let withoutRetryAfter = 0;
      for (let round = 0; waiting.length > 0 && round < MAX_ROUNDS; round += 1) {
        const posted = await burst(world, waiting);
        for (const { status, retryAfter } of posted.map(([, answer]) => answer)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (PASSING.has(status) && retryAfter === null) withoutRetryAfter += 1;
        }
        waiting = posted
          .filter(([, { status }]) => PASSING.has(status))
          .map(([deposit]) => deposit);
        if (waiting.length > 0) await pause(BURST_MS);
      }
      const others = [...statuses.keys()].filter(
        (status) => status !== 200 && !PASSING.has(status),
      );
      if (isLimited) record('a notice met 429', 'true', String(statuses.has(429)));
      record('answers that are neither 200, 429 nor 503', '', others.join(', '));
      record('refusals without Retry-After', 0, withoutRetryAfter);
      record('accepted', BURST, statuses.get(200) ?? 0);
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
 * @returns whether the system limits the rate
 */
async function useUpWindow({ provider }: World): Promise<boolean> {
  const { rateLimit } = await postOnce(provider, '{}');
  if (rateLimit === undefined) return false;
  const giveUpAt = Date.now() + FILL_MS;
  let isRefused = false;
  const fill = async (): Promise<void> => {
    while (!isRefused && Date.now() < giveUpAt) {
      isRefused ||= (await postOnce(provider, '{}')).status === 429;
    }
  };
  await Promise.all(Array.from({ length: FILL_LANES }, fill));
  return true;
}

async function burst(world: World, deposits: Deposit[]) {
  return Promise.all(
    deposits.map(async (deposit, number) => {
      await pause((number / BURST) * BURST_MS);
      return [deposit, await postOnce(world.provider, deposit)] as const;
    }),
  );
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

function kinds(answers: string[]): string {
  return [...new Set(answers)].sort().join(' | ');
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 10)).join('');
}
