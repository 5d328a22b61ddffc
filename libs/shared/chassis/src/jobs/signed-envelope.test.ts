import { strangeKeys, testProcessKeys } from '../testing/process-keys';
import type { Envelope } from '@fiado/contracts/define';
import { openEnvelope, signEnvelope, type SignedEnvelope } from './signed-envelope';

const keys = testProcessKeys('accounts');
const envelope: Envelope = {
  id: 'an-id',
  type: 'corner-store.changed',
  version: 1,
  occurredAt: '2026-11-22T10:00:00.000Z',
  aggregateId: 'a-store',
  aggregateVersion: 7,
  data: { b: 'ñ\u0000"', a: [1.5, null] },
};
const open = (data: unknown) => openEnvelope(testProcessKeys('transactions'), 'transactions', data);

it('returns the producer and the envelope as signed', async () => {
  const signed = await signEnvelope(keys, 'transactions', envelope);
  const stored: unknown = JSON.parse(JSON.stringify(signed));
  expect(await open(stored)).toEqual({ sent: [{ producer: 'accounts', envelope }] });
});

it.each<[string, (signed: SignedEnvelope) => unknown]>([
  ['it is not signed', () => envelope],
  ['it is not signed', () => null],
  ['it is not signed', ({ text, keyId }) => ({ text, keyId })],
  ['it is signed with an unknown key', (signed) => ({ ...signed, keyId: 'another' })],
  [
    'its signature is not valid',
    ({ text, ...signed }) => ({ ...signed, text: text.replace('7', '8') }),
  ],
  ['its signature is not valid', (signed) => ({ ...signed, signature: '' })],
  [
    'its signature is not valid',
    (signed) => ({ ...signed, keyId: testProcessKeys('payments').keyId }),
  ],
])('a job is refused: %s', async (refusal, change) => {
  const signed = await signEnvelope(keys, 'transactions', envelope);
  expect(await open(change(signed))).toEqual({ refusal });
});

it('a job is refused that was signed for another queue', async () => {
  expect(await open(await signEnvelope(keys, 'notifier', envelope))).toEqual({
    refusal: 'it was signed for another queue',
  });
});

it('a job signed with an unknown key is refused', async () => {
  const signed = await signEnvelope(strangeKeys('accounts'), 'transactions', envelope);
  expect(await open(signed)).toEqual({ refusal: 'it is signed with an unknown key' });
});

it('a copy of a job is refused once the inbox may have forgotten the job', async () => {
  const DAY_MS = 24 * 3_600_000;
  const signedDaysAgo = async (days: number) => {
    jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() - days * DAY_MS);
    return open(await signEnvelope(keys, 'transactions', envelope));
  };
  expect(await signedDaysAgo(27)).toEqual({ sent: [{ producer: 'accounts', envelope }] });
  expect(await signedDaysAgo(29)).toEqual({ refusal: 'its signature is too old' });
});
