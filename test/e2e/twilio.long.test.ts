import { buyAndPay, createProvider, createStore, createWholesaler } from './support/story';
import { startSystem, type System } from './support/system';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

let twilio: TwilioStandIn;
let system: System;
beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  system = await startSystem({
    env: {
      ...twilio.variables,
    },
  });
});
afterAll(async () => {
  await system.dispose();
  await twilio.stop();
});

it('every SMS of the story is posted by the SDK once', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  await buyAndPay(system, { wholesaler, provider, store });

  // Messages about debts follow in the daytime of the store alone.
  const posts = twilio.posts.filter(({ form }) => /es tu clave|palabra/.test(String(form.Body)));
  const bodies = posts.map(({ form }) => form.Body);
  expect(bodies).toEqual([
    expect.stringMatching(/^\d{6} es tu clave/),
    expect.stringMatching(/palabra de entrega/),
  ]);
  for (const { path, headers, form } of posts) {
    expect(path).toBe('/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json');
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(headers['user-agent']).toContain('twilio-node');
    expect(headers.authorization).toMatch(/^Basic /);
    expect(form).toMatchObject({ To: store.phone, From: '+15005550006' });
    expect(Number(form.ValidityPeriod)).toBeGreaterThan(0);
  }
});
