/** Whether a form that was posted to this path (query included) is Twilio's own. */
export type SignatureCheck = (
  path: string,
  signature: string | undefined,
  form: Record<string, unknown>,
) => Promise<boolean>;

/**
 * Checks X-Twilio-Signature: an HMAC by our token over the URL that Twilio was given and the form.
 * @param publicUrl the base of that URL, which is not the one that this process sees
 */
export function createTwilioSignatureCheck(authToken: string, publicUrl: string): SignatureCheck {
  const { origin } = new URL(publicUrl);
  const loading = import('twilio');
  return async (path, signature, form) => {
    if (signature === undefined) return false;
    const { default: twilio } = await loading;
    try {
      return twilio.validateRequest(authToken, signature, `${origin}${path}`, form);
    } catch {
      // The SDK parses the URL, and a path may be none.
      return false;
    }
  };
}
