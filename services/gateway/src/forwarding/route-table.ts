import {
  BATCH_BODY_LIMIT,
  DEFAULT_BODY_LIMIT,
  DOCUMENT_WEBHOOK_LIMIT,
  STEP_BODY_LIMIT,
} from '@fiado/contracts/body-limits';
import { STATEMENTS_DEADLINE_MS } from '@fiado/contracts/deadlines';
import { DOWNLOADS_PATH, EXPORT_KINDS_OF } from '@fiado/contracts/exports';
import type { Service } from '@fiado/contracts/process-names';

/** An onboarding image is checked and stored before it is answered. */
export const UPLOAD_DEADLINE_MS = 20_000;
/** Invariants are checked in whole tables: seconds for each million orders. */
const INVARIANTS_DEADLINE_MS = 120_000;
/** A file of some hundred MB, to a slow line: as long as its link is valid. */
const DOWNLOAD_DEADLINE_MS = 15 * 60_000;
/** Largest form that a callback may carry, in bytes: Twilio's have some hundred. */
const MAX_FORM_LENGTH = 65_536;
/** Largest step of a sign-in, in bytes: a passkey's attestation has some thousand. */
const MAX_SIGN_IN_LENGTH = 65_536;

/** A route of the gateway. The service checks methods, callers and bodies. */
export interface ApiRoute {
  /** `*` is one segment, `**` at the end any number, none included. Also its name in logs. */
  pattern: string;
  upstream: Service;
  /** Time for the whole answer, if it differs from that of the other routes (Timing.forward). */
  deadlineMs?: number;
  /** In bytes: the most that one of its endpoints takes. The service checks the endpoint's own. */
  maxBodyLength: number;
  /** Its body is awaited, and forwarded as a whole. */
  isWhole?: true;
  /** A caller that signs its requests signs the body, also an empty one. */
  isSigned?: true;
}

/** A route that is called without a credential, and by whom. */
export interface OpenRoute extends ApiRoute {
  methods: readonly string[];
  caller: 'twilio' | 'facturapi' | 'staff';
  /** Whether it uses a session, and begins none. */
  usesSession?: true;
}

/** The service itself checks who signed the call, or a token in its body or its path. */
const OPEN_ROUTES: OpenRoute[] = [
  {
    ...route('/v1/callbacks/twilio/*', 'notifier', { maxBodyLength: MAX_FORM_LENGTH }),
    isWhole: true,
    methods: ['POST'],
    caller: 'twilio',
  },
  {
    ...route('/v1/callbacks/facturapi/*', 'transactions', {
      maxBodyLength: DOCUMENT_WEBHOOK_LIMIT,
    }),
    isWhole: true,
    methods: ['POST'],
    caller: 'facturapi',
  },
  ...['/v1/sign-in/token', '/v1/sign-in/end'].map((pattern) => ({
    ...route(pattern, 'accounts', { maxBodyLength: MAX_SIGN_IN_LENGTH }),
    isWhole: true as const,
    methods: ['POST'],
    caller: 'staff' as const,
    usesSession: true as const,
  })),
  {
    ...route('/v1/sign-in/*', 'accounts', { maxBodyLength: MAX_SIGN_IN_LENGTH }),
    isWhole: true,
    methods: ['POST'],
    caller: 'staff',
  },
  ...exportRoutes(DOWNLOADS_PATH, '*').map((entry) => ({
    ...entry,
    deadlineMs: DOWNLOAD_DEADLINE_MS,
    methods: ['GET', 'HEAD'],
    caller: 'staff' as const,
  })),
];
const segmentsOfOpen = OPEN_ROUTES.map((entry) => ({ entry, pattern: entry.pattern.split('/') }));

/** The first pattern that fits counts. */
const TABLE: ApiRoute[] = [
  route('/v1/auth/token', 'accounts'),
  route('/v1/account/*/verification/*/onboarding', 'accounts', {
    deadlineMs: UPLOAD_DEADLINE_MS,
    maxBodyLength: STEP_BODY_LIMIT,
  }),
  route('/v1/account/**', 'accounts'),
  route('/v1/link/kyc', 'accounts'),
  route('/v1/link/account', 'accounts'),
  route('/v1/link/external/**', 'transactions'),
  route('/v1/corner-store/external/**', 'accounts', { maxBodyLength: BATCH_BODY_LIMIT }),
  route('/v1/corner-store/default-information', 'payments'),
  // Before the payment: a wholesaler may use "payment" as the id of a transaction.
  route('/v1/transaction/external/**', 'transactions'),
  route('/v1/transaction/*/payment', 'payments'),
  route('/v1/transaction/batch', 'transactions', { maxBodyLength: BATCH_BODY_LIMIT }),
  route('/v1/transaction/**', 'transactions'),
  { ...route('/v1/customer-transaction/**', 'payments'), isSigned: true },
  route('/v1/invoices', 'transactions'),
  route('/v1/statements/*/lines.csv', 'transactions', { deadlineMs: STATEMENTS_DEADLINE_MS }),
  route('/v1/statements/**', 'transactions'),
  route('/v1/events/**', 'notifier'),
  route('/v1/sandbox/messages', 'notifier'),
  route('/v1/sandbox/replies', 'notifier'),
  route('/v1/sandbox/customers', 'accounts'),
  route('/v1/sandbox/**', 'payments'),
  route('/v1/event-types', 'notifier'),
  route('/v1/webhook-endpoints/**', 'notifier'),
  route('/v1/admin/webhook-endpoints/**', 'notifier'),
  route('/v1/admin/webhook-deliveries', 'notifier'),
  route('/v1/admin/transactions/**', 'transactions'),
  route('/v1/admin/disputes/**', 'transactions'),
  route('/v1/admin/statements/close', 'transactions', { deadlineMs: STATEMENTS_DEADLINE_MS }),
  route('/v1/admin/statements/*/lines.csv', 'transactions', {
    deadlineMs: STATEMENTS_DEADLINE_MS,
  }),
  route('/v1/admin/statements/**', 'transactions'),
  route('/v1/admin/settlement-adjustments', 'transactions'),
  route('/v1/admin/corner-stores/*/credit-entries', 'transactions'),
  route('/v1/admin/corner-stores/*/payouts/**', 'payments'),
  route('/v1/admin/corner-stores/*/possible-deposits', 'payments'),
  route('/v1/admin/deposits/**', 'payments'),
  route('/v1/admin/receivables/**', 'payments'),
  route('/v1/admin/defaults/**', 'payments'),
  route('/v1/admin/reports/**', 'payments'),
  ...exportRoutes('/v1/admin/exports', '**'),
  // A kind that no service has.
  route('/v1/admin/exports/**', 'transactions'),
  route('/v1/admin/messages/**', 'notifier'),
  route('/v1/admin/jobs/**', 'notifier'),
  route('/v1/admin/invariants/accounts/**', 'accounts', { deadlineMs: INVARIANTS_DEADLINE_MS }),
  route('/v1/admin/invariants/transactions/**', 'transactions', {
    deadlineMs: INVARIANTS_DEADLINE_MS,
  }),
  route('/v1/admin/invariants/payments/**', 'payments', { deadlineMs: INVARIANTS_DEADLINE_MS }),
  route('/v1/admin/invariants/notifier/**', 'notifier', { deadlineMs: INVARIANTS_DEADLINE_MS }),
  // It waits for whole tables to be read, as invariants do.
  route('/v1/admin/privacy-requests/*/verify', 'accounts', { deadlineMs: INVARIANTS_DEADLINE_MS }),
  route('/v1/admin/wholesalers/*/invoice-issuer', 'transactions'),
  route('/v1/admin/wholesalers/*/tax-profile', 'transactions'),
  route('/v1/admin/invoice-issuers', 'transactions'),
  route('/v1/admin/invoices', 'transactions'),
  route('/v1/admin/wholesalers/*/customers', 'accounts', { maxBodyLength: BATCH_BODY_LIMIT }),
  route('/v1/admin/**', 'accounts'),
];

const segmentsOfTable = TABLE.map((entry) => ({ entry, pattern: entry.pattern.split('/') }));

function route(
  pattern: string,
  upstream: Service,
  limits: Partial<Pick<ApiRoute, 'deadlineMs' | 'maxBodyLength'>> = {},
): ApiRoute {
  return {
    pattern,
    upstream,
    maxBodyLength: DEFAULT_BODY_LIMIT,
    ...limits,
  };
}

/** A path with a kind of export leads to its service. */
function exportRoutes(prefix: string, rest: string): ApiRoute[] {
  return Object.entries(EXPORT_KINDS_OF).flatMap(([service, kinds]) =>
    kinds.map((kind) => route(`${prefix}/${kind}/${rest}`, service as Service)),
  );
}

/** Whether a request's URL belongs to the API, and not to the gateway's own pages. */
export function isApiUrl(url: string): boolean {
  const path = pathOf(url);
  return path === '/v1' || path.startsWith('/v1/');
}

/** The route of a request's URL; undefined when no service has it. */
export function findRoute(url: string): ApiRoute | undefined {
  const segments = pathOf(url).split('/');
  return segmentsOfTable.find(({ pattern }) => fits(segments, pattern))?.entry;
}

/** The route of a call that needs no credential; undefined for any other. */
export function findOpenRoute(method: string | undefined, url: string): OpenRoute | undefined {
  const segments = pathOf(url).split('/');
  return segmentsOfOpen.find(
    ({ entry, pattern }) => entry.methods.includes(method ?? '') && fits(segments, pattern),
  )?.entry;
}

function fits(segments: string[], pattern: string[]): boolean {
  const open = pattern.at(-1) === '**';
  const fixed = open ? pattern.length - 1 : pattern.length;
  if (open ? segments.length < fixed : segments.length !== fixed) return false;
  for (let i = 0; i < fixed; i++) {
    if (pattern[i] !== '*' && pattern[i] !== segments[i]) return false;
  }
  return true;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
