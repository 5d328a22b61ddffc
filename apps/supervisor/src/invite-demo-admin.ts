import { createOpsApi } from './ops-api';

/** The person in whose name a newcomer looks around. */
const DEMO_ADMIN = { email: 'demo@lender.example', name: 'Ana (demo)', role: 'admin' };

/**
 * Invites the admin of the demo, at each start anew, which makes the link of an earlier start void.
 * @returns a link that signs in to the console, once and within 24 hours; undefined where the
 * invitation waits for a second person
 */
export async function inviteDemoAdmin(
  { baseUrl, opsKey }: { baseUrl: string; opsKey: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const ops = createOpsApi(baseUrl, opsKey, signal);
  const invited = await ops.post<{ invitationLink?: string }>('/staff', DEMO_ADMIN);
  return invited.invitationLink;
}
