import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import { AppError } from '@fiado/contracts/errors';
import type { ConsentPurpose } from '@fiado/contracts/privacy';
import { shownStatus, type ShownStatus } from './corner-store.rules';

/** One customer of an import. */
export interface CustomerRow {
  externalId: string;
  firstName: string;
  lastNames: string;
  /** E.164. */
  phone: string;
  creditLimitCents: number;
  /** Decimal string. */
  interestRate: string;
  /** Undefined: the installation's. */
  timeZone?: string | undefined;
  /** The consent of a new user, such as the one that the wholesaler has on paper. */
  consent?: RowConsent | undefined;
  /** When a new user agreed to WhatsApp. ISO 8601. */
  whatsappConsent?: string | undefined;
}

/** A consent to the privacy notice, as an import brings it. */
export interface RowConsent {
  noticeVersion: string;
  purposes: ConsentPurpose[];
  /** ISO 8601: rows are kept as JSON until a second person decides. */
  givenAt: string;
}

/** A corner store that shares its phone or its externalId with a row of the import. */
export interface KnownCornerStore {
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  /** Its registered phone, if a row of this import names it. */
  phone: string | undefined;
  /** The importing wholesaler's name for it; null when it is not yet its customer. */
  externalId: string | null;
}

export interface ImportedCustomer {
  externalId: string;
  userId: string;
  cornerStoreId: string;
  status: ShownStatus;
}

export type NewCustomer = CustomerRow & { userId: string; cornerStoreId: string };

export interface ImportPlan {
  /** One for each row, in order. */
  customers: ImportedCustomer[];
  created: NewCustomer[];
  /** Known stores that become this wholesaler's customers too; nothing else of them changes. */
  linked: Array<{ cornerStoreId: string; externalId: string }>;
}

/**
 * Decides what an import does: a known phone links its store, an unknown one makes a user and a
 * store, a repeated row changes nothing.
 * @throws AppError CUSTOMER_CONFLICT naming the first row that contradicts another row or a
 *   customer that the wholesaler already has
 */
export function planImport(
  rows: CustomerRow[],
  known: KnownCornerStore[],
  newId: () => string,
): ImportPlan {
  const plan: ImportPlan = { customers: [], created: [], linked: [] };
  const knownByPhone = new Map(known.map((store) => [store.phone, store]));
  const knownByExternalId = new Map(known.map((store) => [store.externalId, store]));
  const indexByPhone = new Map<string, number>();
  const indexByExternalId = new Map<string, number>();

  for (const [index, row] of rows.entries()) {
    const earlier = indexByPhone.get(row.phone) ?? indexByExternalId.get(row.externalId);
    if (earlier !== undefined) {
      if (!isSameRow(row, rows[earlier])) throw conflict(index, `contradicts customers.${earlier}`);
      plan.customers.push(plan.customers[earlier] as ImportedCustomer);
      continue;
    }
    indexByPhone.set(row.phone, index);
    indexByExternalId.set(row.externalId, index);

    const byPhone = knownByPhone.get(row.phone);
    const byExternalId = knownByExternalId.get(row.externalId);
    if (byExternalId !== undefined && byExternalId !== byPhone) {
      throw conflict(index, 'has the externalId of a customer with another phoneNumber');
    }
    if (byPhone !== undefined && (byPhone.externalId ?? row.externalId) !== row.externalId) {
      throw conflict(index, 'has the phoneNumber of a customer with another externalId');
    }
    plan.customers.push(
      byPhone === undefined ? create(plan, row, newId) : link(plan, row.externalId, byPhone),
    );
  }
  return plan;
}

function create(plan: ImportPlan, row: CustomerRow, newId: () => string): ImportedCustomer {
  const ids = { userId: newId(), cornerStoreId: newId() };
  plan.created.push({ ...row, ...ids });
  return { externalId: row.externalId, ...ids, status: 'pre-approved' };
}

function link(plan: ImportPlan, externalId: string, store: KnownCornerStore): ImportedCustomer {
  const { cornerStoreId, userId, status, overdue } = store;
  if (store.externalId === null) plan.linked.push({ cornerStoreId, externalId });
  return { externalId, userId, cornerStoreId, status: shownStatus(status, overdue) };
}

function isSameRow(a: CustomerRow, b: CustomerRow | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names the row, never what is in it. */
function conflict(index: number, reason: string): AppError {
  return new AppError('CUSTOMER_CONFLICT', { message: `customers.${index} ${reason}` });
}
