import { wholesaler } from '@fiado/chassis/testing/callers';
import { createCustomer, createWholesaler, startAccountsWithWholesaler } from './support/accounts';

it('the link to the account of a user is for the wholesaler’s own customers alone', async () => {
  const { accounts, wholesalerId } = await startAccountsWithWholesaler({
    config: { PUBLIC_URL: 'https://fiado.example/' },
  });
  const { userId, cornerStoreId } = await createCustomer(accounts, wholesalerId);
  const other = await createWholesaler(accounts);
  const create = async (of: string, by = wholesalerId): Promise<unknown> => {
    const { status, body } = await accounts.call(wholesaler(by), 'POST', '/v1/link/account', {
      body: { userId: of },
    });
    return [status, body.accountLink ?? body.errorCode];
  };
  expect(await create(userId)).toEqual([201, 'https://fiado.example/mi']);
  expect(await create(userId, other.wholesalerId)).toEqual([404, 'USER_NOT_FOUND']);
  expect(await create('someone')).toEqual([404, 'USER_NOT_FOUND']);
  await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [cornerStoreId]);
  expect(await create(userId)).toEqual([404, 'USER_NOT_FOUND']);
  await accounts.stop();
});
