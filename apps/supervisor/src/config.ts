import { variablesOf } from '@fiado/shared/chassis/config';
import { IsIntegerText, Obeys } from '@fiado/shared/contracts/decorators';
import { IsPublicUrl } from '@fiado/shared/chassis/weak-settings';
import { ConsoleConfig } from '@fiado/console/config';
import { IsIn, IsOptional, IsString } from 'class-validator';

import { IsAsIn, IsPort, isHost, isSecret, isSigningKey } from './config-rules';
import { SERVICES } from './services';
import { StoresConfig } from './stores-config';

/**
 * Everything that `npm start` reads from the environment: what it uses itself, and every variable of
 * the services and the console, by the rule of its configuration class.
 */
export class SupervisorConfig extends StoresConfig {
  /** sandbox (default) or production, which refuses settings that are only safe in a sandbox. */
  @IsOptional()
  @IsIn(['sandbox', 'production'])
  FIADO_MODE?: 'sandbox' | 'production';

  /** Address that the gateway listens on. */
  @Obeys(isHost)
  HOST = '127.0.0.1';

  /** Address that the services and the gateway's metrics listen on: never a public one. */
  @Obeys(isHost)
  INTERNAL_HOST = '127.0.0.1';

  /** The gateway's port. */
  @IsPort()
  PORT = 3000;

  @IsPort()
  ACCOUNTS_PORT = 3001;

  @IsPort()
  TRANSACTIONS_PORT = 3002;

  @IsPort()
  PAYMENTS_PORT = 3003;

  @IsPort()
  NOTIFIER_PORT = 3004;

  /** Address that the console listens on. Beyond this machine only behind TLS. */
  @Obeys(isHost)
  CONSOLE_HOST = '127.0.0.1';

  /** The console's port. One that is taken leaves Fiado without its console. */
  @IsIntegerText(1, 65_535)
  CONSOLE_PORT = 3010;

  /** Base of links and of Twilio's callbacks; unset in a sandbox: the gateway on this machine. */
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /** Folder of the embedded database, the generated secrets and the demo's keys. */
  @IsString()
  DATA_DIR = '.data';

  /** The first credential of the lender's ops people. */
  @Obeys(isSecret)
  OPS_API_KEY?: string;

  /** Sign what each process calls others with, and its jobs: one of its own for each. */
  @Obeys(isSigningKey)
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * The key of a process before or after its own, while it is exchanged. Processes only get its public
   * key.
   */
  @IsOptional()
  @Obeys(isSigningKey)
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  @IsOptional()
  @Obeys(isSigningKey)
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  @IsOptional()
  @Obeys(isSigningKey)
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  @IsOptional()
  @Obeys(isSigningKey)
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  @IsOptional()
  @Obeys(isSigningKey)
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /** Signs access tokens. */
  @Obeys(isSigningKey)
  ACCESS_TOKEN_PRIVATE_KEY?: string;

  /** Keys the hashes of six-digit codes. */
  @Obeys(isSecret)
  CODE_PEPPER?: string;

  /** Seals names, phones, coordinates and images at rest. */
  @Obeys(isSecret)
  ENCRYPTION_KEY?: string;

  // These have the rule of their process, below.
  declare ACCOUNTS_URL?: string;
  declare TRANSACTIONS_URL?: string;
  declare PAYMENTS_URL?: string;
  declare NOTIFIER_URL?: string;
  declare GATEWAY_URL?: string;
  declare CONSOLE_URL?: string;
  declare QUEUE_PREFIX?: string;
  declare SMS_PROVIDER?: string;
}

/** Made for each process: nobody sets them. */
const MADE_HERE = [
  'INTERNAL_TOKEN_PRIVATE_KEY',
  'INTERNAL_TOKEN_PUBLIC_KEYS',
  'QUEUES_DATABASE_URL',
];

const others = new Set([...variablesOf(SupervisorConfig), ...MADE_HERE]);
for (const Config of [...SERVICES.map((service) => service.Config), ConsoleConfig]) {
  const isAsInProcess = IsAsIn(Config);
  for (const name of variablesOf(Config)) {
    if (!others.has(name)) isAsInProcess(SupervisorConfig.prototype, name);
  }
}
