import { includedOpsScopes, type OpsScope } from '@fiado/contracts/scopes';
import type { AdminApi } from './api';

/** The signed-in person whose request this is. */
export interface Viewer extends AdminApi {
  sessionToken: string;
  sessionId: string;
  staffId: string;
  name: string;
  role: OpsScope;
  csrf: string;
}

/** Whether the person's role includes that one: a page shows no button that the API would refuse. */
export function mayDo({ role }: Pick<Viewer, 'role'>, needed: OpsScope): boolean {
  return includedOpsScopes(role).includes(needed);
}
