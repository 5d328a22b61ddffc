import { AccountsConfig } from '@fiado/accounts/config';
import type { ProcessConfig } from '@fiado/chassis/service-config';
import type { QueueName } from '@fiado/contracts/define';
import type { ProcessName } from '@fiado/contracts/process-names';
import { GatewayConfig } from '@fiado/gateway/config';
import { NotifierConfig } from '@fiado/notifier/config';
import { PaymentsConfig } from '@fiado/payments/config';
import { TransactionsConfig } from '@fiado/transactions/config';

/** One of the five processes, and all that this folder needs to know of it. */
export interface ServiceDefinition {
  name: ProcessName;
  portVariable: 'PORT' | `${Uppercase<QueueName>}_PORT`;
  hostVariable: 'HOST' | 'INTERNAL_HOST';
  /** Has a schema, so it migrates and gets its role's URL and the queues'. */
  hasSchema: boolean;
  /** Its variables: the process gets these and no other. */
  Config: new () => ProcessConfig;
  /** Whether orders run through it, so that its young generation has Node's size. */
  servesOrders: boolean;
  /** Order of stopping: callers stop before the services that they call. */
  stopsIn: 1 | 2 | 3;
}

type Own = Pick<ServiceDefinition, 'Config' | 'servesOrders' | 'stopsIn'>;

/** A service behind the gateway. */
function internal(name: QueueName, own: Own): ServiceDefinition {
  const portVariable = `${name.toUpperCase() as Uppercase<QueueName>}_PORT` as const;
  return { ...own, name, portVariable, hostVariable: 'INTERNAL_HOST', hasSchema: true };
}

/** The services. */
export const SERVICES: ServiceDefinition[] = [
  {
    name: 'gateway',
    Config: GatewayConfig,
    portVariable: 'PORT',
    servesOrders: true,
    hostVariable: 'HOST',
    hasSchema: false,
    stopsIn: 1,
  },
  internal('accounts', { Config: AccountsConfig, servesOrders: false, stopsIn: 2 }),
  internal('transactions', { Config: TransactionsConfig, servesOrders: true, stopsIn: 2 }),
  internal('payments', { Config: PaymentsConfig, servesOrders: false, stopsIn: 2 }),
  internal('notifier', { Config: NotifierConfig, servesOrders: true, stopsIn: 3 }),
];
