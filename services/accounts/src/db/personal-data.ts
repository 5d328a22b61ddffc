import {
  CHASSIS_PERSONAL_DATA,
  DATA_KEY_COLUMNS,
  HARMLESS,
  harmlessColumns,
  namesPerson,
  REFUSAL_COLUMNS,
  REFUSALS_PERSONAL_DATA,
  type PersonalData,
} from '@fiado/chassis/db/personal-data';
import { personalTableOf } from '@fiado/chassis/db/marked-columns';
import { AuditEntryRow } from '../audit/audit-entry.entity';
import { AccountVisitRow } from '../links/account-visit.entity';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';
import { ErasureRow } from '../privacy/erasure.entity';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { UserRow } from '../corner-stores/user.entity';
import { VerificationRow } from '../verification/verification.entity';
import { ChangeRequestRow } from '../approvals/change-request.entity';
import { ConsentRow } from '../privacy/consent.entity';

/** The personal data of owners of corner stores in accounts. */
export const PERSONAL_DATA: PersonalData = {
  tables: [
    ...CHASSIS_PERSONAL_DATA.tables,
    REFUSALS_PERSONAL_DATA,
    personalTableOf(UserRow, {
      what: 'owners: name, phone, place, contacts and tax profile, encrypted; notes of the wholesaler',
      find: 'own.id = person.user_id',
      kept: 'without end',
    }),
    personalTableOf(CornerStoreRow, {
      what: 'stores: name, kind and address, encrypted; why one was approved or rejected',
      find: 'own.id = person.corner_store_id',
      kept: 'without end',
    }),
    {
      table: 'customers',
      what: 'the wholesalers that sell to a store, each with its own id of it',
      find: 'own.corner_store_id = person.corner_store_id',
      kept: 'without end',
      columns: { external_id: 'wholesaler-names' },
    },
    personalTableOf(VerificationRow, {
      what: 'confirmations of phones by code, with the phone, encrypted',
      find: 'own.user_id = person.user_id',
      kept: 'without end',
    }),
    personalTableOf(OnboardingDocumentRow, {
      what: 'images of the owner, an identification and the store, encrypted, in files',
      find: 'own.corner_store_id = person.corner_store_id',
      kept: 'without end',
    }),
    {
      table: 'account_links',
      what: 'links to the page “Mi cuenta”, as 1.0.0 made them',
      find: 'own.user_id = person.user_id',
      kept: 'one day after the link expired',
      columns: { phone_index: 'voluntary' },
    },
    personalTableOf(AccountVisitRow, {
      what: 'visits to the page “Mi cuenta” by number and code',
      find: 'own.phone_index = ANY (person.phone_indexes)',
      kept: 'one day after the visit expired',
    }),
    personalTableOf(ConsentRow, {
      what: 'consents to the privacy notice, with its version, address and hash',
      find: 'own.user_id = person.user_id',
      kept: 'without end',
    }),
    {
      table: 'privacy_consents',
      what: 'the same, as 1.0.0 kept them',
      find: 'own.verification_id IN (SELECT id FROM verifications WHERE user_id = person.user_id)',
      kept: 'without end',
      columns: { notice_version: 'audit', notice_url: 'audit' },
    },
    personalTableOf(ErasureRow, {
      what: 'reports of what was blocked and erased: counts of rows, and no value',
      find: 'own.user_id = person.user_id',
      kept: 'without end',
    }),
    {
      table: 'erased_phones',
      isInternal: true,
      what: 'indexes of the phones of erased owners, so that no import brings one back',
      find: 'own.keyed_hash = ANY (person.phone_indexes)',
      kept: 'without end',
      columns: { keyed_hash: 'audit' },
    },
    personalTableOf(ChangeRequestRow, {
      what: 'changes that two people decide; of an import the rows, and of a correction the values, encrypted, until it is decided',
      find: `own.target_id = ANY (person.ids) OR ${namesPerson('own.payload')}`,
      kept: 'without end',
    }),
    personalTableOf(AuditEntryRow, {
      what: 'what staff and keys changed, and which personal data they read',
      find: 'own.object_id = ANY (person.ids)',
      kept: 'without end',
    }),
    {
      table: 'audit_chain',
      isInternal: true,
      what: 'the same, chained by hashes',
      find: 'own.entry_id IN (SELECT id FROM audit_log WHERE object_id = ANY (person.ids))',
      kept: 'without end',
      columns: { content: 'audit' },
    },
  ],
  harmless: [
    ...CHASSIS_PERSONAL_DATA.harmless,
    ...DATA_KEY_COLUMNS,
    REFUSAL_COLUMNS,
    harmlessColumns(HARMLESS.fixed, {
      change_requests: ['failure', 'kind', 'status'],
      consents: ['channel'],
      corner_stores: ['onboarding_steps', 'pause', 'status', 'time_zone'],
      erasures: ['phase', 'state'],
      event_owners: ['owner_kind'],
      onboarding_documents: ['step', 'warnings'],
      privacy_requests: ['channel', 'identity_proof', 'kind', 'outcome', 'reason_code', 'status'],
      users: ['whatsapp_source'],
      verifications: ['status'],
    }),
    harmlessColumns(HARMLESS.party, {
      api_keys: ['kind', 'scopes'],
      payment_providers: ['allowed_addresses', 'name', 'time_zone'],
      wholesalers: ['name', 'phone_change_hold', 'settlement_every'],
    }),
    harmlessColumns(HARMLESS.staff, {
      audit_log: ['action', 'actor_id', 'actor_kind'],
      change_requests: ['decided_by', 'requested_by'],
      ops_keys: ['issued_by', 'name', 'scope'],
      privacy_requests: ['answered_by', 'opened_by'],
      staff: ['admitted_by', 'email', 'name', 'oidc_sub', 'role'],
      staff_challenges: ['purpose'],
      staff_invitations: ['held_by'],
      staff_sessions: ['address', 'agent'],
    }),
    harmlessColumns(HARMLESS.secret, {
      account_links: ['code_salt', 'token_hash'],
      account_visits: ['code_salt', 'token_hash'],
      api_keys: ['key_hash'],
      audit_chain: ['hash'],
      audit_chain_head: ['hash'],
      erasures: ['name_key'],
      kyc_links: ['token_hash'],
      ops_keys: ['key_hash'],
      payment_providers: ['previous_signing_secret', 'signing_secret'],
      staff_challenges: ['code_verifier', 'hash', 'nonce', 'state'],
      staff_credentials: ['id', 'public_key'],
      staff_invitations: ['token_hash'],
      staff_sessions: ['token_hash'],
      verifications: ['code_salt'],
    }),
    harmlessColumns(HARMLESS.technical, {
      audit_chain_head: ['break'],
      change_requests: ['last_error', 'request_id', 'traceparent'],
      erasure_parts: ['rows', 'service'],
      erasures: ['files'],
      name_changes: ['xid'],
      // Always empty; it goes with the next release.
      name_words: ['words'],
      privacy_packages: ['storage_key'],
    }),
  ],
};
