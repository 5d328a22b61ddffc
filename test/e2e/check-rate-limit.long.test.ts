import { runCheck } from '../../apps/check/src/program';
import { createProvider, createWholesaler } from './support/story';
import { startSystem } from './support/system';

/** 120 requests in two seconds, so that 300 notices are refused several times. */
const RATE_LIMIT_PER_SECOND = '60';
/** It starts a system, and waits for some windows of the limit. */
const TEST_MS = 300_000;

it(
  '300 notices in a second meet 429 of the system, and each counts once',
  async () => {
    const system = await startSystem({ env: { RATE_LIMIT_PER_SECOND } });
    const [wholesaler, provider] = [await createWholesaler(system), await createProvider(system)];
    let stdout = '';
    const keys = ['--key', provider.key, '--as-wholesaler', wholesaler.key];
    const address = ['--url', system.baseUrl, '--provider', provider.name];
    await runCheck(['provider', ...address, ...keys, '--only', 'D14', '--json'], {
      stdout: { write: (text) => (stdout += text) },
      stderr: process.stderr,
    });
    const metrics = await (await fetch(`${system.baseUrl}/metrics`)).text();
    await system.dispose();

    const { results } = JSON.parse(stdout) as { results: Array<{ checks: object[] }> };
    const compared = results.flatMap(({ checks }) => checks);
    expect(metrics).toMatch(/_request_duration_seconds_count\{.*status="429".*\} [1-9]/);
    expect(compared).toContainEqual({ what: 'paid', expected: '3.00', got: '3.00', ok: true });
    expect(compared.filter((one) => !('ok' in one && one.ok === true))).toEqual([]);
  },
  TEST_MS,
);
