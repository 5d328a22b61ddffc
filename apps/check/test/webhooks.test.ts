import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrapWebhook } from '@fiado/client';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { runCheck } from '../src/program';

const SECRET = `whsec_${Buffer.from('a secret of this receiver').toString('base64')}`;

/** Mistakes of receivers. */
type Mistake =
  | 'skips timestamps'
  | 'skips signatures'
  | 'signs the parsed body'
  | 'takes the first signature only'
  | 'counts repetitions'
  | 'lets older versions win'
  | 'refuses unknown types'
  | 'fails at a timestamp that is none';

const TOLERANT = { toleranceSeconds: Number.POSITIVE_INFINITY };

/** A receiver that keeps the newest version of each order, and makes at most one mistake. */
async function startReceiver(mistake?: Mistake): Promise<StandIn> {
  const seen = new Set<string>();
  const orders = new Map<string, { version: number; status: string }>();
  let effects = 0;
  return startStandIn((request) => {
    if (request.path === '/state') return { body: [effects, [...orders]] };
    let { body } = request;
    const headers = { ...request.headers };
    if (mistake === 'signs the parsed body') body = JSON.stringify(JSON.parse(body));
    if (mistake === 'takes the first signature only') {
      headers['webhook-signature'] = String(headers['webhook-signature']).split(' ')[0];
    }
    if (
      mistake === 'fails at a timestamp that is none' &&
      isNaN(Number(headers['webhook-timestamp']))
    ) {
      return { status: 500 };
    }
    try {
      if (mistake !== 'skips signatures') {
        unwrapWebhook(body, headers, SECRET, mistake === 'skips timestamps' ? TOLERANT : {});
      }
    } catch {
      return { status: 400 };
    }
    const { id, type, data } = JSON.parse(body);
    if (mistake === 'refuses unknown types' && !type.startsWith('transaction.')) {
      return { status: 422 };
    }
    const isRepeated = seen.has(id);
    seen.add(id);
    const known = orders.get(data.transactionId)?.version ?? 0;
    const isNews = isRepeated ? mistake === 'counts repetitions' : data.version > known;
    if (isNews || (!isRepeated && mistake === 'lets older versions win')) {
      effects += 1;
      orders.set(data.transactionId, { version: data.version, status: data.transactionStatus });
    }
    return { status: 204 };
  });
}

/** Runs a command line. */
async function run(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const code = await runCheck(args, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
}

/** Ids of the scenarios that a receiver fails. */
async function failedBy(mistake?: Mistake) {
  const receiver = await startReceiver(mistake);
  const { code, stdout } = await run(
    'webhooks',
    `${receiver.url}/`,
    '--secret',
    SECRET,
    '--state-url',
    `${receiver.url}/state`,
    '--json',
  );
  await receiver.stop();
  const { results } = JSON.parse(stdout) as { results: Array<{ id: string; status: string }> };
  return { code, failed: results.filter(({ status }) => status !== 'passed').map(({ id }) => id) };
}

it('a receiver that does as the guide says passes', async () => {
  expect(await failedBy()).toEqual({ code: 0, failed: [] });
});

it.each<[Mistake, string[]]>([
  ['skips timestamps', ['W03', 'W10']],
  ['skips signatures', ['W02', 'W03', 'W09', 'W10']],
  ['fails at a timestamp that is none', ['W10']],
  ['signs the parsed body', ['W09']],
  ['takes the first signature only', ['W08']],
  ['counts repetitions', ['W04']],
  ['lets older versions win', ['W06']],
  ['refuses unknown types', ['W05']],
])('a receiver that %s fails', async (mistake, ids) => {
  expect(await failedBy(mistake)).toEqual({ code: 1, failed: ids });
});

it('a receiver that is down fails all', async () => {
  const { url, stop } = await startReceiver();
  await stop();
  const { code, stdout } = await run('webhooks', url, '--secret', SECRET);

  expect(code).toBe(1);
  expect(stdout).toContain('answer: expected 2xx, got ECONNREFUSED');
  expect(stdout).toMatch(/\n0 passed, 10 failed, 0 skipped\n$/);
});

it('writes TAP, JUnit, and a page in two languages with a hash and the date', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-check-'));
  const [junit, html] = [join(folder, 'junit.xml'), join(folder, 'report.html')];
  const { url, stop } = await startReceiver('skips timestamps');
  const files = ['--tap', '--junit', junit, '--html', html];
  const { stdout } = await run('webhooks', `${url}/?token=x`, '--secret', SECRET, ...files);
  await stop();
  const [xml, page] = [await readFile(junit, 'utf8'), await readFile(html, 'utf8')];
  await rm(folder, { recursive: true });

  expect(stdout).toMatch(/^TAP version 14\n1\.\.10\nok 1 - W01 .*\nnot ok 3 - W03 /s);
  expect(xml).toContain('tests="10" failures="2" skipped="0"');
  expect(xml).toContain('ten minutes ago: expected 4xx, got 2xx');
  for (const text of ['Una hora antigua', 'An old timestamp', 'fallida', 'failed']) {
    expect(page).toContain(text);
  }
  expect(page).toMatch(/20\d\d-\d\d-\d\dT.*SHA-256 <code>[0-9a-f]{64}/s);
  expect(page).not.toContain('token=x');
  expect(page).not.toContain(SECRET);
});

it('refuses wrong usage, and keys of production, before it sends anything', async () => {
  const provider = ['provider', '--url', 'http://127.0.0.1:9', '--provider', 'P', '--key'];
  const live = 'fiado_live_secret';
  for (const [args, problem] of [
    [[], 'Usage'],
    [['webhooks', 'http://127.0.0.1:9'], '--secret'],
    [['webhooks', 'ftp://x', '--secret', SECRET], 'must look like'],
    [['webhooks', 'http://127.0.0.1:9', '--secret', 'abc'], '--secret must be'],
    [['webhooks', 'http://127.0.0.1:9', '--secret', SECRET, '--only', 'W99'], 'unknown W99'],
    [[...provider, live, '--as-wholesaler', 'fiado_test_w'], 'fiado_live_ key is refused'],
    [[...provider, 'fiado_test_p', '--as-wholesaler', live], 'fiado_live_ key is refused'],
  ] as const) {
    const ran = await run(...args);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(ran.stderr).not.toContain(live);
  }
  const help = await run('provider', '--help');
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--as-wholesaler')]);
});
