/**
 * Where @fiado/client has each operation of the API document: resource and method. A test fails for an
 * operation without a row.
 */
export const METHODS: Record<string, string> = {
  changePhoneNumber: 'accounts.changePhoneNumber',
  createAccountVerification: 'accounts.createVerification',
  resendAccountCode: 'accounts.resendCode',
  confirmAccountVerification: 'accounts.confirm',
  recordOnboardingStep: 'accounts.recordOnboardingStep',
  createKycLink: 'accounts.createKycLink',
  createAccountLink: 'accounts.createAccountLink',

  getCornerStore: 'cornerStores.get',
  getCornerStores: 'cornerStores.find',
  getDefaultInformation: 'cornerStores.listDefaults',

  checkTransaction: 'transactions.check',
  createTransaction: 'transactions.create',
  createTransactions: 'transactions.createBatch',
  createTransactionLink: 'transactions.createLink',
  resendTransactionCode: 'transactions.resendCode',
  confirmTransaction: 'transactions.confirm',
  getTransaction: 'transactions.get',
  getTransactionByWholesalerId: 'transactions.getByWholesalerId',
  listTransactions: 'transactions.list',
  resendDeliveryWord: 'transactions.resendDeliveryWord',
  deliverTransaction: 'transactions.deliver',
  cancelTransaction: 'transactions.cancel',
  createInvoice: 'transactions.createInvoice',
  getInvoice: 'transactions.getInvoice',
  createCreditNote: 'transactions.createCreditNote',
  listCreditNotes: 'transactions.listCreditNotes',

  getPayment: 'payments.get',
  recordDeposit: 'payments.recordDeposit',
  lookUpReference: 'payments.lookUpReference',

  listStatements: 'statements.list',
  getDraftStatement: 'statements.getDraft',
  getStatement: 'statements.get',
  listStatementLines: 'statements.listLines',

  listEvents: 'events.list',
  listEventTypes: 'events.listTypes',
  changeEventSettings: 'events.changeSettings',

  createWebhookEndpoint: 'webhookEndpoints.create',
  getWebhookEndpoint: 'webhookEndpoints.get',
  listWebhookEndpoints: 'webhookEndpoints.list',
  updateWebhookEndpoint: 'webhookEndpoints.update',
  deleteWebhookEndpoint: 'webhookEndpoints.delete',
  testWebhookEndpoint: 'webhookEndpoints.test',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret',
  replayEvents: 'webhookEndpoints.replay',
  listDeliveries: 'webhookEndpoints.listDeliveries',
  getDelivery: 'webhookEndpoints.getDelivery',
  resendDelivery: 'webhookEndpoints.resendDelivery',

  createSandboxCustomer: 'sandbox.createCustomer',
  createSandboxDeposit: 'sandbox.createDeposit',
  listSandboxMessages: 'sandbox.listMessages',
  setSandboxClock: 'sandbox.setClock',
  resetSandbox: 'sandbox.reset',

  issueAccessToken: 'auth.createToken',
};
