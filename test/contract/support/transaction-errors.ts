import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import type { ErrorRow } from './account-errors';
import { orderOf, placeOrder, type Customer, type Ordered, type World } from './world';

/** Codes that one order sends in all; the first goes with its creation. */
const SENDS = 5;

function order(
  { system, wholesaler }: World,
  customer: Customer,
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
    { body: { errorCode: 'wrong' } },
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

/** Endpoint 7. */
export const ORDER_ERRORS: ErrorRow[] = [
  {
    pair: 'createTransaction CORNER_STORE_NOT_FOUND',
    provoke: (world) => order(world, { ...world.approved, cornerStoreId: randomUUID() }),
  },
  {
    pair: 'createTransaction USER_NOT_VERIFIED',
    provoke: (world) => order(world, world.preApproved),
  },
  {
    pair: 'createTransaction USER_IS_IN_INTERNAL_VALIDATION',
    provoke: (world) => order(world, world.inValidation),
  },
  {
    pair: 'createTransaction USER_IS_IN_DEFAULT',
    provoke: ({ system, quick, inDefault }) =>
      system.call(quick.key, 'POST', '/transaction', { body: orderOf(inDefault) }),
  },
  {
    pair: 'createTransaction INVALID_DELIVERY_DATE',
    provoke: (world) => order(world, world.approved, { deliveryDate: '2020-01-31' }),
  },
  {
    pair: 'createTransaction MINIMAL_TRANSACTION_REQUIRED',
    provoke: (world) => order(world, world.approved, { totalAmount: 99.99 }),
  },
  {
    pair: 'createTransaction CREDIT_LIMIT_EXCEEDED',
    provoke: (world) => order(world, world.poor, { totalAmount: 200.01 }),
  },
];

/** Endpoints 9 to 13. */
export const FOLLOW_UP_ERRORS: ErrorRow[] = [
  {
    pair: 'getTransactionByWholesalerId TRANSACTION_NOT_FOUND',
    provoke: ({ system, wholesaler }) =>
      system.call(wholesaler.key, 'GET', `/transaction/external/${randomUUID()}`),
  },
  {
    pair: 'deliverTransaction TRANSACTION_NOT_FOUND',
    provoke: (world) => deliver(world, world.wholesaler.key, randomUUID(), delivery),
  },
  {
    pair: 'deliverTransaction TRANSACTION_IS_NOT_IN_HOLD',
    provoke: async (world) =>
      deliver(world, world.wholesaler.key, (await pending(world)).transactionId, delivery),
  },
  {
    pair: 'deliverTransaction TRANSACTION_AMOUNT_NOT_FOUND',
    provoke: async (world) =>
      deliver(world, world.quick.key, (await onHold(world)).transactionId, { status: 'delivery' }),
  },
  {
    pair: 'confirmTransaction TRANSACTION_NOT_FOUND',
    provoke: (world) => confirm(world, world.wholesaler.key, unknown()),
  },
  {
    pair: 'confirmTransaction VERIFICATION_NOT_FOUND',
    provoke: async (world) =>
      confirm(world, world.wholesaler.key, {
        ...(await pending(world)),
        verificationId: randomUUID(),
      }),
  },
  {
    pair: 'confirmTransaction TRANSACTION_IS_VERIFIED',
    provoke: async (world) => confirm(world, world.quick.key, await onHold(world)),
  },
  {
    pair: 'confirmTransaction VERIFICATION_NOT_VALID',
    added: { reason: 'wrong', checksLeft: 4 },
    provoke: async (world) => confirm(world, world.wholesaler.key, await pending(world)),
  },
  {
    pair: 'resendTransactionCode TRANSACTION_NOT_FOUND',
    provoke: (world) => resend(world, world.wholesaler.key, unknown()),
  },
  {
    pair: 'resendTransactionCode VERIFICATION_NOT_FOUND',
    provoke: async (world) =>
      resend(world, world.wholesaler.key, {
        ...(await pending(world)),
        verificationId: randomUUID(),
      }),
  },
  {
    pair: 'resendTransactionCode TRANSACTION_IS_VERIFIED',
    provoke: async (world) => resend(world, world.quick.key, await onHold(world)),
  },
  {
    pair: 'resendTransactionCode TOO_MANY_ATTEMPTS',
    provoke: async (world) => {
      const ordered = await pending(world);
      for (let sent = 1; sent < SENDS; sent++) await resend(world, world.wholesaler.key, ordered);
      return resend(world, world.wholesaler.key, ordered);
    },
  },
  {
    pair: 'resendDeliveryWord TRANSACTION_NOT_FOUND',
    provoke: (world) => resendWord(world, world.wholesaler.key, randomUUID()),
  },
  {
    pair: 'resendDeliveryWord TRANSACTION_IS_NOT_IN_HOLD',
    provoke: async (world) =>
      resendWord(world, world.wholesaler.key, (await pending(world)).transactionId),
  },
  {
    pair: 'resendDeliveryWord DELIVERY_WORD_NOT_FOUND',
    provoke: async (world) => {
      const { system, wordless, wordlessCustomer } = world;
      const { transactionId } = await placeOrder(system, wordless, wordlessCustomer);
      return resendWord(world, wordless.key, transactionId);
    },
  },
];
