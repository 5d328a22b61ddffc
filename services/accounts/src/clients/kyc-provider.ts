/** Who checks identities: makes the page that a link leads to. */
export interface KycProvider {
  /** The URL of a user's page; the token is the only thing that tells whose it is. */
  createLink(link: { token: string; expiresAt: Date }): Promise<string>;
}
