import { useTimeZone } from '../src/frame/formats';
import { consoleOnStandIn } from './support/console-on-stand-in';
import { STATEMENT, STORE } from './support/stand-in-gateway';

const { page, post, changes } = consoleOnStandIn({ TIME_ZONE: 'America/Tijuana' });
afterAll(() => {
  // Other tests of this process have the zone without a setting.
  useTimeZone('America/Mexico_City');
});

it('days and hours are those of the time zone of the lender', async () => {
  const { text } = await page(`/liquidaciones/${STATEMENT}`);
  // Closed at 06:00:12 UTC on November 23.
  // The year is named in other years than its own.
  expect(text).toMatch(/22 nov( 2026)?, 10:00/);
});

it('a day that somebody types is the day of that time zone', async () => {
  const form = { userId: STORE, kind: 'access', channel: 'letter', identityProof: 'official-id' };
  await post('/privacidad', { ...form, receivedAt: '2026-02-26' });
  const [request] = changes();
  const { receivedAt } = JSON.parse(request?.body ?? '{}') as { receivedAt: string };
  expect(new Date(receivedAt)).toEqual(new Date('2026-02-26T00:00:00-08:00'));
});
