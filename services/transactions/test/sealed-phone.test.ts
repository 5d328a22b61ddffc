import { createSealer } from '@fiado/shared/chassis/sealing';
import { TEST_ENVIRONMENT } from '@fiado/shared/testing/service';
import { bindingLoops } from '../src/jobs/bind-sealed-values';
import { PHONE, startHouse, type House } from './support/house';

const OTHER_PHONE = '+525598765432';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

/** Gives a corner store's line a sealed phone, as somebody does who can write to the database. */
async function setPhone(cornerStoreId: string, sealed: Buffer): Promise<void> {
  await house.rows('UPDATE credit_lines SET phone_sealed = $2 WHERE corner_store_id = $1', [
    cornerStoreId,
    sealed,
  ]);
}

it('a sealed phone that is copied to another corner store gets no code of it', async () => {
  const [victim, attacker] = [await house.openShop(), await house.openShop()];
  const sealed = Buffer.from(house.sealedPhone(attacker.cornerStoreId, OTHER_PHONE), 'base64');
  await setPhone(attacker.cornerStoreId, sealed);
  await setPhone(victim.cornerStoreId, sealed);
  const sentBefore = await house.outbox('send-message');

  expect((await house.order(victim)).status).toBe(500);
  expect(await house.outbox('send-message')).toEqual(sentBefore);

  const { status, body } = await house.order(attacker);
  expect(status).toBe(201);
  expect((await house.lastSms(body.transactionId)).phone).toBe(OTHER_PHONE);
});

it('a phone that the previous release sealed can still be read, and is bound by the loop', async () => {
  const shop = await house.openShop();
  const before = createSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY, { bind: false });
  const sealed = before.seal(PHONE, 'phone', '');
  await setPhone(shop.cornerStoreId, sealed);
  expect((await house.order(shop)).status).toBe(201);

  const bound = async (): Promise<Buffer> => {
    const [line] = await house.rows<{ phone_sealed: Buffer }>(
      'SELECT phone_sealed FROM credit_lines WHERE corner_store_id = $1',
      [shop.cornerStoreId],
    );
    return line?.phone_sealed ?? sealed;
  };
  const [loop] = bindingLoops(house.context);
  loop?.start();
  await loop?.stop();
  expect((await bound()).equals(sealed)).toBe(false);
  const { body } = await house.order(shop);
  expect((await house.lastSms(body.transactionId)).phone).toBe(PHONE);

  const other = await house.openShop();
  await setPhone(other.cornerStoreId, await bound());
  expect((await house.order(other)).status).toBe(500);
});
