import { service } from '@fiado/chassis/testing/callers';
import type { Call } from '@fiado/chassis/testing/call';
import type { OtherProcess } from '@fiado/chassis/testing/service';
import { AN_ORDER, codeOf, outcomeOf, verificationPath, type Order } from './support/orders';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

const OLD = 'old-code-pepper-0123456789-abcdefghi';
const NEW = 'new-code-pepper-0123456789-abcdefghi';
const THIRD = 'third-code-pepper-0123456789-abcdefg';

/** Sends codes with the old pepper, and knows the new one. */
let before: TransactionsService;
/** Sends codes with the new pepper, and knows the old one. */
let after: OtherProcess;
let store: CornerStore;

beforeAll(async () => {
  before = await startTransactions({ CODE_PEPPER: OLD, CODE_PEPPER_PREVIOUS: NEW });
  after = await before.startOther({ CODE_PEPPER: NEW, CODE_PEPPER_PREVIOUS: OLD });
  store = await before.createCornerStore();
});
afterAll(async () => {
  await after.stop();
  await before.stop();
});

async function orderAt(call: Call): Promise<Order & { code: string }> {
  const body = { cornerStoreId: store.cornerStoreId, ...AN_ORDER };
  const { body: order } = await call(store.caller, 'POST', '/v1/transaction', { body });
  return { ...order, code: await codeOf(before, order.transactionId) };
}

const confirmAt = (call: Call, order: Order, code: string) =>
  call(store.caller, 'PUT', verificationPath(order), { body: { errorCode: code } });

it('a code that a process sent is right at every other, before and after the change', async () => {
  const first = await orderAt(before.call);
  expect((await confirmAt(after.call, first, first.code)).status).toBe(200);
  const second = await orderAt(after.call);
  expect((await confirmAt(before.call, second, second.code)).status).toBe(200);
});

it('a resend after the change sends another code, and both are right', async () => {
  for (const [call, isOfResend] of [
    [before.call, true],
    [after.call, false],
  ] as const) {
    const order = await orderAt(before.call);
    const resent = await after.call(store.caller, 'POST', verificationPath(order));
    expect(resent.status).toBe(200);
    const second = await codeOf(before, order.transactionId);
    expect(second).not.toBe(order.code);
    expect((await confirmAt(call, order, isOfResend ? second : order.code)).status).toBe(200);
  }
});

it('a wrong code is one check, though it is compared with two', async () => {
  const order = await orderAt(after.call);
  const wrong = String((Number(order.code) + 1) % 1_000_000).padStart(6, '0');
  const { body } = await confirmAt(after.call, order, wrong);
  expect([body.reason, body.checksLeft]).toEqual(['wrong', 4]);
});

it('a pass that a process gave accepts the order at every other', async () => {
  for (const [first, second] of [
    [before.call, after.call],
    [after.call, before.call],
  ] as const) {
    const { body: link } = await first(store.caller, 'POST', '/v1/link/external/tienda-1', {
      body: { transaction: AN_ORDER },
    });
    const { transactionId } = link;
    const page = (call: Call, path: string, body: object) =>
      call(service('gateway'), 'POST', `/internal/links/${path}`, { body });
    await page(first, 'open', { transactionId, sendCode: 'if-never-sent' });
    const code = await codeOf(before, transactionId);
    const { pass } = (await page(second, 'check-code', { transactionId, code })).body;
    const accepted = await page(first, 'accept', { transactionId, pass });
    expect(outcomeOf(accepted)).toMatch(/^20/);
  }
});

it('a start with the new pepper needs the previous one once, and a third is refused', async () => {
  await (await before.startOther({ CODE_PEPPER: NEW, CODE_PEPPER_PREVIOUS: undefined })).stop();
  const differs = 'CODE_PEPPER: not the secret that this database was written with';
  await expect(
    before.startOther({ CODE_PEPPER: OLD, CODE_PEPPER_PREVIOUS: undefined }),
  ).rejects.toThrow(differs);
  await expect(
    before.startOther({ CODE_PEPPER: THIRD, CODE_PEPPER_PREVIOUS: OLD }),
  ).rejects.toThrow(differs);
});
