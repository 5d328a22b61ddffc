/** Fields of paths and bodies that name an object by an id of ours. */
export const UUID_FIELDS = ['cornerStoreId', 'userId', 'transactionId', 'verificationId'] as const;
/** Those that name one by an id of the wholesaler's own. */
export const TEXT_FIELDS = ['externalId', 'wholesalerTransactionId'] as const;

/** The objects that a request names. */
export type NamedIds = Partial<
  Record<(typeof UUID_FIELDS)[number] | (typeof TEXT_FIELDS)[number], string>
>;

/** A request of a wholesaler that was answered with an error. */
export interface Refusal {
  id: string;
  refusedAt: Date;
  wholesalerId: string;
  /** Such as createTransaction. */
  operation: string;
  errorCode: string;
  requestId: string;
  ids: NamedIds;
}
