import { IsUUID } from '@fiado/contracts/class-validator';
import { defineJob } from '../define';

export class IssueInvoice {
  @IsUUID()
  invoiceId: string;
}

/** transactions 1.0, to itself: have a stored invoice issued. Nothing sends it any more. */
export const issueInvoice = defineJob({
  type: 'issue-invoice',
  producers: ['transactions'],
  queues: ['transactions'],
  Data: IssueInvoice,
});
