import type { PendingChange } from '@fiado/shared/contracts/change-requests';
import type { Say } from '../words';

/** A corner store as the API shows it to ops; a viewer gets initials and a masked phone. */
export interface Store {
  cornerStoreId: string;
  userId: string;
  status: string;
  creditLimit: number;
  interestRate: number;
  rejectionReason: string | null;
  approvalReason: string | null;
  pendingChange: PendingChange | null;
  customers: Array<{ wholesalerId: string; externalId: string; phoneHeldUntil: string | null }>;
  firstName: string;
  lastNames: string;
  phoneNumber: string;
  cornerStoreName: string | null;
  information: Record<string, unknown> | null;
  completedSteps: string[];
  missingSteps: string[];
  createdAt: string;
}

export function statusName(status: string, say: Say): string {
  const names: Record<string, string> = {
    'pre-approved': say('preaprobada', 'pre-approved'),
    'in-manual-validation': say('por validar', 'to validate'),
    approved: say('aprobada', 'approved'),
    'in-payment-default': say('con atraso', 'in default'),
  };
  return names[status] ?? status;
}

export function nameOf({ firstName, lastNames, cornerStoreName }: Store): string {
  const owner = `${firstName} ${lastNames}`;
  return cornerStoreName === null ? owner : `${cornerStoreName} · ${owner}`;
}
