import { IsBase64 } from '@fiado/contracts/class-validator';
import { defineJob } from '../define';

class PhoneProved {
  /** Blind index of the phone, for PHONE_PURPOSE (base64). */
  @IsBase64()
  phoneIndex: string;
}

/** To accounts: a code that was sent to a phone came back. Each message is an aggregate of its own. */
export const phoneProved = defineJob({
  type: 'phone.proved',
  producers: ['transactions'],
  queues: ['accounts'],
  Data: PhoneProved,
});
