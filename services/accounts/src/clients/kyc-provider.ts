/** Who checks identities: makes the page that a link leads to. */
export interface KycProvider {
  /** The URL of a user's page; only the token identifies the user. */
  createLink(link: { token: string; expiresAt: Date }): Promise<string>;
}
