import { type StandIn, startStandIn } from '@fiado/chassis/testing/stand-in';
import { runCheck } from '../src/program';
import { RECORD_SCENARIOS, recordNotices } from '../src/record';
import { runScenarios } from '../src/scenario';

const PATH = '/v1/customer-transaction/payment/deposit?paymentProviderName=P';

/** An API that refuses an amount of 0. */
let api: StandIn;
const forwarded: string[] = [];
let target: string;
beforeAll(async () => {
  api = await startStandIn(({ path, headers, body }) => {
    forwarded.push(`${path} ${headers.authorization}`);
    return { status: JSON.parse(body).valor === 0 ? 400 : 200, body: { success: true } };
  });
  target = api.url;
});
afterAll(() => api.stop());

interface Provider {
  repeats: boolean;
  /** Changes the body of a repetition. */
  restamps?: boolean;
  valor?: number;
  key?: string;
}

/** A provider's system sends four deposits. @returns the scenarios that it fails */
async function failedBy({ repeats, restamps = false, valor = 10, key = 'fiado_test_p' }: Provider) {
  const recording = await recordNotices(0, target);
  const post = async (body: object): Promise<number> => {
    const headers = { authorization: key, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${recording.port}${PATH}`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  for (const claveDePago of ['a', 'b', 'c', 'd']) {
    const status = await post({ claveDePago, valor });
    const again = restamps ? { claveDePago, valor, again: true } : { claveDePago, valor };
    if (status === 503 && repeats) await post(again);
  }
  recording.close();
  const results = await runScenarios(RECORD_SCENARIOS, recording.notices);
  return results.filter(({ status }) => status !== 'passed').map(({ id }) => id);
}

it('a provider that repeats its notices unchanged passes', async () => {
  expect(await failedBy({ repeats: true })).toEqual([]);
  expect(forwarded).toEqual(Array.from({ length: 4 }, () => `${PATH} fiado_test_p`));
});

it('finds a provider that does not repeat, one that changes the body, and one that is refused', async () => {
  expect(await failedBy({ repeats: false })).toEqual(['D15']);
  expect(await failedBy({ repeats: true, restamps: true })).toEqual(['D20']);
  expect(await failedBy({ repeats: true, valor: 0 })).toEqual(['D15', 'D21']);
});

it('forwards nothing with a key of production', async () => {
  const before = forwarded.length;
  expect(await failedBy({ repeats: true, key: 'Bearer fiado_live_p' })).toEqual([
    'D15',
    'D20',
    'D21',
  ]);
  expect(forwarded).toHaveLength(before);
});

it('fails if no notice came', async () => {
  let printed = '';
  const output = { write: (text: string) => (printed += text) };
  const args = ['record', '--listen', '0', '--forward', target, '--for', '0'];

  expect(await runCheck(args, { stdout: output, stderr: output })).toBe(1);
  expect(printed).toMatch(/^send your notices to port \d+/);
  expect(printed).toContain('0 passed, 2 failed, 1 skipped');
});
