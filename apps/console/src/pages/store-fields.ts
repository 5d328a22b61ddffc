import type { Schema } from '@fiado/ops-client/operations';
import type { Say } from '../words';

/** A corner store; a viewer gets initials and a masked phone. */
export type Store = Schema<'CornerStoreDetails'>;

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
