import { dns } from './dns';
import type { Drills } from './drill';
import { failover } from './failover';
import { nginx } from './nginx';
import { pgbouncer, pgbouncerWithQueuesInPostgres } from './pgbouncer';
import { pointInTime } from './point-in-time';
import { silence, silenceOfPostgres } from './silence';
import { smallDisk } from './small-disk';
import { twilioToken } from './twilio-token';
import { usual } from './usual';

/** All faults of `npm run drill`, by the system that they are injected into. */
export const GROUNDS: Drills[] = [
  usual,
  twilioToken,
  silence,
  silenceOfPostgres,
  failover,
  pgbouncer,
  pgbouncerWithQueuesInPostgres,
  nginx,
  smallDisk,
  dns,
  pointInTime,
];
