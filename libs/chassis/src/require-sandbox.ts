import { AppError } from '@fiado/contracts/errors';

/**
 * For an endpoint that only a sandbox has: call it before anything of the request is read.
 * @throws AppError ROUTE_NOT_FOUND in production
 */
export function requireSandbox({ FIADO_MODE }: { FIADO_MODE: 'sandbox' | 'production' }): void {
  if (FIADO_MODE === 'production') throw new AppError('ROUTE_NOT_FOUND');
}
