import { SERVICES } from '@fiado/contracts/process-names';
import { ID, OPS_KEY, OTHER_ID } from './support/run-fiado';
import { refusal } from './support/stand-in-api';
import { useApi } from './support/use-api';

const STORE = {
  cornerStoreId: ID,
  userId: OTHER_ID,
  status: 'approved',
  creditLimit: 10000,
  interestRate: 0.05,
  firstName: 'Guadalupe',
  lastNames: 'Hernández\u001b[31m',
  phoneNumber: '+525555550101',
  createdAt: '2026-11-20T10:00:00.000Z',
};

const { api, fiado } = useApi();

describe('each command makes the call of its name', () => {
  const created = {
    wholesalerId: ID,
    apiKey: 'fiado_test_new',
    minimumTransactionAmount: 100,
    members: [],
    warning: null,
  };
  test.each([
    [
      `wholesalers update ${ID} --payment-term-days 21 --delivery-word-required true`,
      `PUT /wholesalers/${ID}`,
      { paymentTermDays: 21, deliveryWordRequired: true },
    ],
    [
      `keys create ${ID} --expires-at 2027-01-31T00:00:00Z`,
      `POST /wholesalers/${ID}/api-keys`,
      { expiresAt: '2027-01-31T00:00:00Z' },
    ],
    [`keys revoke ${ID}`, `DELETE /api-keys/${ID}`, undefined],
    ['keys rotate', 'POST /data-keys', undefined],
    ['keys retire 0', 'POST /data-keys/retire', { dataKeyNumber: 0 }],
    [
      'ops-keys create --name ana --scope operator --expires-at 2027-01-31T00:00:00Z',
      'POST /ops-keys',
      { name: 'ana', scope: 'operator', expiresAt: '2027-01-31T00:00:00Z' },
    ],
    [
      'staff invite ana@lender.example --role admin',
      'POST /staff',
      { email: 'ana@lender.example', name: 'ana@lender.example', role: 'admin' },
    ],
    [`staff set-role ${ID} --role viewer`, `PUT /staff/${ID}`, { role: 'viewer' }],
    [
      `privacy open ${ID} --kind access --channel email --identity-proof official-id`,
      'POST /privacy-requests',
      { userId: ID, kind: 'access', channel: 'email', identityProof: 'official-id' },
    ],
    [
      `privacy answer ${ID} granted --first-name Ana --phone 5512345678`,
      `POST /privacy-requests/${ID}/answer`,
      { outcome: 'granted', corrections: { firstName: 'Ana', phoneNumber: '5512345678' } },
    ],
    [`change-requests collect ${ID}`, `POST /change-requests/${ID}/collect`, undefined],
    [
      `corner-stores approve ${ID} --reason visited`,
      `POST /corner-stores/${ID}/approve`,
      { reason: 'visited' },
    ],
    [
      `corner-stores set ${ID} --limit 150000 --yes`,
      `PUT /corner-stores/${ID}`,
      { creditLimit: 150_000, confirmed: true },
    ],
    ['staff roots', 'GET /staff/roots', undefined],
    [`staff disable ${ID}`, `POST /staff/${ID}/disable`, undefined],
    [`ops-keys revoke ${ID}`, `DELETE /ops-keys/${ID}`, undefined],
    [
      'providers create --name pagos --time-zone America/Tijuana',
      'POST /payment-providers',
      { name: 'pagos', timeZone: 'America/Tijuana' },
    ],
    [
      `providers create-key ${ID} --expires-at 2027-01-31T00:00:00Z`,
      `POST /payment-providers/${ID}/api-keys`,
      { expiresAt: '2027-01-31T00:00:00Z' },
    ],
    [
      `corner-stores reject ${ID} --reason no`,
      `POST /corner-stores/${ID}/reject`,
      { reason: 'no' },
    ],
    [
      `corner-stores set ${ID} --limit 15000.50 --rate 0.04`,
      `PUT /corner-stores/${ID}`,
      { creditLimit: 15000.5, interestRate: 0.04, confirmed: false },
    ],
    [
      `corner-stores clear-phone-hold ${ID}`,
      `POST /corner-stores/${ID}/clear-phone-hold`,
      undefined,
    ],
    [
      `wholesalers update ${ID} --phone-change-hold always --batch-enabled false --batch-items-per-day 50`,
      `PUT /wholesalers/${ID}`,
      { phoneChangeHold: 'always', batchEnabled: false, batchItemsPerDay: 50 },
    ],
    [`corner-stores set ${ID} --limit 0`, `PUT /corner-stores/${ID}`, { creditLimit: 0 }],
    [
      `deposits assign ${ID} --corner-store ${OTHER_ID}`,
      `POST /deposits/${ID}/assign`,
      { cornerStoreId: OTHER_ID },
    ],
    [`deposits reverse ${ID} --reason twice`, `POST /deposits/${ID}/reverse`, { reason: 'twice' }],
    [
      'exports start orders --from 2026-11-16 --to 2026-11-23',
      'POST /exports/orders',
      { from: '2026-11-16', to: '2026-11-23', format: 'csv' },
    ],
    [`exports unlink debts ${ID}`, `DELETE /exports/debts/${ID}/link`, undefined],
    [
      `orders credit ${ID} --amount 120.5 --reason damaged --reference DEV-1`,
      `POST /transactions/${ID}/credit-notes`,
      { amount: 120.5, reason: 'damaged', reference: 'DEV-1' },
    ],
    [`orders reset-delivery-word ${ID}`, `POST /transactions/${ID}/reset-delivery-word`, undefined],
    [`webhooks enable ${ID}`, `POST /webhook-endpoints/${ID}/enable`, undefined],
    ['defaults detect --as-of 2027-01-31', 'POST /defaults/detect', { asOf: '2027-01-31' }],
    ['jobs retry payments --all', 'POST /jobs/payments/retry', {}],
    [
      'jobs retry payments --all --type apply-deposit',
      'POST /jobs/payments/retry',
      { type: 'apply-deposit' },
    ],
    ['statements close --until 2026-11-23', 'POST /statements/close', { until: '2026-11-23' }],
    [
      `statements mark-paid ${ID} --bank-reference SPEI-77 --paid-on 2026-11-24`,
      `POST /statements/${ID}/mark-paid`,
      { bankReference: 'SPEI-77', paidOn: '2026-11-24' },
    ],
    [
      `statements mark-returned ${ID} --reason CLABE`,
      `POST /statements/${ID}/mark-returned`,
      { reason: 'CLABE' },
    ],
    [
      `statements adjust ${ID} --kind clawback --amount 480.50 --order ${OTHER_ID} --reason falsa`,
      'POST /settlement-adjustments',
      {
        wholesalerId: ID,
        kind: 'clawback',
        amount: 480.5,
        transactionId: OTHER_ID,
        reason: 'falsa',
      },
    ],
    [
      `statements adjust ${ID} --kind adjustment --amount -20.50 --reason flete`,
      'POST /settlement-adjustments',
      { wholesalerId: ID, kind: 'adjustment', amount: -20.5, reason: 'flete' },
    ],
    [
      `receivables write-off ${ID} --reason cerró`,
      `POST /receivables/${ID}/write-off`,
      { reason: 'cerró' },
    ],
    [`jobs retry send-message ${ID}-r1`, `POST /jobs/send-message/${ID}-r1/retry`, undefined],
    ['keys status --json', 'GET /data-keys', undefined],
    [`stores show ${ID} --json`, `GET /corner-stores/${ID}`, undefined],
    [
      `stores pay-out ${ID} --amount 42.5 --bank-reference S-1 --reason saldo`,
      `POST /corner-stores/${ID}/payouts`,
      { amount: 42.5, bankReference: 'S-1', reason: 'saldo' },
    ],
    [
      `stores payout-returned ${ID} ${OTHER_ID}`,
      `POST /corner-stores/${ID}/payouts/${OTHER_ID}/returned`,
      undefined,
    ],
    [`privacy show ${ID}`, `GET /privacy-requests/${ID}`, undefined],
    [`deposits unassign ${ID} --reason otra`, `POST /deposits/${ID}/unassign`, { reason: 'otra' }],
    [`statements show ${ID}`, `GET /statements/${ID}`, undefined],
    [`statements draft ${ID}`, 'GET /statements/draft', undefined],
    [`change-requests show ${ID}`, `GET /change-requests/${ID}`, undefined],
    [`change-requests approve ${ID}`, `POST /change-requests/${ID}/approve`, {}],
    [
      `change-requests reject ${ID} --reason no`,
      `POST /change-requests/${ID}/reject`,
      { reason: 'no' },
    ],
    [`orders resend-code ${ID}`, `POST /transactions/${ID}/resend-code`, undefined],
    [
      `providers update ${ID} --signature-required --allowed-addresses 203.0.113.0/24 198.51.100.7`,
      `PUT /payment-providers/${ID}`,
      { signatureRequired: true, allowedAddresses: ['203.0.113.0/24', '198.51.100.7'] },
    ],
  ])('fiado %s', async (line, route, body) => {
    api.on(route, { status: 200, body: created });
    const { exitCode } = await fiado(...line.split(' '));
    expect(exitCode).toBe(0);
    expect(api.seen).toHaveLength(1);
    expect(api.seen[0]).toMatchObject({
      key: `Bearer ${OPS_KEY}`,
      ...(body === undefined ? {} : { body }),
    });
  });

  test.each([
    [`corner-stores list --status approved --wholesaler ${ID}`, 'cornerStores', 'corner-stores'],
    ['corner-stores list --phone-held', 'cornerStores', 'corner-stores'],
    ['wholesalers list', 'wholesalers', 'wholesalers'],
    ['providers list', 'paymentProviders', 'payment-providers'],
    [`customers list --wholesaler ${ID} --store ${ID} --external-id t-1`, 'customers', 'customers'],
    ['deposits list --status unmatched', 'deposits', 'deposits'],
    [
      `orders list --store ${ID} --wholesaler ${ID} --status paid --number 42 --external-number P-1 --from 2026-11-01 --to 2026-11-02`,
      'transactions',
      'transactions',
    ],
    [
      `receivables list --store ${ID} --wholesaler ${ID} --order ${ID} --status overdue --due-before 2026-11-01`,
      'receivables',
      'receivables',
    ],
    [
      `defaults list --status open --store ${ID} --wholesaler ${ID} --since 2026-11-01`,
      'paymentDefaults',
      'defaults',
    ],
    ['exports list orders', 'exports', 'exports/orders'],
    [`webhooks list --owner ${ID} --state disabled`, 'webhookEndpoints', 'webhook-endpoints'],
    [`webhooks failing --owner ${ID} --endpoint ${ID}`, 'deliveries', 'webhook-deliveries'],
    ['jobs list --queue notifier --state failed', 'jobs', 'jobs'],
    ['audit --actor ana --action corner-store.approved', 'entries', 'audit'],
    [`audit list --object ${ID} --from 2026-11-01 --to 2026-11-02`, 'entries', 'audit'],
    ['change-requests list --status pending', 'changeRequests', 'change-requests'],
    ['staff list', 'staff', 'staff'],
    ['ops-keys list', 'opsKeys', 'ops-keys'],
    [
      `privacy list --status open --kind access --user-id ${ID} --due-before 2026-12-24`,
      'privacyRequests',
      'privacy-requests',
    ],
    [
      `statements list --wholesaler-id ${ID} --status closed --from 2026-11-01 --to 2026-11-02`,
      'statements',
      'statements',
    ],
    [`statements lines ${ID}`, 'lines', `statements/${ID}/lines`],
    [`stores payouts ${ID}`, 'payouts', `corner-stores/${ID}/payouts`],
    [
      `stores timeline ${ID} --from 2026-11-22 --to 2026-11-23`,
      'entries',
      `corner-stores/${ID}/timeline`,
    ],
  ])('fiado %s', async (line, field, path) => {
    api.on(`GET /${path}`, { body: { [field]: [], nextCursor: null } });
    const { exitCode, stdout } = await fiado(...line.split(' '));
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'none\n' });
    expect(Object.keys(api.seen[0]?.query ?? {})).toHaveLength(line.split(' --').length - 1);
  });
});

test('a phone number is searched for in a body, and not in an address', async () => {
  api.on('POST /messages/search', { body: { messages: [], nextCursor: null } });
  api.on('POST /search', { body: { hits: [], missing: [] } });
  await fiado('messages', 'list', '--phone', '+525555550101', '--order', ID, '--status', 'failed');
  await fiado('search', '+525555550101');
  expect(api.seen.map(({ body, query }) => [body, query])).toEqual([
    [{ phoneNumber: '+525555550101', transactionId: ID, status: 'failed' }, {}],
    [{ q: '+525555550101' }, {}],
  ]);
});

test('fiado deposits list --status conflicting shows each refused body below its deposit', async () => {
  const notice = { claveDePago: 'K-1', valor: 100, fechaPago: '2026-11-20 10:15:30.123' };
  const conflicts = [{ ...notice, valor: 250 }];
  const deposit = { depositId: ID, paymentProvider: 'OXXO', status: 'applied', ...notice };
  api.on('GET /deposits', { body: { deposits: [{ ...deposit, conflicts }], nextCursor: null } });
  const { stdout } = await fiado('deposits', 'list', '--status', 'conflicting');
  expect(stdout).toMatch(
    new RegExp(`${ID} +applied .* 100\\.00 .*\n${ID} +conflicting .* 250\\.00 `),
  );
});

test('fiado jobs retry --all asks for each queue, and shows how many jobs it retried', async () => {
  for (const [at, queue] of SERVICES.entries()) {
    api.on(`POST /jobs/${queue}/retry`, { body: { retried: at * 400 } });
  }
  const { exitCode, stdout, stderr } = await fiado('jobs', 'retry', '--all');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/transactions +400\npayments +800\nnotifier +1200/);
  expect(stderr).toContain('More jobs may have failed');
});

test('a new key is shown once, with a warning that is not part of the result', async () => {
  const answer = { wholesalerId: ID, name: 'Centro', apiKey: 'fiado_test_new' };
  api.on('POST /wholesalers', { status: 201, body: answer });
  const person = await fiado('wholesalers', 'create', '--name', 'Centro');
  expect(person.stdout).toBe(
    `wholesalerId  ${ID}\nname          Centro\napiKey        fiado_test_new\n`,
  );
  expect(person.stderr).toMatch(/shown this once/);
  const machine = await fiado('wholesalers', 'create', '--name', 'Centro', '--json');
  expect(JSON.parse(machine.stdout)).toEqual(answer);
  expect(api.seen[0]?.body).toEqual({ name: 'Centro' });
});

test('a list is a table with amounts to the right, and no control character of a name', async () => {
  api.on('GET /corner-stores', { body: { cornerStores: [STORE], nextCursor: 'next-page' } });
  const { stdout, stderr } = await fiado('corner-stores', 'list');
  const [head = '', row = ''] = stdout.split('\n');
  expect(head).toMatch(/^cornerStoreId +status +creditLimit +interestRate +firstName/);
  expect(row).toContain('approved     10000.00          0.05  Guadalupe  Hernández·[31m');
  expect(stderr).toBe('more follow: --cursor next-page, or --all\n');
});

test('--all follows the pages, as lines of JSON for a machine', async () => {
  api.on('GET /corner-stores', ({ query }) =>
    query['cursor'] === 'second'
      ? { body: { cornerStores: [{ ...STORE, cornerStoreId: OTHER_ID }], nextCursor: null } }
      : { body: { cornerStores: [STORE], nextCursor: 'second' } },
  );
  const { stdout } = await fiado('corner-stores', 'list', '--all', '--json');
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as typeof STORE).cornerStoreId)).toEqual([
    ID,
    OTHER_ID,
  ]);
});

test('several stores are approved, and the refused one is named', async () => {
  api.on(`POST /corner-stores/${ID}/approve`, { body: STORE });
  api.on(
    `POST /corner-stores/${OTHER_ID}/approve`,
    refusal(404, 'CORNER_STORE_NOT_FOUND', 'The corner store does not exist'),
  );
  const { exitCode, stdout, stderr } = await fiado('corner-stores', 'approve', OTHER_ID, ID);
  expect(exitCode).toBe(1);
  expect(stdout).toBe(`${ID} is approved\n`);
  expect(stderr).toBe(
    `${OTHER_ID}: CORNER_STORE_NOT_FOUND: The corner store does not exist\nfiado: 1 of 2 refused\n`,
  );
});
