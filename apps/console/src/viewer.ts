import type { OpsScope } from '@fiado/shared/contracts/scopes';
import type { AdminApi } from './api';

/** The signed-in person whose request this is. */
export interface Viewer {
  sessionToken: string;
  sessionId: string;
  name: string;
  role: OpsScope;
  csrf: string;
  api: AdminApi;
}
