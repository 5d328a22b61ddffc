import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import {
  insertDeposit,
  insertDeposits,
  type DepositToStore,
  type KnownDeposit,
} from './insert-deposits.sql';

/** Deposits that arrive at the same time are stored by one statement. */
export type DepositLane = Lane<DepositToStore, KnownDeposit>;

export function createDepositLane(db: Database): DepositLane {
  return new Lane({
    name: 'insert-deposits',
    run: (deposits) => insertDeposits(db, deposits),
    runAlone: (deposit) => insertDeposit(db, deposit),
    // Two of one key would meet at its unique index, and the whole batch with them.
    keysOf: ({ deposit, answer }) => [
      `deposit ${deposit.paymentProviderId} ${deposit.claveDePago}`,
      ...(answer === undefined ? [] : [`key ${answer.id.toString('hex')}`]),
    ],
    tenantOf: ({ deposit }) => deposit.paymentProviderId,
  });
}
