import { runCheck } from '../../apps/check/src/program';
import { startFaultyApi, type PlantedFault } from './support/faulty-api';
import { sharedSystem } from './support/shared-system';
import { createProvider, createWholesaler } from './support/story';

const system = sharedSystem();

/** Runs the kit against an address. @returns the results by id */
async function check(url: string, ...args: string[]) {
  const [wholesaler, provider] = [await createWholesaler(system), await createProvider(system)];
  let stdout = '';
  const owner = ['--key', provider.key, '--provider', provider.name];
  const options = ['--as-wholesaler', wholesaler.key, '--references', '20', '--json', ...args];
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
  expect(results).toHaveLength(17);
  expect(code).toBe(0);
  expect(stdout).not.toContain(system.opsKey);
});

it.each<[string, PlantedFault, string]>([
  ['D05', 'takes each repetition as a new deposit', 'D01'],
  ['D04', 'cuts cents off', 'D01'],
  ['D11', 'answers 500 to a date that does not exist', 'D01'],
  ['D13', "tells another tenant's reference", 'D01'],
  ['D18', 'answers before the deposit is kept', 'D06'],
  ['D06', 'takes another body under the same key', 'D01'],
])('%s finds a system that %s', async (id, fault, unaffected) => {
  const faulty = await startFaultyApi(system.baseUrl, fault);
  const { code, results } = await check(faulty.url, '--only', id, unaffected);
  faulty.close();

  const statuses = Object.fromEntries(results.map((result) => [result.id, result.status]));
  expect(statuses).toEqual({ [id]: 'failed', [unaffected]: 'passed' });
  expect(code).toBe(1);
});
