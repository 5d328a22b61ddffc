import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';
import { startSystem, type System } from '../system';
import { TWILIO_AUTH_TOKEN, TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

const FACTURAPI_KEY = 'sk_test_of-facturapi-that-is-secret';
/** Our credentials at third parties. */
export const THIRD_PARTY_SECRETS = [TWILIO_AUTH_TOKEN, FACTURAPI_KEY];

/** All of Fiado at its most talkative, with all third parties in our hands. */
export interface TracedDeployment {
  system: System;
  databaseUrl: string;
  /** Folder of the database server, its log in it. */
  databaseDir: string;
  twilio: TwilioStandIn;
  facturapi: TwilioStandIn;
  dispose(): Promise<void>;
}

export async function startTracedDeployment(
  env: Record<string, string>,
): Promise<TracedDeployment> {
  const postgres = await startTemporaryPostgres();
  const { url: databaseUrl, folder: databaseDir } = postgres;
  const twilio = await TwilioStandIn.start();
  const facturapi = await TwilioStandIn.start();
  const system = await startSystem({
    env: {
      LOG_LEVEL: 'trace',
      // The story and all faults go to few phones.
      SMS_PER_PHONE_PER_DAY: '1000',
      DATABASE_URL: databaseUrl,
      ...twilio.variables,
      INVOICE_PROVIDER: 'facturapi',
      FACTURAPI_KEY,
      FACTURAPI_BASE_URL: facturapi.url,
      ...env,
    },
  });
  return {
    system,
    databaseUrl,
    databaseDir,
    twilio,
    facturapi,
    dispose: async () => {
      await system.dispose();
      await twilio.stop();
      await facturapi.stop();
      await postgres.stop();
    },
  };
}
