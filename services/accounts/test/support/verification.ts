import { wholesaler } from '@fiado/chassis/testing/callers';
import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import type { Accounts, Customer } from './accounts';

/** The three calls on a customer's verification, as the wholesaler that has the customer. */
export interface VerificationCalls {
  path(verificationId?: string): string;
  start(over?: object, headers?: Record<string, string>): Promise<Answer>;
  /** start(), whose verification's id is all that matters. */
  started(over?: object): Promise<string>;
  resend(verificationId: string, phoneNumber?: unknown, by?: string): Promise<Answer>;
  confirm(verificationId: string, body: object): Promise<Answer>;
}

export function verificationOf(
  accounts: Accounts,
  wholesalerId: string,
  customer: Customer,
): VerificationCalls {
  const path = (verificationId = ''): string =>
    `/v1/account/${customer.userId}/verification${verificationId && `/${verificationId}`}`;
  const start: VerificationCalls['start'] = (over = {}, headers = {}) =>
    accounts.call(wholesaler(wholesalerId), 'POST', path(), {
      body: { firstName: 'Ana', lastNames: 'Ruiz', phoneNumber: customer.phoneNumber, ...over },
      headers,
    });

  return {
    path,
    start,
    started: async (over) => {
      const { status, body } = await unlessBusy(() => start(over));
      expect(status).toBe(201);
      return body.verificationId;
    },
    resend: (verificationId, phoneNumber = customer.phoneNumber, by = wholesalerId) =>
      accounts.call(wholesaler(by), 'POST', path(verificationId), { body: { phoneNumber } }),
    confirm: (verificationId, body) =>
      accounts.call(wholesaler(wholesalerId), 'PUT', path(verificationId), { body }),
  };
}
