import type { KycProvider } from '../kyc-provider';

/** The gateway's own page: no identity is checked; it only shows the missing steps. */
export function createLocalKycProvider(publicUrl: string): KycProvider {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    createLink: ({ token }) => Promise.resolve(`${base}/kyc/${token}`),
  };
}
