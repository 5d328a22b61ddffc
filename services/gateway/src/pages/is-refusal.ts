import { AppError } from '@fiado/contracts/errors';

/** Whether a service refused with that code. */
export function isRefusal(error: unknown, code: AppError['code']): error is AppError {
  return error instanceof AppError && error.code === code;
}
