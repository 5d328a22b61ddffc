import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import { approveStore, importStore, randomPhone } from '../../e2e/support/story';
import { handIn, startVerification, type World } from './world';

/** How to cause the pairs of the specification's error table, such as 'getCornerStore CORNER_STORE_NOT_FOUND'. */
export type ErrorTable = Record<string, (world: World) => Promise<Answer>>;

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
export const ACCOUNT_ERRORS: ErrorTable = {
  'createAccountVerification USER_NOT_FOUND': (world) => start(world, randomUUID()),
  'createAccountVerification USER_IS_VERIFIED': (world) => start(world, world.approved.userId),
  'createAccountVerification USER_IN_MANUAL_VALIDATION': (world) =>
    start(world, world.inValidation.userId),
  'resendAccountCode VERIFICATION_NOT_FOUND': (world) =>
    resend(world, world.preApproved.userId, randomUUID()),
  'resendAccountCode USER_IS_VERIFIED': async (world) => {
    const { system, wholesaler } = world;
    const customer = await importStore(system, wholesaler);
    const id = await startVerification(system, wholesaler, customer);
    await approveStore(system, customer.cornerStoreId);
    return resend(world, customer.userId, id);
  },
  'resendAccountCode USER_IN_MANUAL_VALIDATION': async (world) => {
    const { system, wholesaler } = world;
    const customer = await importStore(system, wholesaler);
    return resend(world, customer.userId, await handIn(system, wholesaler, customer));
  },
  'resendAccountCode VERIFICATION_NOT_VALID': async (world) => {
    const { system, wholesaler } = world;
    const customer = await importStore(system, wholesaler);
    const first = await startVerification(system, wholesaler, customer);
    await startVerification(system, wholesaler, customer);
    return resend(world, customer.userId, first);
  },
  'changePhoneNumber USER_NOT_FOUND': (world) => changePhone(world, randomUUID(), randomPhone()),
  'changePhoneNumber PHONE_NUMBER_ALREADY_EXISTS': (world) =>
    changePhone(world, world.preApproved.userId, world.approved.phone),
  'changePhoneNumber VALIDATION': (world) =>
    changePhone(world, world.preApproved.userId, 'not a phone'),
  'recordOnboardingStep USER_NOT_FOUND': (world) => takeStep(world, randomUUID(), randomUUID()),
  'recordOnboardingStep VERIFICATION_NOT_FOUND': (world) =>
    takeStep(world, world.preApproved.userId, randomUUID()),
  'getCornerStore CORNER_STORE_NOT_FOUND': ({ system, wholesaler }) =>
    system.call(wholesaler.key, 'GET', `/corner-store/external/${randomUUID()}`),
  'getCornerStore USER_IS_IN_INTERNAL_VALIDATION': ({ system, wholesaler, inValidation }) =>
    system.call(wholesaler.key, 'GET', `/corner-store/external/${inValidation.externalId}`),
};
