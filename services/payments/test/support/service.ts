import {
  startTestService,
  type TestOptions,
  type TestService,
} from '@fiado/chassis/testing/service';
import { PaymentsConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { paymentsService } from '../../src/service';

export type PaymentsService = TestService<Context>;

export function startPayments(
  options: TestOptions<PaymentsConfig, Context> = {},
): Promise<PaymentsService> {
  // It applies deposits in the order in which they came, whatever the time is.
  const loops = ({ depositWorker }: Context) => [depositWorker.loop];
  return startTestService(paymentsService, PaymentsConfig, { loops, ...options });
}
