import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import {
  EXAMPLE_CREDIT_NOTE,
  EXAMPLE_DISPUTE,
  EXAMPLE_INVOICE,
  EXAMPLE_ORDER,
  EXAMPLE_STATEMENT,
  EXAMPLE_TAX_DOCUMENT,
} from '@fiado/contracts/event-examples';

export const SESSION = `fiado_session_${'a'.repeat(43)}`;
export const ENDED_SESSION = `fiado_session_${'c'.repeat(43)}`;
/** A delivered order of 1,000 pesos, of which 400 were credited. */
export const ORDER = '8d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';
export const STORE = '5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';

const THE_ORDER = {
  ...EXAMPLE_ORDER,
  transactionId: ORDER,
  wholesaler: 'Abarrotes del Norte',
  wholesalerId: STORE,
  cornerStoreId: STORE,
  transactionStatus: 'delivery',
  totalAmount: 1000,
  interestRate: 0.05,
  deliveredAt: '2026-11-17T17:00:00.000Z',
  deliveryProof: 'none',
  products: [],
  verification: null,
  deliveryWord: null,
  creditNotes: [{ ...EXAMPLE_CREDIT_NOTE, amount: 400, reason: 'damaged', reference: 'DEV-7' }],
  invoice: EXAMPLE_INVOICE,
  statement: { statementId: '7d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11', number: 12 },
};

/** A statement that is to be paid. */
export const STATEMENT = '7d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';
export const CSV = 'lineId,kind\r\n1,delivery\r\n';

const THE_STATEMENT = {
  ...EXAMPLE_STATEMENT,
  wholesalerId: STORE,
  wholesaler: 'Abarrotes del Norte',
  statementId: STATEMENT,
  status: 'closed',
  sha256: 'aa',
  paidAt: null,
  paidOn: null,
  bankReference: null,
  pendingComplements: 0,
  commissionInvoice: 'issued',
  kinds: [
    { kind: 'delivery', lines: 2, grossAmount: 1600.5, commission: 32.01 },
    { kind: 'credit-note', lines: 1, grossAmount: -120, commission: -2.4 },
  ],
};

/** What the next statement has so far. */
const DRAFT = {
  status: 'draft',
  periodFrom: '2026-11-23T06:00:00.000Z',
  lines: 1,
  grossAmount: 1000,
  commission: 20,
  commissionIVA: 3.2,
  openingBalance: -311.6,
  netAmount: 665.2,
  amountDue: 665.2,
  heldLines: 2,
  heldAmount: 2321.5,
  kinds: [{ kind: 'delivery', lines: 1, grossAmount: 1000, commission: 20 }],
};

/** The request to pay it, which waits for a second person. */
const PAYMENT_REQUEST = {
  changeRequestId: STATEMENT,
  kind: 'statement.pay',
  targetId: STATEMENT,
  before: { wholesalerId: STORE, number: 12 },
  after: { amountCents: 66520, bankReference: 'SPEI-1', paidOn: '2026-11-24' },
  reason: null,
  status: 'pending',
  failure: null,
  requestedBy: 'b',
  requestedByName: 'Luis',
  requestedAt: '2026-11-24T16:00:00.000Z',
  decidedBy: null,
  decidedByName: null,
  decisionReason: null,
  decidedAt: null,
  expiresAt: '2026-11-27T16:00:00.000Z',
};

/** Its order is THE_ORDER; an item of a batch, which nothing proves. */
export const DISPUTE = '4d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';

const THE_DISPUTE = {
  ...EXAMPLE_DISPUTE,
  disputeId: DISPUTE,
  transactionId: ORDER,
  incrementalID: 42,
  wholesalerId: STORE,
  wholesaler: 'Abarrotes del Norte',
  cornerStoreId: STORE,
  totalAmountWithInterests: 1058,
  openedBy: 'sms',
  openedById: null,
  openedAt: '2026-11-17T20:00:00.000Z',
  decidedBy: null,
  reason: null,
  response: 'La recibió <su hermano>',
  respondedAt: '2026-11-18T20:00:00.000Z',
};

const PROOFS = {
  orderedAt: '2026-11-16T17:00:00.000Z',
  linked: false,
  codeSends: 0,
  confirmedAt: null,
  secondsToConfirm: null,
  driverId: 'driver-7',
  deliveredAt: '2026-11-17T17:00:00.000Z',
  deliveryProof: 'none',
  wrongWords: 0,
  place: '20.673612345678, -103.344',
  metresFromUsual: 1112,
  deliveriesOfWholesaler: 812,
  disputesOfWholesaler: 3,
  disputesOfDriver: 2,
  disputesOfStore: 1,
  keptOfStore: 0,
};

const OVERVIEW = {
  day: '2026-11-24',
  asOf: '2026-11-24T16:00:00.000Z',
  unavailable: [],
  waiting: { oldestUnmatchedSeconds: null, pendingChanges: 0 },
  orders: null,
  payments: null,
  messages: null,
};

/** An endpoint of a provider, which fails, and a failed delivery to a wholesaler. */
const WEBHOOKS = {
  webhookEndpoints: [{ ownerId: STORE, state: 'enabled', failures: 10 }],
  deliveries: [
    { type: 'transaction.paid', ownerId: '9e1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8007', subjectId: ORDER },
  ],
};

const VERIFY_RUN = {
  actorId: 'b',
  actorName: 'Luis',
  occurredAt: '2026-03-01T09:00:00.000Z',
  action: 'verify.recorded',
  details: { checks: 64, failed: 0 },
};

const PRIVACY = {
  privacyRequests: [{ answerDueAt: '2026-12-04T16:00:00.000Z' }],
  nextCursor: STORE,
};

const LINES = [
  {
    lineId: STORE,
    kind: 'delivery',
    transactionId: STORE,
    wholesalerTransactionId: 'PED-4711',
    cornerStoreId: STORE,
    occurredAt: '2026-11-17T17:00:00.000Z',
    grossAmount: 1480.5,
    commission: 29.61,
    netAmount: 1450.89,
    reason: null,
  },
];

const STORES = [STORE, '6d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11'].map((cornerStoreId) => ({
  cornerStoreId,
  status: 'in-manual-validation',
  creditLimit: 5000,
  interestRate: 0.05,
  rejectionReason: null,
  firstName: '<script>alert(1)</script>',
  lastNames: 'Ruiz',
  phoneNumber: '********0101',
  cornerStoreName: null,
  information: null,
  completedSteps: [],
  missingSteps: [],
  createdAt: '2026-11-22T16:00:00.000Z',
  blockedAt: null,
  erasedAt: null,
}));

const DOCUMENT = { documentId: STORE, step: 'A', imageWarnings: ['few-bytes', 'blurred'] };

const OLDEST_WHOLESALER = {
  wholesalerId: STORE,
  name: 'Abarrotes del Norte',
  minimumTransactionAmount: 500,
  commissionRate: 0.02,
  paymentTermDays: 14,
};

/** In whose name its commission invoices are. */
export const TAX_PROFILE = {
  rfc: 'ANO010101AB1',
  legalName: 'ABARROTES DEL NORTE',
  taxRegime: '601',
  postalCode: '64000',
  cfdiUse: 'G03',
};

/** More wholesalers than the console offers in a choice; the last one is the oldest. */
function wholesalersAt(path: string): [number, object] {
  if (path.includes('cursor='))
    return [200, { wholesalers: [OLDEST_WHOLESALER], nextCursor: null }];
  const wholesalers = Array.from({ length: 100 }, (_, at) => ({
    wholesalerId: `9e1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8${String(at).padStart(3, '0')}`,
    name: `Mayorista ${at}`,
  }));
  return [200, { wholesalers, nextCursor: STORE }];
}

const NONE = { amount: 0, ratio: 0 };
const PAR = { par1: NONE, par7: NONE, par30: NONE, par60: NONE, par90: NONE };

/** One wholesaler has debts. */
const PORTFOLIO = {
  asOf: '2026-11-22',
  outstanding: 1000,
  writtenOff: 0,
  par: PAR,
  buckets: ['0', '8-30'].map((bucket) => ({ bucket, debts: 1, principal: 500 })),
  wholesalers: [{ wholesalerId: STORE, debts: 1, outstanding: 1000, writtenOff: 0, par: PAR }],
};

const COLLECTED = { paymentProviderId: STORE, paymentProvider: 'OXXO Pay', day: '2026-02-27' };
const OTHER_REPORTS = { collections: [COLLECTED], vintages: [] };

const amounts = (principal: number) => ({ principal, interests: 15, IVAAmount: 2.4 });

/** What moved on a day: the portfolio is as large as before. */
const FLOW = {
  day: '2026-02-27',
  wholesalerId: null,
  delivered: amounts(600),
  credited: amounts(50),
  collected: amounts(500.1),
  writtenOff: amounts(49.9),
  recovered: 10,
  cash: 400,
};

/** Deposits of a day, of two providers. */
const DEPOSITS = [
  ['K-1', 529, 'applied', 'OXXO Pay'],
  ['K-2', 100, 'applied', 'OXXO Pay'],
  ['K-3', 7, 'unmatched', 'OXXO Pay'],
  ['K-4', 8, 'applied', 'Otro'],
].map(([claveDePago, valor, status, paymentProvider]) => ({
  claveDePago,
  valor,
  status,
  paymentProvider,
  depositId: STORE,
}));

interface Call {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey?: string | string[] | undefined;
  body: string;
}

/** A gateway that knows two sessions, and remembers what was asked of it. */
export async function startStandInGateway(): Promise<
  StandIn & {
    calls: Call[];
    /** What each closing of statements leaves, in order; then nothing. */
    remaining: number[];
  }
> {
  const calls: Call[] = [];
  const remaining: number[] = [];
  const standIn = await startStandIn(({ method, path, headers, body }) => {
    const idempotencyKey = headers['idempotency-key'];
    calls.push({ method, path, authorization: headers.authorization, idempotencyKey, body });
    if (path.includes('.csv?') && !path.includes(STATEMENT)) {
      return { status: 404, body: { errorCode: 'STATEMENT_NOT_FOUND' } };
    }
    if (path.endsWith('.csv?format=people')) {
      return { headers: { 'content-disposition': 'attachment; filename="12.csv"' }, body: CSV };
    }
    if (path.endsWith('/statements/close') && remaining.length > 0) {
      return { body: { statements: [], remaining: remaining.shift() } };
    }
    const [status, answer] = answerTo(path, body);
    return { status, body: answer };
  });
  return { ...standIn, calls, remaining };
}

function answerTo(path: string, body: string): [number, object] {
  if (path === '/v1/sign-in/token') {
    if (body.includes(ENDED_SESSION)) return [401, { errorCode: 'UNAUTHORIZED' }];
    const authTime = '2026-11-22T16:00:00.000Z';
    const person = { sessionId: 's', staffId: 'x', name: 'Ana', role: 'admin', authTime };
    return [200, { accessToken: body.includes(SESSION) ? 'token-a' : 'token-b', ...person }];
  }
  if (path === '/v1/sign-in/link') return [200, { sessionToken: SESSION, endsAt: '2026-11-23' }];
  if (path === '/v1/sign-in/passkey') return [422, { errorCode: 'SIGN_IN_NOT_VALID' }];
  if (path === '/v1/admin/my/notices') return [200, { notices: [] }];
  if (path === '/v1/sign-in/ways') return [200, { identityProvider: false }];
  if (body.includes('creditLimit')) return [202, { changeRequestId: STORE }];
  if (path.endsWith('/credit-notes')) return creditedAt(body);
  if (path.startsWith('/v1/admin/receivables?'))
    return [200, { receivables: [], nextCursor: null }];
  if (/\/messages(\?|\/search)/.test(path)) return [200, { messages: [], nextCursor: null }];
  if (path.endsWith('/messages/resend')) return [200, { unknown: 3, resent: 2, nextCursor: null }];
  if (path.startsWith('/v1/admin/disputes?'))
    return [200, { disputes: [THE_DISPUTE], nextCursor: null }];
  if (path.startsWith(`/v1/admin/disputes/${DISPUTE}`))
    return [200, { ...THE_DISPUTE, proofs: PROOFS }];
  if (path.endsWith(ORDER)) return [200, THE_ORDER];
  if (path.endsWith('/invoice/documents')) return [200, { documents: [EXAMPLE_TAX_DOCUMENT] }];
  if (/\/(mark-paid|settlement-adjustments)$/.test(path)) return [202, { changeRequestId: STORE }];
  if (path.includes('/held-lines')) {
    const held = { payableFrom: '2026-11-24T17:00:00.000Z', heldBecause: 'unproven' };
    return [200, { lines: LINES.map((line) => ({ ...line, ...held })), nextCursor: STORE }];
  }
  if (path.includes('/lines')) return [200, { lines: LINES, nextCursor: STORE }];
  if (path.endsWith('/statements/close')) {
    if (body.includes('ayer')) return [400, { statusCode: 400, message: ['until must be a date'] }];
    return [200, { statements: [], remaining: 0 }];
  }
  if (path.includes('/statements/draft')) return [200, DRAFT];
  if (path.endsWith(`/change-requests/${STATEMENT}`)) return [200, PAYMENT_REQUEST];
  if (path.endsWith(STATEMENT)) return [200, THE_STATEMENT];
  if (path.startsWith('/v1/admin/statements')) {
    const totals = { count: 1, amount: 1446.15, hasMore: false };
    return [200, { statements: [THE_STATEMENT], totals, nextCursor: null }];
  }
  if (path.endsWith(`/transactions/${STORE}`)) return [200, THE_ORDER];
  if (path.endsWith(`/wholesalers/${STORE}`)) return [200, OLDEST_WHOLESALER];
  if (path.endsWith('/tax-profile')) {
    return body === '' ? [200, { ...TAX_PROFILE, email: null }] : [202, { changeRequestId: STORE }];
  }
  if (path.includes('/api-keys?')) return [200, { apiKeys: [], nextCursor: null }];
  if (path.startsWith('/v1/admin/wholesalers?')) return wholesalersAt(path);
  if (path.startsWith('/v1/admin/wholesalers/')) {
    return [404, { errorCode: 'WHOLESALER_NOT_FOUND', errorMessage: 'No such wholesaler.' }];
  }
  if (path.startsWith('/v1/admin/webhook-')) return [200, WEBHOOKS];
  if (path === '/v1/admin/overview') return [200, OVERVIEW];
  if (path.startsWith('/v1/admin/invoices?cancellation=rejected'))
    return [200, { invoices: [EXAMPLE_INVOICE], nextCursor: null }];
  if (path.startsWith('/v1/admin/invoices?')) return [200, { invoices: [], nextCursor: null }];
  if (path.startsWith('/v1/admin/privacy-requests?')) return [200, PRIVACY];
  if (path.startsWith('/v1/admin/audit?action=verify')) {
    return [200, { entries: [VERIFY_RUN], nextCursor: null }];
  }
  if (path.startsWith('/v1/admin/audit?')) return [200, { entries: [], nextCursor: null }];
  if (path.startsWith('/v1/admin/payment-providers?')) {
    return [
      200,
      { paymentProviders: [{ paymentProviderId: STORE, name: 'OXXO Pay' }], nextCursor: null },
    ];
  }
  if (path.startsWith('/v1/admin/deposits?from=2026-11-22')) {
    return [200, { deposits: DEPOSITS, nextCursor: null }];
  }
  if (path.startsWith('/v1/admin/deposits?from')) return [200, { deposits: [], nextCursor: null }];
  if (path.startsWith('/v1/admin/exports/')) return [200, { exports: [], nextCursor: null }];
  if (path.startsWith('/v1/admin/reports/portfolio')) return [200, PORTFOLIO];
  if (path.startsWith('/v1/admin/reports/flows?from=2026-01')) {
    return [404, { errorCode: 'REPORT_NOT_FOUND', errorMessage: 'No such day.' }];
  }
  if (path.startsWith('/v1/admin/reports/flows?from=2026-03'))
    return [200, { flows: [FLOW, { ...FLOW, delivered: amounts(600.01) }] }];
  if (path.startsWith('/v1/admin/reports/flows')) return [200, { flows: [FLOW, FLOW] }];
  if (path.startsWith('/v1/admin/reports/')) return [200, OTHER_REPORTS];
  if (path.endsWith('/reject')) return [400, { statusCode: 400, message: ['reason is empty'] }];
  if (path.includes('/documents')) return [200, { documents: [DOCUMENT] }];
  if (path.startsWith('/v1/admin/corner-stores?'))
    return [200, { cornerStores: STORES, nextCursor: null }];
  return [200, {}];
}

/** Of a note above what one person may give, the request; of one above what is left, a refusal. */
function creditedAt(body: string): [number, object] {
  const { amount } = JSON.parse(body) as { amount: number };
  if (amount > 600) return [422, { errorCode: 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED' }];
  return amount > 500 ? [202, { changeRequestId: STORE }] : [201, EXAMPLE_CREDIT_NOTE];
}
