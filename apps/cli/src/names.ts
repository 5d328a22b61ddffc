/**
 * The first word of commands, where it is not the resource of the client, and other words for it. The client's
 * word answers as well.
 */
const NOUNS: Record<string, [noun: string, ...aliases: string[]]> = {
  auditEntries: ['audit'],
  cornerStores: ['corner-stores', 'stores'],
  paymentProviders: ['providers'],
  privacyRequests: ['privacy'],
  transactions: ['orders'],
  webhookEndpoints: ['webhooks'],
};

/** Commands that have another name than the client's method. */
const COMMANDS: Record<string, string> = {
  changeStaffRole: 'staff set-role',
  getChangeRequest: 'change-requests show',
  getCornerStoreOverview: 'corner-stores show',
  getOverview: 'overview',
  getPrivacyRequest: 'privacy show',
  giveCreditNote: 'orders credit',
  issueOpsKey: 'ops-keys create',
  issueProviderKey: 'providers create-key',
  issueWholesalerKey: 'keys create',
  listCustomers: 'customers list',
  listFailingDeliveries: 'webhooks failing',
  listOpsDraftLines: 'statements draft-lines',
  listOpsStatementLines: 'statements lines',
  listPayouts: 'corner-stores payouts',
  recordReturnedPayout: 'corner-stores payout-returned',
  retireDataKey: 'keys retire',
  revokeApiKey: 'keys revoke',
  rotateDataKey: 'keys rotate',
  searchByBody: 'search',
  searchMessages: 'messages list',
  showDataKeys: 'keys status',
  showDraftStatement: 'statements draft',
};

/** Fields that are arguments although they are not in the path. */
export const ARGUMENTS: Record<string, string[]> = {
  adjustSettlement: ['wholesalerId'],
  answerPrivacyRequest: ['outcome'],
  inviteStaff: ['email'],
  listOpsDraftLines: ['wholesalerId'],
  openPrivacyRequest: ['userId'],
  retireDataKey: ['dataKeyNumber'],
  searchByBody: ['q'],
  showDraftStatement: ['wholesalerId'],
};

/** Defaults that a command derives from the other fields. */
export const FILLED: Record<string, Record<string, (given: Record<string, unknown>) => unknown>> = {
  inviteStaff: { name: ({ email }) => email },
  startExport: { format: () => 'csv' },
};

/** Short words for options. */
const OPTIONS: Record<string, string> = {
  cornerStoreId: 'store',
  externalId: 'external-id',
  incrementalID: 'number',
  phoneNumber: 'phone',
  reasonCode: 'reason',
  transactionId: 'order',
  webhookEndpointId: 'endpoint',
  wholesalerTransactionId: 'external-number',
};

/** The words of an operation's command. @param operation.as resource and method of the client */
export function commandWords({ id, as }: { id: string; as: string }): string[] {
  const [resource = '', method = ''] = as.split('.');
  return COMMANDS[id]?.split(' ') ?? [NOUNS[resource]?.[0] ?? kebab(resource), kebab(method)];
}

/** Other words for the first word of commands. */
export function aliasesOf(noun: string): string[] {
  const [resource, [, ...aliases]] = Object.entries(NOUNS).find(([, [one]]) => one === noun) ?? [
    noun,
    [noun],
  ];
  return [kebab(resource), ...aliases].filter((alias) => alias !== noun);
}

/** The names of a field's option: the shown one, then those that answer too. */
export function optionNames(field: string): [shown: string, ...others: string[]] {
  const long = kebab(field);
  const names = [...new Set([OPTIONS[field], long.replace(/-id$/, ''), long])];
  return names.filter((name) => name !== undefined) as [string, ...string[]];
}

/** `cornerStoreId` is `corner-store-id`, `incrementalID` is `incremental-id`. */
function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]+/g, (capitals) => `-${capitals}`).toLowerCase();
}
