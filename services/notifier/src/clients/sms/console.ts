import { maskPhone } from '@fiado/contracts/phone';
import type { SmsProvider } from './sms-provider';

/** Prints messages, codes included, instead of sending them. For sandboxes. */
export function createConsoleSms(): SmsProvider {
  return {
    name: 'console',
    send: async ({ messageId, to, text }) => {
      process.stdout.write(`SMS to ${maskPhone(to)}: ${text}\n`);
      return { sid: `console-${messageId}` };
    },
  };
}
