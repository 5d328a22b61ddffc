import { randomInt, randomUUID } from 'node:crypto';
import { orderOf, placeOrder, type World } from '../../../contract/support/world';
import { noiseJpeg } from '../../../support/noise-jpeg';
import { approveStore, codeIn, createStore, importStore, randomPhone } from '../story';
import type { RunningSystem } from '../system';
import type { Needles } from './needles';

/** Names that nobody else in the test system has. */
export const NAMES = {
  firstName: 'Xóchitl Ñandú',
  lastNames: 'Zürrutia-Ibargüengoitia',
  fullName: 'Wenceslao Güemes-Ávalos',
  cornerStoreName: 'La Chiripiorca de Ñoño',
  cornerStoreAddress: 'Callejón del Zopilote 4711, Ñuñoa',
  payer: 'Quirino Äppelhof-Yáñez',
  rejected: 'Tlahuicole Büyükçe',
  email: 'xochitl.zurrutia@buzon-de-prueba.example',
  place: 'portón verde, toque el timbre de Xiuhtécatl',
};

/** A coordinate that is precise to a building and unique. */
function coordinate(degrees: number): number {
  return degrees + randomInt(1_000_000, 9_999_999) / 10_000_000;
}

const idempotent = () => ({ 'idempotency-key': randomUUID() });

/** A corner store from the import to the identity link, with a wrong code and an image on the way. */
export async function onboard({ system, wholesaler, inValidation }: World): Promise<void> {
  const customer = await importStore(system, wholesaler);
  const phone = randomPhone();
  const account = `/account/${customer.userId}`;
  const put = (path: string, body: object) =>
    system.call(wholesaler.key, 'PUT', path, { body, headers: idempotent() });

  const { body } = await system.call(wholesaler.key, 'POST', `${account}/verification`, {
    body: {
      ...pick(NAMES, ['firstName', 'lastNames']),
      phoneNumber: phone,
      latitude: String(coordinate(19)),
      longitude: String(-coordinate(99)),
      contacts: [{ fullName: NAMES.fullName, phoneNumber: randomPhone() }],
      metadata: { email: NAMES.email },
    },
    headers: idempotent(),
  });
  const path = `${account}/verification/${body.verificationId}`;
  await system.call(wholesaler.key, 'POST', path, { body: { phoneNumber: phone } });
  const code = codeIn(await system.sms(phone, 'verification-code', 1));
  await put(path, { code: other(code) });
  await put(path, { code });

  const image = await noiseJpeg({ text: NAMES.fullName });
  const document = { fileExtension: 'jpeg', base64Content: image.toString('base64') };
  await put(`${path}/onboarding`, { step: 'DOCUMENT_IMAGE_FRONTAL', document });
  await put(`${path}/onboarding`, { step: 'DOCUMENT_IMAGE_BACK', document: { ...document, a: 1 } });
  await put(`${path}/onboarding`, { step: 'STORE_IMAGE', document: { fileExtension: 'png' } });
  await put(`${path}/onboarding`, { step: 'CORNER_STORE_INFORMATION', information: INFORMATION });
  await put(`${path}/onboarding`, {
    step: 'CORNER_STORE_NAME_UPDATE',
    information: { cornerStoreName: NAMES.cornerStoreName },
  });
  await openKycLink(system, wholesaler.key, customer.userId, body.verificationId);
  await put(`${path}/onboarding`, { step: 'COMPLETED' });

  await put(account, { phoneNumber: randomPhone() });
  await put(account, { phoneNumber: spaced(inValidation.phone) });
  const store = `/admin/corner-stores/${customer.cornerStoreId}`;
  const documents = await system.call(system.opsKey, 'GET', `${store}/documents`);
  const [first] = documents.body.documents;
  await fetch(`${system.baseUrl}/v1${store}/documents/${first.documentId}`, {
    headers: { authorization: system.opsKey },
  });
  await system.call(system.opsKey, 'POST', `${store}/reject`, { body: { reason: NAMES.rejected } });
}

const INFORMATION = {
  cornerStoreType: 'ABARROTES',
  businessLifetime: 'LESS_THAN_ONE_YEAR',
  ownershipStatus: 'DUEÑO',
  cornerStoreName: NAMES.cornerStoreName,
  cornerStoreAddress: NAMES.cornerStoreAddress,
  localeOwner: 'PROPIO',
};

async function openKycLink(
  system: RunningSystem,
  key: string,
  userId: string,
  verificationId: string,
) {
  const { body } = await system.call(key, 'POST', '/link/kyc', {
    body: { userId, verificationId },
    headers: idempotent(),
  });
  const { pathname } = new URL(body.kycLink);
  await fetch(system.baseUrl + pathname);
  await fetch(`${system.baseUrl}${pathname}x`);
}

/** Orders with wrong codes and words, a delivery with a place, a link's page, an invoice refused. */
export async function buy(world: World, needles: Needles): Promise<void> {
  const { system, wholesaler, approved } = world;
  const customer = await createStore(system, wholesaler);
  const put = (path: string, body: object) =>
    system.call(wholesaler.key, 'PUT', path, { body, headers: idempotent() });

  const ordered = await placeOrder(system, wholesaler, customer, { metadata: { a: NAMES.email } });
  const path = `/transaction/${ordered.transactionId}`;
  const code = codeIn(await system.sms(customer.phone, 'order-code'));
  await put(`${path}/verification/${ordered.verificationId}`, { errorCode: other(code) });
  await put(`${path}/verification/${ordered.verificationId}`, { errorCode: code });
  const text = await system.sms(customer.phone, 'delivery-word');
  const [, word = ''] = /palabra de entrega es (\p{L}+)/u.exec(text) ?? [];
  await system.call(wholesaler.key, 'POST', `${path}/delivery-word`);
  await put(path, { status: 'delivery', transactionAmount: 150, deliveryWord: 'nadaquever' });
  const place = {
    latitude: coordinate(20),
    longitude: -coordinate(100),
    description: NAMES.place,
  };
  for (const value of Object.values(place)) needles.add('text', String(value));
  await put(path, { status: 'delivery', transactionAmount: 150, deliveryWord: word, ...place });

  const link = await system.call(wholesaler.key, 'POST', `/link/external/${approved.externalId}`, {
    body: { transaction: orderOf(approved) },
    headers: idempotent(),
  });
  const page = `${system.baseUrl}${new URL(link.body.link).pathname}`;
  await fetch(page);
  await fetch(`${page}/enviar`, { method: 'POST', redirect: 'manual' });
  await fetch(page, { method: 'POST', body: new URLSearchParams({ code: other(code) }) });
}

/** Money with the payer's name and phone on it, matched, unmatched and contradicted. */
export async function payIn({ system, provider }: World, needles: Needles): Promise<void> {
  const name = encodeURIComponent(provider.name);
  const path = `/customer-transaction/payment/deposit?paymentProviderName=${name}`;
  const phone = randomPhone();
  needles.add('phone', phone);
  needles.add('note', NAMES.payer);
  const body = {
    idFactura: 'renta',
    numeroReferencia: phone.slice(3),
    valor: 77.7,
    fechaPago: '2026-11-20 10:00:00.000',
    claveDePago: randomUUID(),
    pagador: NAMES.payer,
  };
  const pay = (fields: object) =>
    system.call(provider.key, 'POST', path, {
      body: { ...body, ...fields },
      headers: idempotent(),
    });
  await pay({});
  await pay({ valor: 77.8 });
  await pay({ fechaPago: NAMES.payer });
  await system.call(provider.key, 'POST', `${path}x`, { body });
}

/** Bodies that cannot be read, ids that are phones, credentials that are none. */
export async function blunder(world: World, needles: Needles): Promise<void> {
  const { system, wholesaler, approved } = world;
  const phone = randomPhone();
  needles.add('phone', phone);
  const customers = [
    { externalId: 'a', ...person(), phoneNumber: `${phone}99` },
    { externalId: 'b', ...person(), phoneNumber: phone, creditLimit: -1 },
    { externalId: approved.externalId, ...person(), phoneNumber: phone },
  ];
  const imports = `/admin/wholesalers/${wholesaler.wholesalerId}/customers`;
  for (const rows of [customers, customers.slice(2), [...customers.slice(2), ...customers]]) {
    await system.call(system.opsKey, 'POST', imports, { body: { customers: rows } });
  }
  const raw = JSON.stringify({ customers });
  for (const body of [raw.slice(0, -3), `${raw.slice(0, -2)},"x":"\\u0000"}`, `"${raw}`]) {
    await system.call(system.opsKey, 'POST', imports, { body });
    await system.call(wholesaler.key, 'POST', '/transaction', { body });
  }
  await system.call(wholesaler.key, 'POST', '/transaction', {
    body: raw,
    headers: { 'content-type': `text/plain; name=${phone.slice(1)}` },
  });
  for (const path of [
    '/corner-store/external/',
    '/transaction/external/',
    '/nothing/',
    '/account/',
  ]) {
    await system.call(wholesaler.key, 'GET', `${path}${phone.slice(3)}`);
    await system.call(wholesaler.key, 'GET', `${path}${encodeURIComponent(NAMES.fullName)}`);
  }
  for (const phoneNumber of [`${phone}abc`, phone.slice(3)]) {
    const body = { phoneNumber };
    await system.call(system.opsKey, 'POST', '/admin/messages/search', { body });
  }

  const token = (await system.call(wholesaler.key, 'POST', '/auth/token')).body.accessToken;
  for (const key of [token, `${token}x`, `Bearer ${wholesaler.key}x`, `${wholesaler.key}\t`]) {
    needles.add('secret', key.trim());
    await system.call(key, 'GET', `/transaction/${randomUUID()}`);
  }
  await approveStore(system, randomUUID());
}

function person(): object {
  return { ...pick(NAMES, ['firstName', 'lastNames']), creditLimit: 1000, interestRate: 0.05 };
}

function pick<Key extends keyof typeof NAMES>(
  from: typeof NAMES,
  keys: Key[],
): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Record<Key, string>;
}

/** Another code of six digits. */
function other(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

/** As people write it: `55 1234 5678`. */
function spaced(phone: string): string {
  return phone.slice(3).replace(/^(..)(....)(....)$/, '$1 $2 $3');
}
