import { randomInt, randomUUID } from 'node:crypto';
import type { Keys } from './keys';
import type { Json, Narrator } from './narrator';

const CREDIT_LIMIT = 10_000;
const ORDERED = 2500;
const DELIVERED = 2400.5;

/** A store with its telephone, as the story goes along. */
interface Store {
  externalId: string;
  phone: string;
  userId: string;
  cornerStoreId: string;
}

/** The main story: a corner store is loaded, approved, buys on credit, is delivered, and pays. */
export async function tellStory(narrator: Narrator, keys: Keys): Promise<void> {
  const store = await loadStore(narrator, keys);
  await verifyPhone(narrator, keys, store);
  await approve(narrator, keys, store);
  const transactionId = await buyOnCredit(narrator, keys, store);
  await deliver(narrator, keys, transactionId, store);
  await pay(narrator, keys, transactionId);
  await seeCreditBack(narrator, keys, transactionId, store);
}

async function loadStore(narrator: Narrator, keys: Keys): Promise<Store> {
  narrator.chapter('1. The lender loads a customer of the wholesaler');
  const externalId = `tienda-${randomUUID().slice(0, 8)}`;
  const phone = `+52555${randomInt(1_000_000, 9_999_999)}`;
  const customer = { externalId, firstName: 'Lucía', lastNames: 'Ortega Díaz', phoneNumber: phone };
  const { customers } = await narrator.call({
    as: keys.ops,
    method: 'POST',
    path: `/admin/wholesalers/${keys.wholesalerId}/customers`,
    body: { customers: [{ ...customer, creditLimit: CREDIT_LIMIT, interestRate: 0.05 }] },
    expect: 201,
  });
  const [{ userId, cornerStoreId }] = customers as [Json];
  return { externalId, phone, userId: String(userId), cornerStoreId: String(cornerStoreId) };
}

async function verifyPhone(narrator: Narrator, keys: Keys, store: Store): Promise<void> {
  narrator.chapter('2. The store proves its phone');
  const { verificationId } = await narrator.call({
    as: keys.wholesaler,
    method: 'POST',
    path: `/account/${store.userId}/verification`,
    body: { firstName: 'Lucía', lastNames: 'Ortega Díaz', phoneNumber: store.phone },
    expect: 201,
  });
  const code = codeIn(await narrator.sms(keys.ops, store.phone, 'verification-code', 0));
  await narrator.call({
    as: keys.wholesaler,
    method: 'PUT',
    path: `/account/${store.userId}/verification/${String(verificationId)}`,
    body: { code },
    expect: 200,
  });
}

async function approve(narrator: Narrator, keys: Keys, store: Store): Promise<void> {
  narrator.chapter('3. The lender approves it');
  await narrator.call({
    as: keys.ops,
    method: 'POST',
    path: `/admin/corner-stores/${store.cornerStoreId}/approve`,
    expect: 200,
  });
  await narrator.call(lookUp(keys, store));
}

async function buyOnCredit(narrator: Narrator, keys: Keys, store: Store): Promise<string> {
  narrator.chapter('4. The store buys on credit, with a code by SMS');
  const created = await narrator.call({
    as: keys.wholesaler,
    method: 'POST',
    path: '/transaction',
    body: {
      cornerStoreId: store.cornerStoreId,
      totalAmount: ORDERED,
      wholesalerTransactionId: `pedido-${randomUUID().slice(0, 8)}`,
      products: [{ externalSKU: 'REF-600', name: 'Refresco 600 ml', quantity: 120 }],
    },
    expect: 201,
  });
  const transactionId = String(created.transactionId);
  const path = `/transaction/${transactionId}/verification/${String(created.verificationId)}`;
  const code = codeIn(await narrator.sms(keys.ops, store.phone, 'order-code', 0));

  narrator.say('A wrong code is refused:');
  const wrong = { errorCode: code === '000000' ? '111111' : '000000' };
  const confirm = { as: keys.wholesaler, method: 'PUT', path };
  await narrator.call({ ...confirm, body: wrong, expect: 422 });
  narrator.say('The right one confirms the order, and the delivery word goes out:');
  await narrator.call({ ...confirm, body: { errorCode: code }, expect: 200 });
  return transactionId;
}

async function deliver(
  narrator: Narrator,
  keys: Keys,
  transactionId: string,
  store: Store,
): Promise<void> {
  narrator.chapter('5. The goods arrive, a little less than ordered');
  const text = await narrator.sms(keys.ops, store.phone, 'delivery-word', 0);
  const deliveryWord = /palabra de entrega es (\p{L}+)/u.exec(text)?.[1];
  if (deliveryWord === undefined) throw new Error(`no delivery word in: ${text}`);
  await narrator.call({
    as: keys.wholesaler,
    method: 'PUT',
    path: `/transaction/${transactionId}`,
    body: { status: 'delivery', transactionAmount: DELIVERED, deliveryWord },
    expect: 200,
  });
  await narrator.sms(keys.ops, store.phone, 'delivered-amount', 0);
  await narrator.call(lookUp(keys, store));
}

async function pay(narrator: Narrator, keys: Keys, transactionId: string): Promise<void> {
  narrator.chapter('6. The store pays at a payment provider');
  const reference = await narrator.call({
    as: keys.wholesaler,
    method: 'GET',
    path: `/transaction/${transactionId}/payment`,
    expect: 200,
  });
  await narrator.call({
    as: keys.provider,
    method: 'POST',
    path: `/customer-transaction/payment/deposit?paymentProviderName=${encodeURIComponent(keys.providerName)}`,
    body: {
      idFactura: reference.idFactura,
      numeroReferencia: reference.numeroReferencia,
      valor: reference.amountDue,
      fechaPago: `${new Date().toISOString().slice(0, 10)} 00:00:00.000`,
      claveDePago: randomUUID(),
    },
    expect: 200,
  });
}

async function seeCreditBack(
  narrator: Narrator,
  keys: Keys,
  transactionId: string,
  store: Store,
): Promise<void> {
  narrator.chapter('7. The credit is back');
  const back = await narrator.callUntil(
    lookUp(keys, store),
    ({ creditLimitAvailable }) => creditLimitAvailable === CREDIT_LIMIT,
  );
  await narrator.callUntil(
    { as: keys.wholesaler, method: 'GET', path: `/transaction/${transactionId}`, expect: 200 },
    ({ transactionStatus }) => transactionStatus === 'paid',
  );
  narrator.say('');
  narrator.say(`The credit line is back at its limit: ${String(back.creditLimitAvailable)}.`);
}

/** getCornerStore: the store as its wholesaler sees it. */
function lookUp(keys: Keys, { externalId }: Store) {
  const path = `/corner-store/external/${externalId}`;
  return { as: keys.wholesaler, method: 'GET', path, expect: 200 };
}

function codeIn(text: string): string {
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}
