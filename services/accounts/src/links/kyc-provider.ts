/** An identity check provider. Creates the page that a link opens. */
export interface KycProvider {
  /** The URL of a user's page; only the token identifies the user. */
  createLink(link: { token: string; expiresAt: Date }): Promise<string>;
}

/** The gateway's own page: no identity is checked; it only shows the missing steps. */
export function createLocalKycProvider(publicUrl: string): KycProvider {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    createLink: ({ token }) => Promise.resolve(`${base}/kyc/${token}`),
  };
}
