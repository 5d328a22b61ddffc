import { randomUUID } from 'node:crypto';
import { codeIn, createStore } from '../../e2e/support/story';
import { ACCOUNT_SUCCESSES, id, type SuccessTable } from './account-successes';
import { INVOICE_PRODUCT, orderOf, placeOrder } from './world';

const text = (): unknown => expect.any(String);
const number = (): unknown => expect.any(Number);
const time = (): unknown => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Endpoints 1 to 18. */
export const SUCCESSES: SuccessTable = {
  ...ACCOUNT_SUCCESSES,
  createTransactionLink: {
    status: 201,
    call: ({ system, wholesaler, approved }) =>
      system.call(wholesaler.key, 'POST', `/link/external/${approved.externalId}`, {
        body: { transaction: orderOf(approved) },
      }),
    body: () => ({ link: expect.stringMatching(/^http.*\/[0-9a-f-]{36}$/), transactionId: id() }),
  },
  createTransaction: {
    status: 201,
    call: ({ system, wholesaler, approved }) =>
      system.call(wholesaler.key, 'POST', '/transaction', { body: orderOf(approved) }),
    body: ({ approved }) => ({
      incrementalID: number(),
      transactionId: id(),
      verificationId: id(),
      userPhoneNumber: `********${approved.phone.slice(-4)}`,
    }),
  },
  createTransactions: {
    status: 200,
    call: ({ system, wholesaler, approved, poor }) => {
      const rejected = { totalAmount: 5_000, wholesalerTransactionId: 'too much', metadata: {} };
      const transactions = [orderOf(approved, { metadata: {} }), orderOf(poor, rejected)];
      return system.call(wholesaler.key, 'POST', '/transaction/batch', {
        body: { driverId: 'chofer', transactions },
      });
    },
    body: ({ approved, poor }) => [
      {
        incrementalID: number(),
        transactionId: id(),
        totalAmount: 150,
        totalAmountWithInterests: 158.7,
        status: 'accepted',
        cornerStoreId: approved.cornerStoreId,
      },
      {
        status: 'rejected',
        rejectionReasons: ['INSUFFICIENT_CREDIT'],
        wholesalerTransactionId: 'too much',
        cornerStoreId: poor.cornerStoreId,
      },
    ],
  },
  getTransactionByWholesalerId: {
    status: 200,
    call: async ({ system, quick, quickCustomer }) => {
      const wholesalerTransactionId = `pedido/${randomUUID()}`;
      const metadata = { ruta: 'norte', ñ: [1, null] };
      await placeOrder(system, quick, quickCustomer, { wholesalerTransactionId, metadata });
      const path = `/transaction/external/${encodeURIComponent(wholesalerTransactionId)}`;
      return system.call(quick.key, 'GET', path);
    },
    body: ({ quickCustomer }) => ({
      transactionId: id(),
      cornerStoreId: quickCustomer.cornerStoreId,
      userId: quickCustomer.userId,
      transactionStatus: 'on-hold',
      wholesalerTransactionId: expect.stringMatching(/^pedido\//) as string,
      movementDate: time(),
      totalAmount: 150,
      interests: 7.5,
      IVAAmount: 1.2,
      totalAmountWithInterests: 158.7,
      paymentDate: time(),
      deliveryDate: null,
      products: [
        {
          id: id(),
          externalSKU: 'SKU-1',
          name: 'Refresco',
          quantity: 2,
          createdAt: time(),
          updatedAt: time(),
        },
      ],
      metadata: { ruta: 'norte', ñ: [1, null] },
      wholesaler: text(),
    }),
  },
  deliverTransaction: {
    status: 200,
    call: async ({ system, quick, quickCustomer }) => {
      const { transactionId } = await placeOrder(system, quick, quickCustomer);
      return system.call(quick.key, 'PUT', `/transaction/${transactionId}`, {
        body: { status: 'delivery', transactionAmount: 140, latitude: 25.6, longitude: -100.3 },
      });
    },
    body: () => ({ success: true }),
  },
  confirmTransaction: {
    status: 200,
    call: async ({ system, wholesaler }) => {
      const customer = await createStore(system, wholesaler);
      const ordered = await placeOrder(system, wholesaler, customer);
      const code = codeIn(await system.sms(customer.phone, 'order-code'));
      const path = `/transaction/${ordered.transactionId}/verification/${ordered.verificationId}`;
      return system.call(wholesaler.key, 'PUT', path, { body: { errorCode: code } });
    },
    body: () => ({ verificationId: id(), verificationStatus: 'approved' }),
  },
  resendTransactionCode: {
    status: 200,
    call: async ({ system, wholesaler, approved }) => {
      const ordered = await placeOrder(system, wholesaler, approved);
      const path = `/transaction/${ordered.transactionId}/verification/${ordered.verificationId}`;
      return system.call(wholesaler.key, 'POST', path);
    },
    body: () => ({ message: text() }),
  },
  resendDeliveryWord: {
    status: 200,
    call: async ({ system, quick, quickCustomer }) => {
      const { transactionId } = await placeOrder(system, quick, quickCustomer);
      return system.call(quick.key, 'POST', `/transaction/${transactionId}/delivery-word`);
    },
    body: () => ({ errorMessage: text() }),
  },
  createInvoice: {
    status: 201,
    call: async ({ system, quick, quickCustomer }) => {
      const { transactionId } = await placeOrder(system, quick, quickCustomer);
      return system.call(quick.key, 'POST', `/transaction/${transactionId}/invoice`, {
        body: { invoice: { discount: 0, products: [{ product: INVOICE_PRODUCT, quantity: 1 }] } },
      });
    },
    body: () => ({ success: true }),
  },
  getDefaultInformation: {
    status: 200,
    call: ({ system, quick }) =>
      system.call(quick.key, 'GET', '/corner-store/default-information?page=1'),
    body: ({ inDefault }) => ({
      paymentDefaults: [
        {
          userId: inDefault.userId,
          paymentDefaultAmount: 158.7,
          paymentDefaultCreatedDate: time(),
          paymentDefaultPaidDate: null,
          externalId: inDefault.externalId,
        },
      ],
      totalPages: 1,
      totalElements: 1,
      last: true,
      first: true,
    }),
  },
  recordDeposit: {
    status: 200,
    call: ({ system, provider }) => {
      const name = encodeURIComponent(provider.name);
      const path = `/customer-transaction/payment/deposit?paymentProviderName=${name}`;
      return system.call(provider.key, 'POST', path, {
        body: {
          idFactura: 'of nobody',
          numeroReferencia: 'of nobody',
          valor: 10.5,
          fechaPago: '2026-11-20 10:00:00.000',
          claveDePago: randomUUID(),
        },
      });
    },
    body: () => ({ success: true, depositId: id(), repeated: false }),
  },
};
