import { IsUUID } from 'class-validator';
import { defineJob } from '../define';

export class IssueInvoice {
  @IsUUID()
  invoiceId: string;
}

/** transactions, to itself: have a stored invoice issued by the invoice provider. */
export const issueInvoice = defineJob({
  type: 'issue-invoice',
  version: 1,
  producers: ['transactions'],
  queues: ['transactions'],
  Data: IssueInvoice,
});
