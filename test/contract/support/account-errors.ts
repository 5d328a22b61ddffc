import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import { randomPhone } from '../../e2e/support/story';
import { approveStore, createCustomer, handIn, startVerification, type World } from './world';

/** One pair of the specification's error table, and how to cause it. */
export interface ErrorRow {
  /** Such as 'createTransaction USER_NOT_VERIFIED'. */
  pair: string;
  provoke: (world: World) => Promise<Answer>;
  /** The whole text, where it is more than the catalogue's. */
  message?: (world: World) => string;
  /** Fields beyond those of the specification. */
  added?: object;
}

function start(world: World, userId: string): Promise<Answer> {
  const { system, wholesaler } = world;
  return system.call(wholesaler.key, 'POST', `/account/${userId}/verification`, {
    body: { firstName: 'Lucía', lastNames: 'Ortega', phoneNumber: randomPhone() },
  });
}

function resend({ system, wholesaler }: World, userId: string, id: string): Promise<Answer> {
  return system.call(wholesaler.key, 'POST', `/account/${userId}/verification/${id}`, {
    body: { phoneNumber: randomPhone() },
  });
}

function changePhone(world: World, userId: string, phoneNumber: string): Promise<Answer> {
  const { system, wholesaler } = world;
  return system.call(wholesaler.key, 'PUT', `/account/${userId}`, { body: { phoneNumber } });
}

function takeStep({ system, wholesaler }: World, userId: string, id: string): Promise<Answer> {
  return system.call(wholesaler.key, 'PUT', `/account/${userId}/verification/${id}/onboarding`, {
    body: { step: 'COMPLETED' },
  });
}

/** Endpoints 1 to 4 and 16. */
export const ACCOUNT_ERRORS: ErrorRow[] = [
  {
    pair: 'createAccountVerification USER_NOT_FOUND',
    provoke: (world) => start(world, randomUUID()),
  },
  {
    pair: 'createAccountVerification USER_IS_VERIFIED',
    provoke: (world) => start(world, world.approved.userId),
  },
  {
    pair: 'createAccountVerification USER_IN_MANUAL_VALIDATION',
    provoke: (world) => start(world, world.inValidation.userId),
  },
  {
    pair: 'resendAccountCode VERIFICATION_NOT_FOUND',
    provoke: (world) => resend(world, world.preApproved.userId, randomUUID()),
  },
  {
    pair: 'resendAccountCode USER_IS_VERIFIED',
    provoke: async (world) => {
      const { system, wholesaler } = world;
      const customer = await createCustomer(system, wholesaler);
      const id = await startVerification(system, wholesaler, customer);
      await approveStore(system, customer.cornerStoreId);
      return resend(world, customer.userId, id);
    },
  },
  {
    pair: 'resendAccountCode USER_IN_MANUAL_VALIDATION',
    provoke: async (world) => {
      const { system, wholesaler } = world;
      const customer = await createCustomer(system, wholesaler);
      return resend(world, customer.userId, await handIn(system, wholesaler, customer));
    },
  },
  {
    pair: 'resendAccountCode VERIFICATION_NOT_VALID',
    provoke: async (world) => {
      const { system, wholesaler } = world;
      const customer = await createCustomer(system, wholesaler);
      const first = await startVerification(system, wholesaler, customer);
      await startVerification(system, wholesaler, customer);
      return resend(world, customer.userId, first);
    },
  },
  {
    pair: 'changePhoneNumber USER_NOT_FOUND',
    provoke: (world) => changePhone(world, randomUUID(), randomPhone()),
  },
  {
    pair: 'changePhoneNumber PHONE_NUMBER_ALREADY_EXISTS',
    provoke: (world) => changePhone(world, world.preApproved.userId, world.approved.phone),
    message: ({ approved }) => `The phone number is already used by the user ${approved.userId}`,
  },
  {
    pair: 'changePhoneNumber VALIDATION',
    provoke: (world) => changePhone(world, world.preApproved.userId, 'not a phone'),
  },
  {
    pair: 'recordOnboardingStep USER_NOT_FOUND',
    provoke: (world) => takeStep(world, randomUUID(), randomUUID()),
  },
  {
    pair: 'recordOnboardingStep VERIFICATION_NOT_FOUND',
    provoke: (world) => takeStep(world, world.preApproved.userId, randomUUID()),
  },
  {
    pair: 'getCornerStore CORNER_STORE_NOT_FOUND',
    provoke: ({ system, wholesaler }) =>
      system.call(wholesaler.key, 'GET', `/corner-store/external/${randomUUID()}`),
  },
  {
    pair: 'getCornerStore USER_IS_IN_INTERNAL_VALIDATION',
    provoke: ({ system, wholesaler, inValidation }) =>
      system.call(wholesaler.key, 'GET', `/corner-store/external/${inValidation.externalId}`),
  },
];
