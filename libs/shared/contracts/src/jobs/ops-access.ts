import { IsString } from '@fiado/contracts/class-validator';
import { defineJob } from '../define';

class OpsAccessEnded {
  /** Id of the person or the key of ops. */
  @IsString()
  actorId: string;
}

/**
 * accounts: a person of ops was disabled or has a role that allows less, or a key of ops was revoked.
 * Each message is an aggregate of its own.
 */
export const opsAccessEnded = defineJob({
  type: 'ops-access.ended',
  producers: ['accounts'],
  queues: ['transactions', 'payments'],
  Data: OpsAccessEnded,
});
