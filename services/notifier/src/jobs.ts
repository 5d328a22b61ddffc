import { on, type JobRoute } from '@fiado/chassis/jobs/worker';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { personErase } from '@fiado/contracts/jobs/privacy';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import type { Context } from './context';
import { takeEvent } from './events/take-event';
import { eraseMessages } from './messages/erase-messages';
import { takeMessage } from './messages/take-message';

/** Jobs that the notifier works on. */
export function jobs(context: Context): JobRoute[] {
  return [
    on(sendMessage, ({ id, data }) => takeMessage(context, id, data), { sharesStatement: true }),
    on(announceEvent, ({ id, data }) => takeEvent(context, id, data), { sharesStatement: true }),
    on(personErase, ({ id, data }) => eraseMessages(context, id, data)),
  ];
}
