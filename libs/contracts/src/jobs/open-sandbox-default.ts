import { IsInt, IsPositive, IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class OpenSandboxDefault {
  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  /** Of the order that is overdue. */
  @IsInt()
  @IsPositive()
  amountCents: number;
}

/** accounts to payments, in a sandbox: a new customer shall have a debt in default. */
export const openSandboxDefault = defineJob({
  type: 'open-sandbox-default',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: OpenSandboxDefault,
});
