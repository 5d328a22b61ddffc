import { randomInt, randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn } from '@fiado/chassis/testing/stand-in';
import { noiseJpeg } from '../../support/noise-jpeg';
import { waitFor, type Api } from './api';
import { codeIn, importStore, randomPhone, type Provider, type Wholesaler } from './story';

/** What is sent about one person and stands nowhere else, by its name: made when it is first asked for. */
class Marks {
  readonly all: Record<string, string> = {};

  text(name: string): string {
    return (this.all[name] ??= `zq${name.toLowerCase()}${randomInt(1e6, 1e7)}`);
  }

  phone(name: string): string {
    return (this.all[name] ??= randomPhone());
  }

  /** A zero at the end would be lost in a number. */
  degrees(name: string, whole: number): string {
    return (this.all[name] ??= `${whole}.${randomInt(1e7, 1e8)}7`);
  }

  get paidAt(): string {
    const [minute, second] = [randomInt(10, 60), randomInt(10, 60)];
    return (this.all['paidAt'] ??= `2025-03-17 04:${minute}:${second}.${randomInt(100, 1000)}`);
  }
}

export interface MarkedPerson {
  userId: string;
  cornerStoreId: string;
  marks: Marks;
  /** Secrets in the addresses of links. */
  tokens: string[];
}

export interface Parties {
  wholesalers: [Wholesaler, Wholesaler];
  provider: Provider;
}

/** The person, and who deals with it. */
interface Scene extends Parties {
  system: Api;
  ops: Ask;
  userId: string;
  cornerStoreId: string;
  marks: Marks;
}

/** A store of two wholesalers that has been through everything, owes nothing and is owed nothing. */
export async function seedMarkedPerson(system: Api, parties: Parties): Promise<MarkedPerson> {
  const marks = new Marks();
  const [first, second] = parties.wholesalers;
  const own = asking(system, first.key);
  const receiver = await startStandIn(() => ({
    status: 200,
    body: { note: marks.text('answer') },
  }));
  try {
    await own('POST', '/webhook-endpoints', { url: receiver.url });
    const firstName = marks.text('importedFirst');
    const customer = {
      firstName,
      lastNames: marks.text('importedLast'),
      phone: marks.phone('phone'),
    };
    const store = { ...customer, externalId: marks.text('external') };
    const { userId, cornerStoreId } = await importStore(system, first, store);
    await importStore(system, second, { ...customer, externalId: marks.text('otherExternal') });
    const ops = asking(system, system.opsKey);
    const scene = { ...parties, system, ops, userId, cornerStoreId, marks };
    const kycLink = await onboard(scene);

    await sell(scene);
    await returnCredit(scene);
    await correct(scene);
    // The receiver's answers are stored beside the events.
    const [{ webhookEndpointId }] = (await own('GET', '/webhook-endpoints')).webhookEndpoints;
    const endpoint = `/webhook-endpoints/${webhookEndpointId}`;
    await waitFor(async () => {
      const { deliveries } = await own('GET', `${endpoint}/deliveries`);
      const statuses = deliveries.map(({ status }: { status: string }) => status);
      return (statuses.length > 0 && !statuses.includes('pending')) || undefined;
    });
    await own('DELETE', endpoint);
    const tokens = [kycLink.split('/').at(-1) ?? ''];
    return { userId, cornerStoreId, marks, tokens };
  } finally {
    await receiver.stop();
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer['body']>;

/** Calls the API and returns the answer. @throws Error for a refusal */
function asking(system: Api, key: string): Ask {
  return async (method, path, body) => {
    const answer = await system.call(key, method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
}

/** @returns the link of an identity check, which is not used */
async function onboard(scene: Scene): Promise<string> {
  const { system, ops, userId, marks, cornerStoreId } = scene;
  const own = asking(system, scene.wholesalers[0].key);
  const { verificationId } = await own('POST', `/account/${userId}/verification`, {
    firstName: marks.text('first'),
    lastNames: marks.text('last'),
    phoneNumber: marks.phone('phone'),
    latitude: marks.degrees('latitude', 19),
    longitude: marks.degrees('longitude', -99),
    contacts: [
      { fullName: marks.text('contact'), phoneNumber: marks.phone('contactPhone') },
      { fullName: marks.text('otherContact'), phoneNumber: marks.phone('otherContactPhone') },
    ],
    metadata: { [marks.text('noteKey')]: marks.text('note') },
    consent: { noticeVersion: '1', acceptedAt: new Date().toISOString() },
  });
  const path = `/account/${userId}/verification/${verificationId}`;
  const code = codeIn(await system.sms(marks.phone('phone'), 'verification-code'));
  await own('PUT', path, { code });
  const { kycLink } = await own('POST', '/link/kyc', { userId, verificationId });
  const steps = ['DOCUMENT_IMAGE_FRONTAL', 'DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE'];
  for (const step of steps) {
    const image = await noiseJpeg({ text: marks.text('image') });
    const document = { fileExtension: 'jpg', base64Content: image.toString('base64') };
    await own('PUT', `${path}/onboarding`, { step, document });
  }
  const information = {
    cornerStoreType: 'MISCELÁNEA',
    businessLifetime: 'ONE-TO-TWO_YEARS',
    ownershipStatus: 'DUEÑO',
    cornerStoreName: marks.text('storeName'),
    cornerStoreAddress: marks.text('address'),
    localeOwner: 'ALQUILADO',
  };
  await own('PUT', `${path}/onboarding`, { step: 'CORNER_STORE_INFORMATION', information });
  await own('PUT', `${path}/onboarding`, { step: 'COMPLETED' });
  await own('PUT', `/account/${userId}/tax-profile`, {
    rfc: 'LULU800101AB1',
    legalName: 'GUADALUPE LUNA LUNA',
    taxRegime: '626',
    postalCode: '06000',
    cfdiUse: 'G01',
    email: `${marks.text('taxEmail')}@tienda.example`,
  });
  const store = `/admin/corner-stores/${cornerStoreId}`;
  await ops('POST', `${store}/reject`, { reason: marks.text('rejection') });
  await ops('POST', `${store}/approve`, { reason: marks.text('approval') });
  await ops('PUT', store, { creditLimit: 12_000, reason: marks.text('limitReason') });
  return kycLink;
}

const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

/** An order of each wholesaler, delivered and paid; a refused one, and one by a link. */
async function sell(scene: Scene): Promise<void> {
  const { system, wholesalers, cornerStoreId, marks } = scene;
  const [first, second] = wholesalers;
  const own = asking(system, first.key);
  const body = {
    cornerStoreId,
    products,
    totalAmount: 1_000_000,
    wholesalerTransactionId: marks.text('refusedOrder'),
    metadata: { note: marks.text('refusedNote') },
  };
  const refused = await system.call(first.key, 'POST', '/transaction', { body });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const wholesalerTransactionId = marks.text('linkedOrder');
  const linked = await own('POST', `/link/external/${marks.text('external')}`, {
    transaction: { totalAmount: 100, products, wholesalerTransactionId },
  });
  await own('POST', `/transaction/${linked.transactionId}/cancel`);
  const bought = await buy(scene, first, {
    totalAmount: 1000,
    wholesalerTransactionId: marks.text('order'),
    metadata: { [marks.text('orderNoteKey')]: marks.text('orderNote') },
  });
  const creditNote = { amount: 100, reason: 'return', reference: marks.text('creditNote') };
  await own('POST', `/transaction/${bought}/credit-notes`, creditNote);
  await repay(scene, first, bought);
  const other = await buy(scene, second, {
    totalAmount: 500,
    wholesalerTransactionId: marks.text('otherOrder'),
    metadata: { note: marks.text('otherOrderNote') },
  });
  await repay(scene, second, other);
}

/** Orders, confirms by the code and delivers. @returns the order's id */
async function buy(
  { system, ops, cornerStoreId, marks }: Scene,
  { key }: Wholesaler,
  order: { totalAmount: number; [field: string]: unknown },
): Promise<string> {
  const own = asking(system, key);
  const phone = marks.phone('phone');
  const { messages } = await ops('POST', '/admin/messages/search', { phoneNumber: phone });
  const codes = messages.filter(
    (one: { template: string }) => one.template === 'order-code',
  ).length;
  const { transactionId, verificationId } = await waitFor(() =>
    own('POST', '/transaction', { cornerStoreId, products, ...order }).catch(() => undefined),
  );
  const errorCode = codeIn(await system.sms(phone, 'order-code', codes));
  const path = `/transaction/${transactionId}`;
  await own('PUT', `${path}/verification/${verificationId}`, { errorCode });
  await own('PUT', path, {
    status: 'delivery',
    transactionAmount: order.totalAmount,
    latitude: Number(marks.degrees('deliveryLatitude', 20)),
    longitude: Number(marks.degrees('deliveryLongitude', -100)),
    description: marks.text('deliveryNote'),
  });
  return transactionId;
}

/** Pays a debt twice: once by a deposit that is reversed. A third notice contradicts the second. */
async function repay(scene: Scene, { key }: Wholesaler, transactionId: string): Promise<void> {
  const { system, ops, provider, marks } = scene;
  const own = asking(system, key);
  const debt = await waitFor(() =>
    own('GET', `/transaction/${transactionId}/payment`).catch(() => undefined),
  );
  const isFirst = (await depositOf(scene, marks.text('payment'))) === undefined;
  const notice = {
    idFactura: debt.idFactura,
    numeroReferencia: debt.numeroReferencia,
    valor: debt.amountDue,
    fechaPago: marks.paidAt,
    claveDePago: isFirst ? marks.text('payment') : marks.text('otherPayment'),
    payer: marks.text('payer'),
  };
  await deposit(scene, notice);
  if (isFirst) {
    const id = await depositWith(scene, notice.claveDePago, 'applied');
    await ops('POST', `/admin/deposits/${id}/reverse`, { reason: marks.text('reversal') });
    const again = { ...notice, claveDePago: randomUUID() };
    await deposit(scene, again);
    const body = { ...again, valor: 1, payer: marks.text('otherPayer') };
    const path = depositPath(provider);
    expect((await system.call(provider.key, 'POST', path, { body })).status).toBe(409);
  }
  await waitFor(async () => {
    const read = await own('GET', `/transaction/${transactionId}`);
    return read.transactionStatus === 'paid' || undefined;
  });
}

function depositPath({ name }: Provider): string {
  return `/customer-transaction/payment/deposit?paymentProviderName=${encodeURIComponent(name)}`;
}

async function deposit({ system, provider }: Scene, notice: object): Promise<void> {
  await asking(system, provider.key)('POST', depositPath(provider), notice);
}

interface Deposit {
  depositId: string;
  claveDePago: string;
  status: string;
}

async function depositOf({ ops }: Scene, claveDePago: string): Promise<Deposit | undefined> {
  const deposits: Deposit[] = (await ops('GET', '/admin/deposits?limit=100')).deposits;
  return deposits.find((one) => one.claveDePago === claveDePago);
}

/** Waits until a deposit has that status. @returns its id */
function depositWith(scene: Scene, claveDePago: string, status: string): Promise<string> {
  return waitFor(async () => {
    const found = await depositOf(scene, claveDePago);
    return found?.status === status ? found.depositId : undefined;
  });
}

/** A deposit with a wrong reference, which staff assign to the store, and which is paid back. */
async function returnCredit(scene: Scene): Promise<void> {
  const { ops, cornerStoreId, marks } = scene;
  const claveDePago = randomUUID();
  const reference = marks.text('wrongReference');
  const fechaPago = '2026-11-20 10:00:00.000';
  const named = { idFactura: reference, numeroReferencia: reference };
  await deposit(scene, { ...named, valor: 50, fechaPago, claveDePago });
  const id = await depositWith(scene, claveDePago, 'unmatched');
  await ops('POST', `/admin/deposits/${id}/assign`, { cornerStoreId });
  const payout = {
    amount: 50,
    bankReference: marks.text('bankReference'),
    reason: marks.text('payout'),
  };
  const path = `/admin/corner-stores/${cornerStoreId}/payouts`;
  await waitFor(() => ops('POST', path, payout).catch(() => undefined));
}

async function correct({ ops, userId, marks }: Scene): Promise<void> {
  const request = { userId, kind: 'rectification', channel: 'email', identityProof: 'official-id' };
  const { privacyRequestId } = await ops('POST', '/admin/privacy-requests', request);
  await ops('POST', `/admin/privacy-requests/${privacyRequestId}/answer`, {
    outcome: 'granted',
    corrections: {
      firstName: marks.text('correctedFirst'),
      lastNames: marks.text('correctedLast'),
      cornerStoreName: marks.text('correctedStoreName'),
      phoneNumber: marks.phone('newPhone'),
    },
  });
}
