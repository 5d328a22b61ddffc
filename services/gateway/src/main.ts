import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { GatewayConfig } from './config';
import { startGateway } from './gateway';

const config = loadConfigOrExit(GatewayConfig, process.env);
const log = createLogger('gateway', config.LOG_LEVEL);

void runProcess({ log, start: () => startGateway(config, { log }) });
