import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fiado } from '@fiado/client';
import {
  startStandIn,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
} from '@fiado/chassis/testing/stand-in';
import { runCheck } from '../../apps/check/src/program';
import { sandboxDebts } from '../../apps/check/src/provider/debts';
import { sharedSystem } from './support/shared-system';
import { createProvider, createWholesaler, type Provider } from './support/story';

/** Faults of a lender's system that a conformance kit must find. */
type PlantedFault =
  | 'takes each repetition as a new deposit'
  | 'cuts cents off'
  | 'answers 500 to a date that does not exist'
  | "tells another tenant's reference"
  | 'answers before the deposit is kept'
  | 'takes another body under the same key'
  | 'tells a paid reference from an unknown one'
  | 'refuses without Retry-After';

interface Answer extends StandInAnswer {
  status: number;
  body: string;
}

/** How long the deposit is not kept yet. */
const LATE_MS = 1_000;

/** The API with a fault. */
function startFaultyApi(target: string, fault: PlantedFault): Promise<StandIn> {
  const references = new Set<string>();
  const seen = new Set<string>();
  const paid = { status: 404, body: '{"errorCode":"REFERENCE_NOT_FOUND","errorMessage":"Paid"}' };
  return startStandIn(async (request) => {
    const { method, path, body } = request;
    const send = (sent: string): Promise<Answer> => forward(target, request, sent);
    const answer = path.includes('/payment/deposit')
      ? await faulty(fault, JSON.parse(body), { send, references, seen })
      : await send(body);
    if (method === 'GET' && path.endsWith('/payment')) {
      references.add(JSON.parse(answer.body).idFactura);
    }
    const [, looked] = /\/payment\/reference\/(\d+)$/.exec(path) ?? [];
    if (looked === undefined || fault !== 'tells a paid reference from an unknown one') {
      return answer;
    }
    const isPaid = answer.status === 404 && references.has(looked);
    references.add(looked);
    return isPaid ? paid : answer;
  });
}

interface Request {
  send: (body: string) => Promise<Answer>;
  /** Of debts that were shown. */
  references: Set<string>;
  /** Keys of deposits that came before. */
  seen: Set<string>;
}

let moved = 0;

/** Each call moves it further. @param fechaPago without a zone, as YYYY-MM-DD HH:MM:SS.SSS */
function atAnotherTime(fechaPago: string): string {
  moved += 1;
  const later = new Date(Date.parse(`${fechaPago.replace(' ', 'T')}Z`) + moved);
  return later.toISOString().replace('T', ' ').replace('Z', '');
}

async function faulty(
  fault: PlantedFault,
  deposit: { idFactura: string; valor: number; fechaPago: string; claveDePago: string },
  { send, references, seen }: Request,
): Promise<Answer> {
  const isNew = !seen.has(deposit.claveDePago);
  seen.add(deposit.claveDePago);
  const pass = (changes: object = {}) => send(JSON.stringify({ ...deposit, ...changes }));
  switch (fault) {
    case 'takes each repetition as a new deposit':
      // At another time: the same payment under another key would be held as a possible duplicate.
      return pass({ claveDePago: randomUUID(), fechaPago: atAnotherTime(deposit.fechaPago) });
    case 'cuts cents off':
      return pass({ valor: Math.floor(deposit.valor * 100) / 100 });
    case 'answers 500 to a date that does not exist':
      return deposit.fechaPago.includes('-02-30') ? { status: 500, body: '{}' } : pass();
    case "tells another tenant's reference": {
      const answer = await pass();
      const isTold = answer.status === 200 && references.has(deposit.idFactura);
      return isTold ? { status: 200, body: '{"success":true,"matched":true}' } : answer;
    }
    case 'answers before the deposit is kept':
      if (!isNew) return pass();
      void sleep(LATE_MS).then(() => pass());
      return { status: 200, body: '{"success":true}' };
    case 'takes another body under the same key': {
      const answer = await pass();
      return answer.status === 409 ? { status: 200, body: '{"success":true}' } : answer;
    }
    case 'tells a paid reference from an unknown one':
      return pass();
    case 'refuses without Retry-After':
      return isNew ? { status: 429, body: '{}' } : pass();
  }
}

async function forward(
  target: string,
  { method, path, headers: given }: StandInRequest,
  body: string,
): Promise<Answer> {
  const { authorization, 'content-type': type, 'idempotency-key': key } = given;
  const headers = Object.entries({ authorization, 'content-type': type, 'idempotency-key': key });
  const response = await fetch(`${target}${path}`, {
    method,
    headers: headers.filter((header): header is [string, string] => typeof header[1] === 'string'),
    ...(body !== '' && { body }),
  });
  return { status: response.status, body: await response.text() };
}

const system = sharedSystem();

/** Runs the kit against an address, with debts of a new wholesaler by default. */
async function check(url: string, ...args: string[]) {
  return checkAs(await createProvider(system), url, ...args);
}

async function checkAs(provider: Provider, url: string, ...args: string[]) {
  let stdout = '';
  const owner = ['--key', provider.key, '--provider', provider.name];
  const options = ['--references', '20', '--json', ...args];
  if (!args.includes('--debts')) {
    options.push('--as-wholesaler', (await createWholesaler(system)).key);
  }
  const code = await runCheck(['provider', '--url', url, ...owner, ...options], {
    stdout: { write: (text) => (stdout += text) },
    stderr: process.stderr,
  });
  const { results } = JSON.parse(stdout) as {
    results: Array<{ id: string; status: string; checks: Array<{ ok: boolean }> }>;
  };
  return { code, stdout, results };
}

it('the system passes every scenario', async () => {
  const { code, results, stdout } = await check(system.baseUrl, '--ops-key', system.opsKey);

  const others = results.filter(({ status }) => status !== 'passed');
  expect(others.map(({ id, checks }) => [id, ...checks.filter(({ ok }) => !ok)])).toEqual([]);
  expect(results).toHaveLength(18);
  expect(code).toBe(0);
  expect(stdout).not.toContain(system.opsKey);
});

it('a provider that has to sign passes with its signing secret', async () => {
  const name = `Pagos ${randomUUID()}`;
  const { body } = await system.call(system.opsKey, 'POST', '/admin/payment-providers', {
    body: { name, signatureRequired: true },
  });
  const scenarios = ['--only', 'D01', 'D07', 'D19'];
  const provider = { name, key: body.apiKey };

  const signed = ['--signing-secret', body.signingSecret, ...scenarios];
  expect(await checkAs(provider, system.baseUrl, ...signed)).toMatchObject({ code: 0 });
  expect(await checkAs(provider, system.baseUrl, ...scenarios)).toMatchObject({ code: 1 });
});

it.each<[string, PlantedFault, string]>([
  ['D05', 'takes each repetition as a new deposit', 'D01'],
  ['D04', 'cuts cents off', 'D01'],
  ['D11', 'answers 500 to a date that does not exist', 'D01'],
  ['D13', "tells another tenant's reference", 'D01'],
  ['D18', 'answers before the deposit is kept', 'D06'],
  ['D06', 'takes another body under the same key', 'D01'],
  ['D19', 'tells a paid reference from an unknown one', 'D01'],
  ['D14', 'refuses without Retry-After', 'D01'],
])('%s finds a system that %s', async (id, fault, unaffected) => {
  const faulty = await startFaultyApi(system.baseUrl, fault);
  const { code, results } = await check(faulty.url, '--only', id, unaffected);
  await faulty.stop();

  const statuses = Object.fromEntries(results.map((result) => [result.id, result.status]));
  expect(statuses).toEqual({ [id]: 'failed', [unaffected]: 'passed' });
  expect(code).toBe(1);
});

describe('with debts of a file', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'fiado-check-'))));
  afterAll(() => rm(folder, { recursive: true }));

  /** @param counts debts of each customer. @returns a CSV file of them */
  async function fileOf(...counts: number[]): Promise<string> {
    const { key: apiKey } = await createWholesaler(system);
    const debts = sandboxDebts(new Fiado({ apiKey, baseUrl: system.baseUrl }));
    const rows = await Promise.all(
      counts.map(async (count) => {
        const { nextDebt } = await debts.newCustomer(count);
        // One after the other, so that the first is the older one.
        const made = [];
        for (let n = 0; n < count; n += 1) made.push(await nextDebt());
        return made;
      }),
    );
    const lines = rows.flat().map((debt) => `${debt.numeroReferencia},Tienda,${debt.idFactura}`);
    const file = join(folder, `${randomUUID()}.csv`);
    await writeFile(file, ['numeroReferencia,nombre,idFactura', ...lines].join('\n'));
    return file;
  }

  it('the system passes every scenario', async () => {
    const file = await fileOf(...Array.from({ length: 17 }, () => 1), 2, 2);
    const { code, results } = await check(
      system.baseUrl,
      '--debts',
      file,
      '--ops-key',
      system.opsKey,
    );

    const others = results.filter(({ status }) => status !== 'passed');
    expect(others.map(({ id, checks }) => [id, ...checks.filter(({ ok }) => !ok)])).toEqual([]);
    expect(code).toBe(0);
  });

  it('a deposit that counts twice is found, and scenarios without a debt are skipped', async () => {
    const faulty = await startFaultyApi(system.baseUrl, 'takes each repetition as a new deposit');
    const { code, results } = await check(
      faulty.url,
      '--debts',
      await fileOf(1),
      '--only',
      'D02',
      'D05',
    );
    await faulty.stop();

    expect(results.map(({ id, status }) => [id, status])).toEqual([
      ['D02', 'skipped'],
      ['D05', 'failed'],
    ]);
    expect(code).toBe(1);
  });
});
