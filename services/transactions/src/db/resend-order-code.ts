import type { Db } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import { resend, type IssuedCode } from '@fiado/chassis/verification/verifications';

/** An order whose code is sent again. */
export interface CodeToResend {
  verificationId: string;
  /** Times that the wholesaler had changed the phone that the code is sent to. */
  phoneChanges: number;
  /** Whether the last code went to another phone. */
  codeIsVoid: boolean;
  /** Whether the last code has no checks left on its page. */
  codeIsUsedUp?: boolean;
  /** Of a new code. */
  newSalt: Buffer;
}

/**
 * Counts a resend and returns the code to send; an invalid one is replaced.
 * @throws AppError TOO_MANY_ATTEMPTS after five messages, VERIFICATION_NOT_VALID when not pending
 */
export async function resendOrderCode(
  tx: Db,
  pepper: string,
  { verificationId, phoneChanges, codeIsVoid, codeIsUsedUp = false, newSalt }: CodeToResend,
): Promise<IssuedCode> {
  const issued = await resend(tx, pepper, verificationId, {
    renew: codeIsVoid || codeIsUsedUp,
    newSalt,
  });
  if (codeIsVoid) await updateRow(tx, 'verifications', verificationId, { phoneChanges });
  return issued;
}
