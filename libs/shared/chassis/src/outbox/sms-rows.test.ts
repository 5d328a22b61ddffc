import { randomUUID } from 'node:crypto';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { MESSAGES, MESSAGE_TEMPLATES } from '@fiado/contracts/message-catalogue';
import { createTestSealer } from '../testing/sealed-columns';
import { TEST_ENVIRONMENT } from '../testing/service';
import { smsRows } from './sms-rows';

it('a message of any template to an unproven number names who set it, unless it was counted before', () => {
  const unprovenBy = randomUUID();
  const unnamed = MESSAGE_TEMPLATES.filter((template) => {
    const [row] = smsRows(createTestSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY), {
      template,
      phone: '+525512345678',
      unprovenBy,
      values: MESSAGES[template].longest,
      subjectId: randomUUID(),
      expiresAt: new Date(0),
    });
    return (row?.data as SendMessage | undefined)?.unprovenBy !== unprovenBy;
  });
  expect(unnamed).toEqual(['verification-code']);
});
