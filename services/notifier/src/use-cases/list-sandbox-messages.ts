import type { Context } from '../context';
import type { Message } from '../db/messages.repository';
import { findMessages } from '../db/messages.repository';
import { phoneIndexOf } from '../steps/phone-index';
import { readSealedSms } from '../steps/read-sealed-sms';

/** Enough for what an integrator looks at: it knows the phone or the verification. */
const LIMIT = 100;

export interface ListSandboxMessages {
  wholesalerId: string;
  /** As people write it. */
  phoneNumber: string | undefined;
  verificationId: string | undefined;
}

/**
 * The newest messages to a wholesaler's own customers, with their text, in the sandbox.
 * @throws ValidationError when phoneNumber is not a phone number
 */
export async function listSandboxMessages(
  context: Context,
  { wholesalerId, phoneNumber, verificationId }: ListSandboxMessages,
): Promise<Array<{ message: Message; sms: { to: string; text: string } | undefined }>> {
  const found = await findMessages(context.db, {
    wholesalerId,
    ...(phoneNumber === undefined ? {} : { phoneIndex: phoneIndexOf(context, phoneNumber) }),
    ...(verificationId === undefined ? {} : { verificationId }),
    limit: LIMIT,
  });
  return found.map((message) => ({ message, sms: readSealedSms(context, message) }));
}
