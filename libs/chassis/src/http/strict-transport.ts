/**
 * For answers over TLS alone (RFC 6797, 7.2): browsers use no plain HTTP with this host for a year.
 */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000'] as const;
