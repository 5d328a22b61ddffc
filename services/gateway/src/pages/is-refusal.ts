import { AppError } from '@fiado/shared/contracts/errors';

/** Whether a service refused with that code. */
export function isRefusal(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}
