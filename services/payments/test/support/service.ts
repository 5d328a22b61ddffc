import {
  startTestService,
  type TestOptions,
  type TestService,
} from '@fiado/chassis/testing/service';
import { PaymentsConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { paymentsService } from '../../src/service';

export type PaymentsService = TestService<Context>;

export function startPayments(options: TestOptions<PaymentsConfig> = {}): Promise<PaymentsService> {
  return startTestService(paymentsService, PaymentsConfig, options);
}
