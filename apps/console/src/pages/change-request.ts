import type { Schema } from '@fiado/ops-client/operations';
import { CHANGE_KINDS } from '@fiado/contracts/change-requests';
import type { OpsScope } from '@fiado/contracts/scopes';

/** A change that waits for a second person, or waited. */
export type ChangeRequest = Schema<'ChangeRequest'>;

/** Who may decide on a request; the API has the last word. */
export function approverOf({ kind }: Pick<ChangeRequest, 'kind'>): OpsScope {
  return kindOf(kind)?.approver ?? 'admin';
}

/** Whether the change makes a secret, which its requester collects. */
export function isCollected({ kind }: Pick<ChangeRequest, 'kind'>): boolean {
  return kindOf(kind)?.isCollected === true;
}

/** The record that a request changes, and the page of it. */
export function targetPath({
  kind,
  targetId,
}: Pick<ChangeRequest, 'kind' | 'targetId'>): string | undefined {
  if (targetId === null) return undefined;
  const pages: Record<string, string> = {
    'corner-store': `/tiendas/${targetId}`,
    deposit: `/depositos/${targetId}`,
    customers: `/mayoristas/${targetId}`,
    wholesaler: `/mayoristas/${targetId}`,
    'wholesaler-key': `/mayoristas/${targetId}`,
    staff: '/personal',
  };
  return pages[kind.split('.')[0] ?? ''];
}

function kindOf(kind: string): { approver: OpsScope; isCollected?: boolean } | undefined {
  const kinds: Record<string, { approver: OpsScope; isCollected?: boolean }> = CHANGE_KINDS;
  return kinds[kind];
}
