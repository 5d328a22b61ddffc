import { sealedColumns } from '@fiado/chassis/testing/sealed-columns';
import { forAllTests } from '../../../test/support/for-all-tests';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import { startTransactions } from './support/transactions';

const OTHER_PHONE = '+525598765432';

const transactions = forAllTests(startTransactions);

/** Gives a corner store's line a sealed phone, as somebody does who can write to the database. */
async function setPhone(cornerStoreId: string, sealed: Buffer): Promise<void> {
  await transactions.rows('UPDATE credit_lines SET phone_sealed = $2 WHERE corner_store_id = $1', [
    cornerStoreId,
    sealed,
  ]);
}

it('a sealed phone that is copied to another corner store gets no code of it', async () => {
  const [victim, attacker] = [
    await transactions.createCornerStore(),
    await transactions.createCornerStore(),
  ];
  const sealed = Buffer.from(
    transactions.sealedPhone(attacker.cornerStoreId, OTHER_PHONE),
    'base64',
  );
  await setPhone(attacker.cornerStoreId, sealed);
  await setPhone(victim.cornerStoreId, sealed);
  const sentBefore = await transactions.outbox('send-message');

  expect((await transactions.order(victim)).status).toBe(500);
  expect(await transactions.outbox('send-message')).toEqual(sentBefore);

  const { status, body } = await transactions.order(attacker);
  expect(status).toBe(201);
  expect((await transactions.lastSms(body.transactionId)).phone).toBe(OTHER_PHONE);
});

it('the list of sealed values has every sealed column of the schema', async () => {
  const { inSchema, inList } = await sealedColumns(transactions, SEALED_TABLES);
  expect(inList).toEqual(inSchema);
});
