/**
 * Where `@fiado/ops-client` has each operation of the document for ops: resource and method. A test fails
 * for an operation without a row.
 */
export const OPS_METHODS: Record<string, string> = {
  createWholesaler: 'wholesalers.create',
  listWholesalers: 'wholesalers.list',
  getWholesaler: 'wholesalers.get',
  updateWholesaler: 'wholesalers.update',
  issueWholesalerKey: 'wholesalers.issueKey',
  listWholesalerKeys: 'wholesalers.listKeys',
  importCustomers: 'wholesalers.importCustomers',
  listCustomers: 'wholesalers.listCustomers',
  revokeApiKey: 'apiKeys.revoke',

  issueOpsKey: 'opsKeys.issue',
  listOpsKeys: 'opsKeys.list',
  revokeOpsKey: 'opsKeys.revoke',

  showDataKeys: 'dataKeys.show',
  rotateDataKey: 'dataKeys.rotate',
  retireDataKey: 'dataKeys.retire',

  listOpsTransactions: 'transactions.list',
  showTransaction: 'transactions.show',
  listCreditEntries: 'cornerStores.listCreditEntries',

  listOpsStatements: 'statements.list',
  showDraftStatement: 'statements.showDraft',
  showStatement: 'statements.show',
  listOpsStatementLines: 'statements.listLines',
  closeStatements: 'statements.close',

  listStaff: 'staff.list',
  inviteStaff: 'staff.invite',
  changeStaffRole: 'staff.changeRole',
  disableStaff: 'staff.disable',
  listOwnSessions: 'sessions.list',
  endOwnSession: 'sessions.end',

  createPaymentProvider: 'paymentProviders.create',
  listPaymentProviders: 'paymentProviders.list',
  getPaymentProvider: 'paymentProviders.get',
  updatePaymentProvider: 'paymentProviders.update',
  issueProviderKey: 'paymentProviders.issueKey',
  listProviderKeys: 'paymentProviders.listKeys',
  issueSigningSecret: 'paymentProviders.issueSigningSecret',

  listCornerStores: 'cornerStores.list',
  getCornerStoreOverview: 'cornerStores.get',
  getTimeline: 'cornerStores.timeline',
  updateCornerStore: 'cornerStores.update',
  approveCornerStore: 'cornerStores.approve',
  rejectCornerStore: 'cornerStores.reject',
  clearPhoneHold: 'cornerStores.clearPhoneHold',
  listDocuments: 'cornerStores.listDocuments',
  listPayouts: 'cornerStores.listPayouts',
  payOut: 'cornerStores.payOut',
  recordReturnedPayout: 'cornerStores.recordReturnedPayout',

  resetDeliveryWord: 'transactions.resetDeliveryWord',
  resendOrderCode: 'transactions.resendCode',

  detectDefaults: 'defaults.detect',
  listOpsDefaults: 'defaults.list',
  listReceivables: 'receivables.list',
  showReceivable: 'receivables.show',
  writeOffReceivable: 'receivables.writeOff',
  showPortfolio: 'reports.portfolio',
  listVintages: 'reports.vintages',
  listPortfolioFlows: 'reports.flows',
  listCollections: 'reports.collections',
  listDeposits: 'deposits.list',
  showDeposit: 'deposits.show',
  assignDeposit: 'deposits.assign',
  unassignDeposit: 'deposits.unassign',
  reverseDeposit: 'deposits.reverse',

  getOverview: 'overview.get',
  searchMessages: 'messages.search',
  listMessages: 'messages.list',
  resendMessages: 'messages.resend',
  listJobs: 'jobs.list',
  retryJob: 'jobs.retry',
  retryJobs: 'jobs.retryAll',

  listAllWebhookEndpoints: 'webhookEndpoints.list',
  enableWebhookEndpoint: 'webhookEndpoints.enable',
  listFailingDeliveries: 'webhookEndpoints.listFailing',

  listAuditEntries: 'auditEntries.list',
  verifyAuditChain: 'auditEntries.verify',
  searchByBody: 'search.find',
  search: 'search.findByQuery',

  listChangeRequests: 'changeRequests.list',
  getChangeRequest: 'changeRequests.get',
  approveChangeRequest: 'changeRequests.approve',
  rejectChangeRequest: 'changeRequests.reject',
  collectChangeRequest: 'changeRequests.collect',

  openPrivacyRequest: 'privacyRequests.open',
  listPrivacyRequests: 'privacyRequests.list',
  getPrivacyRequest: 'privacyRequests.get',
  answerPrivacyRequest: 'privacyRequests.answer',

  checkAccounts: 'invariants.checkAccounts',
  checkTransactions: 'invariants.checkTransactions',
  checkPayments: 'invariants.checkPayments',
  checkNotifier: 'invariants.checkNotifier',
  listAccountsSums: 'invariants.listAccountsSums',
  listTransactionsSums: 'invariants.listTransactionsSums',
  listPaymentsSums: 'invariants.listPaymentsSums',
  listTransactionsDebts: 'invariants.listTransactionsDebts',
  listPaymentsDebts: 'invariants.listPaymentsDebts',
};

/**
 * Operations whose repetition has a second effect or another answer: operations for ops take no
 * Idempotency-Key.
 */
export const ONCE: ReadonlySet<string> = new Set([
  'createWholesaler',
  'issueWholesalerKey',
  'issueOpsKey',
  'inviteStaff',
  'approveChangeRequest',
  'rejectChangeRequest',
  'collectChangeRequest',
  'openPrivacyRequest',
  'answerPrivacyRequest',
  'createPaymentProvider',
  'issueProviderKey',
  'issueSigningSecret',
  'resetDeliveryWord',
  'resendOrderCode',
  'assignDeposit',
  'unassignDeposit',
  'payOut',
  'recordReturnedPayout',
  'reverseDeposit',
  'retryJob',
  'retryJobs',
]);
