import { STATEMENTS_DEADLINE_MS } from '@fiado/contracts/deadlines';
import { ID, OTHER_ID, runFiado } from './support/run-fiado';
import { refusal } from './support/stand-in-api';
import { useApi } from './support/use-api';

const { api, env, fiado } = useApi();

test.each([
  ['wholesaler', 'wholesalers'],
  ['provider', 'payment-providers'],
])('fiado keys list --%s shows its keys', async (owner, path) => {
  api.on(`GET /${path}/${ID}/api-keys`, {
    body: { apiKeys: [{ apiKeyId: OTHER_ID, scopes: null }], nextCursor: null },
  });
  const { stdout } = await fiado('keys', 'list', `--${owner}`, ID);
  expect(stdout).toMatch(new RegExp(`^apiKeyId .*\n${OTHER_ID} `));
});

test.each([
  [`keys create ${ID}`, `POST /wholesalers/${ID}/api-keys`, 'change-requests collect'],
  [
    'wholesalers create --name M --confirmation-required false',
    'POST /wholesalers',
    'change-requests collect',
  ],
  [
    `wholesalers update ${ID} --batch-enabled true`,
    `PUT /wholesalers/${ID}`,
    'change-requests show',
  ],
  ['providers create --name P', 'POST /payment-providers', 'change-requests collect'],
  [
    `providers create-key ${ID}`,
    `POST /payment-providers/${ID}/api-keys`,
    'change-requests collect',
  ],
  ['staff invite a@b.mx --role admin', 'POST /staff', 'change-requests collect'],
  [`staff set-role ${ID} --role admin`, `PUT /staff/${ID}`, 'change-requests show'],
  [
    `orders credit ${ID} --amount 12000 --reason return`,
    `POST /transactions/${ID}/credit-notes`,
    'change-requests show',
  ],
  [`deposits reverse ${ID} --reason twice`, `POST /deposits/${ID}/reverse`, 'change-requests show'],
])('fiado %s tells that it waits for a second person', async (line, route, next) => {
  const body = { changeRequestId: OTHER_ID, status: 'pending' };
  api.on(route, { status: 202, body });
  const { exitCode, stdout, stderr } = await fiado(...line.split(' '));
  expect([exitCode, stdout]).toEqual([
    0,
    `changeRequestId  ${OTHER_ID}\nstatus           pending\n`,
  ]);
  expect(stderr).toMatch(new RegExp(`waits for a second person.*fiado ${next} ${OTHER_ID}`));
});

describe('an unusual limit', () => {
  const line = ['corner-stores', 'set', ID, '--limit', '150000'];
  beforeEach(() => {
    api.on(`PUT /corner-stores/${ID}`, ({ body }) =>
      body.confirmed === true
        ? { body: { cornerStoreId: ID, creditLimit: 150_000 } }
        : {
            ...refusal(422, 'CONFIRMATION_REQUIRED', 'The values are unusual'),
            body: {
              errorCode: 'CONFIRMATION_REQUIRED',
              errorMessage: 'The values are unusual',
              creditLimit: 10_000,
              newCreditLimit: 150_000,
            },
          },
    );
  });
  const confirmed = () => api.seen.map(({ body }) => body.confirmed as boolean);

  test.each([['y\n'], ['YES\n']])('is set once a person has answered %j', async (typed) => {
    const { exitCode, stderr } = await runFiado(line, env, false, typed);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^credit limit 10000\.00 -> 150000\.00: is this meant\? \[y\/N\] /);
    expect(confirmed()).toEqual([false, true]);
  });

  test.each([['n\n'], ['\n'], ['']])('is not set after the answer %j', async (typed) => {
    expect((await runFiado(line, env, false, typed)).exitCode).toBe(1);
    expect(confirmed()).toEqual([false]);
  });

  test('is refused where nobody can answer', async () => {
    const { exitCode, stderr } = await fiado(...line);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Nothing was changed: repeat the command with --yes');
    expect(confirmed()).toEqual([false]);
  });
});

test('a closing of statements is awaited longer than the gateway takes for it', async () => {
  api.on('POST /statements/close', { body: { statements: [], remaining: 0 } });
  const timers = jest.spyOn(globalThis, 'setTimeout');
  await runFiado(['statements', 'close', '--until', '2026-11-23'], env);
  const longest = Math.max(...timers.mock.calls.map(([, ms = 0]) => ms));
  timers.mockRestore();
  expect(longest).toBeGreaterThan(STATEMENTS_DEADLINE_MS);
});

test('a closing of statements that fails is not repeated beside itself', async () => {
  api.on('POST /statements/close', refusal(503, 'SERVICE_UNAVAILABLE', 'Try again.'));
  const { exitCode } = await runFiado(['statements', 'close', '--until', '2026-11-23'], env);
  expect([exitCode, api.seen.length]).toEqual([3, 1]);
});

test('statements are closed in as many calls as there are wholesalers for', async () => {
  const left = [200, 50, 0];
  const statements = [{ statementId: ID, number: 7 }];
  api.on('POST /statements/close', () => ({ body: { statements, remaining: left.shift() } }));
  const { exitCode } = await runFiado(['statements', 'close', '--until', '2026-11-23'], env);
  expect(exitCode).toBe(0);
  expect(api.seen.map(({ body }) => body)).toEqual([1, 2, 3].map(() => ({ until: '2026-11-23' })));
});
