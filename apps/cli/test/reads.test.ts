import { ID, OTHER_ID } from './support/run-fiado';
import { useApi } from './support/use-api';

const { api, fiado } = useApi();

test.each([
  ['orders show', 'transactions'],
  ['receivables show', 'receivables'],
])('fiado %s shows one, a field on each line', async (line, path) => {
  api.on(`GET /${path}/${ID}`, { body: { userId: ID, totalAmount: 500, products: [] } });
  const { exitCode, stdout } = await fiado(...line.split(' '), ID);
  expect([exitCode, stdout]).toEqual([
    0,
    `userId       ${ID}\ntotalAmount  500.00\nproducts     []\n`,
  ]);
});

test('fiado deposits show lists the candidates of an unmatched deposit', async () => {
  const candidates = [{ cornerStoreId: OTHER_ID, reasons: ['amount'], amountDue: 529 }];
  const deposit = { depositId: ID, status: 'unmatched', candidates };
  api.on(`GET /deposits/${ID}`, { body: deposit });
  const person = await fiado('deposits', 'show', ID);
  expect(person.stdout).toMatch(/^depositId +.*\nstatus +unmatched\ncornerStoreId +reasons +/);
  expect(person.stdout).toMatch(new RegExp(`${OTHER_ID} +\\["amount"\\] +529\\.00`));
  const machine = await fiado('deposits', 'show', ID, '--json');
  expect(JSON.parse(machine.stdout)).toEqual(deposit);
});

test('fiado overview shows the parts that there are, and names the missing one', async () => {
  const waiting = { storesInValidation: 3, unmatchedDeposits: null };
  const orders = { orders: 2, totalAmount: 1500, hours: [] };
  const overview = { day: '2026-11-22', unavailable: ['payments', 'notifier'], waiting, orders };
  api.on('GET /overview', { body: { ...overview, payments: null, messages: null } });
  const { exitCode, stdout, stderr } = await fiado('overview');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/storesInValidation +3\n +unmatchedDeposits +-\n/);
  expect(stdout).toMatch(/2026-11-22\n +orders +2, 1500\.00\n +deliveries +-\n/);
  expect(stderr).toMatch(/payments did not answer.*\nnotifier did not answer/);
});
