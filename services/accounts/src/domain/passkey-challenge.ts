/**
 * The challenge that a browser's answer is about, as it claims: it only leads to the attempt that was
 * begun. The signature over it is checked afterwards.
 * @returns undefined for an answer that has none
 */
export function challengeIn(response: object): string | undefined {
  const { response: inner } = response as { response?: { clientDataJSON?: unknown } };
  const clientData = Object(inner).clientDataJSON as unknown;
  if (typeof clientData !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    const { challenge } = Object(parsed) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
