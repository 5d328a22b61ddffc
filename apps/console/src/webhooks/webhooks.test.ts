import { WEBHOOK_ERRORS } from '@fiado/notifier/webhooks/webhook-client';
import { lastAnswer } from './webhooks';

it('why a webhook got no answer is said in words', () => {
  expect(lastAnswer(503, null)).toBe('respondió 503');
  expect(lastAnswer(null, null)).toBe('—');
  expect(WEBHOOK_ERRORS.filter((error) => lastAnswer(null, error) === error)).toEqual([]);
});
