import { IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class ExecuteChange {
  @IsUUID()
  changeRequestId: string;
}

/** accounts, to itself: make an approved change. */
export const executeChange = defineJob({
  type: 'execute-change',
  version: 1,
  producers: ['accounts'],
  queues: ['accounts'],
  Data: ExecuteChange,
});
