/** An identity check provider. Creates the page that a link opens. */
export interface KycProvider {
  /** The URL of a user's page; only the token identifies the user. */
  createLink(link: { token: string; expiresAt: Date }): Promise<string>;
}
