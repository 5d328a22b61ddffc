import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import type { Store } from '../../e2e/support/story';
import { ACCOUNT_ERRORS, type ErrorTable } from './account-errors';
import { orderOf, placeOrder, type Ordered, type World } from './world';

/** Codes that one order sends in all; the first goes with its creation. */
const SENDS = 5;

function order(
  { system, wholesaler }: World,
  customer: Store,
  fields: object = {},
): Promise<Answer> {
  return system.call(wholesaler.key, 'POST', '/transaction', { body: orderOf(customer, fields) });
}

function pending({ system, wholesaler, approved }: World): Promise<Ordered> {
  return placeOrder(system, wholesaler, approved);
}

function onHold({ system, quick, quickCustomer }: World): Promise<Ordered> {
  return placeOrder(system, quick, quickCustomer);
}

/**
 * confirmTransaction with an id of the test's choice; the code is wrong wherever one is looked at.
 */
function confirm(world: World, key: string, { transactionId, verificationId }: Ordered) {
  return world.system.call(
    key,
    'PUT',
    `/transaction/${transactionId}/verification/${verificationId}`,
    { body: { errorCode: '000000' } },
  );
}

function resend({ system }: World, key: string, { transactionId, verificationId }: Ordered) {
  const path = `/transaction/${transactionId}/verification/${verificationId}`;
  return system.call(key, 'POST', path);
}

function deliver({ system }: World, key: string, transactionId: string, body: object) {
  return system.call(key, 'PUT', `/transaction/${transactionId}`, { body });
}

function resendWord({ system }: World, key: string, transactionId: string) {
  return system.call(key, 'POST', `/transaction/${transactionId}/delivery-word`);
}

const unknown = (): Ordered => ({ transactionId: randomUUID(), verificationId: randomUUID() });
const delivery = { status: 'delivery', transactionAmount: 150 };

/** All of the specification. */
export const ERRORS: ErrorTable = {
  ...ACCOUNT_ERRORS,
  'createTransaction CORNER_STORE_NOT_FOUND': (world) =>
    order(world, { ...world.approved, cornerStoreId: randomUUID() }),
  'createTransaction USER_NOT_VERIFIED': (world) => order(world, world.preApproved),
  'createTransaction USER_IS_IN_INTERNAL_VALIDATION': (world) => order(world, world.inValidation),
  'createTransaction USER_IS_IN_DEFAULT': ({ system, quick, inDefault }) =>
    system.call(quick.key, 'POST', '/transaction', { body: orderOf(inDefault) }),
  'createTransaction INVALID_DELIVERY_DATE': (world) =>
    order(world, world.approved, { deliveryDate: '2020-01-31' }),
  'createTransaction MINIMAL_TRANSACTION_REQUIRED': (world) =>
    order(world, world.approved, { totalAmount: 99.99 }),
  'createTransaction CREDIT_LIMIT_EXCEEDED': (world) =>
    order(world, world.poor, { totalAmount: 200.01 }),
  'getTransactionByWholesalerId TRANSACTION_NOT_FOUND': ({ system, wholesaler }) =>
    system.call(wholesaler.key, 'GET', `/transaction/external/${randomUUID()}`),
  'deliverTransaction TRANSACTION_NOT_FOUND': (world) =>
    deliver(world, world.wholesaler.key, randomUUID(), delivery),
  'deliverTransaction TRANSACTION_IS_NOT_IN_HOLD': async (world) =>
    deliver(world, world.wholesaler.key, (await pending(world)).transactionId, delivery),
  'deliverTransaction TRANSACTION_AMOUNT_NOT_FOUND': async (world) =>
    deliver(world, world.quick.key, (await onHold(world)).transactionId, { status: 'delivery' }),
  'confirmTransaction TRANSACTION_NOT_FOUND': (world) =>
    confirm(world, world.wholesaler.key, unknown()),
  'confirmTransaction VERIFICATION_NOT_FOUND': async (world) =>
    confirm(world, world.wholesaler.key, {
      ...(await pending(world)),
      verificationId: randomUUID(),
    }),
  'confirmTransaction TRANSACTION_IS_VERIFIED': async (world) =>
    confirm(world, world.quick.key, await onHold(world)),
  'confirmTransaction VERIFICATION_NOT_VALID': async (world) =>
    confirm(world, world.wholesaler.key, await pending(world)),
  'resendTransactionCode TRANSACTION_NOT_FOUND': (world) =>
    resend(world, world.wholesaler.key, unknown()),
  'resendTransactionCode VERIFICATION_NOT_FOUND': async (world) =>
    resend(world, world.wholesaler.key, {
      ...(await pending(world)),
      verificationId: randomUUID(),
    }),
  'resendTransactionCode TRANSACTION_IS_VERIFIED': async (world) =>
    resend(world, world.quick.key, await onHold(world)),
  'resendTransactionCode TOO_MANY_ATTEMPTS': async (world) => {
    const ordered = await pending(world);
    for (let sent = 1; sent < SENDS; sent++) await resend(world, world.wholesaler.key, ordered);
    return resend(world, world.wholesaler.key, ordered);
  },
  'resendDeliveryWord TRANSACTION_NOT_FOUND': (world) =>
    resendWord(world, world.wholesaler.key, randomUUID()),
  'resendDeliveryWord TRANSACTION_IS_NOT_IN_HOLD': async (world) =>
    resendWord(world, world.wholesaler.key, (await pending(world)).transactionId),
  'resendDeliveryWord DELIVERY_WORD_NOT_FOUND': async (world) => {
    const { system, wordless, wordlessCustomer } = world;
    const { transactionId } = await placeOrder(system, wordless, wordlessCustomer);
    return resendWord(world, wordless.key, transactionId);
  },
};
