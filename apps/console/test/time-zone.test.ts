import { startConsoleOnStandIn, type ConsoleOnStandIn } from './support/console-on-stand-in';
import { SESSION, STATEMENT } from './support/stand-in-gateway';

let running: ConsoleOnStandIn;

beforeAll(async () => {
  running = await startConsoleOnStandIn({ TIME_ZONE: 'America/Tijuana' });
});
afterAll(() => running.stop());

it('days and hours are those of the time zone of the lender', async () => {
  const { text } = await running.send('GET', `/liquidaciones/${STATEMENT}`, { session: SESSION });
  // Closed at 06:00:12 UTC on November 23.
  expect(text).toMatch(/22 nov, 10:00/);
});
