import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AuditAction } from '@fiado/contracts/audit-actions';
import { servedRoutes } from './served-routes';

const ROOT = resolve(__dirname, '..');

/** Operations of ops that write nothing that belongs in the audit log, and why. */
const NOT_AUDITED: Record<string, string> = {
  detectDefaults: 'a loop does the same within the hour, and nobody decides anything',
};

/**
 * What each operation of ops that is not a GET writes to the audit log. One that waits for a second person
 * is `change.requested` instead, which accounts writes for all of them.
 */
const AUDITED: Record<string, AuditAction[]> = {
  revokeApiKey: ['api-key.revoked'],
  recordVerifyRun: ['verify.recorded'],
  // Both decisions are one function, which puts the action together.
  approveChangeRequest: [],
  rejectChangeRequest: [],
  collectChangeRequest: ['api-key.issued', 'ops-key.issued', 'staff.invited'],
  updateCornerStore: ['corner-store.changed'],
  approveCornerStore: ['corner-store.approved'],
  clearPhoneHold: ['corner-store.phone-hold-cleared'],
  pauseCornerStore: ['corner-store.paused'],
  payOut: ['payout.paid'],
  recordReturnedPayout: ['payout.returned'],
  rejectCornerStore: ['corner-store.rejected'],
  resumeCornerStore: ['corner-store.resumed'],
  revealPhone: ['phone.revealed'],
  setCornerStoreTaxProfile: ['tax-profile.set'],
  removeCornerStoreTaxProfile: ['tax-profile.removed'],
  rotateDataKey: ['data-key.rotated'],
  retireDataKey: ['data-key.retired'],
  assignDeposit: ['deposit.assigned'],
  refuseReversal: ['deposit.reversal-refused'],
  reverseDeposit: ['deposit.reversed'],
  unassignDeposit: ['deposit.unassigned'],
  creditDispute: ['dispute.credited'],
  keepDispute: ['dispute.kept'],
  startExport: ['export.requested'],
  linkExport: ['export.linked'],
  unlinkExport: ['export.unlinked'],
  retryJobs: ['jobs.retried'],
  retryJob: ['jobs.retried'],
  resendMessages: ['messages.resent'],
  searchMessages: ['messages.searched'],
  endOwnSession: ['staff.session-ended'],
  issueOpsKey: ['ops-key.issued'],
  revokeOpsKey: ['ops-key.revoked'],
  createPaymentProvider: ['payment-provider.created'],
  updatePaymentProvider: ['payment-provider.changed'],
  issueProviderKey: ['api-key.issued'],
  issueSigningSecret: ['payment-provider.signing-secret-issued'],
  openPrivacyRequest: ['privacy-request.opened'],
  answerPrivacyRequest: ['privacy-request.answered'],
  writeOffReceivable: ['receivable.written-off'],
  searchByBody: ['phone.searched', 'name.searched'],
  adjustSettlement: ['settlement.adjusted'],
  inviteStaff: ['staff.invited'],
  changeStaffRole: ['staff.role-changed'],
  disableStaff: ['staff.disabled'],
  closeStatements: ['statements.closed'],
  markStatementPaid: ['statement.paid'],
  markStatementReturned: ['statement.returned'],
  giveCreditNote: ['credit-note.given'],
  openDispute: ['dispute.opened'],
  cancelTransactionInvoice: ['invoice.cancelled'],
  resendOrderCode: ['order-code.resent'],
  resetDeliveryWord: ['delivery-word.reset'],
  enableWebhookEndpoint: ['webhook-endpoint.enabled'],
  createWholesaler: ['wholesaler.created'],
  updateWholesaler: ['wholesaler.changed'],
  issueWholesalerKey: ['api-key.issued'],
  importCustomers: ['customers.imported'],
  setInvoiceIssuer: ['invoice-issuer.set'],
  removeInvoiceIssuer: ['invoice-issuer.removed'],
  setWholesalerTaxProfile: ['wholesaler-tax-profile.set'],
  removeWholesalerTaxProfile: ['wholesaler-tax-profile.removed'],
};

/** Operations of ops that may change something, by their ids, with the service that serves them. */
const CHANGING = new Map(
  Object.entries(servedRoutes).flatMap(([service, routes]) =>
    routes
      .filter(({ method, path }) => method !== 'get' && path.startsWith('/v1/admin/'))
      .map(({ operation }) => [operation?.id ?? '', service] as const),
  ),
);

it('each operation of ops that changes something is audited, or has a reason why not', () => {
  const known = [...Object.keys(AUDITED), ...Object.keys(NOT_AUDITED)];
  expect(known.toSorted()).toEqual([...CHANGING.keys()].toSorted());
});

it('the service of an operation writes its entries', () => {
  // Exports are operations of the chassis.
  const chassis = sourceOf('libs/shared/chassis');
  const missing = Object.entries(AUDITED).flatMap(([operation, actions]) => {
    const source = `${sourceOf(`services/${CHANGING.get(operation) ?? ''}`)}${chassis}`;
    return actions.filter((action) => !source.includes(`'${action}'`));
  });
  expect(missing).toEqual([]);
});

const read = new Map<string, string>();

function sourceOf(workspace: string): string {
  const known = read.get(workspace);
  if (known !== undefined) return known;
  const folder = join(ROOT, workspace, 'src');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
  read.set(workspace, source);
  return source;
}
