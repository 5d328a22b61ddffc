import {
  count,
  flag,
  listOf,
  object,
  oneOf,
  pesos,
  rate,
  text,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { SHOWN_STATUSES } from '../../domain/corner-store';
import { CreatePaymentProviderBody } from '../create-payment-provider';
import { ImportCustomersBody } from '../import-customers';
import { CreateWholesalerBody, UpdateWholesalerBody } from '../wholesaler-bodies';
import { exampleKey } from './credentials';
import { EXAMPLE_IDS } from './examples';

const settings = {
  wholesalerId: uuid,
  name: text,
  minimumTransactionAmount: pesos,
  commissionRate: rate,
  paymentTermDays: count,
  deliveryWordEnabled: flag,
  deliveryWordRequired: flag,
  confirmationRequired: flag,
  deliveryOverageRate: rate,
};

const example = {
  wholesalerId: EXAMPLE_IDS.wholesalerId,
  name: 'Abarrotes del Norte',
  minimumTransactionAmount: 100,
  commissionRate: 0.02,
  paymentTermDays: 14,
  deliveryWordEnabled: true,
  deliveryWordRequired: false,
  confirmationRequired: true,
  deliveryOverageRate: 0.1,
};

export const createWholesaler: Operation = {
  id: 'createWholesaler',
  tag: 'Ops: wholesalers',
  summary: 'Create a wholesaler and its first key',
  body: CreateWholesalerBody,
  bodyExample: { name: 'Abarrotes del Norte', paymentTermDays: 14 },
  refusesUnknownFields: true,
  answer: {
    status: 201,
    schema: object('CreatedWholesaler', { ...settings, apiKeyId: uuid, apiKey: text }),
    example: { ...example, ...exampleKey },
  },
};

export const updateWholesaler: Operation = {
  id: 'updateWholesaler',
  tag: 'Ops: wholesalers',
  summary: 'Change the settings of a wholesaler',
  description:
    'What is left out keeps its value. `deliveryWordRequired` is refused while ' +
    '`deliveryWordEnabled` is false.',
  body: UpdateWholesalerBody,
  bodyExample: { deliveryWordRequired: true },
  refusesUnknownFields: true,
  answer: {
    status: 200,
    schema: object('Wholesaler', settings),
    example: { ...example, deliveryWordRequired: true },
  },
  errors: ['WHOLESALER_NOT_FOUND'],
};

export const importCustomers: Operation = {
  id: 'importCustomers',
  tag: 'Ops: wholesalers',
  summary: 'Import customers of a wholesaler',
  description:
    'Answered in order. A known phone links the user and corner store that are there, and ' +
    'changes neither their limit nor their rate.',
  body: ImportCustomersBody,
  bodyExample: {
    customers: [
      {
        externalId: 'tienda-001',
        firstName: 'Lucía',
        lastNames: 'Ortega Ruiz',
        phoneNumber: '+525512340101',
        creditLimit: 10_000,
        interestRate: 0.05,
      },
    ],
  },
  refusesUnknownFields: true,
  answer: {
    status: 201,
    schema: object('ImportedCustomers', {
      customers: listOf(
        object('ImportedCustomer', {
          externalId: text,
          userId: uuid,
          cornerStoreId: uuid,
          status: oneOf(SHOWN_STATUSES),
        }),
      ),
    }),
    example: {
      customers: [
        {
          externalId: 'tienda-001',
          userId: EXAMPLE_IDS.userId,
          cornerStoreId: EXAMPLE_IDS.cornerStoreId,
          status: 'pre-approved',
        },
      ],
    },
  },
  errors: ['WHOLESALER_NOT_FOUND', 'CUSTOMER_CONFLICT'],
};

export const createPaymentProvider: Operation = {
  id: 'createPaymentProvider',
  tag: 'Ops: wholesalers',
  summary: 'Create a payment provider and its first key',
  body: CreatePaymentProviderBody,
  bodyExample: { name: 'Pagos del Centro' },
  refusesUnknownFields: true,
  answer: {
    status: 201,
    schema: object('PaymentProvider', {
      paymentProviderId: uuid,
      name: text,
      timeZone: text,
      apiKeyId: uuid,
      apiKey: text,
    }),
    example: {
      paymentProviderId: 'd4c3b2a1-0f9e-4d8c-b7a6-958473625140',
      name: 'Pagos del Centro',
      timeZone: 'America/Mexico_City',
      ...exampleKey,
    },
  },
  errors: ['PROVIDER_ALREADY_EXISTS'],
};
