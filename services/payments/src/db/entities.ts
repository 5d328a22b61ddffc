import { StoredExportRow } from '@fiado/chassis/exports/export.entity';
import { DepositDecisionRow } from '../deposits/deposit-decision.entity';
import { DepositRow } from '../deposits/deposit.entity';
import { NoticeRow } from '../notices/notice.entity';
import { PayoutRow } from '../payouts/payout.entity';

/** The tables of payments that are read and written by key. */
export const paymentsEntities: Function[] = [
  DepositDecisionRow,
  DepositRow,
  NoticeRow,
  PayoutRow,
  StoredExportRow,
];
