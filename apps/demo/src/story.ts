import { randomInt, randomUUID } from 'node:crypto';
import { FiadoError, type Fiado } from '@fiado/client';
import type { Keys } from './keys';
import type { Narrator } from './narrator';

const CREDIT_LIMIT = 10_000;
const ORDERED = 2500;
const DELIVERED = 2400.5;
const OWNER = { firstName: 'Lucía', lastNames: 'Ortega Díaz' };

/** A corner store as the story goes along. */
interface Store {
  externalId: string;
  phoneNumber: string;
  userId: string;
  cornerStoreId: string;
}

/** The main story: a corner store is loaded, approved, buys on credit, is delivered, and pays. */
export async function tellStory(narrator: Narrator, keys: Keys): Promise<void> {
  const fiado = narrator.client(keys.wholesaler);
  const store = await loadStore(narrator, keys, fiado);
  await verifyPhone(narrator, keys, fiado, store);
  narrator.chapter('3. The lender approves it');
  await narrator.ops({ key: keys.ops, path: `/corner-stores/${store.cornerStoreId}/approve` });
  await fiado.cornerStores.get(store.externalId);
  const transactionId = await buyOnCredit(narrator, keys, fiado, store);
  await deliver(narrator, keys, fiado, { ...store, transactionId });
  await pay(narrator, keys, fiado, transactionId);
  await seeCreditBack(narrator, keys, fiado, { ...store, transactionId });
}

async function loadStore(narrator: Narrator, keys: Keys, fiado: Fiado): Promise<Store> {
  narrator.chapter('1. The lender loads a customer of the wholesaler');
  const externalId = `tienda-${randomUUID().slice(0, 8)}`;
  const phoneNumber = `+52555${randomInt(1_000_000, 9_999_999)}`;
  const customer = { externalId, ...OWNER, phoneNumber, creditLimit: CREDIT_LIMIT };
  await narrator.ops({
    key: keys.ops,
    path: `/wholesalers/${keys.wholesalerId}/customers`,
    body: { customers: [{ ...customer, interestRate: 0.05 }] },
  });
  const { userId, cornerStoreId } = await fiado.cornerStores.get(externalId);
  return { externalId, phoneNumber, userId, cornerStoreId };
}

async function verifyPhone(
  narrator: Narrator,
  keys: Keys,
  fiado: Fiado,
  { userId, phoneNumber }: Store,
): Promise<void> {
  narrator.chapter('2. The store proves its phone');
  const body = { ...OWNER, phoneNumber };
  const { verificationId } = await fiado.accounts.createVerification(userId, body);
  const code = codeIn(await narrator.sms(keys.wholesaler, phoneNumber, 'verification-code'));
  await fiado.accounts.confirm(userId, verificationId, { code });
}

async function buyOnCredit(
  narrator: Narrator,
  keys: Keys,
  fiado: Fiado,
  { cornerStoreId, phoneNumber }: Store,
): Promise<string> {
  narrator.chapter('4. The store buys on credit, with a code by SMS');
  const { transactionId, verificationId } = await fiado.transactions.create({
    cornerStoreId,
    totalAmount: ORDERED,
    wholesalerTransactionId: `pedido-${randomUUID().slice(0, 8)}`,
    products: [{ externalSKU: 'REF-600', name: 'Refresco 600 ml', quantity: 120 }],
  });
  const code = codeIn(await narrator.sms(keys.wholesaler, phoneNumber, 'order-code'));
  const confirm = (errorCode: string): Promise<unknown> =>
    fiado.transactions.confirm(transactionId, verificationId, { errorCode });

  narrator.say('A wrong code is refused:');
  const refusal = await confirm(code === '000000' ? '111111' : '000000').catch((e: unknown) => e);
  if (!(refusal instanceof FiadoError) || refusal.status !== 422) {
    throw new Error('the wrong code was not refused', { cause: refusal });
  }
  narrator.say('The right one confirms the order, and the delivery word goes out:');
  await confirm(code);
  return transactionId;
}

async function deliver(
  narrator: Narrator,
  keys: Keys,
  fiado: Fiado,
  { phoneNumber, externalId, transactionId }: Store & { transactionId: string },
): Promise<void> {
  narrator.chapter('5. The goods arrive, a little less than ordered');
  const text = await narrator.sms(keys.wholesaler, phoneNumber, 'delivery-word');
  const deliveryWord = /palabra de entrega es (\p{L}+)/u.exec(text)?.[1];
  if (deliveryWord === undefined) throw new Error(`no delivery word in: ${text}`);
  const body = { status: 'delivery', transactionAmount: DELIVERED, deliveryWord } as const;
  await fiado.transactions.deliver(transactionId, body);
  await fiado.cornerStores.get(externalId);
}

async function pay(
  narrator: Narrator,
  keys: Keys,
  fiado: Fiado,
  transactionId: string,
): Promise<void> {
  narrator.chapter('6. The store pays at a payment provider');
  const { idFactura, numeroReferencia, amountDue } = await fiado.payments.get(transactionId);
  const deposit = {
    idFactura,
    numeroReferencia,
    valor: amountDue,
    fechaPago: `${new Date().toISOString().slice(0, 10)} 00:00:00.000`,
    claveDePago: randomUUID(),
  };
  const provider = narrator.client(keys.provider);
  await provider.payments.recordDeposit(deposit, { paymentProviderName: keys.providerName });
}

async function seeCreditBack(
  narrator: Narrator,
  keys: Keys,
  fiado: Fiado,
  { externalId, transactionId }: Store & { transactionId: string },
): Promise<void> {
  narrator.chapter('7. The credit is back');
  await narrator.until(keys.wholesaler, 'the whole credit line', async (quiet) => {
    const { creditLimitAvailable } = await quiet.cornerStores.get(externalId);
    const { transactionStatus } = await quiet.transactions.get(transactionId);
    return creditLimitAvailable === CREDIT_LIMIT && transactionStatus === 'paid';
  });
  const { creditLimitAvailable } = await fiado.cornerStores.get(externalId);
  await fiado.transactions.get(transactionId);
  narrator.say('');
  narrator.say(`The credit line is back at its limit: ${creditLimitAvailable}.`);
}

function codeIn(text: string): string {
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}
