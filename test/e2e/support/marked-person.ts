import { randomInt, randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn } from '@fiado/chassis/testing/stand-in';
import sharp from 'sharp';
import { waitFor, type Api } from './api';
import { codeIn, type Provider, randomPhone, type Wholesaler } from './story';

/** A text that stands in one place of what is sent about a person, and nowhere else. */
const mark = (name: string): string => `zq${name}${randomInt(1e6, 1e7)}`;
/** The same of degrees. A zero at the end would be lost in a number. */
const degrees = (whole: number): string => `${whole}.${randomInt(1e7, 1e8)}7`;

/** What is sent about one person, each time another one. */
function newMarks() {
  return {
    first: mark('first'),
    last: mark('last'),
    importedFirst: mark('importedfirst'),
    importedLast: mark('importedlast'),
    correctedFirst: mark('correctedfirst'),
    correctedLast: mark('correctedlast'),
    storeName: mark('storename'),
    correctedStoreName: mark('correctedstore'),
    address: mark('address'),
    external: mark('external'),
    otherExternal: mark('otherexternal'),
    phone: randomPhone(),
    newPhone: randomPhone(),
    contact: mark('contact'),
    otherContact: mark('othercontact'),
    contactPhone: randomPhone(),
    otherContactPhone: randomPhone(),
    latitude: degrees(19),
    longitude: degrees(-99),
    noteKey: mark('notekey'),
    note: mark('note'),
    rejection: mark('rejection'),
    approval: mark('approval'),
    limitReason: mark('limitreason'),
    order: mark('order'),
    otherOrder: mark('otherorder'),
    linkedOrder: mark('linkedorder'),
    refusedOrder: mark('refusedorder'),
    orderNoteKey: mark('ordernotekey'),
    orderNote: mark('ordernote'),
    otherOrderNote: mark('otherordernote'),
    refusedNote: mark('refusednote'),
    deliveryLatitude: degrees(20),
    deliveryLongitude: degrees(-100),
    deliveryNote: mark('deliverynote'),
    creditNote: mark('creditnote'),
    paidAt: `2025-03-17 04:${randomInt(10, 60)}:${randomInt(10, 60)}.${randomInt(100, 1000)}`,
    payment: mark('payment'),
    otherPayment: mark('otherpayment'),
    payer: mark('payer'),
    otherPayer: mark('otherpayer'),
    wrongReference: mark('wrongreference'),
    reversal: mark('reversal'),
    bankReference: mark('bankreference'),
    payout: mark('payout'),
    answer: mark('answer'),
    image: mark('image'),
  };
}

export type Marks = ReturnType<typeof newMarks>;

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

/** A store of two wholesalers that has been through everything, owes nothing and is owed nothing. */
export async function seedMarkedPerson(system: Api, parties: Parties): Promise<MarkedPerson> {
  const marks = newMarks();
  const { wholesalers, provider } = parties;
  const [first, second] = wholesalers;
  const ops = asking(system, system.opsKey);
  const own = asking(system, first.key);
  const receiver = await startStandIn(() => ({ status: 200, body: { note: marks.answer } }));
  try {
    await own('POST', '/webhook-endpoints', { url: receiver.url });
    const known = await importTo(ops, first, marks.external, marks);
    await importTo(ops, second, marks.otherExternal, marks);
    const { userId, cornerStoreId } = known;
    const kycLink = await onboard(system, { ...parties, userId, cornerStoreId, marks });
    const links = { userId };
    const { accountLink } = await own('POST', '/link/account', links);

    await sell(system, { ...parties, cornerStoreId, marks });
    await returnCredit(system, { provider, cornerStoreId, marks });
    await correct(ops, userId, marks);
    // The receiver's answers are stored beside the events.
    await waitFor(async () => {
      const { webhookEndpoints } = await own('GET', '/webhook-endpoints');
      const [{ webhookEndpointId }] = webhookEndpoints;
      const list = await own('GET', `/webhook-endpoints/${webhookEndpointId}/deliveries`);
      const statuses = list.deliveries.map(({ status }: { status: string }) => status);
      return (statuses.length > 0 && !statuses.includes('pending')) || undefined;
    });
    const { webhookEndpoints } = await own('GET', '/webhook-endpoints');
    await own('DELETE', `/webhook-endpoints/${webhookEndpoints[0].webhookEndpointId}`);
    const tokens = [kycLink, accountLink].map((link: string) => new URL(link).pathname);
    return { ...known, marks, tokens: tokens.map((path) => path.split('/').at(-1) ?? '') };
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

async function importTo(
  ops: Ask,
  { wholesalerId }: Wholesaler,
  externalId: string,
  { importedFirst: firstName, importedLast: lastNames, phone: phoneNumber }: Marks,
): Promise<{ userId: string; cornerStoreId: string }> {
  const row = { externalId, firstName, lastNames, phoneNumber };
  const { customers } = await ops('POST', `/admin/wholesalers/${wholesalerId}/customers`, {
    customers: [{ ...row, creditLimit: 10_000, interestRate: 0.05 }],
  });
  return customers[0];
}

interface Onboarding extends Parties {
  userId: string;
  cornerStoreId: string;
  marks: Marks;
}

/** @returns the link of an identity check, which is not used */
async function onboard(
  system: Api,
  { wholesalers: [wholesaler], userId, cornerStoreId, marks }: Onboarding,
): Promise<string> {
  const ops = asking(system, system.opsKey);
  const own = asking(system, wholesaler.key);
  const { verificationId } = await own('POST', `/account/${userId}/verification`, {
    firstName: marks.first,
    lastNames: marks.last,
    phoneNumber: marks.phone,
    latitude: marks.latitude,
    longitude: marks.longitude,
    contacts: [
      { fullName: marks.contact, phoneNumber: marks.contactPhone },
      { fullName: marks.otherContact, phoneNumber: marks.otherContactPhone },
    ],
    metadata: { [marks.noteKey]: marks.note },
    consent: { noticeVersion: '1', acceptedAt: new Date().toISOString() },
  });
  const path = `/account/${userId}/verification/${verificationId}`;
  const code = codeIn(await system.sms(marks.phone, 'verification-code'));
  await own('PUT', path, { code });
  const { kycLink } = await own('POST', '/link/kyc', { userId, verificationId });
  const steps = ['DOCUMENT_IMAGE_FRONTAL', 'DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE'];
  for (const step of steps) {
    const image = await picture(marks.image);
    const document = { fileExtension: 'jpg', base64Content: image.toString('base64') };
    await own('PUT', `${path}/onboarding`, { step, document });
  }
  const information = {
    cornerStoreType: 'MISCELÁNEA',
    businessLifetime: 'ONE-TO-TWO_YEARS',
    ownershipStatus: 'DUEÑO',
    cornerStoreName: marks.storeName,
    cornerStoreAddress: marks.address,
    localeOwner: 'ALQUILADO',
  };
  await own('PUT', `${path}/onboarding`, { step: 'CORNER_STORE_INFORMATION', information });
  await own('PUT', `${path}/onboarding`, { step: 'COMPLETED' });
  const store = `/admin/corner-stores/${cornerStoreId}`;
  await ops('POST', `${store}/reject`, { reason: marks.rejection });
  await ops('POST', `${store}/approve`, { reason: marks.approval });
  await ops('PUT', store, { creditLimit: 12_000, reason: marks.limitReason });
  return kycLink;
}

/** A JPEG whose metadata have the text. */
function picture(text: string): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const create = { width: 800, height: 600, channels: 3 as const, background: '#888888', noise };
  return sharp({ create })
    .withExif({ IFD0: { ImageDescription: text } })
    .jpeg()
    .toBuffer();
}

const PRODUCTS = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

interface Sale extends Parties {
  cornerStoreId: string;
  marks: Marks;
}

/** An order of each wholesaler, delivered and paid; a refused one, and one by a link. */
async function sell(
  system: Api,
  { wholesalers: [first, second], provider, cornerStoreId, marks }: Sale,
): Promise<void> {
  const order = { cornerStoreId, products: PRODUCTS };
  const refused = await system.call(first.key, 'POST', '/transaction', {
    body: {
      ...order,
      totalAmount: 1_000_000,
      wholesalerTransactionId: marks.refusedOrder,
      metadata: { note: marks.refusedNote },
    },
  });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const linked = await asking(system, first.key)('POST', `/link/external/${marks.external}`, {
    transaction: {
      totalAmount: 100,
      products: PRODUCTS,
      wholesalerTransactionId: marks.linkedOrder,
    },
  });
  await asking(system, first.key)('POST', `/transaction/${linked.transactionId}/cancel`);
  const bought = await buy(system, first, marks, {
    ...order,
    totalAmount: 1000,
    wholesalerTransactionId: marks.order,
    metadata: { [marks.orderNoteKey]: marks.orderNote },
  });
  await asking(system, first.key)('POST', `/transaction/${bought}/credit-notes`, {
    amount: 100,
    reason: 'return',
    reference: marks.creditNote,
  });
  await repay(system, { key: first.key, provider, transactionId: bought, marks });
  const other = await buy(system, second, marks, {
    ...order,
    totalAmount: 500,
    wholesalerTransactionId: marks.otherOrder,
    metadata: { note: marks.otherOrderNote },
  });
  await repay(system, { key: second.key, provider, transactionId: other, marks });
}

/** Orders, confirms by the code and delivers. @returns the order's id */
async function buy(
  system: Api,
  { key }: Wholesaler,
  marks: Marks,
  body: { totalAmount: number; [field: string]: unknown },
): Promise<string> {
  const own = asking(system, key);
  const messages = `/admin/messages?phoneNumber=${encodeURIComponent(marks.phone)}`;
  const { messages: sent } = (await system.call(system.opsKey, 'GET', messages)).body;
  const codes = sent.filter((one: { template: string }) => one.template === 'order-code').length;
  const { transactionId, verificationId } = await waitFor(() =>
    own('POST', '/transaction', body).catch(() => undefined),
  );
  const code = codeIn(await system.sms(marks.phone, 'order-code', codes));
  await own('PUT', `/transaction/${transactionId}/verification/${verificationId}`, {
    errorCode: code,
  });
  await own('PUT', `/transaction/${transactionId}`, {
    status: 'delivery',
    transactionAmount: body.totalAmount,
    latitude: Number(marks.deliveryLatitude),
    longitude: Number(marks.deliveryLongitude),
    description: marks.deliveryNote,
  });
  return transactionId;
}

interface Repayment {
  key: string;
  provider: Provider;
  transactionId: string;
  marks: Marks;
}

/** Pays a debt twice: once by a deposit that is reversed. A third notice contradicts the second. */
async function repay(
  system: Api,
  { key, provider, transactionId, marks }: Repayment,
): Promise<void> {
  const own = asking(system, key);
  const debt = await waitFor(() =>
    own('GET', `/transaction/${transactionId}/payment`).catch(() => undefined),
  );
  const isFirst = !(await depositsOf(system)).some(
    ({ claveDePago }) => claveDePago === marks.payment,
  );
  const notice = {
    idFactura: debt.idFactura,
    numeroReferencia: debt.numeroReferencia,
    valor: debt.amountDue,
    fechaPago: marks.paidAt,
    claveDePago: isFirst ? marks.payment : marks.otherPayment,
    payer: marks.payer,
  };
  if (isFirst) {
    await deposit(system, provider, notice);
    const id = await appliedId(system, marks.payment);
    await asking(system, system.opsKey)('POST', `/admin/deposits/${id}/reverse`, {
      reason: marks.reversal,
    });
    const again = { ...notice, claveDePago: randomUUID() };
    await deposit(system, provider, again);
    const path = depositPath(provider);
    const body = { ...again, valor: 1, payer: marks.otherPayer };
    expect((await system.call(provider.key, 'POST', path, { body })).status).toBe(409);
  } else await deposit(system, provider, notice);
  await waitFor(async () => {
    const read = await own('GET', `/transaction/${transactionId}`);
    return read.transactionStatus === 'paid' || undefined;
  });
}

function depositPath({ name }: Provider): string {
  return `/customer-transaction/payment/deposit?paymentProviderName=${encodeURIComponent(name)}`;
}

async function deposit(system: Api, provider: Provider, body: object): Promise<void> {
  await asking(system, provider.key)('POST', depositPath(provider), body);
}

interface Deposit {
  depositId: string;
  claveDePago: string;
  status: string;
}

async function depositsOf(system: Api): Promise<Deposit[]> {
  return (await asking(system, system.opsKey)('GET', '/admin/deposits?limit=100')).deposits;
}

async function appliedId(system: Api, key: string, status = 'applied'): Promise<string> {
  return waitFor(async () => {
    const found = (await depositsOf(system)).find((one) => one.claveDePago === key);
    return found?.status === status ? found.depositId : undefined;
  });
}

/** A deposit with a wrong reference, which staff assign to the store, and which is paid back. */
async function returnCredit(
  system: Api,
  { provider, cornerStoreId, marks }: Omit<Sale, 'wholesalers'>,
): Promise<void> {
  const ops = asking(system, system.opsKey);
  const claveDePago = randomUUID();
  await deposit(system, provider, {
    idFactura: marks.wrongReference,
    numeroReferencia: marks.wrongReference,
    valor: 50,
    fechaPago: '2026-11-20 10:00:00.000',
    claveDePago,
  });
  const id = await appliedId(system, claveDePago, 'unmatched');
  await ops('POST', `/admin/deposits/${id}/assign`, { cornerStoreId });
  await waitFor(() =>
    ops('POST', `/admin/corner-stores/${cornerStoreId}/payouts`, {
      amount: 50,
      bankReference: marks.bankReference,
      reason: marks.payout,
    }).catch(() => undefined),
  );
}

async function correct(ops: Ask, userId: string, marks: Marks): Promise<void> {
  const { privacyRequestId } = await ops('POST', '/admin/privacy-requests', {
    userId,
    kind: 'rectification',
    channel: 'email',
    identityProof: 'official-id',
  });
  await ops('POST', `/admin/privacy-requests/${privacyRequestId}/answer`, {
    outcome: 'granted',
    corrections: {
      firstName: marks.correctedFirst,
      lastNames: marks.correctedLast,
      cornerStoreName: marks.correctedStoreName,
      phoneNumber: marks.newPhone,
    },
  });
}
