import type { Answer } from '@fiado/chassis/testing/call';
import { importStore, randomPhone } from '../../e2e/support/story';
import { startVerification, type World } from './world';

/** Each endpoint's success, and its whole answer as the specification has it. */
export type SuccessTable = Record<
  string,
  { status: number; call: (world: World) => Promise<Answer>; body: (world: World) => unknown }
>;

export const id = (): unknown => expect.stringMatching(/^[0-9a-f-]{36}$/);

/**
 * A customer with a verification, and the path of resendAccountCode, recordOnboardingStep and its
 * confirmation.
 */
async function verifying({ system, wholesaler }: World) {
  const customer = await importStore(system, wholesaler);
  const verificationId = await startVerification(system, wholesaler, customer);
  const path = `/account/${customer.userId}/verification/${verificationId}`;
  return { key: wholesaler.key, customer, verificationId, path };
}

/** Endpoints 1 to 5, 15 and 16. */
export const ACCOUNT_SUCCESSES: SuccessTable = {
  createAccountVerification: {
    status: 201,
    call: ({ system, wholesaler, preApproved }) =>
      system.call(wholesaler.key, 'POST', `/account/${preApproved.userId}/verification`, {
        body: {
          firstName: 'Lucía',
          lastNames: 'Ortega',
          phoneNumber: randomPhone(),
          latitude: '25.68',
          longitude: '-100.31',
          contacts: [{ fullName: 'Raúl', phoneNumber: '55 1234 0102' }],
          metadata: { seller: 7 },
        },
      }),
    body: () => ({ verificationId: id() }),
  },
  resendAccountCode: {
    status: 200,
    call: async (world) => {
      const { key, path } = await verifying(world);
      return world.system.call(key, 'POST', path, { body: { phoneNumber: randomPhone() } });
    },
    body: () => ({ verificationId: id() }),
  },
  changePhoneNumber: {
    status: 200,
    call: async (world) => {
      const { key, customer } = await verifying(world);
      return world.system.call(key, 'PUT', `/account/${customer.userId}`, {
        body: { phoneNumber: randomPhone() },
      });
    },
    body: () => ({ userId: id(), phoneNumber: expect.stringMatching(/^\+52\d{10}$/) as string }),
  },
  recordOnboardingStep: {
    status: 200,
    call: async (world) => {
      const { key, path } = await verifying(world);
      return world.system.call(key, 'PUT', `${path}/onboarding`, {
        body: { step: 'CORNER_STORE_NAME_UPDATE', information: { cornerStoreName: 'La Güera' } },
      });
    },
    body: () => ({
      success: true,
      step: 'CORNER_STORE_NAME_UPDATE',
      completedSteps: ['CORNER_STORE_NAME_UPDATE'],
      missingSteps: [
        'DOCUMENT_IMAGE_FRONTAL',
        'DOCUMENT_IMAGE_BACK',
        'SELFIE_IMAGE',
        'STORE_IMAGE',
        'CORNER_STORE_INFORMATION',
        'COMPLETED',
      ],
      warnings: [],
    }),
  },
  createKycLink: {
    status: 201,
    call: async (world) => {
      const { key, customer, verificationId } = await verifying(world);
      return world.system.call(key, 'POST', '/link/kyc', {
        body: { userId: customer.userId, verificationId },
      });
    },
    body: () => ({ kycLink: expect.stringMatching(/^http/) as string }),
  },
  getCornerStores: {
    status: 200,
    call: ({ system, wholesaler, poor }) =>
      system.call(wholesaler.key, 'POST', '/corner-store/external', {
        body: { externalCornerStoreIds: [poor.externalId, 'of nobody'], driverId: 'chofer' },
      }),
    body: ({ poor }) => ({
      cornerStores: [
        {
          userId: poor.userId,
          cornerStoreId: poor.cornerStoreId,
          status: 'approved',
          creditLimitAvailable: 200,
          interestRate: 0.05,
          externalId: poor.externalId,
        },
      ],
    }),
  },
  getCornerStore: {
    status: 200,
    call: ({ system, wholesaler, poor }) =>
      system.call(wholesaler.key, 'GET', `/corner-store/external/${poor.externalId}`),
    body: ({ poor }) => ({
      userId: poor.userId,
      cornerStoreId: poor.cornerStoreId,
      status: 'approved',
      creditLimitAvailable: 200,
    }),
  },
};
